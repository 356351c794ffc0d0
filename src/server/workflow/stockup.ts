import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { Flag, StockupStatus } from '#domain/enums.ts';
import { groupBy } from '#domain/group.ts';
import { atSite, type Context } from '#server/context.ts';
import { anyOf } from '#server/db/conditions.ts';
import { insertAll } from '#server/db/rows.ts';
import { touch, touchSql } from '#server/touch.ts';
import { stockupLives, stockupShips } from '#server/workflow/states.ts';
import { isOnBill, type Unit, type UnitOnBill } from '#server/workflow/units.ts';

interface Destination {
  mtbId: string;
  deliverSiteId: string;
  deliverShipId: string | null;
  deliverGroup: string | null;
}

/**
 * Puts stored units on the open stock-up bill of their maintain bill and destination; makes one where there is none,
 * whose ship no is its own number until the warehouse knows better. The maintain bills are locked by the caller, so
 * that no second bill is made beside. Rule: stock-up#tally.
 */
export async function goesOnStockup(ctx: Context, stored: readonly Unit[]): Promise<string[]> {
  const units = await notYetOn(ctx, stored.filter(isOnBill));
  if (units.length === 0) return [];
  const groups = [...groupBy(units, (it) => keyOf(destinationOf(it, ctx))).values()];
  const skbIds = await openBills(
    ctx,
    groups.map((it) => destinationOf(it[0] as UnitOnBill, ctx)),
  );
  const lines = groups.flatMap((group, i) => group.map((unit) => ({ unit, skbId: skbIds[i] as string })));
  const numbers = await ctx.numbers.many('SKL', lines.length);
  const productNames = await readProductNames(ctx, units);
  const rows = lines.map(({ unit, skbId }, i) => ({
    skblId: numbers[i] as string,
    skbId,
    mtbId: unit.mtbId,
    mtblId: unit.mtblId,
    mtbliId: unit.mtbliId,
    itemId: unit.itemRowId,
    sn: unit.sn,
    salesCode: unit.salesCode,
    productName: productNames.get(unit.mtblId) ?? unit.itemName,
    delivered: Flag.No,
    createBy: ctx.currentUser.userId,
  }));
  await insertAll(rows, (some) => ctx.db.insertInto('rma_stockup_bill_line').values(some));
  await ctx.db
    .updateTable('rma_maintain_bill_line_item')
    .set({ stockup: Flag.Yes, ...touch(ctx.currentUser) })
    .where('mtbliId', '=', anyOf(units.map((it) => it.mtbliId)))
    .execute();
  await recountStockup(ctx, skbIds);
  return [...new Set(skbIds)];
}

/** The same for units of several sites: each is stocked up where it stands. */
export async function stockUpAtSites(ctx: Context, units: readonly Unit[]): Promise<string[]> {
  const skbIds: string[] = [];
  for (const [siteId, group] of groupBy(units, (it) => it.siteId ?? ctx.currentUser.siteId)) {
    skbIds.push(...(await goesOnStockup(atSite(ctx, siteId), group)));
  }
  return skbIds;
}

/**
 * Whether the item `i`, whose unit is `u`, goes where the stock-up bill `b` does: with the same goods, or apart with
 * the same, from the same site. With which carrier, the stock-up bill says alone. Rule: stock-up#destination.
 */
export const goesWith = (b: string, i: string, u: string): RawBuilder<SqlBool> => sql<SqlBool>`
  (${sql.ref(`${b}.mtbId`)}, ${sql.ref(`${b}.deliverSiteId`)}, ${sql.ref(`${b}.deliverGroup`)}, ${sql.ref(`${b}.siteId`)})
  IS NOT DISTINCT FROM
  (coalesce(${sql.ref(`${i}.deliverMtbId`)}, ${sql.ref(`${i}.mtbId`)}),
   coalesce(${sql.ref(`${i}.deliverSiteId`)}, ${sql.ref(`${u}.siteId`)}), ${sql.ref(`${i}.deliverGroup`)},
   ${sql.ref(`${u}.siteId`)})`;

/** The row of an item on the stock-up bill on which it waits, as the database has it, and the state of that bill. */
export interface Tally {
  skbId: string;
  delivered: string;
  billStatus?: string;
}

/** That row of the item `i`; null where it waits on none. */
export const selectTally = (i: string): RawBuilder<Tally | null> => sql<Tally | null>`(
  SELECT to_jsonb(t) || jsonb_build_object('billStatus', b.status)
    FROM rma_stockup_bill_line AS t JOIN rma_stockup_bill AS b ON b."skbId" = t."skbId"
   WHERE t."mtbliId" = ${sql.ref(`${i}.mtbliId`)} AND t.delivered = ${Flag.No} AND ${stockupLives('b')} LIMIT 1)`;

