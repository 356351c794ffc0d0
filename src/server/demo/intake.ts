import { DAY_MS } from '#domain/day.ts';
import {
  ArrivalStatus,
  BillStatus,
  DeliverPriority,
  DeliverStatus,
  Flag,
  flag,
  OperateStatus,
  ReceivePayment,
  ReceiveStatus,
  StorageType,
  Warehouse,
  Warranty,
} from '#domain/enums.ts';
import { groupBy } from '#domain/group.ts';
import { Node } from '#domain/nodes.ts';
import { waybillOf, type Customer } from './customers.ts';
import type { Item } from './items.ts';
import type { Machine } from './machines.ts';
import { moveUnit, rollBack } from './moves.ts';
import type { Row } from './rows.ts';
import { stamp, touch, type Bill, type BillLine, type Site, type Unit, type World } from './world.ts';

const remarks = ['客户要求加急', '包装内附故障清单', '请先电话确认报价', '整柜返修，第二批'];

export interface Goods {
  item: Item;
  count: number;
}

/** A customer announces goods: after-sales writes the bill with its declared items. */
export function createBill(world: World, site: Site, customer: Customer, goods: Goods[], at: number): Bill {
  const { random, rows } = world;
  const mtbId = world.numberAt('MTB', at);
  const by = 'aftersales';
  const row = rows.add('rma_maintain_bill', {
    mtbId,
    receiveShipNo: waybillOf(customer.shipId, random.digits),
    receivePackageCount: null,
    remark: random.chance(0.25) ? random.pick(remarks) : null,
    billStatus: BillStatus.Awaiting,
    siteId: site.siteId,
    receiveShipId: customer.shipId,
    btmMtbId: random.chance(0.8) ? `W${random.digits(9)}` : null,
    btmUserId: customer.account,
    userName: customer.name,
    mobile: customer.mobile,
    countryId: customer.countryId,
    stateName: customer.stateName,
    cityName: customer.cityName,
    street: customer.street,
    packConfirm: flag(random.chance(0.6)),
    operateStatus: OperateStatus.Normal,
    ...stamp(at, by),
  });
  const bill: Bill = { site, customer, row, lines: [], stockups: [] };
  for (const { item, count } of goods) declareLine(world, bill, item, count, at);
  world.bills.push(bill);
  return bill;
}

function declareLine(world: World, bill: Bill, item: Item, count: number, at: number): void {
  const line = addLine(world, bill, item, at, 'aftersales');
  line.row.count = count;
  for (let i = 0; i < count; i++) addItem(world, bill, line, at, 'aftersales');
}

export function addLine(world: World, bill: Bill, item: Item, at: number, by: string): BillLine {
  const row = world.rows.add('rma_maintain_bill_line', {
    mtblId: world.numberAt('MBL', at),
    mtbId: bill.row.mtbId,
    type: item.type,
    salesCode: item.salesCode,
    itemName: item.name,
    productName: item.productName,
    count: 0,
    receiveCount: 0,
    deliverCount: 0,
    scrapCount: 0,
    discardCount: 0,
    buyOutCount: 0,
    ...stamp(at, by),
  });
  const line: BillLine = { row, items: [] };
  bill.lines.push(line);
  return line;
}

function addItem(world: World, bill: Bill, line: BillLine, at: number, by: string): Row<'rma_maintain_bill_line_item'> {
  const item = world.rows.add('rma_maintain_bill_line_item', {
    mtbliId: world.numberAt('MBI', at),
    mtblId: line.row.mtblId,
    mtbId: bill.row.mtbId,
    siteId: bill.site.siteId,
    receiveStatus: ReceiveStatus.Awaiting,
    maintains: 0,
    secondHand: Flag.No,
    continues: Flag.No,
    mixbound: Flag.No,
    quotedFaultCode: world.random.chance(0.2) ? world.random.pick(quoted) : null,
    scrap: Flag.No,
    returness: Flag.No,
    payed: Flag.No,
    exchange: Flag.No,
    deliverPayment: Flag.No,
    stockup: Flag.No,
    deliverStatus: DeliverStatus.CannotShip,
    deliverPriority: DeliverPriority.Normal,
    ...stamp(at, by),
  });
  line.items.push(item);
  return item;
}

/** With which fault the website quoted the repair. */
const quoted = ['FX54', 'FX56', 'FX403', 'FX409', 'CL15'];

