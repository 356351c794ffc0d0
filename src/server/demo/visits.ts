import { ComponentType } from '#domain/assembly.ts';
import { DAY_MS } from '#domain/day.ts';
import { BillStatus, ReceiveStatus, SiteRepairStatus } from '#domain/enums.ts';
import { groupBy } from '#domain/group.ts';
import { Node } from '#domain/nodes.ts';
import { FIRST_BOARD_TYPE, RepairMethod } from '#domain/repairRecord.ts';
import { createBill } from './intake.ts';
import { materials } from './items.ts';
import { addLedgerEntry } from './ledger.ts';
import { bind, type Factory } from './machines.ts';
import { moveUnit } from './moves.ts';
import { stamp, touch, type Bill, type Site, type Unit, type World } from './world.ts';

interface Story {
  siteId: string;
  /** Days before today. */
  ago: number;
  devices: number;
  isEnded: boolean;
}
const stories: Story[] = [
  { siteId: 'SZ', ago: 40, devices: 2, isEnded: true },
  { siteId: 'NB', ago: 35, devices: 2, isEnded: true },
  { siteId: 'SZ', ago: 31, devices: 1, isEnded: true },
  { siteId: 'US', ago: 26, devices: 1, isEnded: true },
  { siteId: 'SZ', ago: 17, devices: 2, isEnded: true },
  { siteId: 'NB', ago: 12, devices: 1, isEnded: false },
  { siteId: 'US', ago: 7, devices: 1, isEnded: false },
  { siteId: 'SZ', ago: 5, devices: 2, isEnded: false },
];
/** Between the order and the first device. */
const ORDERED_BEFORE = 2 * DAY_MS;
const ENDED_AFTER = 2 * DAY_MS;
const faults = ['FX54', 'FX55', 'FX56'];
const methods = [RepairMethod.Replace, RepairMethod.Welding, RepairMethod.ChangeSlot];

/** Orders on which devices are repaired at their customer, ended ones and open ones. Rule: on-site-repair#submit. */
export function addVisits(world: World, factory: Factory): void {
  const visited = new Set<Unit>();
  stories.forEach((story, i) => {
    const site = world.sites[story.siteId];
    if (site) tell(world, factory, story, site, i, visited);
  });
}

/** A device is with its customer since before that moment, and has not been seen since. */
const isAway = ({ row, machine, bill }: Unit, at: number): boolean =>
  row.ivyId === Node.Shipped && machine.model !== null && bill !== null && Number(row.updateTime ?? at) < at;

function tell(world: World, factory: Factory, story: Story, site: Site, i: number, visited: Set<Unit>): void {
  const { now, rows } = world;
  const at = now - story.ago * DAY_MS;
  const tech = site.crew.techs[0] ?? 'tech';
  const away = [...world.units.values()].filter(
    (it) => it.site === site && isAway(it, at - ORDERED_BEFORE) && !visited.has(it),
  );
  const customer = away[0]?.bill?.customer;
  if (!customer) return;
  const devices = away.filter((it) => it.bill?.customer === customer).slice(0, story.devices);
  // One that is still to be visited keeps an order open.
  const isWaiting = (n: number) => n === 0 && !story.isEnded;
  const byModel = [...groupBy(devices, (it) => it.machine.item.salesCode).values()];
  const goods = byModel.map((of, n) => ({
    item: (of[0] as Unit).machine.item,
    count: of.length + (isWaiting(n) ? 1 : 0),
  }));
  const order = createBill(world, site, customer, goods, at - ORDERED_BEFORE);
  order.row.remark = '现场维修，请联系机房安排进场';
  const osbId = world.numberAt('OSB', at);
  const { mtbId } = order.row;
  const bill = rows.add('rma_site_repair_bill', {
    osbId,
    billStatus: SiteRepairStatus.Open,
    mtbId,
    siteId: site.siteId,
    userName: customer.name,
    deviceCount: devices.length,
    finishBy: null,
    finishTime: null,
    ...stamp(at, tech),
  });
  const entry = (what: string, when: number, after: object) =>
    addLedgerEntry(world, site, { what, module: 'rmaSiteRepairBill', recordId: osbId, before: {}, after }, when, tech);
  devices.forEach((unit, n) => {
    visited.add(unit);
    const when = at + (n * DAY_MS) / 6;
    const checkIcdIds = faults[(i + n) % faults.length] ?? '';
    repairThere(world, unit, { osbId, mtbId, checkIcdIds, when, tech, nth: i + n });
    if (isWaiting(n)) exchangePart(world, factory, unit, osbId, when, tech);
    entry('onSiteRepair', when, { sn: unit.machine.sn, mtbId, parts: unit.machine.parts.map((it) => it.sn) });
  });
  if (!story.isEnded) return;
  const endsAt = at + ENDED_AFTER;
  Object.assign(bill, { billStatus: SiteRepairStatus.Ended, finishBy: tech, finishTime: new Date(endsAt) });
  touch(bill, endsAt, tech);
  close(order, endsAt, tech);
  entry('finishOnSiteRepair', endsAt, { billStatus: BillStatus.Finished, deviceCount: devices.length });
}

