import { sql } from 'kysely';
import { SiteRepairStatus } from '#domain/enums.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import { inSites } from '#server/db/conditions.ts';
import { insertAll } from '#server/db/rows.ts';
import { touch } from '#server/touch.ts';
import type { DeviceKnown, PlaceOnBill } from './rules.ts';

/** A maintain bill of the user's sites by its number; another one is as if it did not exist. Rule: on-site-repair#bills. */
export async function visitBill({ db, currentUser }: Context, mtbId: string, { isHeld = false } = {}) {
  const query = db
    .selectFrom('rma_maintain_bill')
    .select(['mtbId', 'billStatus', 'billType', 'siteId', 'userName'])
    .where('mtbId', '=', mtbId)
    .where(inSites('siteId', currentUser));
  const row = await (isHeld ? query.forNoKeyUpdate() : query).executeTakeFirst();
  const what = { module: 'rmaMaintainBill', field: 'mtbId' };
  if (!row) throw new Refusal({ key: 'notFound', field: 'mtbId', args: { what, value: mtbId } });
  return row;
}
export type VisitBill = Awaited<ReturnType<typeof visitBill>>;

/** What the archive knows of an SN, and the catalogue of its model. */
export async function readArchived({ db }: Context, sn: string): Promise<DeviceKnown | undefined> {
  const row = await db
    .selectFrom('ubs_item_object as o')
    .leftJoin('ubs_item as i', 'i.salesCode', 'o.salesCode')
    .select(['o.type', 'o.salesCode', 'o.itemName', 'i.itemId', 'i.name'])
    .where('o.sn', '=', sn)
    .executeTakeFirst();
  if (!row) return undefined;
  const salesCode = row.salesCode ?? '';
  return { type: row.type, salesCode, name: row.name ?? row.itemName ?? salesCode, itemId: row.itemId };
}

/** A device that only the archive knows has its history, and is held, as one that stands nowhere. */
export async function admit({ db, currentUser }: Context, sn: string, { type, salesCode, name }: DeviceKnown) {
  const { siteId, userId: createBy } = currentUser;
  await db
    .insertInto('rma_inventory')
    .values({ sn, type, salesCode, itemName: name, siteId, createBy })
    .onConflict((it) => it.column('sn').doNothing())
    .execute();
}

/**
 * What a bill says of a device, by all the SNs that it has or had: whether it names it, whether it was repaired on it, and
 * how many of its model the bill declares and has. Rule: on-site-repair#devices.
 */
export async function placeOnBill(
  { db }: Context,
  mtbId: string,
  { names, salesCode }: { names: readonly string[]; salesCode: string },
): Promise<PlaceOnBill> {
  const visited = sql`rma_site_repair_bill_line AS v JOIN rma_site_repair_bill AS b ON b."osbId" = v."osbId"`;
  const { rows } = await sql<PlaceOnBill>`
    SELECT EXISTS (SELECT 1 FROM rma_maintain_bill_line_item
                    WHERE "mtbId" = ${mtbId} AND "receiveSn" = ANY(${names})) AS "isNamed",
           EXISTS (SELECT 1 FROM ${visited} WHERE b."mtbId" = ${mtbId} AND v."productSn" = ANY(${names})) AS "isRepaired",
           (SELECT coalesce(sum(count), 0)::int FROM rma_maintain_bill_line
             WHERE "mtbId" = ${mtbId} AND "salesCode" = ${salesCode}) AS declared,
           (SELECT count(*)::int FROM (
              SELECT i."receiveSn" FROM rma_maintain_bill_line_item AS i
                JOIN rma_maintain_bill_line AS l ON l."mtblId" = i."mtblId"
               WHERE l."mtbId" = ${mtbId} AND l."salesCode" = ${salesCode} AND i."receiveSn" IS NOT NULL
               UNION
              SELECT v."productSn" FROM ${visited}
               WHERE b."mtbId" = ${mtbId} AND v."salesCode" = ${salesCode}) AS t) AS taken`.execute(db);
  return rows[0] as PlaceOnBill;
}

/** The slots of a bill of material; none where nothing was chosen. */
export async function bomSlots({ db }: Context, bomId: string): Promise<Set<string>> {
  const rows = await db.selectFrom('ubs_bom_item').select('location').where('bomid', '=', bomId).execute();
  return new Set(rows.map((it) => it.location.toUpperCase()));
}

/** The on-site bill of an order that has not ended, held. The caller holds the order. */
export async function openVisits({ db }: Context, mtbId: string) {
  return db
    .selectFrom('rma_site_repair_bill')
    .select(['osbId', 'deviceCount'])
    .where('mtbId', '=', mtbId)
    .where('billStatus', '=', SiteRepairStatus.Open)
    .orderBy('id', 'desc')
    .limit(1)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** The on-site bill of an order is made with the first device that is repaired on it. Rule: on-site-repair#submit. */
export async function openBill({ db, currentUser, numbers }: Context, bill: VisitBill): Promise<string> {
  const osbId = await numbers.next('OSB');
  const { mtbId, siteId, userName } = bill;
  await db
    .insertInto('rma_site_repair_bill')
    .values({
      osbId,
      billStatus: SiteRepairStatus.Open,
      mtbId,
      siteId,
      userName,
      deviceCount: 0,
      createBy: currentUser.userId,
    })
    .execute();
  return osbId;
}

/** One record of a device, as it is kept. */
interface VisitLine {
  productSn: string;
  salesCode: string;
  name: string;
  checkIcdIds: string;
  componentSn: string;
  partsType: string;
  icdIds: string;
  repairMethod: string;
  slot: string;
  repairMarking: string | null;
  spendItemDescription: string | null;
  spendItemCount: number;
  repairUrls: string | null;
}

/** The records of a device on its on-site bill, which counts the device. Gives how many it has now. */
export async function recordVisit({ db, currentUser }: Context, osbId: string, lines: readonly VisitLine[]) {
  const { userId } = currentUser;
  const rows = lines.map((it) => ({ ...it, osbId, userId, submitTime: sql<string>`now()`, createBy: userId }));
  await insertAll(rows, (some) => db.insertInto('rma_site_repair_bill_line').values(some));
  const { deviceCount } = await db
    .updateTable('rma_site_repair_bill')
    .set({
      deviceCount: sql<number>`(SELECT count(DISTINCT "productSn") FROM rma_site_repair_bill_line WHERE "osbId" = ${osbId})`,
      ...touch(currentUser),
    })
    .where('osbId', '=', osbId)
    .returning('deviceCount')
    .executeTakeFirstOrThrow();
  return deviceCount ?? 0;
}

/** The on-site bill is ended. Rule: on-site-repair#end. */
export async function endBill({ db, currentUser }: Context, osbId: string): Promise<void> {
  await db
    .updateTable('rma_site_repair_bill')
    .set({
      billStatus: SiteRepairStatus.Ended,
      finishBy: currentUser.userId,
      finishTime: sql<string>`now()`,
      ...touch(currentUser),
    })
    .where('osbId', '=', osbId)
    .execute();
}
