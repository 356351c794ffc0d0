import { sql, type NotNull } from 'kysely';
import {
  BillStatus,
  DeliverPriority,
  DeliverStatus,
  Flag,
  OperateStatus,
  PackageStatus,
  ReceiveStatus,
  StorageType,
} from '#domain/enums.ts';
import { Refusal } from '#domain/refusal.ts';
import { registrations } from '#domain/workflow.ts';
import { inBoth } from '#domain/words.ts';
import type { Context } from '#server/context.ts';
import { anyOf } from '#server/db/conditions.ts';
import { insertAll } from '#server/db/rows.ts';
import { touch, touchSql } from '#server/touch.ts';
import { newCounts } from '#server/workflow/lines.ts';
import { readLocations, rolledBackSql } from '#server/workflow/moves.ts';
import { lockUnits } from '#server/workflow/unitLocks.ts';
import { readUnits, type Unit } from '#server/workflow/units.ts';
import type { RegisteredUnit } from './rules.ts';

/** What the archive knows of an SN, and the catalogue of its model. */
export interface KnownSn {
  itemObjectId: number;
  itemId: number | null;
  type: string;
  salesCode: string;
  name: string;
  productName: string | null;
}

export async function readArchive({ db }: Context, sns: readonly string[]): Promise<Map<string, KnownSn>> {
  const rows = await db
    .selectFrom('ubs_item_object as o')
    .leftJoin('ubs_item as i', 'i.salesCode', 'o.salesCode')
    .select(['o.id', 'o.sn', 'o.type', 'o.salesCode', 'o.itemName', 'i.itemId', 'i.name', 'i.productName'])
    .where('o.sn', '=', anyOf(sns))
    .execute();
  return new Map(
    rows.map(({ sn, id, type, salesCode, itemName, itemId, name, productName }) => [
      sn,
      {
        itemObjectId: Number(id),
        itemId,
        type,
        salesCode: salesCode ?? '',
        name: name ?? itemName ?? salesCode ?? '',
        productName,
      },
    ]),
  );
}

/** The units of these SNs with what each is kept as; held for a submit, or only read. */
export async function readStored(ctx: Context, sns: readonly string[], hold: boolean) {
  const units = hold ? await lockUnits(ctx.db, sns) : await readUnits(ctx.db, sns);
  const locations = await readLocations(ctx, sns);
  return new Map(
    [...units].map(([sn, unit]) => [sn, { ...unit, storageType: locations.get(sn)?.storageType ?? null }]),
  );
}
export type StoredUnit = Unit & { storageType: string | null };

/** Of which devices these SNs are parts, wherever those are: what is bound is no new part. */
export async function devicesOf({ db }: Context, sns: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('ubs_assembly')
    .select(['componentSn', 'deviceSn'])
    .where('componentSn', '=', anyOf(sns))
    .where('unbindTime', 'is', null)
    .execute();
  return new Map(rows.map((it) => [it.componentSn, it.deviceSn]));
}

/** What a site is called: in the language of the user, and for whoever reads it later, in both. */
export async function readSiteNames({ db, lang }: Context, siteId: string): Promise<{ own: string; both: string }> {
  const site = await db
    .selectFrom('ubs_site')
    .select(['siteName', 'siteNameEn'])
    .where('siteId', '=', siteId)
    .executeTakeFirst();
  const { siteName = siteId, siteNameEn } = site ?? {};
  const both = inBoth(siteName, siteNameEn);
  // A bill has room for so much of a customer's name.
  return { own: (lang === 'en' && siteNameEn) || siteName, both: both.length > 100 ? siteName : both };
}

/** SNs of which only the archive knows become units of the user's site, at no node yet. */
export async function admitNew(
  { db, currentUser }: Context,
  units: readonly { sn: string; known: KnownSn }[],
): Promise<void> {
  const rows = units.map(({ sn, known: { type, salesCode, name } }) => ({
    sn,
    type,
    salesCode,
    itemName: name,
    siteId: currentUser.siteId,
    createBy: currentUser.userId,
  }));
  await insertAll(rows, (some) =>
    db
      .insertInto('rma_inventory')
      .values(some)
      .onConflict((it) => it.column('sn').doNothing()),
  );
}

/** One SN with the item that it gets on its new bill. */
export interface BilledUnit {
  unit: Unit;
  known: Pick<KnownSn, 'type' | 'salesCode' | 'name' | 'productName'>;
}

