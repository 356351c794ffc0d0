import { sql } from 'kysely';
import { GoodsType, StorageType } from '#domain/enums.ts';
import { Node } from '#domain/nodes.ts';
import { spendCountOf, slotsOfText } from '#domain/repairRecord.ts';
import type { Context } from '#server/context.ts';
import type { ArchivedPart } from '#server/workflow/parts.ts';
import type { Unit } from '#server/workflow/units.ts';
import type { RepairRow } from './rules.ts';

/** What the latest first test of this SN found. */
export async function lastCheckCodes({ db }: Context, sn: string): Promise<string | null> {
  const row = await db
    .selectFrom('rma_check_bill_line')
    .select('icdIds')
    .where('sn', '=', sn)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.icdIds ?? null;
}

/** The step and code with which aging or QC sent the unit back, if that is how it came here. */
export async function lastFail({ db }: Context, sn: string): Promise<{ step: string; code: string } | null> {
  const row = await db
    .selectFrom('rma_transaction')
    .select(['step', 'note'])
    .where('sn', '=', sn)
    .where('operateStatus', '=', 'Normal')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!row?.note || (row.step !== 'aging' && row.step !== 'qc')) return null;
  return { step: row.step, code: row.note };
}

export async function enumerationValues({ db }: Context) {
  const partsTypes = await db.selectFrom('ubs_enum_parts_type').select('value').execute();
  const repairMethods = await db.selectFrom('rma_enum_repair_method').select('value').execute();
  return {
    partsTypes: partsTypes.map((it) => it.value ?? ''),
    repairMethods: repairMethods.map((it) => it.value ?? ''),
  };
}

/** The slots of each SN whose model has a bill of material with slots. */
export async function slotsBySn({ db }: Context, sns: readonly string[]): Promise<Map<string, Set<string>>> {
  const rows = await db
    .selectFrom('ubs_item_object as o')
    .innerJoin('ubs_item as i', 'i.salesCode', 'o.salesCode')
    .innerJoin('ubs_bom_item as b', 'b.bomid', 'i.bomId')
    .select(['o.sn', 'b.location'])
    .where('o.sn', '=', sql<string>`ANY(${sns})`)
    .execute();
  const slots = new Map<string, Set<string>>();
  for (const { sn, location } of rows) {
    const of = slots.get(sn ?? '') ?? new Set<string>();
    slots.set(sn ?? '', of.add((location ?? '').toUpperCase()));
  }
  return slots;
}

export interface RecordedRow extends RepairRow {
  codes: readonly { code: string; name: string }[];
  repairMarking: string;
  spendItemDescription: string;
  urls: string;
}

/** The repair bill and its rows. */
export async function recordRepair(
  ctx: Context,
  head: { rpbId: string; unit: Unit; repairType: string | null },
  rows: readonly RecordedRow[],
): Promise<void> {
  const createBy = ctx.who.userId;
  const { rpbId, unit, repairType } = head;
  await ctx.db
    .insertInto('rma_repair_bill')
    .values({
      rpbId,
      mtbId: unit.mtbId,
      sn: unit.sn,
      userId: createBy,
      repairType,
      siteId: ctx.who.siteId,
      createBy,
    })
    .execute();
  await ctx.db
    .insertInto('rma_repair_bill_line')
    .values(
      rows.map((row) => ({
        rpbId,
        partsType: row.partsType,
        sn: row.sn || null,
        icdIds: row.codes.map((it) => it.code).join(','),
        icdDescriptions: row.codes.map((it) => it.name).join(','),
        slot: slotsOfText(row.slot).join(','),
        repairMethod: row.repairMethod,
        repairMarking: row.repairMarking || null,
        spendItemDescription: row.spendItemDescription || null,
        spendCount: spendCountOf(row),
        repairUrls: row.urls,
        replaceSn: row.replaceSn || null,
        createBy,
      })),
    )
    .execute();
}

/** Boards that were taken out of a device: scrap of the site, on nobody's bill. Decisions 2 E15. */
export async function scrapBoards(
  ctx: Context,
  sns: readonly string[],
  rpbId: string,
  archive: ReadonlyMap<string, ArchivedPart>,
): Promise<void> {
  if (sns.length === 0) return;
  const { who } = ctx;
  const boards = sns.map((sn) => ({ sn, ...archive.get(sn) }));
  await sql`
    WITH before AS (SELECT sn, "ivyId" FROM rma_inventory WHERE sn = ANY(${sns})),
    moved AS (
      INSERT INTO rma_inventory AS u
        (sn, type, "salesCode", "itemName", "siteId", "ivyId", "storageType", "createBy")
      SELECT b.sn, ${GoodsType.Board}, b."salesCode", b."itemName", ${who.siteId}, ${Node.Scrapped},
             ${StorageType.Scraps}, ${who.userId}
        FROM json_to_recordset(${JSON.stringify(boards)}::json) AS b(sn text, "salesCode" text, "itemName" text)
       ORDER BY b.sn
          ON CONFLICT (sn) DO UPDATE
         SET "siteId" = excluded."siteId", "ivyId" = excluded."ivyId", "storageType" = excluded."storageType",
             "mtbId" = NULL, "mtblId" = NULL, "mtbliId" = NULL, "subinventoryCode" = NULL,
             version = u.version + 1, "updateBy" = excluded."createBy", "updateTime" = now()
      RETURNING u.sn)
    INSERT INTO rma_transaction
      (sn, "siteId", step, "billId", "fromNode", "toNode", "operateStatus", "eventTime", "userId", "createBy")
    SELECT m.sn, ${who.siteId}, 'repair', ${rpbId}, before."ivyId", ${Node.Scrapped}, 'Normal', now(), ${who.userId},
           ${who.userId}
      FROM moved AS m LEFT JOIN before ON before.sn = m.sn`.execute(ctx.db);
}