/**
 * A unit's item waits on the stock-up bill on which it did before a step that is rolled back; where that one takes it
 * no more, or goes elsewhere by now, on the open one of where it goes. Rule: events#e37.
 */
export async function tallyAsBefore(ctx: Context, unit: Unit, tally: Tally | null | undefined): Promise<void> {
  const [still] = tally
    ? (
        await sql<{ belongs: boolean }>`
          SELECT ${goesWith('b', 'i', 'u')} AS belongs
            FROM rma_stockup_bill AS b, rma_maintain_bill_line_item AS i, rma_inventory AS u
           WHERE b."skbId" = ${tally.skbId} AND i."mtbliId" = ${unit.mtbliId} AND u.sn = ${unit.sn}
             AND i.stockup IS DISTINCT FROM ${Flag.Yes}`.execute(ctx.db)
      ).rows
    : [];
  if (!tally || !still?.belongs || !(await backOnStockup(ctx, tally))) {
    await goesOnStockup(ctx, [unit]);
    return;
  }
  await ctx.db
    .updateTable('rma_maintain_bill_line_item')
    .set({ stockup: Flag.Yes, ...touch(ctx.currentUser) })
    .where('mtbliId', '=', unit.mtbliId)
    .execute();
}

/**
 * The counts of stock-up bills, from their lines, and what follows from them: a bill is open, partly or wholly
 * delivered, and cancelled when nothing is left on it; one that was stopped or cancelled stays so.
 * Rule: stock-up#states.
 */
export async function recountStockup(ctx: Context, skbIds: readonly string[]): Promise<void> {
  await sql`
    UPDATE rma_stockup_bill AS b
       SET "allCount" = c.lines, "deliveredCount" = c.delivered,
           status = CASE WHEN b.status = ${StockupStatus.Cancelled} OR c.lines = 0 THEN ${StockupStatus.Cancelled}
                         WHEN c.delivered = c.lines THEN ${StockupStatus.Finished}
                         WHEN b.status = ${StockupStatus.Stopped} THEN ${StockupStatus.Stopped}
                         WHEN c.delivered = 0 THEN ${StockupStatus.Open} ELSE ${StockupStatus.Partly} END,
           ${touchSql(ctx.currentUser, 'b')}
      FROM (SELECT s."skbId", count(l.id) AS lines,
                   count(l.id) FILTER (WHERE l.delivered = ${sql.lit(Flag.Yes)}) AS delivered
              FROM unnest(${[...new Set(skbIds)]}::text[]) AS s("skbId")
              LEFT JOIN rma_stockup_bill_line AS l ON l."skbId" = s."skbId" GROUP BY s."skbId") AS c
     WHERE b."skbId" = c."skbId"`.execute(ctx.db);
}

/**
 * Takes items off the stock-up bills on which they wait; a bill that is left without lines is cancelled. The maintain
 * bills are locked by the caller. Rule: stock-up#off-and-on.
 */
export async function leavesStockup(ctx: Context, mtbliIds: readonly string[]): Promise<string[]> {
  if (mtbliIds.length === 0) return [];
  const { rows } = await sql<{ skbId: string }>`
    SELECT b."skbId" FROM rma_stockup_bill AS b
     WHERE ${stockupLives('b')}
       AND EXISTS (SELECT 1 FROM rma_stockup_bill_line AS l
                    WHERE l."skbId" = b."skbId" AND l.delivered = ${sql.lit(Flag.No)}
                      AND l."mtbliId" = ANY(${mtbliIds}))
     ORDER BY b.id FOR NO KEY UPDATE`.execute(ctx.db);
  const skbIds = rows.map((it) => it.skbId);
  await sql`
    DELETE FROM rma_stockup_bill_line
     WHERE "skbId" = ANY(${skbIds}) AND delivered = ${sql.lit(Flag.No)} AND "mtbliId" = ANY(${mtbliIds})`.execute(
    ctx.db,
  );
  await ctx.db
    .updateTable('rma_maintain_bill_line_item')
    .set({ stockup: Flag.No, ...touch(ctx.currentUser) })
    .where('mtbliId', '=', anyOf(mtbliIds))
    .where('stockup', '=', Flag.Yes)
    .execute();
  await recountStockup(ctx, skbIds);
  return skbIds;
}

/**
 * A line that was taken off its stock-up bill is on it again; the bill lives again if it had ended for want of lines,
 * stopped if it was. What still waits does not bring a second bill to life beside an open one. False if the bill takes
 * it no more. Rule: events#e37.
 */