/** Boards of the device are repaired; it stays where it is. */
function repairThere(
  world: World,
  unit: Unit,
  visit: { osbId: string; mtbId: string; checkIcdIds: string; when: number; tech: string; nth: number },
): void {
  const { rows, random } = world;
  const { osbId, mtbId, checkIcdIds, when, tech, nth } = visit;
  const { sn, item, parts } = unit.machine;
  const boards = parts.filter((it) => it.componentType === ComponentType.Board);
  for (const [n, board] of boards.slice(0, random.int(1, 2)).entries()) {
    const repairMethod = methods[(nth + n) % methods.length] as string;
    rows.add('rma_site_repair_bill_line', {
      osbId,
      productSn: sn,
      salesCode: item.salesCode,
      name: item.name,
      checkIcdIds,
      componentSn: board.sn,
      partsType: String(FIRST_BOARD_TYPE + n),
      icdIds: checkIcdIds,
      repairMethod,
      slot: `U${random.int(1, 60)}`,
      spendItemDescription: repairMethod === RepairMethod.Replace ? materials.chip : null,
      spendItemCount: 1,
      userId: tech,
      submitTime: new Date(when),
      ...stamp(when, tech),
    });
  }
  const step = moveUnit(world, unit, 'onSiteRepair', Node.Shipped, osbId, when, tech, checkIcdIds);
  if (unit.row.mtbId !== mtbId) step.mtbliId = null;
  step.mtbId = mtbId;
}

/** The first board is replaced as a whole: the device consists of the new one and of what it had. Rule: on-site-repair#parts. */
function exchangePart(world: World, factory: Factory, unit: Unit, osbId: string, when: number, tech: string): void {
  const part = unit.machine.parts.find((it) => it.componentType === ComponentType.Board);
  const line = world.rows
    .of('rma_site_repair_bill_line')
    .find((it) => it.osbId === osbId && it.componentSn === part?.sn);
  if (!part || !line) return;
  Object.assign(line, { repairMethod: RepairMethod.Replace, spendItemDescription: part.item.name });
  part.binding.unbindTime = new Date(when);
  touch(part.binding, when, tech);
  Object.assign(part, factory.part(part.item, ComponentType.Board, when));
  part.binding = bind(world.rows, unit.machine.sn, part, osbId, when, tech);
}

/** What has not come on an order that has ended was not received. Rule: on-site-repair#end. */
function close({ row, lines }: Bill, at: number, by: string): void {
  for (const item of lines.flatMap((it) => it.items)) {
    item.receiveStatus = ReceiveStatus.NotReceived;
    touch(item, at, by);
  }
  row.billStatus = BillStatus.Finished;
  touch(row, at, by);
}
