import { sql } from 'kysely';
import { DeliverStatus, Flag, StockupStatus } from '#domain/enums.ts';
import { exactId } from '#domain/exact.ts';
import { groupBy } from '#domain/group.ts';
import { Node } from '#domain/nodes.ts';
import type { Context } from '#server/context.ts';
import { anyOf, inSites } from '#server/db/conditions.ts';
import { touch } from '#server/touch.ts';
import { goesWith, recountStockup } from '#server/workflow/stockup.ts';

/** The stock-up bills within the user's sites, held, by the row id or the number that was asked for. */
export async function holdStockups(
  { db, currentUser }: Context,
  asked: readonly string[],
): Promise<ReadonlyMap<string, HeldStockup>> {
  const rows = await db
    .selectFrom('rma_stockup_bill')
    .select([
      'id',
      'skbId',
      'mtbId',
      'status',
      'deliverSiteId',
      'deliverShipId',
      'deliverGroup',
      'siteId',
      'deliveredCount',
    ])
    .where(isAsked('rma_stockup_bill', asked))
    .where(inSites('siteId', currentUser))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  const held = rows.map((it) => ({ ...it, deliveredCount: it.deliveredCount ?? 0 }));
  const [byId, byNo] = [new Map(held.map((it) => [Number(it.id), it])), new Map(held.map((it) => [it.skbId, it]))];
  return new Map(
    asked.flatMap((it) => {
      const rowId = exactId(it);
      const bill = rowId === null ? byNo.get(it) : byId.get(rowId);
      return bill ? [[it, bill] as const] : [];
    }),
  );
}
export interface HeldStockup {
  id: number;
  skbId: string;
  mtbId: string;
  status: string;
  deliverSiteId: string | null;
  deliverShipId: string | null;
  deliverGroup: string | null;
  siteId: string;
  deliveredCount: number;
}

/** A bill is asked for by its row id, or by its number. */
const isAsked = (bill: string, asked: readonly string[]) =>
  sql<boolean>`(${sql.ref(`${bill}.id`)} = ANY(${asked.map(exactId).filter((it) => it !== null)})
                OR ${sql.ref(`${bill}.skbId`)} = ANY(${asked.filter((it) => exactId(it) === null)}))`;

export async function setStatus(
  { db, currentUser }: Context,
  skbIds: readonly string[],
  status: StockupStatus,
): Promise<void> {
  await db
    .updateTable('rma_stockup_bill')
    .set({ status, ...touch(currentUser) })
    .where('skbId', '=', anyOf(skbIds))
    .execute();
}

/** The items that wait on these bills stay on the shelf and wait for another one; the bills remember them. */
export async function letItemsGo({ db, currentUser }: Context, skbIds: readonly string[]): Promise<void> {
  await db
    .updateTable('rma_maintain_bill_line_item')
    .set({ stockup: Flag.No, ...touch(currentUser) })
    .where('mtbliId', 'in', (it) =>
      it
        .selectFrom('rma_stockup_bill_line')
        .select('mtbliId')
        .where('skbId', '=', anyOf(skbIds))
        .where('delivered', '=', Flag.No),
    )
    .execute();
}

/** An item that stood on a cancelled bill and still waits on the shelf for nobody else. */
export interface WaitingItem {
  skbId: string;
  mtbliId: string;
  sn: string;
  /** The maintain bill with whose goods it ships. */
  shipsWith: string;
  /** Whether it goes where the bill goes. */
  belongs: boolean;
}

/** What stood on cancelled bills and waits for nobody else, of each bill in the order of its lines. */
export async function waitingItems({ db }: Context, skbIds: readonly string[]): Promise<Map<string, WaitingItem[]>> {
  const { rows } = await sql<WaitingItem>`
    SELECT b."skbId", i."mtbliId", u.sn, coalesce(i."deliverMtbId", i."mtbId") AS "shipsWith", ${goesWith('b', 'i', 'u')} AS belongs
      FROM rma_stockup_bill AS b
      JOIN rma_stockup_bill_line AS l ON l."skbId" = b."skbId"
      JOIN rma_maintain_bill_line_item AS i ON i."mtbliId" = l."mtbliId"
      JOIN rma_inventory AS u ON u."mtbliId" = i."mtbliId"
     WHERE b."skbId" = ANY(${skbIds}) AND l.delivered = ${sql.lit(Flag.No)} AND i.stockup = ${sql.lit(Flag.No)}
       AND i."deliverStatus" = ${DeliverStatus.CanShip}
       AND (u."ivyId" = ${Node.CanShip} OR i.exchange = ${sql.lit(Flag.Yes)})
     ORDER BY b.id, l.id`.execute(db);
  return groupBy(rows, (it) => it.skbId);
}

