import { DeliverStatus, Flag, GoodsType, SubmitType, Warehouse } from '#domain/enums.ts';
import { groupBy } from '#domain/group.ts';
import { isOwnBill } from '#domain/maintainBill.ts';
import { Node } from '#domain/nodes.ts';
import { addLedgerEntry } from './ledger.ts';
import { newUnit, storages } from './intake.ts';
import type { Machine } from './machines.ts';
import { moveUnit } from './moves.ts';
import { enterWaybill, recount, release, findStockup } from './stockups.ts';
import { lineOf } from './testing.ts';
import { stamp, touch, type Site, type Stockup, type Unit, type World } from './world.ts';

const packages = [20, 40, 60];

/** Units go on the shelf; those of a bill go on its open stock-up bill. Rule: events#e22, stock-up#tally. */
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
    subinventoryCode: Warehouse.Goods,
    userId: by,
    siteId,
    ...stamp(at, by),
  });
  const stocked: Record<string, string> = {};
  for (const unit of units) {
    world.rows.add('rma_store_bill_line', { stbId, ...lineOf(unit), icdId: 'ST00', ...stamp(at, by) });
    moveUnit(world, unit, 'store', Node.CanShip, stbId, at, by);
    Object.assign(unit.row, storages.goods);
    if (isOwnBill(unit.bill?.row.billType)) Object.assign(stocked, takeIntoStock(unit));
    else release(world, unit, at, by);
  }
  if (Object.keys(stocked).length === 0) return;
  const entry = { what: 'store', module: 'rmaStoreBill', recordId: stbId };
  const after = {
    sns: units.map((it) => it.machine.sn),
    packageCount,
    subinventoryCode: Warehouse.Goods,
    skbIdList: [],
  };
  addLedgerEntry(world, first.site, { ...entry, before: { stocked }, after }, at, by);
}

/** Stored, own goods are the site's stock, on no bill; their items are kept. */
function takeIntoStock(unit: Unit): Record<string, string> {
  const { item, machine } = unit;
  if (!item) return {};
  item.deliverStatus = DeliverStatus.BoughtOut;
  Object.assign(unit, { bill: null, item: null });
  Object.assign(unit.row, { mtbId: null, mtblId: null, mtbliId: null });
  return { [machine.sn]: item.mtbliId };
}

/** Units leave the workshop: devices by their SN, boards by their number. Rule: events#e25, events#e26. */
export function deliver(world: World, units: readonly Unit[], at: number): void {
  const waiting = units.map((unit) => ({ unit, stockup: findStockup(world, unit) as Stockup }));
  for (const group of groupBy(waiting, (it) => it.stockup.row.skbId).values()) {
    const { stockup } = group[0] as (typeof group)[number];
    const leaving = group.map(({ unit }) => ({ unit, item: unit.item as Item }));
    for (const [type, same] of groupBy(leaving, (it) => it.unit.machine.item.type)) {
      submitDelivery(world, stockup, same, type === GoodsType.Device ? SubmitType.WithSn : SubmitType.WithoutSn, at);
    }
  }
}

type Item = NonNullable<Unit['item']>;

/** What leaves, and for which item. */
interface Leaving {
  unit: Unit;
  item: Item;
}

export function submitDelivery(
  world: World,
  stockup: Stockup,
  leaving: readonly Leaving[],
  submitType: string,
  at: number,
): void {
  const by = (leaving[0] as Leaving).unit.site.crew.warehouse;
  enterWaybill(world, stockup, at, by);
  const { skbId, deliverShipNo, deliverShipId, siteId } = stockup.row;
  const dvbId = world.numberAt('DVB', at);
  const header = { dvbId, skbId, submitType, deliverShipNo, deliverShipId, userId: by, siteId };
  world.rows.add('rma_deliver_bill', { ...header, ...stamp(at, by) });
  for (const { unit, item } of leaving) {
    noteDelivery(world, dvbId, { unit, item }, { skbId, deliverShipNo, deliverShipId }, at, by);
    const line = stockup.lines.find((it) => it.mtbliId === item.mtbliId);
    if (line) {
      line.delivered = Flag.Yes;
      touch(line, at, by);
    }
    const { mtbId, mtbliId } = item;
    Object.assign(moveUnit(world, unit, 'deliver', Node.Shipped, dvbId, at, by), { mtbId, mtbliId });
  }
  recount(stockup, at, by);
}

/** What left is gone from its shelf, and its item says how. */
export function noteDelivery(
  world: World,
  dvbId: string,
  { unit, item }: Leaving,
  way: { skbId?: string | null; deliverShipNo?: string | null; deliverShipId?: string | null },
  at: number,
  by: string,
): void {
  const { mtbId, mtbliId } = item;
  const { sn, item: model } = unit.machine;
  const { skbId = null, ...parcel } = way;
  world.rows.add('rma_deliver_bill_line', {
    dvbId,
    skbId,
    mtbId,
    mtbliId,
    sn,
    salesCode: model.salesCode,
    deliverSalesCode: model.salesCode,
    promisedSalesCode: item.exchange === Flag.Yes ? (item.deliverSalesCode ?? null) : null,
    name: model.name,
    ...stamp(at, by),
  });
  Object.assign(item, {
    deliverStatus: DeliverStatus.Shipped,
    stockup: Flag.No,
    deliverTime: new Date(at),
    ...parcel,
    deliverSn: sn,
    deliverSalesCode: model.salesCode,
    deliverSiteId: unit.site.siteId,
  });
  touch(item, at, by);
  unit.row.subinventoryCode = null;
}

const startsAt = { FG: Node.CanShip, DEF: Node.AwaitingCheck, SCR: Node.Scrapped };

/** A machine becomes the site's own stock in a warehouse, and stands where that one's goods begin. Rule: events#e23. */
export function activate(
  world: World,
  site: Site,
  machine: Machine,
  subinventoryCode: keyof typeof startsAt,
  at: number,
): void {
  const by = site.crew.warehouse;
  const known = world.units.get(machine.sn);
  const unit = known ?? newUnit(world, site, machine, at, by);
  const { ivyId = null, mtbId = null, mtblId = null, mtbliId = null, storageType = null } = known?.row ?? {};
  const was = {
    node: ivyId,
    mtbId,
    mtblId,
    mtbliId,
    subinventoryCode: known?.row.subinventoryCode ?? null,
    storageType,
  };
  const remark = world.random.pick(activations[subinventoryCode]);
  Object.assign(unit, { bill: null, item: null });
  Object.assign(unit.row, { mtbId: null, mtblId: null, mtbliId: null });
  const to = startsAt[subinventoryCode];
  moveUnit(world, unit, 'storeStart', to, null, at, by, remark);
  const storage = { FG: storages.goods, DEF: storages.defective, SCR: storages.scrap }[subinventoryCode];
  Object.assign(unit.row, storage, { subinventoryCode });
  const entry = { what: 'storeStart', module: 'rmaStoreBill', recordId: machine.sn };
  addLedgerEntry(world, site, { ...entry, before: was, after: { node: to, subinventoryCode, remark } }, at, by);
}

const activations = {
  FG: ['总部调拨的周转机', '库存良品启用'],
  DEF: ['仓库盘点发现的不良机', '报废机拆检后可修复'],
  SCR: ['库存机进水，直接转报废仓'],
};
