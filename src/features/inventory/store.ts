import { sql } from 'kysely';
import { splitUrls } from '#domain/images.ts';
import type { Context } from '#server/context.ts';

/** The unit of an SN within the user's sites. */
export async function unitOf({ db, who }: Context, sn: string) {
  let query = db
    .selectFrom('rma_inventory as u')
    .leftJoin('ubs_site as s', 's.siteId', 'u.siteId')
    .leftJoin('rma_maintain_bill as b', 'b.mtbId', 'u.mtbId')
    .leftJoin('rma_maintain_bill_line_item as i', 'i.mtbliId', 'u.mtbliId')
    .select(['u.id', 'u.sn', 'u.type', 'u.salesCode', 'u.itemName', 'u.ivyId', 'u.siteId', 'u.mtbId'])
    .select(['u.subinventoryCode', 'u.storageType', 'u.updateTime', 's.siteName', 'b.id as mtbRowId'])
    .select(['i.powerSn', 'i.deliverStatus', 'i.warranty', 'i.maintains', 'i.depreciation'])
    .where('u.sn', '=', sn);
  if (who.sites !== 'all') query = query.where('u.siteId', '=', sql<string>`ANY(${who.sites})`);
  return query.executeTakeFirst();
}

/** Whether the house has this SN at all, wherever. */
export async function isElsewhere({ db }: Context, sn: string): Promise<boolean> {
  return (await db.selectFrom('rma_inventory').select('id').where('sn', '=', sn).executeTakeFirst()) !== undefined;
}

export async function archiveOf({ db }: Context, sn: string) {
  return db
    .selectFrom('ubs_item_object')
    .select(['salesCode', 'itemName', 'origin', 'productOrder', 'customer', 'outTime', 'warrantyUntil'])
    .where('sn', '=', sn)
    .executeTakeFirst();
}

/** What happened to the SN within the user's sites, the newest first. */
export async function eventsOf({ db, who }: Context, sn: string, mtbId: string) {
  let query = db
    .selectFrom('rma_transaction as t')
    .leftJoin('admin_user as a', 'a.userId', 't.userId')
    .select(['t.id', 't.mtbId', 't.siteId', 't.step', 't.billId', 't.fromNode', 't.toNode', 't.operateStatus'])
    .select(['t.eventTime', 't.createTime', 't.userId', 't.note', 'a.userName'])
    .where('t.sn', '=', sn)
    .orderBy('t.id', 'desc')
    .limit(500);
  if (mtbId !== '') query = query.where('t.mtbId', '=', mtbId);
  if (who.sites !== 'all') query = query.where('t.siteId', '=', sql<string>`ANY(${who.sites})`);
  return query.execute();
}

/** The pictures that the bills of these events keep of the SN. */
export async function picturesOn(
  { db }: Context,
  sn: string,
  billIds: readonly string[],
): Promise<Map<string, string[]>> {
  if (billIds.length === 0) return new Map();
  const { rows } = await sql<{ billId: string; urls: string | null }>`
    SELECT "ckbId" AS "billId", "checkUrls" AS urls FROM rma_check_bill WHERE "ckbId" = ANY(${billIds})
    UNION ALL SELECT "rvbId", "receiveUrls" FROM rma_receive_bill_line_item
               WHERE "rvbId" = ANY(${billIds}) AND "receiveSn" = ${sn}
    UNION ALL SELECT "rpbId", "repairUrls" FROM rma_repair_bill_line WHERE "rpbId" = ANY(${billIds})
    UNION ALL SELECT "bnbId", "burninUrls" FROM rma_burnin_bill_line
               WHERE "bnbId" = ANY(${billIds}) AND sn = ${sn}`.execute(db);
  const urls = new Map<string, string[]>();
  for (const row of rows) urls.set(row.billId, [...(urls.get(row.billId) ?? []), ...splitUrls(row.urls)]);
  return urls;
}

export async function boundNow({ db }: Context, sn: string) {
  const parts = await db
    .selectFrom('ubs_assembly')
    .select(['componentType', 'componentSn', 'qrCodeNum', 'salesCode', 'bindTime'])
    .where('deviceSn', '=', sn)
    .where('unbindTime', 'is', null)
    .orderBy('id')
    .execute();
  const holder = await db
    .selectFrom('ubs_assembly')
    .select('deviceSn')
    .where('componentSn', '=', sn)
    .where('unbindTime', 'is', null)
    .executeTakeFirst();
  return { parts, holder: holder?.deviceSn ?? null };
}
