import { sql } from 'kysely';
import { DeliverPriority, DeliverStatus, Flag, StorageType } from '#domain/enums.ts';
import { Node } from '#domain/nodes.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';

/** One device that comes in, with all that the receipt knows of it. */
export interface Arrival {
  sn: string;
  type: string;
  salesCode: string;
  itemName: string;
  mtblId: string;
  mtbliId: string;
  depreciation: string;
  warranty: string;
  maintains: number;
  continues: string;
  mixbound: string;
  secondHand: string;
  issueCodes: string;
  receiveUrls: string;
}

/** Lines for goods that nobody declared; their count is what came. */
export async function addLines(
  ctx: Context,
  mtbId: string,
  goods: readonly { salesCode: string; type: string; name: string; productName: string | null }[],
): Promise<Map<string, string>> {
  if (goods.length === 0) return new Map();
  const numbers = await ctx.numbers.many('MBL', goods.length);
  await ctx.db
    .insertInto('rma_maintain_bill_line')
    .values(
      goods.map(({ name, ...it }, i) => ({
        ...it,
        mtblId: numbers[i] as string,
        mtbId,
        itemName: name,
        count: 0,
        receiveCount: 0,
        deliverCount: 0,
        scrapCount: 0,
        discardCount: 0,
        buyOutCount: 0,
        createBy: ctx.who.userId,
      })),
    )
    .execute();
  return new Map(goods.map((it, i) => [it.salesCode, numbers[i] as string]));
}

const recordset = (arrivals: readonly Arrival[]) => sql`
  json_to_recordset(${JSON.stringify(arrivals)}::json) AS a(
    sn text, type text, "salesCode" text, "itemName" text, "mtblId" text, "mtbliId" text, depreciation text,
    warranty text, maintains int, continues text, mixbound text, "secondHand" text)`;

/** Declared items get their unit. */
export async function fillItems(ctx: Context, receiveStatus: string, arrivals: readonly Arrival[]): Promise<void> {
  if (arrivals.length === 0) return;
  const { numAffectedRows } = await sql`
    UPDATE rma_maintain_bill_line_item AS i
       SET "receiveSn" = a.sn, "receiveStatus" = ${receiveStatus}, "receiveTime" = now(), depreciation = a.depreciation,
           warranty = a.warranty, maintains = a.maintains, continues = a.continues, mixbound = a.mixbound,
           "secondHand" = a."secondHand", version = i.version + 1, "updateBy" = ${ctx.who.userId}, "updateTime" = now()
      FROM ${recordset(arrivals)}
     WHERE i."mtbliId" = a."mtbliId" AND i."receiveStatus" IN ('0', '2')`.execute(ctx.db);
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
    SELECT a."mtbliId", a."mtblId", ${mtbId}, ${ctx.who.siteId}, a.sn, ${receiveStatus}, now(), a.depreciation,
           a.warranty, a.maintains, a.continues, a.mixbound, a."secondHand", ${Flag.No}, ${Flag.No}, ${Flag.No},
           ${Flag.No}, ${Flag.No}, ${Flag.No}, ${DeliverStatus.CannotShip}, ${DeliverPriority.Normal}, ${ctx.who.userId}
      FROM ${recordset(arrivals)}`.execute(ctx.db);
}

/**
 * The units come into the house. Only one that is not in it may: whoever was faster with the same SN wins, the other
 * submit is refused.
 */
export async function bringIn(ctx: Context, mtbId: string, arrivals: readonly Arrival[]): Promise<void> {
  const { numAffectedRows } = await sql`
    INSERT INTO rma_inventory AS u
      (sn, type, "salesCode", "itemName", "siteId", "ivyId", "mtbId", "mtblId", "mtbliId", "storageType", "createBy")
    SELECT a.sn, a.type, a."salesCode", a."itemName", ${ctx.who.siteId}, ${Node.AwaitingCheck}, ${mtbId}, a."mtblId",
           a."mtbliId", ${StorageType.Defectives}, ${ctx.who.userId}
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

/** The receive bill as a record: its lines and what stood on each. */
export async function recordReceipt(
  ctx: Context,
  head: { rvbId: string; mtbId: string; payment: string; payAmount: string },
  lines: readonly { mtblId: string; type: string; salesCode: string; itemName: string | null; count: number }[],
  arrivals: readonly Arrival[],
): Promise<void> {
  const { rvbId } = head;
  const createBy = ctx.who.userId;
  await ctx.db
    .insertInto('rma_receive_bill')
    .values({ ...head, billTime: sql<string>`now()`, userId: createBy, siteId: ctx.who.siteId, createBy })
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
  await ctx.db
    .insertInto('rma_receive_bill_line_item')
    .values(
      arrivals.map((it) => ({
        rvbId,
        mtblId: it.mtblId,
        receiveSn: it.sn,
        issueCodes: it.issueCodes,
        depreciation: it.depreciation,
        receiveUrls: it.receiveUrls,
        type: it.type,
        createBy,
      })),
    )
    .execute();
}
