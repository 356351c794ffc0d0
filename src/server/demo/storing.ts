import { DeliverPriority, DeliverStatus, Flag, GoodsType, StockupStatus, SubmitType } from '#domain/enums.ts';
import { groupBy } from '#domain/group.ts';
import { Node } from '#domain/nodes.ts';
import { waybillOf } from './customers.ts';
import { shelves } from './intake.ts';
import { moveUnit } from './moves.ts';
import { lineOf } from './testing.ts';
import { stamp, touch, type Bill, type Stockup, type Unit, type World } from './world.ts';

const packages = [20, 40, 60];

/** Units go on the shelf; those of a bill go on its open stock-up bill. Decisions 2, E22, 1.7. */
export function store(world: World, units: readonly Unit[], at: number): void {
  const [first] = units;
  if (!first) return;
  const by = first.site.crew.warehouse;
  const stbId = world.numberAt('STB', at);
  const packageCount = packages.find((it) => it >= units.length) ?? 100;
  const { siteId } = first.site;
  world.rows.add('rma_store_bill', {
    stbId,
    packageCount,
    subinventoryCode: 'FG',
    userId: by,
    siteId,
    ...stamp(at, by),
  });
  for (const unit of units) {
    world.rows.add('rma_store_bill_line', { stbId, ...lineOf(unit), icdId: 'ST00', ...stamp(at, by) });
    moveUnit(world, unit, 'store', Node.CanShip, stbId, at, by);
    Object.assign(unit.row, unit.item?.scrap === Flag.Yes ? shelves.scrap : shelves.goods);
    if (unit.bill && unit.item && unit.item.deliverPriority !== DeliverPriority.Paused) {
      stockUp(world, unit.bill, unit, at, by);
    }
  }
}

function stockUp(world: World, bill: Bill, unit: Unit, at: number, by: string): void {
  const { item, machine } = unit;
  if (!item) return;
  const stockup =
    bill.stockups.find((it) => ['0', '1'].includes(it.row.status ?? '')) ?? openStockup(world, bill, at, by);
  const { skbId } = stockup.row;
  const { mtbId, mtblId, mtbliId } = item;
  stockup.lines.push(
    world.rows.add('rma_stockup_bill_line', {
      skblId: world.numberAt('SKL', at),
      skbId,
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
  stockup.row.allCount = stockup.lines.length;
  touch(stockup.row, at, by);
  Object.assign(item, { deliverStatus: DeliverStatus.CanShip, stockup: Flag.Yes });
  touch(item, at, by);
}

/** Until the warehouse enters the waybill, a stock-up bill is found by its own number. */
function openStockup(world: World, bill: Bill, at: number, by: string): Stockup {
  const skbId = world.numberAt('SKB', at);
  const row = world.rows.add('rma_stockup_bill', {
    skbId,
    mtbId: bill.row.mtbId ?? '',
    status: StockupStatus.Open,
    allCount: 0,
    deliverShipNo: skbId,
    deliverShipId: null,
    deliverSiteId: bill.site.siteId,
    siteId: bill.site.siteId,
    deliveredCount: 0,
    ...stamp(at, by),
  });
  const stockup = { row, lines: [], shipId: bill.customer.shipId };
  bill.stockups.push(stockup);
  return stockup;
}

export function enterWaybill(world: World, stockup: Stockup, at: number, by: string): void {
  if (stockup.row.deliverShipNo !== stockup.row.skbId) return;
  stockup.row.deliverShipId = stockup.shipId;
  stockup.row.deliverShipNo = waybillOf(stockup.shipId, world.random.digits);
  touch(stockup.row, at, by);
}

/** Units leave the house: devices by their SN, boards by their number. Decisions 2, E25, E26. */
export function deliver(world: World, units: readonly Unit[], at: number): void {
  const [first] = units;
  if (!first?.bill) return;
  const by = first.site.crew.warehouse;
  for (const group of groupBy(units, (it) => stockupOf(it).row.skbId ?? '').values()) {
    const stockup = stockupOf(group[0] as Unit);
    enterWaybill(world, stockup, at, by);
    for (const [type, same] of groupBy(group, (it) => it.machine.item.type)) {
      submitDelivery(
        world,
        stockup,
        same,
        type === GoodsType.Device ? SubmitType.WithSn : SubmitType.WithoutSn,
        at,
        by,
      );
    }
    const delivered = stockup.lines.filter((it) => it.delivered === Flag.Yes).length;
    stockup.row.deliveredCount = delivered;
    stockup.row.status = delivered === stockup.lines.length ? StockupStatus.Finished : StockupStatus.Partly;
    touch(stockup.row, at, by);
  }
}

const stockupOf = ({ bill, item }: Unit): Stockup =>
  bill?.stockups.find((it) => it.lines.some((line) => line.mtbliId === item?.mtbliId)) as Stockup;

function submitDelivery(
  world: World,
  stockup: Stockup,
  units: Unit[],
  submitType: string,
  at: number,
  by: string,
): void {
  const { skbId, deliverShipNo, deliverShipId, siteId } = stockup.row;
  const dvbId = world.numberAt('DVB', at);
  const header = { dvbId, skbId, submitType, deliverShipNo, deliverShipId, userId: by, siteId };
  world.rows.add('rma_deliver_bill', { ...header, ...stamp(at, by) });
  for (const unit of units) {
    const { machine, item } = unit;
    if (!item) continue;
    const { mtbId, mtbliId } = item;
    const codes = { salesCode: machine.item.salesCode, deliverSalesCode: machine.item.salesCode };
    world.rows.add('rma_deliver_bill_line', {
      dvbId,
      skbId,
      mtbId,
      mtbliId,
      sn: machine.sn,
      ...codes,
      name: machine.item.name,
      ...stamp(at, by),
    });
    Object.assign(item, {
      deliverStatus: DeliverStatus.Shipped,
      stockup: Flag.No,
      deliverTime: new Date(at),
      deliverShipNo,
      deliverShipId,
      deliverSn: machine.sn,
      deliverSalesCode: codes.deliverSalesCode,
      deliverSiteId: siteId,
    });
    touch(item, at, by);
    const line = stockup.lines.find((it) => it.mtbliId === mtbliId);
    if (line) {
      line.delivered = Flag.Yes;
      touch(line, at, by);
    }
    moveUnit(world, unit, 'deliver', Node.Shipped, dvbId, at, by);
  }
}

/** The company buys a unit from its customer: it is the site's own from then on. Decisions 2, E28. */
export function buyOut(unit: Unit, at: number): void {
  if (!unit.item) return;
  unit.item.deliverStatus = DeliverStatus.BoughtOut;
  touch(unit.item, at, 'aftersales');
  Object.assign(unit.row, { mtbId: null, mtblId: null, mtbliId: null });
  touch(unit.row, at, 'aftersales');
  unit.item = null;
  unit.bill = null;
}
