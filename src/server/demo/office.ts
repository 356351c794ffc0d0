import {
  BillStatus,
  Confirmation,
  DeliverPriority,
  DeliverStatus,
  Flag,
  ReceiveStatus,
  SubmitType,
} from '#domain/enums.ts';
import { joinUrls, splitUrls } from '#domain/images.ts';
import { isOpen, isReceived, mayReceive } from '#domain/maintainBill.ts';
import { Node } from '#domain/nodes.ts';
import { before, addLedgerEntry } from './ledger.ts';
import { addLine, storages } from './intake.ts';
import type { Item } from './items.ts';
import { moveUnit, rollBack } from './moves.ts';
import type { Row } from './rows.ts';
import { stateOf } from './settling.ts';
import { leaveStockup, release, stockUp, findStockup } from './stockups.ts';
import { noteDelivery, submitDelivery } from './storing.ts';
import { stamp, touch, type Bill, type BillLine, type Site, type Unit, type World } from './world.ts';

const OFFICE = 'aftersales';
const ADMIN = 'admin';

export type BillItem = Row<'rma_maintain_bill_line_item'>;

/**
 * The unit is tested from the beginning again, and what was done since its first test is rolled back. Rule: events#e30.
 */
export function returnToCheck(world: World, unit: Unit, at: number): void {
  releaseHold(world, unit, at, OFFICE);
  leaveStockup(world, unit, at, OFFICE);
  const steps = world.rows.of('rma_transaction').filter((it) => it.sn === unit.machine.sn);
  const received = steps.findLastIndex((it) => it.step === 'receive');
  for (const step of steps.slice(received + 1)) rollBack(step, at);
  moveUnit(world, unit, 'returnToCheck', Node.AwaitingCheck, null, at, OFFICE);
  Object.assign(unit.row, storages.defective);
  if (!unit.item) return;
  const untested = { checkTime: null, checkUrls: null, checkIcdIds: null, powerSn: null };
  Object.assign(unit.item, { deliverStatus: DeliverStatus.CannotShip, scrap: Flag.No, ...untested });
  touch(unit.item, at, OFFICE);
}

/** What a check proposed waits for nobody any more. */
function releaseHold(world: World, unit: Unit, at: number, by: string): void {
  if (unit.row.ivyId !== Node.AwaitingCheck) return;
  const line = world.rows.of('rma_check_bill_line').findLast((it) => it.sn === unit.machine.sn);
  if (!line) return;
  if (line.scrapStatus === Confirmation.Waiting) line.scrapStatus = null;
  if (line.nofaultConfirmStatus === Confirmation.Waiting) line.nofaultConfirmStatus = null;
  touch(line, at, by);
}

const boughtFor = ['客户不再使用，按残值回购', '维修费高于残值，客户同意买断', '客户机房关停，协商买断'];

/** The company buys a unit from its customer: it is the site's own from then on. Rule: events#e28. */
export function buyOut(world: World, unit: Unit, at: number): void {
  const { item, machine, site } = unit;
  if (!item) return;
  const remark = world.random.pick(boughtFor);
  const was = before(unit, item);
  leaveStockup(world, unit, at, OFFICE);
  moveUnit(world, unit, 'buyOut', unit.row.ivyId as Node, null, at, OFFICE, remark);
  item.deliverStatus = DeliverStatus.BoughtOut;
  touch(item, at, OFFICE);
  const entry = { what: 'buyOut', module: 'rmaMaintainBill', recordId: item.mtbId };
  addLedgerEntry(
    world,
    site,
    { ...entry, before: { items: { [machine.sn]: was } }, after: { remarks: [remark] } },
    at,
    OFFICE,
  );
  moveToStock(unit);
}

function moveToStock(unit: Unit): void {
  Object.assign(unit.row, { mtbId: null, mtblId: null, mtbliId: null });
  Object.assign(unit, { item: null, bill: null });
}

/** A bill is closed as it is; what is still in the workshop is given up. Rule: events#e29. */
export function closeBill(world: World, bill: Bill, at: number): void {
  const items = bill.lines.flatMap((it) => it.items);
  const units = [...world.units.values()].filter((it) => it.bill === bill && it.item && isOpen(stateOf(it.item)));
  const { billStatus, mtbId } = bill.row;
  const nodes = Object.fromEntries(units.map((it) => [it.machine.sn, it.row.ivyId]));
  const were = Object.fromEntries(units.map((it) => [it.machine.sn, before(it, it.item as BillItem)]));
  for (const unit of units) {
    leaveStockup(world, unit, at, OFFICE);
    releaseHold(world, unit, at, OFFICE);
    moveUnit(world, unit, 'terminate', Node.Scrapped, null, at, OFFICE);
    Object.assign(unit.row, storages.scrap);
    Object.assign(unit.item as BillItem, { deliverStatus: DeliverStatus.Scrapped });
    touch(unit.item as BillItem, at, OFFICE);
  }
  for (const item of items.filter((it) => it.receiveStatus === ReceiveStatus.Awaiting)) {
    item.receiveStatus = ReceiveStatus.NotReceived;
    touch(item, at, OFFICE);
  }
  bill.row.billStatus = BillStatus.Finished;
  touch(bill.row, at, OFFICE);
  const entry = { what: 'terminate', module: 'rmaMaintainBill', recordId: mtbId };
  const after = { billStatus: BillStatus.Finished, discardedSnList: Object.keys(nodes) };
  addLedgerEntry(world, bill.site, { ...entry, before: { billStatus, nodes, items: were }, after }, at, OFFICE);
}