/** A maintain bill of own goods with a line a sales code and an item an SN, all of them received. Rule: bills#own-goods. */
export async function writeBill(
  ctx: Context,
  head: {
    mtbId: string;
    billType: string;
    receiveShipNo: string;
    receiveShipId: string | null;
    remark: string | null;
    userName: string;
  },
  groups: readonly (readonly BilledUnit[])[],
): Promise<void> {
  const { db, currentUser } = ctx;
  const { siteId, userId: createBy } = currentUser;
  const { mtbId } = head;
  await db
    .insertInto('rma_maintain_bill')
    .values({
      ...head,
      packConfirm: Flag.No,
      billStatus: BillStatus.Received,
      operateStatus: OperateStatus.Normal,
      siteId,
      createBy,
    })
    .execute();
  const mtblIds = await ctx.numbers.many('MBL', groups.length);
  const lines = groups.map((group, i) => {
    const { type, salesCode, name, productName } = (group[0] as BilledUnit).known;
    const mtblId = mtblIds[i] as string;
    const counts = { ...newCounts, count: group.length, receiveCount: group.length };
    return { ...counts, mtblId, mtbId, type, salesCode, itemName: name, productName, createBy };
  });
  await insertAll(lines, (some) => db.insertInto('rma_maintain_bill_line').values(some));
  const units = groups.flatMap((group, i) => group.map((it) => ({ ...it, mtblId: mtblIds[i] as string })));
  const mtbliIds = await ctx.numbers.many('MBI', units.length);
  const placed = units.map((it, i) => ({ sn: it.unit.sn, mtblId: it.mtblId, mtbliId: mtbliIds[i] as string }));
  const items = placed.map(({ sn, mtblId, mtbliId }) => ({
    mtbliId,
    mtblId,
    mtbId,
    billType: head.billType,
    siteId,
    receiveSn: sn,
    receiveStatus: ReceiveStatus.Received,
    receiveTime: sql<string>`now()`,
    maintains: 0,
    continues: Flag.No,
    mixbound: Flag.No,
    secondHand: Flag.No,
    scrap: Flag.No,
    returness: Flag.No,
    payed: Flag.No,
    exchange: Flag.No,
    deliverPayment: Flag.No,
    stockup: Flag.No,
    deliverStatus: DeliverStatus.CannotShip,
    deliverPriority: DeliverPriority.Normal,
    createBy,
  }));
  await insertAll(items, (some) => db.insertInto('rma_maintain_bill_line_item').values(some));
  await sql`
    UPDATE rma_inventory AS u
       SET "mtbId" = ${mtbId}, "mtblId" = p."mtblId", "mtbliId" = p."mtbliId", "siteId" = ${siteId},
           "subinventoryCode" = NULL, "storageType" = ${StorageType.Defectives}
      FROM json_to_recordset(${JSON.stringify(placed)}::json) AS p(sn text, "mtblId" text, "mtbliId" text)
     WHERE u.sn = p.sn`.execute(db);
  // The step that brought them was written before they had items.
  await sql`
    UPDATE rma_transaction AS t SET "mtbliId" = p."mtbliId"
      FROM json_to_recordset(${JSON.stringify(placed)}::json) AS p(sn text, "mtbliId" text)
     WHERE t."mtbId" = ${mtbId} AND t.sn = p.sn`.execute(db);
}

/** The registration itself, with a line an SN. */
export async function writeRegistration(
  { db, currentUser }: Context,
  head: {
    dpbId: string;
    mtbId: string;
    billType: string;
    receiveShipId: string | null;
    receiveShipNo: string | null;
    remark: string | null;
  },
  units: readonly BilledUnit[],
): Promise<number> {
  const { siteId, userId: createBy } = currentUser;
  const { id } = await db
    .insertInto('rma_defective_product_repair_bill')
    .values({ ...head, billStatus: BillStatus.Received, siteId, count: units.length, createBy })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { dpbId } = head;
  const lines = units.map(({ unit: { sn }, known: { salesCode, name } }) => ({ dpbId, sn, salesCode, name, createBy }));
  await insertAll(lines, (some) => db.insertInto('rma_defective_product_repair_bill_line').values(some));
  return Number(id);
}

export async function registeredSns({ db }: Context, dpbId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('rma_defective_product_repair_bill_line')
    .select('sn')
    .where('dpbId', '=', dpbId)
    .orderBy('sn')
    .execute();
  return rows.map((it) => it.sn);
}

/** The latest step of each of these SNs that still stands. */
export async function latestSteps(
  { db }: Context,
  sns: readonly string[],
): Promise<Map<string, NonNullable<RegisteredUnit['latest']>>> {
  const rows = await db
    .selectFrom('rma_transaction')
    .distinctOn('sn')
    .select(['sn', 'step', 'billId'])
    .where('sn', '=', anyOf(sns))
    .where('operateStatus', '=', OperateStatus.Normal)
    .orderBy('sn')
    .orderBy('id', 'desc')
    .$narrowType<{ step: NotNull }>()
    .execute();
  return new Map(rows.map((it) => [it.sn, it]));
}

