import { sql } from 'kysely';
import { DeliverPriority, DeliverStatus, Flag, Origin, StorageType } from '#domain/enums.ts';
import { Node } from '#domain/nodes.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import { anyOf } from '#server/db/conditions.ts';
import { insertAll } from '#server/db/rows.ts';
import { touch, touchSql } from '#server/touch.ts';
import { newCounts } from '#server/workflow/lines.ts';
import { itemIsUnreceived } from '#server/workflow/states.ts';
import { NOT_OUR } from './rules.ts';

/** One unit that comes in, with all that the receipt knows of it. */
export interface Arrival {
  sn: string;
  from: Node | null;
  to: Node;
  /** The catalogue's number of a board that is given its SN here; null for what the archive knows. */
  newItemId: number | null;
  type: string;
  salesCode: string;
  itemName: string;
  mtblId: string;
  mtbliId: string;
  /** What the item said of it before, where it was declared. */
  declared: { receiveSn: string | null; receiveStatus: string | null };
  depreciation: string | null;
  warranty: string;
  maintains: number;
  continues: string;
  mixbound: string;
  secondHand: string;
  issueCodes: string;
  receiveUrls: string;
}

/** Lines for goods that nobody declared, in their order; their count is what came. */
export async function addLines(
  ctx: Context,
  mtbId: string,
  goods: readonly { salesCode: string; type: string; name: string; productName: string | null }[],
): Promise<string[]> {
  if (goods.length === 0) return [];
  const numbers = await ctx.numbers.many('MBL', goods.length);
  await ctx.db
    .insertInto('rma_maintain_bill_line')
    .values(
      goods.map(({ name, ...it }, i) => ({
        ...it,
        mtblId: numbers[i] as string,
        mtbId,
        itemName: name,
        ...newCounts,
        createBy: ctx.currentUser.userId,
      })),
    )
    .execute();
  return numbers;
}

/** A board that can't be repaired is given up as it comes. Rule: events#e04. */
const isGivenUp = sql`a."to" = ${Node.Scrapped}`;

const recordset = (arrivals: readonly Arrival[]) => sql`
  json_to_recordset(${JSON.stringify(arrivals)}::json) AS a(
    sn text, "to" text, "newItemId" int, type text, "salesCode" text, "itemName" text, "mtblId" text, "mtbliId" text,
    depreciation text, warranty text, maintains int, continues text, mixbound text, "secondHand" text)`;

/** Declared items get their unit. */
export async function fillItems(ctx: Context, receiveStatus: string, arrivals: readonly Arrival[]): Promise<void> {
  if (arrivals.length === 0) return;
  const { numAffectedRows } = await sql`
    UPDATE rma_maintain_bill_line_item AS i
       SET "receiveSn" = a.sn, "receiveStatus" = ${receiveStatus}, "receiveTime" = now(), depreciation = a.depreciation,
           warranty = a.warranty, maintains = a.maintains, continues = a.continues, mixbound = a.mixbound,
           "secondHand" = a."secondHand",
           "deliverStatus" = CASE WHEN ${isGivenUp} THEN ${DeliverStatus.Scrapped} ELSE i."deliverStatus" END,
           ${touchSql(ctx.currentUser, 'i')}
      FROM ${recordset(arrivals)}
     WHERE i."mtbliId" = a."mtbliId" AND ${itemIsUnreceived('i')}`.execute(ctx.db);
  if (Number(numAffectedRows) !== arrivals.length) throw new Refusal({ key: 'stale' });
}

/** Units beyond what was declared get items of their own. */
export async function addItems(
  ctx: Context,
  mtbId: string,
  receiveStatus: string,
  arrivals: readonly Arrival[],
): Promise<void> {
  if (arrivals.length === 0) return;
  await sql`
    INSERT INTO rma_maintain_bill_line_item
      ("mtbliId", "mtblId", "mtbId", "siteId", "receiveSn", "receiveStatus", "receiveTime", depreciation, warranty,
       maintains, continues, mixbound, "secondHand", scrap, returness, payed, exchange, "deliverPayment", stockup,
       "deliverStatus", "deliverPriority", "createBy")
    SELECT a."mtbliId", a."mtblId", ${mtbId}, ${ctx.currentUser.siteId}, a.sn, ${receiveStatus}, now(), a.depreciation,
           a.warranty, a.maintains, a.continues, a.mixbound, a."secondHand", ${Flag.No}, ${Flag.No}, ${Flag.No},
           ${Flag.No}, ${Flag.No}, ${Flag.No},
           CASE WHEN ${isGivenUp} THEN ${DeliverStatus.Scrapped} ELSE ${DeliverStatus.CannotShip} END,
           ${DeliverPriority.Normal}, ${ctx.currentUser.userId}
      FROM ${recordset(arrivals)}`.execute(ctx.db);
}