/** Another model is promised to the customer for this unit. Rule: events#e31. */
export function promiseModel(world: World, unit: Unit, model: Item, at: number): void {
  const { item } = unit;
  if (!item) return;
  Object.assign(item, { deliverSalesCode: model.salesCode, exchange: Flag.Yes });
  touch(item, at, OFFICE);
  noteCode(world, unit, model, at);
}

/** A unit that was taken for another model goes to the line of its own one. Rule: events#e31. */
export function correctModel(world: World, unit: Unit, model: Item, at: number): void {
  const { item, bill } = unit;
  if (!item || !bill) return;
  noteCode(world, unit, model, at);
  const { salesCode, name: itemName } = model;
  const there = bill.lines.find((it) => it.row.salesCode === salesCode);
  toLine(world, item, unit, there ?? addLine(world, bill, model, at, OFFICE), at);
  Object.assign(unit.row, { salesCode, itemName });
  unit.machine = { ...unit.machine, item: model };
}

const noteCode = (world: World, unit: Unit, { salesCode }: Item, at: number) => {
  const note = `${unit.machine.item.salesCode} → ${salesCode}`;
  moveUnit(world, unit, 'replaceSaleCode', unit.row.ivyId as Node, null, at, OFFICE, note);
};

/** An item, and its unit where it has come, belong to another line, which declares one more for it. */
function toLine(world: World, item: BillItem, unit: Unit | undefined, to: BillLine, at: number): void {
  const from = world.bills.flatMap((it) => it.lines).find((it) => it.items.includes(item)) as BillLine;
  from.items.splice(from.items.indexOf(item), 1);
  to.items.push(item);
  from.row.count -= 1;
  to.row.count += 1;
  const { mtbId, mtblId, salesCode, productName } = to.row;
  const tally = unit && findStockup(world, unit)?.lines.find((it) => it.mtbliId === item.mtbliId);
  if (tally) Object.assign(tally, { mtbId, mtblId, salesCode, productName });
  Object.assign(item, { mtbId, mtblId });
  touch(item, at, OFFICE);
  if (unit) Object.assign(unit.row, { mtbId, mtblId });
}

type Shipping = 'asBefore' | 'withTarget' | 'apart';

/** An item goes to another bill of its customer, ships with that one's goods, or ships apart. Rule: events#e32. */
export function moveItem(
  world: World,
  item: BillItem,
  target: BillLine,
  { moves, ships }: { moves: boolean; ships: Shipping },
  at: number,
): void {
  const unit = [...world.units.values()].find((it) => it.item === item);
  const bill = world.bills.find((it) => it.lines.includes(target)) as Bill;
  const isTallied = item.stockup === Flag.Yes && ships !== 'asBefore';
  if (unit && isTallied) leaveStockup(world, unit, at, OFFICE);
  const own = item.mtbId;
  if (moves) {
    toLine(world, item, unit, target, at);
    if (unit) unit.bill = bill;
    const isClosed = !mayReceive(bill.row.billStatus);
    if (!isReceived(stateOf(item))) item.receiveStatus = isClosed ? ReceiveStatus.NotReceived : ReceiveStatus.Awaiting;
  }
  const shipsWith = ships === 'withTarget' ? target.row.mtbId : own;
  item.deliverMtbId = shipsWith === item.mtbId || ships === 'apart' ? null : shipsWith;
  if (ships === 'apart') item.deliverGroup = world.numberAt('SPG', at);
  touch(item, at, OFFICE);
  if (!unit) return;
  if (isTallied) stockUp(world, unit, at, OFFICE);
  const note = `${target.row.mtbId} ${target.row.mtblId}`;
  moveUnit(world, unit, 'moveBill', unit.row.ivyId as Node, null, at, OFFICE, note);
}

/** An item is sent from another site; a unit that has come stands there from now on. Rule: events#e33. */
export function changeSite(world: World, item: BillItem, site: Site, at: number): void {
  const unit = [...world.units.values()].find((it) => it.item === item);
  item.deliverSiteId = site.siteId;
  touch(item, at, OFFICE);
  if (!unit) return;
  const from = unit.site.siteId;
  leaveStockup(world, unit, at, OFFICE);
  Object.assign(unit, { site });
  unit.row.siteId = site.siteId;
  item.siteId = site.siteId;
  const note = `${from} → ${site.siteId}`;
  const move = moveUnit(world, unit, 'updateSiteId', unit.row.ivyId as Node, null, at, OFFICE, note);
  move.fromSiteId = from;
  release(world, unit, at, OFFICE);
}

