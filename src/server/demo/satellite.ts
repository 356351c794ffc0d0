import { deriveLanguage } from '#domain/billLanguage.ts';
import { DAY_MS, dayOf } from '#domain/day.ts';
import {
  BillStatus,
  LabelPrintKind,
  LabelPrintResult,
  OperateStatus,
  PackageStatus,
  SELF_PICKUP,
  SelfPickupStatus,
  StockupStatus,
} from '#domain/enums.ts';
import { isOpen } from '#domain/maintainBill.ts';
import { Node } from '#domain/nodes.ts';
import { customers } from './customers.ts';
import { controlBoards, models } from './items.ts';
import type { Factory } from './machines.ts';
import { states } from './sites.ts';
import { moveUnit } from './moves.ts';
import type { Row } from './rows.ts';
import { stateOf } from './settling.ts';
import { addTransfers } from './transfers.ts';
import { stamp, type Bill, type Site, type Stockup, type Unit, type World } from './world.ts';

/** What happens beside the chain: parcels without a bill, pickups, transfers, new labels. */
export function addSatellite(world: World, factory: Factory): void {
  addPackages(world);
  addPickups(world);
  addTransfers(world, factory);
  addLabels(world);
}

const siteAt = (world: World, i: number): Site => {
  const all = Object.values(world.sites);
  return all[[0, 0, 1, 0, 2, 1][i % 6] ?? 0] as Site;
};

function addPackages(world: World): void {
  const { rows, random, now } = world;
  const statuses = ['0', '0', '1', '0', '2', '0', '3', '1', '0', '0', '1', '0', '2', '0', '1', '0'];
  statuses.forEach((status, i) => {
    const site = siteAt(world, i);
    const own = customers.filter((it) => it.siteId === site.siteId);
    const from = own[i % own.length];
    if (!from) return;
    const at = now - (34 - i * 2.1) * DAY_MS;
    const bill = world.bills.find((it) => it.site === site && it.customer.name === from.name);
    const state = states.find((it) => [it.name, it.nameEn].includes(from.stateName));
    const isPending = status === PackageStatus.Pending;
    rows.add('rma_unhandled_package_bill', {
      upbId: world.numberAt('UPB', at),
      status: status === PackageStatus.Matched && !bill ? PackageStatus.Closed : status,
      languageType: deriveLanguage(from.countryId, state?.stateId, from.cityName),
      receiveShipId: from.shipId,
      receiveShipNo: `${from.shipId}${random.digits(12)}`,
      repairableCount: random.int(0, 6),
      userName: from.name,
      mobile: from.mobile,
      fax: `${from.account}@mail.example`,
      countryCode: from.countryId,
      stateCode: state?.stateId ?? null,
      stateName: from.stateName,
      cityName: from.cityName,
      street: from.street,
      repairInfo: i % 3 === 0 ? '包裹内无维修单，箱外只有寄件人电话' : null,
      urlName: i % 2 === 0 ? (site.photos[i % Math.max(site.photos.length, 1)] ?? null) : null,
      mtbId: status === PackageStatus.Matched ? (bill?.row.mtbId ?? null) : null,
      pendingTime: isPending ? new Date(at) : null,
      siteId: site.siteId,
      ...stamp(at, site.crew.warehouse),
    });
  });
}

const wishes: Record<string, string[]> = { SZ: ['0', '1', '0', '2', '1'], NB: ['0', '1', '2', '0'], US: ['1', '0'] };

function addPickups(world: World): void {
  const { rows, now } = world;
  const all = Object.values(world.sites).flatMap((site) => {
    const open = world.bills.filter((it) => it.site === site && it.row.billStatus === BillStatus.Received);
    const ready = open.filter(({ stockups }) => stockups.some((it) => waitsAt(it, site)));
    return (wishes[site.siteId] ?? []).map((selfPickupStatus, i) => {
      const of = selfPickupStatus === SelfPickupStatus.Agreed ? ready : open;
      return { selfPickupStatus, bill: of[(i * 3) % of.length] };
    });
  });
  all.forEach(({ selfPickupStatus, bill }, i) => {
    if (!bill) return;
    if (selfPickupStatus === SelfPickupStatus.Agreed) shipsBySelfPickup(bill);
    const at = Math.min(Math.max(now - (16 - i * 1.4) * DAY_MS, Number(bill.row.createTime) + DAY_MS / 4), now);
    const spkId = world.numberAt('SPK', at);
    rows.add('rma_self_pickup', {
      spkId,
      selfPickupStatus,
      mtbId: bill.row.mtbId,
      btmMtbId: bill.row.btmMtbId ?? null,
      btmUserId: bill.row.btmUserId ?? null,
      siteId: bill.site.siteId,
      companyName: bill.customer.name,
      pickupAddress: selfPickupStatus === SelfPickupStatus.Agreed ? '维修中心 1 楼收发室' : null,
      pickupTime: selfPickupStatus === SelfPickupStatus.Agreed ? new Date(at + 3 * DAY_MS) : null,
      branchContact: selfPickupStatus === SelfPickupStatus.Agreed ? '0755-8652 3301' : null,
      rejectionReason:
        selfPickupStatus === SelfPickupStatus.Refused ? '仍有两台设备待测试，请在维修完成后重新预约' : null,
      reviewBy: selfPickupStatus === SelfPickupStatus.Waiting ? null : 'aftersales',
      reviewTime: selfPickupStatus === SelfPickupStatus.Waiting ? null : new Date(Math.min(at + DAY_MS / 2, now)),
      ...stamp(at, bill.row.btmUserId ?? 'system'),
    });
    for (const line of bill.lines.slice(0, 2)) {
      for (const item of line.items.slice(0, 3)) {
        if (!item.receiveSn) continue;
        rows.add('rma_self_pickup_line', {
          spkId,
          itemName: line.row.itemName ?? null,
          sn: item.receiveSn,
          ...stamp(at, bill.row.btmUserId ?? 'system'),
        });
      }
    }
  });
}