export async function backOnStockup(ctx: Context, line: Tally): Promise<boolean> {
  const { skbId } = line;
  const waits = line.delivered === Flag.No;
  await sql`SELECT id FROM rma_stockup_bill WHERE "skbId" = ${skbId} FOR NO KEY UPDATE`.execute(ctx.db);
  await sql`
    UPDATE rma_stockup_bill AS b
       SET status = ${line.billStatus === StockupStatus.Stopped ? StockupStatus.Stopped : StockupStatus.Open}
     WHERE "skbId" = ${skbId} AND status = ${StockupStatus.Cancelled}
       AND NOT EXISTS (SELECT 1 FROM rma_stockup_bill_line AS l WHERE l."skbId" = b."skbId")
       AND NOT (${waits} AND EXISTS (
             SELECT 1 FROM rma_stockup_bill AS o
              WHERE o."mtbId" = b."mtbId" AND ${stockupShips('o')}
                AND (o."siteId", o."deliverSiteId", o."deliverShipId", o."deliverGroup") IS NOT DISTINCT FROM
                    (b."siteId", b."deliverSiteId", b."deliverShipId", b."deliverGroup")))`.execute(ctx.db);
  const { numAffectedRows } = await sql`
    INSERT INTO rma_stockup_bill_line
    SELECT was.* FROM jsonb_populate_record(NULL::rma_stockup_bill_line, ${JSON.stringify(line)}::jsonb) AS was
      JOIN rma_stockup_bill AS b ON b."skbId" = was."skbId" AND b.status <> ${StockupStatus.Cancelled}
       AND NOT (${waits} AND b.status = ${StockupStatus.Finished})`.execute(ctx.db);
  if (Number(numAffectedRows) === 0) return false;
  await recountStockup(ctx, [skbId]);
  return true;
}

/** What waits of an item on stock-up bills is the part that took its unit's place. Rule: events#e16. */
export async function tallyAs({ db, currentUser }: Context, mtbliId: string, sn: string): Promise<void> {
  await sql`
    UPDATE rma_stockup_bill_line AS l
       SET sn = u.sn, "salesCode" = u."salesCode", ${touchSql(currentUser, 'l')}
      FROM rma_inventory AS u
     WHERE u.sn = ${sn} AND l."mtbliId" = ${mtbliId} AND l.delivered = ${Flag.No}`.execute(db);
}

/** An item that was tallied ahead of its unit stands on its bill already. Rule: stock-up#advance. */
async function notYetOn({ db }: Context, units: readonly UnitOnBill[]): Promise<UnitOnBill[]> {
  if (units.length === 0) return [];
  const rows = await db
    .selectFrom('rma_maintain_bill_line_item')
    .select('mtbliId')
    .where('mtbliId', '=', anyOf(units.map((it) => it.mtbliId)))
    .where('stockup', '=', Flag.Yes)
    .execute();
  const there = new Set(rows.map((it) => it.mtbliId));
  return units.filter((it) => !there.has(it.mtbliId));
}

const destinationOf = (unit: UnitOnBill, ctx: Context): Destination => ({
  mtbId: unit.deliverMtbId ?? unit.mtbId,
  deliverSiteId: unit.deliverSiteId ?? ctx.currentUser.siteId,
  deliverShipId: unit.deliverShipId,
  deliverGroup: unit.deliverGroup,
});

const keyOf = (it: Destination): string =>
  [it.mtbId, it.deliverSiteId, it.deliverShipId ?? '', it.deliverGroup ?? ''].join(' ');

/** The open bill of each destination, in the order of `destinations`. */
async function openBills(ctx: Context, destinations: readonly Destination[]): Promise<string[]> {
  const there = await ctx.db
    .selectFrom('rma_stockup_bill')
    .select(['skbId', 'mtbId', 'deliverSiteId', 'deliverShipId', 'deliverGroup'])
    .where('mtbId', '=', anyOf(destinations.map((it) => it.mtbId)))
    .where(stockupShips('rma_stockup_bill'))
    .where('siteId', '=', ctx.currentUser.siteId)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  const open = new Map(there.map((it) => [keyOf(it as Destination), it.skbId]));
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
          siteId: ctx.currentUser.siteId,
          createBy: ctx.currentUser.userId,
        })),
      )
      .execute();
  }
  return destinations.map((it) => open.get(keyOf(it)) as string);
}

async function readProductNames({ db }: Context, units: readonly UnitOnBill[]): Promise<Map<string, string | null>> {
  const rows = await db
    .selectFrom('rma_maintain_bill_line')
    .select(['mtblId', 'productName'])
    .where('mtblId', '=', anyOf(units.map((it) => it.mtblId)))
    .execute();
  return new Map(rows.map((it) => [it.mtblId, it.productName]));
}
