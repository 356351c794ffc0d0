import {
  BillStatus,
  DeliverPriority,
  DeliverStatus,
  Flag,
  OperateStatus,
  OwnBillType,
  ReceiveStatus,
  Warehouse,
} from '#domain/enums.ts';
import { groupBy } from '#domain/group.ts';
import { Node } from '#domain/nodes.ts';
import { inBoth } from '#domain/words.ts';
import type { Registration } from '#domain/workflow.ts';
import { DAY } from './calendar.ts';
import { waybillOf, type Customer } from './customers.ts';
import { addLine, newUnit, storages } from './intake.ts';
import { addLedgerEntry } from './ledger.ts';
import { models, type Model } from './items.ts';
import type { Machine } from './machines.ts';
import { moveUnit } from './moves.ts';
import { pathTo, type Step, type Target } from './paths.ts';
import type { Row } from './rows.ts';
import { walk } from './schedule.ts';
import { sites } from './sites.ts';
import type { Stage } from './stories.ts';
import { activate } from './storing.ts';
import { stamp, type Bill, type Site, type Unit, type World } from './world.ts';

/** One registration: how long ago it was made, and how far its units have come since. */
interface Story {
  step: Registration;
  /** In working days. */
  ago: number;
  targets: Target[];
  /** Boards instead of devices. */
  isBoards?: boolean;
}

const stories: Story[] = [
  { step: 'defectiveProductRepair', ago: 34, targets: [Node.CanShip, Node.CanShip, Node.Scrapped] },
  { step: 'testAndStore', ago: 21, targets: [Node.CanShip, Node.CanShip, Node.CanShip, Node.CanShip] },
  { step: 'defectiveProductRepair', ago: 9, targets: [Node.AwaitingRepair, Node.AwaitingTest, Node.CanShip] },
  { step: 'testAndStore', ago: 4, targets: [Node.AwaitingInspection, Node.AwaitingStorage], isBoards: true },
  { step: 'testAndStore', ago: 1.5, targets: [Node.AwaitingTest, Node.AwaitingTest, Node.AwaitingTest] },
  { step: 'defectiveProductRepair', ago: 0.6, targets: [Node.AwaitingCheck, Node.AwaitingCheck] },
];

/** Defectives that nobody has registered yet. */
const WAITING = 2;

/** Own goods of a site: defectives of its stock that are repaired, packages that are tested. Rule: bills#own-goods. */
export function addOwnGoods(stage: Stage, site: Site): void {
  const { world, factory, schedule } = stage;
  const { end } = site.calendar;
  schedule.at(site, end - 0.3 * DAY, (at) => {
    for (let i = 0; i < WAITING; i++) {
      activate(world, site, factory.device(models[i] as Model, null), Warehouse.Defectives, at);
    }
  });
  stories.forEach(({ step, ago, targets, isBoards = false }, i) => {
    const model = models[(i * 5 + site.siteId.length) % models.length] as Model;
    const registered = end - ago * DAY;
    const isDefective = step === 'defectiveProductRepair';
    const machines = targets.map(() =>
      isBoards ? factory.looseBoard(model.board, site.calendar.momentOf(registered)) : factory.device(model, null),
    );
    if (isDefective) {
      schedule.at(site, registered - 0.5 * DAY, (at) =>
        machines.forEach((it) => activate(world, site, it, Warehouse.Defectives, at)),
      );
    }
    schedule.at(site, registered, (at) => register(world, site, step, machines, at));
    const ways = machines.map((machine, n) => ({ machine, path: wayOf(targets[n] as Target, isDefective, world) }));
    for (const group of groupBy(ways, (it) => it.path.join()).values()) {
      const path = group[0]?.path ?? [];
      const to = registered + Math.min(ago * DAY - 8, path.length * 0.9 * DAY);
      walk(world, factory, schedule, { site, machines: group.map((it) => it.machine), path, from: registered, to });
    }
  });
}

/** What happens to a unit from its registration on; a package begins with its test. */
function wayOf(target: Target, isDefective: boolean, world: World): Step[] {
  if (isDefective) return pathTo(target, false, world.random);
  const tests: Step[] = ['agingPass', 'qcPass', 'store'];
  const stops: Partial<Record<Target, number>> = {
    [Node.AwaitingTest]: 0,
    [Node.AwaitingInspection]: 1,
    [Node.AwaitingStorage]: 2,
  };
  return tests.slice(0, stops[target] ?? tests.length);
}

