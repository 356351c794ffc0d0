import { sql } from 'kysely';
import { DeliverPriority, DeliverStatus, Flag, GoodsType, shippingStockups } from '#domain/enums.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import { anyOf } from '#server/db/conditions.ts';
import { insertAll } from '#server/db/rows.ts';
import { nameIn } from '#server/engine/describe.ts';
import { touch, touchSql } from '#server/touch.ts';
import { promisedTo } from '#server/workflow/deliveries.ts';
import { stockupLives } from '#server/workflow/states.ts';
import type { Unit } from '#server/workflow/units.ts';
import { endsAnew } from '#server/workflow/work.ts';
import type { StockupLine } from './rules.ts';

const head = [
  'id',
  'skbId',
  'mtbId',
  'status',
  'deliverShipNo',
  'deliverShipId',
  'deliverSiteId',
  'allCount',
  'deliveredCount',
] as const;

/** The site's stock-up bill by its ship no or its own number, as it is written or in capitals; of several, one that can still ship. */
export async function stockupByNo({ db, currentUser }: Context, nos: readonly string[]) {
  return db
    .selectFrom('rma_stockup_bill')
    .select(head)
    .where((it) => it.or([it('deliverShipNo', '=', anyOf(nos)), it('skbId', '=', anyOf(nos))]))
    .where('siteId', '=', currentUser.siteId)
    .orderBy((it) => it('status', 'not in', shippingStockups))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export async function stockupById({ db, currentUser }: Context, skbId: string, hold: boolean) {
  let query = db
    .selectFrom('rma_stockup_bill')
    .select(head)
    .where('skbId', '=', skbId)
    .where('siteId', '=', currentUser.siteId);
  if (hold) query = query.forNoKeyUpdate();
  return query.executeTakeFirst();
}
export type Stockup = NonNullable<Awaited<ReturnType<typeof stockupById>>>;

/** The lines of a stock-up bill, what is urgent first. */
export const readLines = async ({ db }: Context, skbId: string) =>
  (await selectLines(db, skbId).execute()).map(asLine) satisfies StockupLine[];

/**
 * What the rules look at when one unit is scanned, however long its stock-up bill is: of the lines that wait those of the
 * SN, one of the same model, one at all, and for a machine of the site's stock (`takesExchange`) those of exchanges.
 */
export async function linesAbout(
  { db }: Context,
  skbId: string,
  { sn, salesCode }: Pick<Unit, 'sn' | 'salesCode'>,
  takesExchange: boolean,
) {
  const waiting = db
    .selectFrom('rma_stockup_bill_line')
    .select('id')
    .where('skbId', '=', skbId)
    .where('delivered', 'is distinct from', Flag.Yes);
  const first = waiting.orderBy('id').limit(1);
  const ids = waiting
    .where('sn', '=', sn)
    .unionAll((it) => it.parens(first.where('salesCode', '=', salesCode)))
    .unionAll((it) => it.parens(first));
  const rows = await selectLines(db, skbId)
    .where((it) =>
      takesExchange ? it.or([it('l.id', 'in', ids), it('i.exchange', '=', Flag.Yes)]) : it('l.id', 'in', ids),
    )
    .execute();
  return rows.map(asLine) satisfies StockupLine[];
}

const selectLines = (db: Context['db'], skbId: string) =>
  db
    .selectFrom('rma_stockup_bill_line as l')
    .leftJoin('rma_maintain_bill_line_item as i', 'i.mtbliId', 'l.mtbliId')
    .leftJoin('rma_maintain_bill_line as m', 'm.mtblId', 'l.mtblId')
    .select(['l.skblId', 'l.itemId', 'l.sn', 'l.mtbId', 'l.mtblId', 'l.salesCode', 'l.productName', 'l.delivered'])
    .select(['l.mtbliId', 'm.type', 'i.deliverPriority', 'i.exchange', 'i.deliverSalesCode'])
    .select((it) =>
      it
        .selectFrom('ubs_item as p')
        .select('p.productName')
        .whereRef('p.salesCode', '=', 'i.deliverSalesCode')
        .where('i.exchange', '=', Flag.Yes)
        .limit(1)
        .as('promisedProduct'),
    )
    .where('l.skbId', '=', skbId)
    .orderBy((it) => it('i.deliverPriority', '=', DeliverPriority.Priority), 'desc')
    .orderBy('l.id');

const asLine = ({
  exchange,
  deliverSalesCode,
  ...it
}: Awaited<ReturnType<ReturnType<typeof selectLines>['execute']>>[number]) => ({
  ...it,
  exchangeCode: exchange === Flag.Yes ? deliverSalesCode || it.salesCode : null,
  type: it.type ?? GoodsType.Device,
  itemId: it.itemId ?? 0,
  salesCode: it.salesCode ?? '',
});

/**
 * The bills of which items wait on the site's stock-up bill for a machine in exchange: it stands on no bill itself, so
 * that its SN does not tell which bill will change. Rule: stock-up#advance.
 */
export async function findExchangeBills({ db, currentUser }: Context, skbId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('rma_stockup_bill_line as l')
    .innerJoin('rma_stockup_bill as b', 'b.skbId', 'l.skbId')
    .innerJoin('rma_maintain_bill_line_item as i', 'i.mtbliId', 'l.mtbliId')
    .select('l.mtbId')
    .distinct()
    .where('l.skbId', '=', skbId)
    .where('b.siteId', '=', currentUser.siteId)
    .where('l.delivered', 'is distinct from', Flag.Yes)
    .where('i.exchange', '=', Flag.Yes)
    .execute();
  return rows.map((it) => it.mtbId);
}

/** The model that the office has promised for an item, if it has. Rule: events#e31. */
export async function promiseFor({ db }: Context, itemRowId: number): Promise<string | null> {
  const item = await db
    .selectFrom('rma_maintain_bill_line_item')
    .select('deliverSalesCode')
    .where('id', '=', itemRowId)
    .where('exchange', '=', Flag.Yes)
    .executeTakeFirst();
  return item?.deliverSalesCode ?? null;
}

/** Those of these SNs that stand undelivered on any stock-up bill that lives. */
export async function talliedSns({ db }: Context, sns: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('rma_stockup_bill_line as l')
    .innerJoin('rma_stockup_bill as b', 'b.skbId', 'l.skbId')
    .select('l.sn')
    .where('l.sn', '=', anyOf(sns))
    .where('l.delivered', '=', Flag.No)
    .where(stockupLives('b'))
    .execute();
  return new Set(rows.map((it) => it.sn));
}

/** For whom the bills are, and where their parcels go. */
export async function readCustomers({ db, lang }: Context, mtbIds: readonly string[]) {
  const rows = await db
    .selectFrom('rma_maintain_bill as b')
    .leftJoin('ubs_country as c', 'c.countryId', 'b.countryId')
    .select(['b.mtbId', 'b.userName', 'b.mobile', 'b.stateName', 'b.cityName', 'b.street'])
    .select(nameIn(lang, 'c.name').as('country'))
    .where('b.mtbId', '=', anyOf(mtbIds))
    .execute();
  return new Map(
    rows.map((it) => [
      it.mtbId,
      {
        userName: it.userName,
        mobile: it.mobile,
        address: [it.country, it.stateName, it.cityName, it.street].filter(Boolean).join(' ') || null,
      },
    ]),
  );
}

type Line = ReturnType<typeof asLine>;

export interface Delivery {
  unit: Unit;
  line: Line;
  deliverSalesCode: string;
}

/** The deliver bill and its lines: every delivery of an SN has exactly one. */
export async function recordDelivery(
  { db, currentUser }: Context,
  dvbId: string,
  submitType: string,
  stockup: Stockup,
  deliveries: readonly Delivery[],
): Promise<void> {
  const createBy = currentUser.userId;
  const { skbId, deliverShipNo, deliverShipId } = stockup;
  await db
    .insertInto('rma_deliver_bill')
    .values({
      dvbId,
      skbId,
      submitType,
      deliverShipNo,
      deliverShipId,
      userId: createBy,
      siteId: currentUser.siteId,
      createBy,
    })
    .execute();
  const rows = deliveries.map(({ unit, line, deliverSalesCode }) => ({
    dvbId,
    skbId,
    deliverItemId: line.itemId,
    mtbId: line.mtbId,
    mtbliId: line.mtbliId,
    sn: unit.sn,
    salesCode: unit.salesCode,
    deliverSalesCode,
    promisedSalesCode: promisedTo(line.mtbliId),
    name: unit.itemName,
    createBy,
  }));
  await insertAll(rows, (some) => db.insertInto('rma_deliver_bill_line').values(some));
}

/** From where and how the items of these lines were to go, where that was said of them. */
export async function readDestinations({ db }: Context, deliveries: readonly Delivery[]) {
  const rows = await db
    .selectFrom('rma_maintain_bill_line_item')
    .select(['mtbliId', 'deliverSiteId', 'deliverShipId'])
    .where('mtbliId', '=', anyOf(deliveries.map((it) => it.line.mtbliId)))
    .where((it) => it.or([it('deliverSiteId', 'is not', null), it('deliverShipId', 'is not', null)]))
    .execute();
  return Object.fromEntries(rows.map(({ mtbliId, ...destination }) => [mtbliId, destination]));
}

/**
 * What was on the shelf is gone: item, stock-up line and unit say so. An item or a line that is no longer as it was
 * refuses the whole submit.
 */
export async function noteDelivery(ctx: Context, stockup: Stockup, deliveries: readonly Delivery[]): Promise<void> {
  const { db, currentUser } = ctx;
  const sent = deliveries.map(({ unit, line, deliverSalesCode }) => ({
    mtbliId: line.mtbliId,
    sn: unit.sn,
    deliverSalesCode,
    deliverSiteId: unit.deliverSiteId ?? stockup.deliverSiteId ?? currentUser.siteId,
    deliverShipId: stockup.deliverShipId ?? unit.deliverShipId,
  }));
  const items = await sql`
    UPDATE rma_maintain_bill_line_item AS i
       SET "deliverStatus" = ${DeliverStatus.Shipped}, "deliverTime" = now(), stockup = ${Flag.No},
           "deliverShipNo" = ${stockup.deliverShipNo}, "deliverSn" = s.sn, "deliverSalesCode" = s."deliverSalesCode",
           "deliverSiteId" = s."deliverSiteId", "deliverShipId" = s."deliverShipId", ${touchSql(currentUser, 'i')}
      FROM json_to_recordset(${JSON.stringify(sent)}::json)
        AS s("mtbliId" text, sn text, "deliverSalesCode" text, "deliverSiteId" text, "deliverShipId" text)
     WHERE i."mtbliId" = s."mtbliId" AND i."deliverStatus" = ${DeliverStatus.CanShip}`.execute(db);
  const lines = await db
    .updateTable('rma_stockup_bill_line')
    .set({ delivered: Flag.Yes, ...touch(currentUser) })
    .where('skblId', '=', anyOf(deliveries.map((it) => it.line.skblId)))
    .where('delivered', '=', Flag.No)
    .executeTakeFirstOrThrow();
  const isWhole = [items.numAffectedRows, lines.numUpdatedRows].every((it) => Number(it) === deliveries.length);
  if (!isWhole) throw new Refusal({ key: 'stale' });
  await endsAnew(
    ctx,
    deliveries.map((it) => it.line.mtbliId),
  );
  await db
    .updateTable('rma_inventory')
    .set({ subinventoryCode: null })
    .where('sn', '=', anyOf(sent.map((it) => it.sn)))
    .execute();
}
