import { sql } from 'kysely';
import { Refusal } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import { anyOf, inSites } from '#server/db/conditions.ts';
import { nameIn } from '#server/engine/describe.ts';

/** The on-site bill of a report, its order and its workshop; one of another site is as if it did not exist. */
export async function reportedBill({ db, currentUser }: Context, osbId: string) {
  const row = await db
    .selectFrom('rma_site_repair_bill as b')
    .innerJoin('rma_maintain_bill as m', 'm.mtbId', 'b.mtbId')
    .select(['b.osbId', 'm.mtbId', 'b.siteId', 'b.billStatus', 'b.createTime', 'b.finishTime'])
    .select(['m.userName', 'm.countryId', 'm.stateName', 'm.cityName', 'm.street'])
    .where('b.osbId', '=', osbId)
    .where(inSites('b.siteId', currentUser))
    .executeTakeFirst();
  const what = { module: 'rmaSiteRepairBill', field: 'osbId' };
  if (!row) throw new Refusal({ key: 'notFound', field: 'osbId', args: { what, value: osbId } });
  return row;
}

/** What a report calls the country of the customer and the workshop that came to them. */
export async function readPlaces({ db, lang }: Context, countryId: string | null, siteId: string) {
  const country = await db
    .selectFrom('ubs_country')
    .select(nameIn(lang, 'name').as('name'))
    .where('countryId', '=', countryId)
    .executeTakeFirst();
  const workshop = await db
    .selectFrom('ubs_site')
    .select([nameIn(lang, 'siteName').as('name'), 'address', 'phone'])
    .where('siteId', '=', siteId)
    .executeTakeFirst();
  return { country: country?.name ?? '', workshop };
}

/** The first records of an on-site bill in the order in which they were made, at most so many. */
export async function reportedRecords({ db, lang }: Context, osbId: string, most: number) {
  return db
    .selectFrom('rma_site_repair_bill_line as v')
    .leftJoin('ubs_enum_parts_type as t', 't.value', 'v.partsType')
    .leftJoin('rma_enum_repair_method as h', 'h.value', 'v.repairMethod')
    .leftJoin('admin_user as u', 'u.userId', 'v.userId')
    .select(['v.productSn', 'v.salesCode', 'v.name', 'v.checkIcdIds', 'v.componentSn', 'v.icdIds', 'v.slot'])
    .select(['v.repairMarking', 'v.spendItemDescription', 'v.spendItemCount', 'v.repairUrls', 'v.submitTime'])
    .select([
      nameIn(lang, 't.name').as('kind'),
      nameIn(lang, 'h.name').as('method'),
      sql<string>`coalesce(u."userName", v."userId", '')`.as('technician'),
    ])
    .where('v.osbId', '=', osbId)
    .orderBy('v.id')
    .limit(most)
    .execute();
}

interface ExchangedPart {
  deviceSn: string;
  kind: string;
  sn: string;
  isNew: boolean;
}

/**
 * The parts that were put into these devices on the bill, and those that were taken out for them; a part that was in
 * the device before and after is neither.
 */
export async function exchangedParts({ db, lang }: Context, osbId: string, deviceSns: readonly string[]) {
  const { rows } = await sql<ExchangedPart>`
    WITH visited AS (
      SELECT "deviceSn", "componentSn", "componentType", "bindTime", id
        FROM ubs_assembly WHERE "deviceSn" = ${anyOf(deviceSns)} AND "billId" = ${osbId}),
    replaced AS (
      SELECT o."deviceSn", o."componentSn", o."componentType", o."unbindTime", o.id
        FROM ubs_assembly AS o
       WHERE o."deviceSn" = ${anyOf(deviceSns)}
         AND EXISTS (SELECT 1 FROM visited AS v WHERE v."deviceSn" = o."deviceSn" AND v."bindTime" = o."unbindTime")),
    exchanged AS (
      SELECT v."deviceSn", v."componentSn" AS sn, v."componentType", true AS "isNew", v.id FROM visited AS v
       WHERE NOT EXISTS (SELECT 1 FROM replaced AS r WHERE r."deviceSn" = v."deviceSn"
                            AND r."componentSn" = v."componentSn" AND r."unbindTime" = v."bindTime")
      UNION ALL
      SELECT r."deviceSn", r."componentSn", r."componentType", false, r.id FROM replaced AS r
       WHERE NOT EXISTS (SELECT 1 FROM visited AS v WHERE v."deviceSn" = r."deviceSn"
                            AND v."componentSn" = r."componentSn" AND v."bindTime" = r."unbindTime"))
    SELECT e."deviceSn", e.sn, e."isNew", coalesce(${nameIn(lang, 'k.name')}, e."componentType", '') AS kind
      FROM exchanged AS e
      LEFT JOIN ubs_enum_component_type AS k ON k.value = e."componentType"
     ORDER BY e.id`.execute(db);
  return rows;
}
