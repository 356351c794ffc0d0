import { sql } from 'kysely';
import { DeliverStatus, Flag, StockupStatus } from '#domain/enums.ts';
import { Node } from '#domain/nodes.ts';
import type { Context } from '#server/context.ts';
import { recountStockup } from '#server/workflow/stockup.ts';

/** The stock-up bill within the user's sites, held. */
export async function holdStockup({ db, who }: Context, id: string) {
  let query = db
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
    .where(/^\d{1,15}$/.test(id) ? sql<boolean>`id = ${Number(id)}` : sql<boolean>`"skbId" = ${id}`)
    .forUpdate();
  if (who.sites !== 'all') query = query.where('siteId', '=', sql<string>`ANY(${who.sites})`);
  const row = await query.executeTakeFirst();
  return row && { ...row, skbId: row.skbId ?? '', deliveredCount: row.deliveredCount ?? 0 };
}
export type HeldStockup = NonNullable<Awaited<ReturnType<typeof holdStockup>>>;

export async function setStatus({ db, who }: Context, skbId: string, status: StockupStatus): Promise<void> {
  await db
    .updateTable('rma_stockup_bill')
    .set({ status, version: sql`version + 1`, updateBy: who.userId, updateTime: sql`now()` })
    .where('skbId', '=', skbId)
    .execute();
}

/** The items that wait on a bill stay on the shelf and wait for another one; the bill remembers them. */
export async function letItemsGo({ db, who }: Context, skbId: string): Promise<void> {
  await db
    .updateTable('rma_maintain_bill_line_item')
    .set({ stockup: Flag.No, version: sql`version + 1`, updateBy: who.userId, updateTime: sql`now()` })
    .where('mtbliId', 'in', (it) =>
      it.selectFrom('rma_stockup_bill_line').select('mtbliId').where('skbId', '=', skbId).where('delivered', '=', '0'),
    )
    .execute();
}

/** Of the items of a cancelled bill those come back that still stand on the shelf for nobody else; the other lines go. */
export async function bringItemsBack(ctx: Context, skbId: string): Promise<number> {
  const { rows } = await sql<{ mtbliId: string }>`
    UPDATE rma_maintain_bill_line_item AS i
       SET stockup = '1', version = i.version + 1, "updateBy" = ${ctx.who.userId}, "updateTime" = now()
      FROM rma_stockup_bill_line AS l, rma_inventory AS u
     WHERE l."skbId" = ${skbId} AND l.delivered = '0' AND i."mtbliId" = l."mtbliId" AND u."mtbliId" = i."mtbliId"
       AND i.stockup = '0' AND i."deliverStatus" = ${DeliverStatus.CanShip}
       AND (u."ivyId" = ${Node.CanShip} OR i.exchange = '1')
    RETURNING i."mtbliId"`.execute(ctx.db);
  await sql`
    DELETE FROM rma_stockup_bill_line
     WHERE "skbId" = ${skbId} AND delivered = '0' AND "mtbliId" <> ALL(${rows.map((it) => it.mtbliId)})`.execute(
    ctx.db,
  );
  return rows.length;
}

/** What was not delivered goes on a new open bill of the same destination. Decisions 2, 1.7. */
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
      createBy: ctx.who.userId,
    })
    .execute();
  await ctx.db
    .updateTable('rma_stockup_bill_line')
    .set({ skbId: newSkbId, version: sql`version + 1`, updateBy: ctx.who.userId, updateTime: sql`now()` })
    .where('skbId', '=', bill.skbId)
    .where('delivered', '=', Flag.No)
    .execute();
  await recountStockup(ctx, [bill.skbId, newSkbId]);
  return newSkbId;
}

/** The maintain bills of which goods stand on a stock-up bill. */
export async function billsOn({ db }: Context, id: string): Promise<string[]> {
  const rows = await db
    .selectFrom('rma_stockup_bill as b')
    .innerJoin('rma_stockup_bill_line as l', 'l.skbId', 'b.skbId')
    .select('l.mtbId')
    .distinct()
    .where(/^\d{1,15}$/.test(id) ? sql<boolean>`b.id = ${Number(id)}` : sql<boolean>`b."skbId" = ${id}`)
    .execute();
  return rows.flatMap((it) => it.mtbId ?? []);
}

/** The numbers of stock-up bills of the user's sites, by the row id or the number that was asked for. */
export async function stockupIds({ db, who }: Context, asked: readonly string[]): Promise<Map<string, string>> {
  let query = db
    .selectFrom('rma_stockup_bill')
    .select(['id', 'skbId'])
    .where((it) =>
      it.or([
        it('skbId', '=', sql<string>`ANY(${asked})`),
        it('id', '=', sql<number>`ANY(${asked.filter((no) => /^\d{1,15}$/.test(no)).map(Number)})`),
      ]),
    );
  if (who.sites !== 'all') query = query.where('siteId', '=', sql<string>`ANY(${who.sites})`);
  const rows = await query.execute();
  return new Map(
    asked.flatMap((no) => {
      const row = rows.find((it) => it.skbId === no || String(it.id) === no);
      return row ? [[no, row.skbId as string] as const] : [];
    }),
  );
}

/** The rows of what stands on these bills. */
export async function packedOn({ db }: Context, skbIds: readonly string[]): Promise<number[]> {
  const rows = await db
    .selectFrom('rma_stockup_bill_line')
    .select('id')
    .where('skbId', '=', sql<string>`ANY(${skbIds})`)
    .execute();
  return rows.map((it) => Number(it.id));
}
