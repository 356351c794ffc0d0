import { sql } from 'kysely';
import { DeliverStatus, Flag, StockupStatus } from '#domain/enums.ts';
import { exactId } from '#domain/exact.ts';
import { Node } from '#domain/nodes.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import { anyOf, inSites } from '#server/db/conditions.ts';
import { touch } from '#server/touch.ts';
import { goesWith, recountStockup, stockUpAtSites } from '#server/workflow/stockup.ts';
import { readUnits } from '#server/workflow/units.ts';

/** The stock-up bill within the user's sites, held. */
export async function holdStockup({ db, currentUser }: Context, id: string) {
  const query = db
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
    .where(exactId(id) !== null ? sql<boolean>`id = ${exactId(id)}` : sql<boolean>`"skbId" = ${id}`)
    .forNoKeyUpdate()
    .where(inSites('siteId', currentUser));
  const row = await query.executeTakeFirst();
  return row && { ...row, deliveredCount: row.deliveredCount ?? 0 };
}
export type HeldStockup = NonNullable<Awaited<ReturnType<typeof holdStockup>>>;

export async function setStatus({ db, currentUser }: Context, skbId: string, status: StockupStatus): Promise<void> {
  await db
    .updateTable('rma_stockup_bill')
    .set({ status, ...touch(currentUser) })
    .where('skbId', '=', skbId)
    .execute();
}

/** The items that wait on a bill stay on the shelf and wait for another one; the bill remembers them. */
export async function letItemsGo({ db, currentUser }: Context, skbId: string): Promise<void> {
  await db
    .updateTable('rma_maintain_bill_line_item')
    .set({ stockup: Flag.No, ...touch(currentUser) })
    .where('mtbliId', 'in', (it) =>
      it
        .selectFrom('rma_stockup_bill_line')
        .select('mtbliId')
        .where('skbId', '=', skbId)
        .where('delivered', '=', Flag.No),
    )
    .execute();
}

/**
 * Of the items of a cancelled bill those come back that still wait on the shelf for nobody else and go where the bill goes.
 * Those that go to another place or customer by now are stocked up there; the other lines go. The bills that
 * `billsOn` gives are locked.
 */
export async function bringItemsBack(
  ctx: Context,
  skbId: string,
  locked: ReadonlySet<string>,
): Promise<{ back: number; elsewhere: number }> {
  const { rows } = await sql<{ mtbliId: string; sn: string; shipsWith: string; belongs: boolean }>`
    SELECT i."mtbliId", u.sn, coalesce(i."deliverMtbId", i."mtbId") AS "shipsWith", ${goesWith('b', 'i', 'u')} AS belongs
      FROM rma_stockup_bill AS b
      JOIN rma_stockup_bill_line AS l ON l."skbId" = b."skbId"
      JOIN rma_maintain_bill_line_item AS i ON i."mtbliId" = l."mtbliId"
      JOIN rma_inventory AS u ON u."mtbliId" = i."mtbliId"
     WHERE b."skbId" = ${skbId} AND l.delivered = ${sql.lit(Flag.No)} AND i.stockup = ${sql.lit(Flag.No)}
       AND i."deliverStatus" = ${DeliverStatus.CanShip}
       AND (u."ivyId" = ${Node.CanShip} OR i.exchange = ${sql.lit(Flag.Yes)})
     ORDER BY l.id`.execute(ctx.db);
  // One that was moved while its bill was waited for.
  if (rows.some((it) => !locked.has(it.shipsWith))) throw new Refusal({ key: 'stale' });
  const back = rows.filter((it) => it.belongs).map((it) => it.mtbliId);
  const elsewhere = rows.filter((it) => !it.belongs).map((it) => it.sn);
  await ctx.db
    .updateTable('rma_maintain_bill_line_item')
    .set({ stockup: Flag.Yes, ...touch(ctx.currentUser) })
    .where('mtbliId', '=', anyOf(back))
    .execute();
  await sql`
    DELETE FROM rma_stockup_bill_line
     WHERE "skbId" = ${skbId} AND delivered = ${sql.lit(Flag.No)} AND "mtbliId" <> ALL(${back})`.execute(ctx.db);
  await stockUpAtSites(ctx, [...(await readUnits(ctx.db, elsewhere)).values()]);
  return { back: back.length, elsewhere: elsewhere.length };
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

/** The maintain bills of which goods stand on a stock-up bill, and those with whose goods they ship. */
export async function billsOn({ db }: Context, id: string): Promise<string[]> {
  const rows = await db
    .selectFrom('rma_stockup_bill as b')
    .innerJoin('rma_stockup_bill_line as l', 'l.skbId', 'b.skbId')
    .innerJoin('rma_maintain_bill_line_item as i', 'i.mtbliId', 'l.mtbliId')
    .select(['b.mtbId', 'l.mtbId as stands', 'i.mtbId as own', 'i.deliverMtbId as shipsWith'])
    .distinct()
    .where(exactId(id) !== null ? sql<boolean>`b.id = ${exactId(id)}` : sql<boolean>`b."skbId" = ${id}`)
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