/** Pictures that the first test had left out. Rule: events#e34. */
export function addPictures(world: World, unit: Unit, at: number): void {
  const by = unit.site.crew.techs[0] as string;
  if (!unit.item) return;
  const had = splitUrls(unit.item.checkUrls ?? null);
  const others = unit.site.photos.slice(0, 7).filter((it) => !had.includes(it));
  unit.item.checkUrls = joinUrls([...had, ...world.random.some(others, 2)]);
  touch(unit.item, at, by);
}

interface DeliveryEdit {
  deliverPriority?: string;
  deliverPayment?: string;
}

/** An item's delivery is held back, let go, hurried, or paid by the customer. Rule: events#e35. */
export function editDelivery(world: World, unit: Unit, edit: DeliveryEdit, at: number): void {
  const { item } = unit;
  if (!item) return;
  const wasPaused = item.deliverPriority === DeliverPriority.Paused;
  Object.assign(item, edit);
  touch(item, at, OFFICE);
  if (item.deliverPriority === DeliverPriority.Paused) {
    leaveStockup(world, unit, at, OFFICE);
    item.deliverStatus = DeliverStatus.CannotShip;
  } else if (wasPaused) release(world, unit, at, OFFICE);
}

const placedFor = {
  [Node.AwaitingInspection]: '老化架断网，线下老化已通过',
  [Node.CanShip]: '已在仓库，漏扫入库',
  [Node.Shipped]: '客户现场提走，漏扫发货',
};

/** A node that the administrator sets by hand, with what goes with it. Rule: events#e36. */
export function setUnitNode(world: World, unit: Unit, to: keyof typeof placedFor, at: number): void {
  const { item, machine, site } = unit;
  if (!item) return;
  const was = before(unit, item);
  const from = unit.row.ivyId;
  const remark = placedFor[to];
  if (to === Node.Shipped) leaveStockup(world, unit, at, ADMIN);
  moveUnit(world, unit, 'modifyNode', to, null, at, ADMIN, remark);
  if (to === Node.CanShip) {
    Object.assign(unit.row, storages.goods);
    release(world, unit, at, ADMIN);
  } else if (to === Node.Shipped) deliverByHand(world, unit, item, at);
  const entry = { what: 'modifyIvyId', module: 'rmaInventory', recordId: machine.sn };
  const note = { before: { node: from, items: { [machine.sn]: was } }, after: { node: to, remark } };
  addLedgerEntry(world, site, { ...entry, ...note }, at, ADMIN);
}

function deliverByHand(world: World, unit: Unit, item: BillItem, at: number): void {
  const dvbId = world.numberAt('DVB', at);
  const head = { dvbId, submitType: SubmitType.WithSn, userId: ADMIN, siteId: unit.site.siteId };
  world.rows.add('rma_deliver_bill', { ...head, ...stamp(at, ADMIN) });
  noteDelivery(world, dvbId, { unit, item }, {}, at, ADMIN);
}

const tests = {
  aging: { head: 'rma_burnin_bill', lines: 'rma_burnin_bill_line', by: 'bnbId' },
  qc: { head: 'rma_examine_bill', lines: 'rma_examine_bill_line', by: 'exbId' },
} as const;

/**
 * The result of a unit's latest test is taken off its bill, and the unit waits for the test again. Rule: events#e37.
 */
export function rollBackTest(world: World, unit: Unit, at: number): void {
  const { rows } = world;
  const { sn } = unit.machine;
  const step = rows.of('rma_transaction').findLast((it) => it.sn === sn) as Row<'rma_transaction'>;
  const { head, lines, by } = tests[step.step as keyof typeof tests];
  const of = (it: object) => (it as Record<string, unknown>)[by] === step.billId;
  const line = rows.of(lines).find((it) => of(it) && it.sn === sn);
  if (line) rows.remove(lines, line);
  const bill = rows.of(head).find(of);
  if (bill && !rows.of(lines).some(of)) rows.remove(head, bill);
  rollBack(step, at);
  touch(step, at, ADMIN);
  const note = world.random.pick(['扫错机器，重新测试', '测试程序版本不对，结果作废']);
  moveUnit(world, unit, 'rollback', step.fromNode as Node, step.billId ?? null, at, ADMIN, note);
}

/** Another machine may go out for the unit before it is repaired. Rule: stock-up#advance. */
export function tallyAhead(world: World, unit: Unit, at: number): void {
  if (!unit.item) return;
  unit.item.exchange = Flag.Yes;
  stockUp(world, unit, at, unit.site.crew.warehouse);
}

/**
 * A machine of the site's stock goes out for the unit, which stays as stock instead. Rule: events#e25,
 * stock-up#advance.
 */
export function sendInstead(world: World, unit: Unit, stock: Unit, at: number): void {
  const stockup = findStockup(world, unit);
  if (!stockup || !unit.item) return;
  submitDelivery(world, stockup, [{ unit: stock, item: unit.item }], SubmitType.WithSn, at);
  moveToStock(unit);
}
