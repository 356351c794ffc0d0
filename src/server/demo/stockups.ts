import { DeliverPriority, DeliverStatus, Flag, StockupStatus } from '#domain/enums.ts';
import { Node } from '#domain/nodes.ts';
import { waybillOf } from './customers.ts';
import { stamp, touch, type Bill, type Stockup, type Unit, type World } from './world.ts';

const ships = ({ row }: Stockup): boolean => row.status === StockupStatus.Open || row.status === StockupStatus.Partly;

/** With which bill's goods a unit ships: its own one's, unless the office moved its delivery. */
const shipsWith = (world: World, { bill, item }: Unit): Bill | undefined =>
  item?.deliverMtbId ? world.bills.find((it) => it.row.mtbId === item.deliverMtbId) : (bill ?? undefined);

/** The stock-up bill on which a unit's item waits. */
export const findStockup = (world: World, unit: Unit): Stockup | undefined =>
  shipsWith(world, unit)?.stockups.find(
    (it) =>
      (ships(it) || it.row.status === StockupStatus.Stopped) &&
      it.lines.some((line) => line.mtbliId === unit.item?.mtbliId && line.delivered === Flag.No),
  );

/** An item goes on the open stock-up bill of its destination. Rule: stock-up#tally. */
export function stockUp(world: World, unit: Unit, at: number, by: string): void {
  const { item, machine, site } = unit;
  const bill = shipsWith(world, unit);
  if (!item || !bill) return;
  const { mtbId, mtblId, mtbliId } = item;
  const destination = { deliverSiteId: item.deliverSiteId ?? site.siteId, deliverGroup: item.deliverGroup ?? null };
  const stockup =
    bill.stockups.find(
      (it) =>
        ships(it) &&
        it.row.siteId === site.siteId &&
        it.row.deliverSiteId === destination.deliverSiteId &&
        it.row.deliverGroup === destination.deliverGroup,
    ) ?? openStockup(world, bill, { ...destination, siteId: site.siteId }, at, by);
  stockup.lines.push(
    world.rows.add('rma_stockup_bill_line', {
      skblId: world.numberAt('SKL', at),
      skbId: stockup.row.skbId,
      mtbId,
      mtblId,
      mtbliId,
      sn: machine.sn,
      salesCode: machine.item.salesCode,
      productName: machine.item.productName,
      delivered: Flag.No,
      ...stamp(at, by),
    }),
  );
  Object.assign(item, { deliverStatus: DeliverStatus.CanShip, stockup: Flag.Yes });
  touch(item, at, by);
  recount(stockup, at, by);
}

/** Until the warehouse enters the waybill, a stock-up bill is found by its own number. */
function openStockup(
  world: World,
  bill: Bill,
  destination: { deliverSiteId: string; deliverGroup: string | null; siteId: string },
  at: number,
  by: string,
): Stockup {
  const skbId = world.numberAt('SKB', at);
  const row = world.rows.add('rma_stockup_bill', {
    skbId,
    mtbId: bill.row.mtbId,
    status: StockupStatus.Open,
    allCount: 0,
    deliverShipNo: skbId,
    deliverShipId: null,
    ...destination,
    deliveredCount: 0,
    ...stamp(at, by),
  });
  const stockup = { row, lines: [], shipId: bill.customer.shipId };
  bill.stockups.push(stockup);
  return stockup;
}

/** The counts of a stock-up bill, and what follows from them. Rule: stock-up#states. */
export function recount({ row, lines }: Stockup, at: number, by: string): void {
  const delivered = lines.filter((it) => it.delivered === Flag.Yes).length;
  Object.assign(row, { allCount: lines.length, deliveredCount: delivered });
  if (lines.length === 0) row.status = StockupStatus.Cancelled;
  else if (delivered === lines.length) row.status = StockupStatus.Finished;
  else if (row.status !== StockupStatus.Stopped) row.status = delivered ? StockupStatus.Partly : StockupStatus.Open;
  touch(row, at, by);
}