function register(world: World, site: Site, step: Registration, machines: readonly Machine[], at: number): void {
  const { rows } = world;
  const { siteId } = site;
  const by = site.crew.warehouse;
  const isDefective = step === 'defectiveProductRepair';
  const dpbId = world.numberAt('DPB', at);
  const mtbId = world.numberAt('MTB', at);
  const receiveShipId = isDefective ? 'SF' : null;
  const receiveShipNo = isDefective ? waybillOf('SF', world.random.digits) : null;
  const billType = isDefective ? OwnBillType.DefectiveRepair : OwnBillType.TestPackage;
  const remark = isDefective ? '产线不良退回' : '新品抽测';
  const { siteName = siteId, siteNameEn } = sites.find((it) => it.siteId === siteId) ?? {};
  const userName = inBoth(siteName, siteNameEn);
  const row = rows.add('rma_maintain_bill', {
    mtbId,
    billType,
    receiveShipNo: receiveShipNo ?? dpbId,
    receiveShipId,
    userName,
    remark,
    packConfirm: Flag.No,
    billStatus: BillStatus.Received,
    operateStatus: OperateStatus.Normal,
    siteId,
    ...stamp(at, by),
  });
  const head = { dpbId, mtbId, billType, receiveShipId, receiveShipNo, remark };
  const registration = rows.add('rma_defective_product_repair_bill', {
    ...head,
    billStatus: BillStatus.Received,
    siteId,
    count: machines.length,
    ...stamp(at, by),
  });
  const bill: Bill = { site, customer: nobody(siteId, userName), row, lines: [], stockups: [] };
  world.ownBills.push({ bill, registration });
  const before: Record<string, object> = {};
  for (const [, group] of groupBy(machines, (it) => it.item.salesCode)) {
    const line = addLine(world, bill, (group[0] as Machine).item, at, by);
    line.row.count = group.length;
    for (const machine of group) {
      const unit = world.units.get(machine.sn) ?? newUnit(world, site, machine, at, by);
      before[machine.sn] = { mtbId: null, mtblId: null, mtbliId: null, siteId };
      line.items.push(addItem(world, unit, { mtbId, mtblId: line.row.mtblId, billType }, at, by));
      Object.assign(unit, { bill, item: line.items.at(-1) });
      const { subinventoryCode = null, storageType = null, ivyId } = unit.row;
      const { mtblId, mtbliId } = line.items.at(-1) as Row<'rma_maintain_bill_line_item'>;
      Object.assign(unit.row, { mtbId, mtblId, mtbliId });
      const to = isDefective ? Node.AwaitingCheck : Node.AwaitingTest;
      const lay = { fromSubinventoryCode: subinventoryCode ?? '-', fromStorageType: ivyId ? storageType : null };
      Object.assign(moveUnit(world, unit, step, to, dpbId, at, by), lay);
      Object.assign(unit.row, storages.defective);
      rows.add('rma_defective_product_repair_bill_line', {
        dpbId,
        sn: machine.sn,
        salesCode: machine.item.salesCode,
        name: machine.item.name,
        ...stamp(at, by),
      });
    }
  }
  const entry = { what: step, module: 'rmaDefectiveProductRepairBill', recordId: dpbId };
  const after = { ...head, sns: machines.map((it) => it.sn) };
  addLedgerEntry(world, site, { ...entry, before: { units: before }, after }, at, by);
}

function addItem(
  world: World,
  { machine, site }: Unit,
  on: { mtbId: string; mtblId: string; billType: OwnBillType },
  at: number,
  by: string,
): Row<'rma_maintain_bill_line_item'> {
  return world.rows.add('rma_maintain_bill_line_item', {
    mtbliId: world.numberAt('MBI', at),
    ...on,
    siteId: site.siteId,
    receiveSn: machine.sn,
    receiveStatus: ReceiveStatus.Received,
    receiveTime: new Date(at),
    maintains: 0,
    secondHand: Flag.No,
    continues: Flag.No,
    mixbound: Flag.No,
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
}

/** Nobody sends own goods: the site itself is named. */
const nobody = (siteId: string, name: string): Customer => ({
  siteId,
  name,
  shipId: '',
  account: '',
  mobile: '',
  countryId: '',
  stateName: '',
  cityName: '',
  street: '',
});