const waitsAt = ({ row }: Stockup, { siteId }: Site) => row.status === StockupStatus.Open && row.siteId === siteId;

/** What is still to be delivered of a bill is fetched by its customer. Rule: events#e38. */
function shipsBySelfPickup({ lines, stockups }: Bill): void {
  for (const item of lines.flatMap((it) => it.items)) if (isOpen(stateOf(item))) item.deliverShipId = SELF_PICKUP;
  const waits: unknown[] = [StockupStatus.Open, StockupStatus.Partly, StockupStatus.Stopped];
  for (const { row } of stockups) if (waits.includes(row.status)) row.deliverShipId = SELF_PICKUP;
}

/** Of a changed SN: none of the causes that have a name. */
const OTHER_CAUSE = '9';

/** What went wrong with some of the first prints. */
const troubled: Record<number, LabelPrintResult> = { 3: LabelPrintResult.NotReached, 8: LabelPrintResult.Unknown };

/** A label that was sent to the printer of a bench, or left to the browser's dialog. */
function addPrint({ rows }: World, { machine, site }: Unit, printKind: LabelPrintKind, at: number, by: string): void {
  const number = rows.of('ubs_label_print').length;
  const printer = number % 4 === 2 ? null : `${site.siteId}-bench-${(number % 2) + 1}`;
  rows.add('ubs_label_print', {
    sn: machine.sn,
    printKind,
    barcodeType: '1',
    modelCode: machine.sn.slice(0, 4),
    printer,
    result: printer === null ? LabelPrintResult.Dialog : (troubled[number] ?? LabelPrintResult.Printed),
    siteId: site.siteId,
    printNo: `demo-${number + 1}`,
    ...stamp(at, by),
  });
}

/** Until its new label is printed and stuck on. */
const RELABELLED_AFTER = 7 * 60_000;

/** It is in the workshop and waits for nobody's word. */
const mayBeRelabelled = ({ row }: Unit): boolean =>
  row.updateTime !== undefined &&
  [Node.AwaitingRepair, Node.AwaitingAssembly, Node.AwaitingTest, Node.CanShip].some((it) => it === row.ivyId);

/** Labels that were changed or printed again, and the orders from which serial numbers are printed. */
function addLabels(world: World): void {
  const { rows, random, now } = world;
  const units = [...world.units.values()].filter((it) => it.machine.model && mayBeRelabelled(it));
  ['1', '2', '4', '1', '5', '3', '1', OTHER_CAUSE].forEach((cause, i) => {
    const unit = units[i * Math.max(1, Math.floor(units.length / 8))];
    if (!unit) return;
    const { sn, item } = unit.machine;
    const at = Math.min(now, Number(unit.row.updateTime) + RELABELLED_AFTER);
    const by = unit.site.crew.supervisor;
    const oldSn = `${sn.slice(0, 12)}X${random.digits(4)}`;
    const remark = cause === OTHER_CAUSE ? '客户要求更换标签样式' : null;
    const log: Row<'ubs_sn_change_log'> = {
      oldSn,
      newSn: sn,
      cause,
      operateStatus: OperateStatus.Normal,
      salesCode: item.salesCode,
      siteId: unit.site.siteId,
      remark,
    };
    rows.add('ubs_sn_change_log', { ...log, ...stamp(at, by) });
    const note = [`${oldSn} → ${sn}`, remark].filter(Boolean).join(' · ');
    moveUnit(world, unit, 'changeSn', unit.row.ivyId as Node, null, at, by, note);
    addPrint(world, unit, LabelPrintKind.Change, at, by);
  });
  // Worn labels, printed again at the bench where the unit lay.
  units
    .filter((_, i) => i % 5 === 2)
    .slice(0, 24)
    .forEach((unit) => {
      const at = Math.min(now, Number(unit.row.updateTime) + RELABELLED_AFTER);
      addPrint(world, unit, LabelPrintKind.Reprint, at, unit.site.crew.warehouse);
    });
  models.forEach((item, i) => {
    const at = now - (200 - i * 13) * DAY_MS;
    rows.add('ubs_product_order', {
      orderNo: `PO26${String(1 + (i % 9)).padStart(2, '0')}${random.digits(5)}`,
      salesCode: item.salesCode,
      productVer: ['4A', '4B'][i % 2] ?? '4A',
      qty: random.int(2, 20) * 100,
      status: i < 6 ? '1' : '0',
      startDate: dayOf(at, world.timeZone),
      ...stamp(at, 'admin'),
    });
  });
  // Control boards are printed for their order.
  controlBoards.forEach(({ salesCode }, i) => {
    const at = now - (40 - i * 12) * DAY_MS;
    rows.add('ubs_product_order', {
      orderNo: `PO26100004${i + 1}`,
      salesCode,
      productVer: '4B',
      qty: 400,
      status: '0',
      startDate: dayOf(at, world.timeZone),
      ...stamp(at, 'admin'),
    });
  });
}