/** An item leaves the stock-up bill on which it waits; the bill is cancelled with its last one. */
export function leaveStockup(world: World, unit: Unit, at: number, by: string): void {
  const stockup = findStockup(world, unit);
  const line = stockup?.lines.find((it) => it.mtbliId === unit.item?.mtbliId);
  if (!stockup || !line || !unit.item) return;
  stockup.lines.splice(stockup.lines.indexOf(line), 1);
  world.rows.remove('rma_stockup_bill_line', line);
  unit.item.stockup = Flag.No;
  recount(stockup, at, by);
}

export function enterWaybill(world: World, stockup: Stockup, at: number, by: string): void {
  if (stockup.row.deliverShipNo !== stockup.row.skbId) return;
  stockup.row.deliverShipId = stockup.shipId;
  stockup.row.deliverShipNo = waybillOf(stockup.shipId, world.random.digits);
  touch(stockup.row, at, by);
}

/** Waybills that were entered ahead of the delivery. */
export function enterWaybills(world: World): void {
  for (const site of Object.values(world.sites)) {
    const open = world.bills
      .filter((it) => it.site === site)
      .flatMap((it) => it.stockups)
      .filter((it) => it.row.status === StockupStatus.Open);
    open.forEach((it, i) => {
      if (i % 2 === 0) enterWaybill(world, it, Number(it.row.updateTime), site.crew.warehouse);
    });
  }
}

export type StockupAction = 'stop' | 'reset' | 'cancel' | 'finish';

/** What the dispatcher does to the stock-up bills of a bill that have not left. Rule: events#e24. */
export function actOnStockups(world: World, bill: Bill, action: StockupAction, at: number): void {
  const by = bill.site.crew.warehouse;
  const actions: Record<StockupAction, (stockup: Stockup) => void> = {
    stop: ({ row }) => void (row.status = StockupStatus.Stopped),
    reset: (stockup) => {
      stockup.row.status = StockupStatus.Open;
      recount(stockup, at, by);
    },
    cancel: (stockup) => cancel(bill, stockup),
    finish: (stockup) => finish(world, bill, stockup, at, by),
  };
  for (const stockup of bill.stockups.filter((it) => it.row.status !== StockupStatus.Finished)) {
    actions[action](stockup);
    touch(stockup.row, at, by);
  }
}

/** Its items stay on the shelf and wait for another one. */
function cancel(bill: Bill, { row, lines }: Stockup): void {
  row.status = StockupStatus.Cancelled;
  const ids = new Set(lines.map((it) => it.mtbliId));
  for (const item of bill.lines.flatMap((it) => it.items)) if (ids.has(item.mtbliId)) item.stockup = Flag.No;
}

/** It ends with what was delivered; the rest goes on a new one. */
function finish(world: World, bill: Bill, stockup: Stockup, at: number, by: string): void {
  const { deliverGroup, siteId } = stockup.row;
  const destination = { deliverSiteId: stockup.row.deliverSiteId ?? '', deliverGroup: deliverGroup ?? null };
  const rest = openStockup(world, bill, { ...destination, siteId }, at, by);
  rest.row.deliverShipId = stockup.row.deliverShipId;
  rest.lines = stockup.lines.filter((it) => it.delivered === Flag.No);
  stockup.lines = stockup.lines.filter((it) => it.delivered === Flag.Yes);
  for (const line of rest.lines) line.skbId = rest.row.skbId;
  recount(stockup, at, by);
  recount(rest, at, by);
}

/**
 * What lies on the shelf may go, unless it is paused; what was tallied ahead stands on its bill already.
 * Rule: bills#delivery-states.
 */
export function release(world: World, unit: Unit, at: number, by: string): void {
  const { item, row } = unit;
  if (row.ivyId !== Node.CanShip || item?.stockup === Flag.Yes) return;
  if (item?.deliverPriority !== DeliverPriority.Paused) stockUp(world, unit, at, by);
}
