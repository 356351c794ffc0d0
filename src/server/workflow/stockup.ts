import { sql } from 'kysely';
import { Flag, StockupStatus } from '#domain/enums.ts';
import { groupBy } from '#domain/group.ts';
import type { Context } from '#server/context.ts';
import type { Unit } from '#server/workflow/units.ts';

interface Destination {
  mtbId: string;
  deliverSiteId: string;
  deliverShipId: string | null;
}

/**
 * Puts stored units on the open stock-up bill of their maintain bill and destination; makes one where there is none,
 * whose ship no is its own number until the warehouse knows better. The maintain bills are locked by the caller, so
 * that no second bill is made beside. Decisions 2, 1.7.
 */
export async function goesOnStockup(ctx: Context, units: readonly Unit[]): Promise<string[]> {
  if (units.length === 0) return [];
  const groups = [...groupBy(units, (it) => keyOf(destinationOf(it, ctx))).values()];
  const skbIds = await openBills(
    ctx,
    groups.map((it) => destinationOf(it[0] as Unit, ctx)),
  );
  const lines = groups.flatMap((group, i) => group.map((unit) => ({ unit, skbId: skbIds[i] as string })));
  const numbers = await ctx.numbers.many('SKL', lines.length);
  const productNames = await productNamesOf(ctx, units);
  await ctx.db
    .insertInto('rma_stockup_bill_line')
    .values(
      lines.map(({ unit, skbId }, i) => ({
        skblId: numbers[i] as string,
        skbId,
        mtbId: unit.mtbId,
        mtblId: unit.mtblId,
        mtbliId: unit.mtbliId,
        itemId: unit.itemRowId,
        sn: unit.sn,
        salesCode: unit.salesCode,
        productName: productNames.get(unit.mtblId ?? '') ?? unit.itemName,
        delivered: Flag.No,
        createBy: ctx.who.userId,
      })),
    )
    .execute();
  await ctx.db
    .updateTable('rma_maintain_bill_line_item')
    .set({ stockup: Flag.Yes, version: sql`version + 1`, updateBy: ctx.who.userId, updateTime: sql`now()` })
    .where('mtbliId', '=', sql<string>`ANY(${units.map((it) => it.mtbliId as string)})`)
    .execute();
  await recountStockup(ctx, skbIds);
  return [...new Set(skbIds)];
}

/** The counts of stock-up bills, from their lines; a bill becomes partly and then wholly delivered by them. */
export async function recountStockup(ctx: Context, skbIds: readonly string[]): Promise<void> {
  await sql`
    UPDATE rma_stockup_bill AS b
       SET "allCount" = c.lines, "deliveredCount" = c.delivered,
           status = CASE WHEN b.status NOT IN ('0', '1') OR c.delivered = 0 THEN b.status
                         WHEN c.delivered = c.lines THEN '2' ELSE '1' END,
           version = b.version + 1, "updateBy" = ${ctx.who.userId}, "updateTime" = now()
      FROM (SELECT "skbId", count(*) AS lines, count(*) FILTER (WHERE delivered = '1') AS delivered
              FROM rma_stockup_bill_line WHERE "skbId" = ANY(${[...new Set(skbIds)]}) GROUP BY "skbId") AS c
     WHERE b."skbId" = c."skbId"`.execute(ctx.db);
}

const destinationOf = (unit: Unit, ctx: Context): Destination => ({
  mtbId: unit.mtbId as string,
  deliverSiteId: unit.deliverSiteId ?? ctx.who.siteId,
  deliverShipId: unit.deliverShipId,
});

const keyOf = (it: Destination): string => [it.mtbId, it.deliverSiteId, it.deliverShipId ?? ''].join(' ');

/** The open bill of each destination, in the order of `destinations`. */
async function openBills(ctx: Context, destinations: readonly Destination[]): Promise<string[]> {
  const there = await ctx.db
    .selectFrom('rma_stockup_bill')
    .select(['skbId', 'mtbId', 'deliverSiteId', 'deliverShipId'])
    .where('mtbId', '=', sql<string>`ANY(${destinations.map((it) => it.mtbId)})`)
    .where('status', 'in', [StockupStatus.Open, StockupStatus.Partly])
    .where('siteId', '=', ctx.who.siteId)
    .orderBy('id')
    .forUpdate()
    .execute();
  const open = new Map(there.map((it) => [keyOf(it as Destination), it.skbId as string]));
  const missing = destinations.filter((it) => !open.has(keyOf(it)));
  const numbers = await ctx.numbers.many('SKB', missing.length);
  missing.forEach((it, i) => open.set(keyOf(it), numbers[i] as string));
  if (missing.length > 0) {
    await ctx.db
      .insertInto('rma_stockup_bill')
      .values(
        missing.map((it) => ({
          ...it,
          skbId: open.get(keyOf(it)) as string,
          deliverShipNo: open.get(keyOf(it)) as string,
          status: StockupStatus.Open,
          allCount: 0,
          deliveredCount: 0,
          siteId: ctx.who.siteId,
          createBy: ctx.who.userId,
        })),
      )
      .execute();
  }
  return destinations.map((it) => open.get(keyOf(it)) as string);
}

async function productNamesOf({ db }: Context, units: readonly Unit[]): Promise<Map<string, string | null>> {
  const rows = await db
    .selectFrom('rma_maintain_bill_line')
    .select(['mtblId', 'productName'])
    .where('mtblId', '=', sql<string>`ANY(${units.map((it) => it.mtblId ?? '')})`)
    .execute();
  return new Map(rows.map((it) => [it.mtblId as string, it.productName]));
}