/** The gate takes a parcel in; one that no bill names is kept unlinked. */
export function signFor(world: World, site: Site, bill: Bill | null, at: number): Row<'rma_arrival_bill'> {
  const by = site.crew.warehouse;
  const packages = world.random.int(1, 6);
  if (bill) {
    bill.row.receivePackageCount = packages;
    touch(bill.row, at, by);
  }
  return world.rows.add('rma_arrival_bill', {
    abId: world.numberAt('ABL', at),
    receiveShipNo: bill?.row.receiveShipNo ?? waybillOf('SF', world.random.digits),
    receivePackageCount: packages,
    remark: bill ? null : '外箱无工单号，待客户确认',
    signTime: new Date(at),
    status: ArrivalStatus.Signed,
    mtbId: bill?.row.mtbId ?? null,
    siteId: site.siteId,
    userId: by,
    ...stamp(at, by),
  });
}

export function accept(site: Site, bill: Bill | null, arrival: Row<'rma_arrival_bill'>, at: number): void {
  arrival.status = ArrivalStatus.Accepted;
  touch(arrival, at, site.crew.warehouse);
  const isLate = bill?.row.billStatus === BillStatus.NotReceived || bill?.row.billStatus === BillStatus.Received;
  if (!bill || !isLate) return;
  bill.row.billStatus = BillStatus.ReceivedLater;
  touch(bill.row, at, site.crew.warehouse);
}

/**
 * Units are scanned in: each fills a declared item of its line and stands at the first test. Rule: events#e03,
 * events#e04.
 */
export function receive(world: World, bill: Bill, machines: readonly Machine[], at: number): Unit[] {
  const { rows, random } = world;
  const by = bill.site.crew.warehouse;
  const rvbId = world.numberAt('RVB', at);
  const isCollect = random.chance(0.2);
  rows.add('rma_receive_bill', {
    rvbId,
    mtbId: bill.row.mtbId,
    billTime: new Date(at),
    userId: by,
    siteId: bill.site.siteId,
    payAmount: isCollect ? `${random.int(28, 460)}.${random.digits(1)}0` : '0',
    payment: isCollect ? ReceivePayment.Arrival : ReceivePayment.Send,
    ...stamp(at, by),
  });
  const byCode = groupBy(machines, (it) => it.item.salesCode);
  return [...byCode].flatMap(([salesCode, group]) => {
    const line = lineFor(world, bill, salesCode, group, at, by);
    rows.add('rma_receive_bill_line', {
      rvbId,
      mtblId: line.row.mtblId,
      type: line.row.type,
      salesCode: line.row.salesCode,
      itemName: line.row.itemName ?? '',
      count: line.row.count,
      receiveCount: group.length,
      ...stamp(at, by),
    });
    return group.map((machine) => receiveOne(world, bill, line, machine, rvbId, at));
  });
}

/** The line that declares this model; goods that nobody declared get a line of their own, which declares what came. */
function lineFor(
  world: World,
  bill: Bill,
  salesCode: string,
  came: readonly Machine[],
  at: number,
  by: string,
): BillLine {
  const declared = bill.lines.find((it) => it.row.salesCode === salesCode);
  if (declared) return declared;
  const line = addLine(world, bill, (came[0] as Machine).item, at, by);
  line.row.count = came.length;
  return line;
}

function receiveOne(world: World, bill: Bill, line: BillLine, machine: Machine, rvbId: string, at: number): Unit {
  const { random, rows } = world;
  const by = bill.site.crew.warehouse;
  const item =
    line.items.find(
      (it) => it.receiveStatus === ReceiveStatus.Awaiting || it.receiveStatus === ReceiveStatus.NotReceived,
    ) ?? addItem(world, bill, line, at, by);
  const known = world.units.get(machine.sn);
  const last = known?.history.findLast((it) => it.deliverTime);
  const isRecent = last !== undefined && at - Number(last.deliverTime) < 90 * DAY_MS;
  const depreciation = random.pick(['A', 'B', 'B', 'B', 'B', 'C', 'C', 'D']);
  const isDamaged = random.chance(0.08);
  Object.assign(item, {
    receiveSn: machine.sn,
    receiveStatus:
      bill.row.billStatus === BillStatus.ReceivedLater ? ReceiveStatus.ReceivedLater : ReceiveStatus.Received,
    receiveTime: new Date(at),
    warranty: isRecent ? Warranty.Repair : at < machine.warrantyEnds ? Warranty.In : Warranty.Out,
    maintains: known?.history.filter((it) => it.deliverTime).length ?? 0,
    continues: flag(isRecent),
    mixbound: flag(machine.isMixed ?? false),
    secondHand: flag(known?.bill ? known.bill.customer !== bill.customer : false),
    depreciation,
    payed: at < machine.warrantyEnds || isRecent ? '2' : flag(random.chance(0.6)),
  });
  touch(item, at, by);
  rows.add('rma_receive_bill_line_item', {
    rvbId,
    mtblId: line.row.mtblId,
    receiveSn: machine.sn,
    issueCodes: isDamaged ? 'RC01' : null,
    depreciation,
    receiveUrls: isDamaged ? (bill.site.photos[6] ?? null) : null,
    type: machine.item.type,
    ...stamp(at, by),
  });
  const unit = known ?? newUnit(world, bill.site, machine, at, by);
  unit.bill = bill;
  unit.item = item;
  unit.history.push(item);
  const { mtblId, mtbliId } = item;
  const storage = machine.isBeyondRepair ? storages.scrap : storages.defective;
  Object.assign(unit.row, { mtbId: bill.row.mtbId, mtblId, mtbliId, ...storage });
  if (machine.isBeyondRepair) item.deliverStatus = DeliverStatus.Scrapped;
  moveUnit(world, unit, 'receive', machine.isBeyondRepair ? Node.Scrapped : Node.AwaitingCheck, rvbId, at, by);
  return unit;
}