/** Of these bills that are open again the items wait on them that go where they go; their other lines go. */
export async function bringItemsBack(
  { db, currentUser }: Context,
  skbIds: readonly string[],
  items: readonly WaitingItem[],
): Promise<void> {
  const back = items.filter((it) => it.belongs);
  await db
    .updateTable('rma_maintain_bill_line_item')
    .set({ stockup: Flag.Yes, ...touch(currentUser) })
    .where('mtbliId', '=', anyOf(back.map((it) => it.mtbliId)))
    .execute();
  await sql`
    DELETE FROM rma_stockup_bill_line AS l
     WHERE l."skbId" = ANY(${skbIds}) AND l.delivered = ${sql.lit(Flag.No)}
       AND NOT EXISTS (
             SELECT 1 FROM unnest(${back.map((it) => it.skbId)}::text[], ${back.map((it) => it.mtbliId)}::text[])
               AS back ("skbId", "mtbliId")
              WHERE (back."skbId", back."mtbliId") = (l."skbId", l."mtbliId"))`.execute(db);
}

/** What was not delivered goes on a new open bill of the same destination. Rule: stock-up#actions. */
export async function moveRest(ctx: Context, bill: HeldStockup): Promise<string> {
  const newSkbId = await ctx.numbers.next('SKB');
  await ctx.db
    .insertInto('rma_stockup_bill')
    .values({
      skbId: newSkbId,
      mtbId: bill.mtbId,
      deliverShipNo: newSkbId,
      deliverShipId: bill.deliverShipId,
      deliverSiteId: bill.deliverSiteId,
      deliverGroup: bill.deliverGroup,
      siteId: bill.siteId,
      status: StockupStatus.Open,
      allCount: 0,
      deliveredCount: 0,
      createBy: ctx.currentUser.userId,
    })
    .execute();
  await ctx.db
    .updateTable('rma_stockup_bill_line')
    .set({ skbId: newSkbId, ...touch(ctx.currentUser) })
    .where('skbId', '=', bill.skbId)
    .where('delivered', '=', Flag.No)
    .execute();
  await recountStockup(ctx, [bill.skbId, newSkbId]);
  return newSkbId;
}

/** The maintain bills of which goods stand on stock-up bills, and those with whose goods they ship. */
export async function billsOn({ db }: Context, asked: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('rma_stockup_bill as b')
    .innerJoin('rma_stockup_bill_line as l', 'l.skbId', 'b.skbId')
    .innerJoin('rma_maintain_bill_line_item as i', 'i.mtbliId', 'l.mtbliId')
    .select(['b.mtbId', 'l.mtbId as stands', 'i.mtbId as own', 'i.deliverMtbId as shipsWith'])
    .distinct()
    .where(isAsked('b', asked))
    .execute();
  return rows.flatMap((it) => [it.mtbId, it.stands ?? [], it.own ?? [], it.shipsWith ?? []].flat());
}

/** The numbers of stock-up bills of the user's sites, by the row id or the number that was asked for. */
export async function stockupIds({ db, currentUser }: Context, asked: readonly string[]): Promise<Map<string, string>> {
  const query = db
    .selectFrom('rma_stockup_bill')
    .select(['id', 'skbId'])
    .where((it) =>
      it.or([it('skbId', '=', anyOf(asked)), it('id', '=', anyOf(asked.map(exactId).filter((no) => no !== null)))]),
    )
    .where(inSites('siteId', currentUser));
  const rows = await query.execute();
  return new Map(
    asked.flatMap((no) => {
      const row = rows.find((it) => it.skbId === no || String(it.id) === no);
      return row ? [[no, row.skbId] as const] : [];
    }),
  );
}

/** The rows of what stands on these bills. */
export async function packedOn({ db }: Context, skbIds: readonly string[]): Promise<number[]> {
  const rows = await db.selectFrom('rma_stockup_bill_line').select('id').where('skbId', '=', anyOf(skbIds)).execute();
  return rows.map((it) => Number(it.id));
}