/** Those of these SNs that went back to their first test since this registration, whose records stand. */
export async function returnedSns({ db }: Context, dpbId: string, sns: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ sn: string }>`
    SELECT DISTINCT t.sn FROM rma_transaction AS t
      JOIN rma_transaction AS own ON own.sn = t.sn AND own."billId" = ${dpbId} AND own.step = ANY(${[...registrations]})
     WHERE t.sn = ANY(${[...sns]}) AND t.step = 'returnToCheck' AND t.id > own.id`.execute(db);
  return new Set(rows.map((it) => it.sn));
}

/** The received SNs of items on this bill that the registration has not. */
export async function itemsBesides({ db }: Context, mtbId: string, sns: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('rma_maintain_bill_line_item')
    .select(['receiveSn', 'mtbliId'])
    .where('mtbId', '=', mtbId)
    .execute();
  return rows.map((it) => it.receiveSn ?? it.mtbliId).filter((it) => !sns.includes(it));
}

/** Where each unit stood and lay before its registration, and on which bill: from the history and the ledger. */
export async function placesBefore({ db }: Context, dpbId: string) {
  const { rows } = await sql<{
    sn: string;
    fromNode: string | null;
    fromSubinventoryCode: string | null;
    fromStorageType: string | null;
    was: { mtbId: string | null; mtblId: string | null; mtbliId: string | null; siteId: string } | null;
  }>`
    SELECT t.sn, t."fromNode", t."fromSubinventoryCode", t."fromStorageType", g.before->'units'->t.sn AS was
      FROM rma_transaction AS t
      LEFT JOIN ledger AS g ON g.module = 'rmaDefectiveProductRepairBill' AND g."recordId" = t."billId" AND g.what = t.step
     WHERE t."billId" = ${dpbId} AND t.step = ANY(${[...registrations]})`.execute(db);
  return rows;
}
type PlaceBefore = Awaited<ReturnType<typeof placesBefore>>[number];

/** The units lie where they lay, on the bill on which they were, and their registration does not stand any more. */
export async function layBack(
  { db, currentUser }: Context,
  dpbId: string,
  places: readonly (Pick<PlaceBefore, 'sn' | 'was' | 'fromStorageType'> & { subinventoryCode: string | null })[],
): Promise<void> {
  const back = places.map(({ sn, was, fromStorageType, subinventoryCode }) => ({
    ...was,
    sn,
    subinventoryCode,
    storageType: fromStorageType,
  }));
  const { numAffectedRows } = await sql`
    UPDATE rma_inventory AS u
       SET "mtbId" = b."mtbId", "mtblId" = b."mtblId", "mtbliId" = b."mtbliId", "siteId" = coalesce(b."siteId", u."siteId"),
           "subinventoryCode" = b."subinventoryCode", "storageType" = b."storageType"
      FROM json_to_recordset(${JSON.stringify(back)}::json)
           AS b(sn text, "mtbId" text, "mtblId" text, "mtbliId" text, "siteId" text, "subinventoryCode" text, "storageType" text)
     WHERE u.sn = b.sn`.execute(db);
  if (Number(numAffectedRows) !== places.length) throw new Refusal({ key: 'stale' });
  await sql`
    UPDATE rma_transaction SET ${rolledBackSql}, ${touchSql(currentUser)}
     WHERE "billId" = ${dpbId} AND step = ANY(${[...registrations]})`.execute(db);
}

/** The maintain bill with its lines and items is gone; a parcel that was linked to it waits for its bill again. */
export async function removeBill({ db, currentUser }: Context, mtbId: string): Promise<void> {
  const now = touch(currentUser);
  await db
    .updateTable('rma_arrival_bill')
    .set({ mtbId: null, ...now })
    .where('mtbId', '=', mtbId)
    .execute();
  await db
    .updateTable('rma_unhandled_package_bill')
    .set({ mtbId: null, status: PackageStatus.Pending, pendingTime: sql`now()`, ...now })
    .where('mtbId', '=', mtbId)
    .execute();
  await db.deleteFrom('rma_maintain_bill_line_item').where('mtbId', '=', mtbId).execute();
  await db.deleteFrom('rma_maintain_bill_line').where('mtbId', '=', mtbId).execute();
  await db.deleteFrom('rma_maintain_bill').where('mtbId', '=', mtbId).execute();
}

/** The registration with its lines is gone; refused where somebody has deleted it meanwhile. */
export async function removeRegistration({ db }: Context, dpbId: string): Promise<void> {
  await db.deleteFrom('rma_defective_product_repair_bill_line').where('dpbId', '=', dpbId).execute();
  const { numDeletedRows } = await db
    .deleteFrom('rma_defective_product_repair_bill')
    .where('dpbId', '=', dpbId)
    .executeTakeFirstOrThrow();
  if (Number(numDeletedRows) !== 1) throw new Refusal({ key: 'stale' });
}