/** A unit that was received by mistake leaves again, and the declared item waits for its own one. Rule: events#e06. */
export function takeOff(world: World, unit: Unit, at: number): void {
  const by = unit.site.crew.warehouse;
  const { item, row } = unit;
  const receipt = world.rows.of('rma_transaction').findLast((it) => it.sn === unit.machine.sn);
  if (!item || !receipt) return;
  takeOffReceiveBill(world, receipt);
  rollBack(receipt, at);
  moveUnit(world, unit, 'receive', null, null, at, by).operateStatus = OperateStatus.Rollbacked;
  Object.assign(item, {
    receiveSn: null,
    receiveStatus: ReceiveStatus.Awaiting,
    receiveTime: null,
    depreciation: null,
    warranty: null,
    payed: Flag.No,
  });
  touch(item, at, by);
  Object.assign(row, { mtbId: null, mtblId: null, mtbliId: null, storageType: null });
  unit.history.pop();
  Object.assign(unit, { bill: null, item: null });
}

/** The unit leaves its receive bill, and the bill goes with its last one. */
function takeOffReceiveBill({ rows }: World, { billId, sn }: Row<'rma_transaction'>): void {
  const items = rows.of('rma_receive_bill_line_item').filter((it) => it.rvbId === billId);
  const gone = items.find((it) => it.receiveSn === sn);
  const line = rows.of('rma_receive_bill_line').find((it) => it.rvbId === billId && it.mtblId === gone?.mtblId);
  if (!gone || !line) return;
  rows.remove('rma_receive_bill_line_item', gone);
  line.receiveCount -= 1;
  if (line.receiveCount === 0) rows.remove('rma_receive_bill_line', line);
  const bill = rows.of('rma_receive_bill').find((it) => it.rvbId === billId);
  if (bill && items.length === 1) rows.remove('rma_receive_bill', bill);
}

export const storages = {
  goods: { subinventoryCode: Warehouse.Goods, storageType: StorageType.Goods },
  defective: { subinventoryCode: null, storageType: StorageType.Defectives },
  scrap: { subinventoryCode: Warehouse.Scraps, storageType: StorageType.Scraps },
};

export function newUnit(world: World, site: Site, machine: Machine, at: number, by: string): Unit {
  const row = world.rows.add('rma_inventory', {
    sn: machine.sn,
    type: machine.item.type,
    salesCode: machine.item.salesCode,
    itemName: machine.item.name,
    siteId: site.siteId,
    ivyId: null,
    mtbId: null,
    mtblId: null,
    mtbliId: null,
    ...storages.defective,
    ...stamp(at, by),
  });
  const unit: Unit = { machine, site, row, item: null, bill: null, history: [] };
  world.units.set(machine.sn, unit);
  return unit;
}

/** The receipt is closed; what did not come is said to be missing. Rule: events#e07. */
export function finishReceipt(bill: Bill, at: number): void {
  const by = bill.site.crew.warehouse;
  const items = bill.lines.flatMap((it) => it.items);
  for (const item of items.filter((it) => it.receiveStatus === ReceiveStatus.Awaiting)) {
    item.receiveStatus = ReceiveStatus.NotReceived;
    touch(item, at, by);
  }
  const some = items.some(
    (it) => it.receiveStatus === ReceiveStatus.Received || it.receiveStatus === ReceiveStatus.ReceivedLater,
  );
  bill.row.billStatus = some ? BillStatus.Received : BillStatus.NotReceived;
  touch(bill.row, at, by);
}