/**
 * The units come into the workshop. Only one that is not in it may: whoever was faster with the same SN wins, the other
 * submit is refused.
 */
export async function bringIn(ctx: Context, mtbId: string, arrivals: readonly Arrival[]): Promise<void> {
  const { numAffectedRows } = await sql`
    INSERT INTO rma_inventory AS u
      (sn, type, "salesCode", "itemName", "siteId", "ivyId", "mtbId", "mtblId", "mtbliId", "storageType", "createBy")
    SELECT a.sn, a.type, a."salesCode", a."itemName", ${ctx.currentUser.siteId}, a."to", ${mtbId}, a."mtblId",
           a."mtbliId", CASE WHEN ${isGivenUp} THEN ${StorageType.Scraps} ELSE ${StorageType.Defectives} END,
           ${ctx.currentUser.userId}
      FROM ${recordset(arrivals)} ORDER BY a.sn
        ON CONFLICT (sn) DO UPDATE
       SET type = excluded.type, "salesCode" = excluded."salesCode", "itemName" = excluded."itemName",
           "siteId" = excluded."siteId", "ivyId" = excluded."ivyId", "mtbId" = excluded."mtbId",
           "mtblId" = excluded."mtblId", "mtbliId" = excluded."mtbliId", "subinventoryCode" = NULL,
           "storageType" = excluded."storageType", version = u.version + 1, "updateBy" = excluded."createBy",
           "updateTime" = now()
     WHERE u."ivyId" IS NULL OR u."ivyId" = ${Node.Shipped}`.execute(ctx.db);
  if (Number(numAffectedRows) !== arrivals.length) throw new Refusal({ key: 'stale' });
}

/**
 * The archive knows what came in: boards by the SNs that they were given, not-our units by the code that they hang on
 * from now on. Rule: events#e04, receiving#not-ours.
 */
export async function archiveArrivals({ db, currentUser }: Context, arrivals: readonly Arrival[]): Promise<void> {
  await sql`
    INSERT INTO ubs_item_object (sn, type, "itemId", "salesCode", "itemName", origin, "createBy")
    SELECT a.sn, a.type, a."newItemId", a."salesCode", a."itemName", ${Origin.Ours}, ${currentUser.userId}
      FROM ${recordset(arrivals)} WHERE a."newItemId" IS NOT NULL`.execute(db);
  await db
    .updateTable('ubs_item_object')
    .set({ salesCode: NOT_OUR, ...touch(currentUser) })
    .where('sn', '=', anyOf(arrivals.filter((it) => it.salesCode === NOT_OUR).map((it) => it.sn)))
    .where('salesCode', 'is', null)
    .execute();
}

/** An SN that is not the company's own, with no code until it is received. Rule: events#e05, receiving#not-ours. */
export async function archiveNonOfficial({ db, currentUser }: Context, sn: string, type: string): Promise<void> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('ubs_item_object')
    .values({ sn, type, origin: Origin.NotOurs, createBy: currentUser.userId })
    .onConflict((it) => it.column('sn').doNothing())
    .executeTakeFirstOrThrow();
  if (Number(numInsertedOrUpdatedRows) === 0)
    throw new Refusal({ key: 'alreadyRegistered', field: 'sn', args: { sn } });
}

/** The receive bill as a record: its lines and what stood on each. */
export async function recordReceipt(
  ctx: Context,
  head: { rvbId: string; mtbId: string; payment: string; payAmount: string },
  lines: readonly { mtblId: string; type: string; salesCode: string; itemName: string | null; count: number }[],
  arrivals: readonly Arrival[],
): Promise<void> {
  const { rvbId } = head;
  const createBy = ctx.currentUser.userId;
  await ctx.db
    .insertInto('rma_receive_bill')
    .values({ ...head, billTime: sql<string>`now()`, userId: createBy, siteId: ctx.currentUser.siteId, createBy })
    .execute();
  await ctx.db
    .insertInto('rma_receive_bill_line')
    .values(
      lines.map((it) => ({
        rvbId,
        mtblId: it.mtblId,
        type: it.type,
        salesCode: it.salesCode,
        itemName: it.itemName,
        count: it.count,
        receiveCount: arrivals.filter((a) => a.mtblId === it.mtblId).length,
        createBy,
      })),
    )
    .execute();
  const items = arrivals.map((it) => ({
    rvbId,
    mtblId: it.mtblId,
    receiveSn: it.sn,
    issueCodes: it.issueCodes,
    depreciation: it.depreciation,
    receiveUrls: it.receiveUrls,
    type: it.type,
    createBy,
  }));
  await insertAll(items, (some) => ctx.db.insertInto('rma_receive_bill_line_item').values(some));
}
