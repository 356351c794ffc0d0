import { DAY_MS } from '#domain/day.ts';
import {
  BillStatus,
  PackageStatus,
  ScrapRepairStatus,
  SELF_PICKUP,
  SelfPickupStatus,
  StockupStatus,
  StorageType,
  TransferStatus,
} from '#domain/enums.ts';
import { isOpen } from '#domain/maintainBill.ts';
import { Node } from '#domain/nodes.ts';
import { customers } from './customers.ts';
import { controlBoards, models, parts } from './items.ts';
import { states } from './sites.ts';
import type { Row } from './rows.ts';
import { stateOf } from './settling.ts';
import { stamp, type Bill, type Site, type Stockup, type Unit, type World } from './world.ts';

/** What happens beside the chain: parcels without a bill, pickups, visits, transfers, scrap that works again, new labels. */
export function addSatellite(world: World): void {
  addPackages(world);
  addPickups(world);
  addVisits(world);
  addTransfers(world);
  addScrap(world);
  addDefective(world);
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
    rows.add('rma_unhandled_package_bill', {
      upbId: world.numberAt('UPB', at),
      status: status === PackageStatus.Matched && !bill ? PackageStatus.Closed : status,
      languageType: from.countryId === 'CN' ? 'zh' : 'en',
      receiveShipId: from.shipId,
      receiveShipNo: `${from.shipId}${random.digits(12)}`,
      repairableCount: random.int(0, 6),
      userName: from.name,
      mobile: from.mobile,
      fax: `${from.account}@mail.example`,
      countryCode: from.countryId,
      stateCode: states.find((it) => it.name === from.stateName)?.stateId ?? null,
      stateName: from.stateName,
      cityName: from.cityName,
      street: from.street,
      repairInfo: i % 3 === 0 ? '包裹内无维修单，箱外只有寄件人电话' : null,
      urlName: i % 2 === 0 ? (site.photos[i % Math.max(site.photos.length, 1)] ?? null) : null,
      mtbId: status === PackageStatus.Matched ? (bill?.row.mtbId ?? null) : null,
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
    const at = Math.max(now - (16 - i * 1.4) * DAY_MS, Number(bill.row.createTime) + DAY_MS / 4);
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

function addVisits(world: World): void {
  const { rows, random, now } = world;
  const faults = ['FX401', 'FX403', 'FX405'];
  for (let i = 0; i < 8; i++) {
    const site = siteAt(world, i);
    const bill = world.bills.filter((it) => it.site === site)[i * 2];
    const tech = site.crew.techs[0] ?? 'tech';
    const at = now - (40 - i * 4.7) * DAY_MS;
    const isEnded = i < 5;
    const osbId = world.numberAt('OSB', at);
    const devices = random.some(
      [...world.units.values()].filter((it) => it.site === site && it.machine.model),
      2,
    );
    rows.add('rma_site_repair_bill', {
      osbId,
      billStatus: isEnded ? '1' : '0',
      mtbId: bill?.row.mtbId ?? null,
      siteId: site.siteId,
      userName: bill?.customer.name ?? null,
      deviceCount: devices.length,
      finishBy: isEnded ? tech : null,
      finishTime: isEnded ? new Date(at + 2 * DAY_MS) : null,
      ...stamp(at, tech),
    });
    for (const { machine } of devices) {
      const board = machine.parts.at(-1);
      rows.add('rma_site_repair_bill_line', {
        osbId,
        productSn: machine.sn,
        salesCode: machine.item.salesCode,
        name: machine.item.name,
        checkIcdIds: faults[i % 3] ?? 'FX401',
        componentSn: board?.sn ?? null,
        partsType: '7',
        icdIds: faults[(i + 1) % 3] ?? 'FX403',
        repairMethod: ['2', '8', '3'][i % 3] ?? '2',
        slot: `U${random.int(1, 60)}`,
        spendItemDescription: i % 3 === 0 ? 'ASIC 芯片' : null,
        spendItemCount: 1,
        userId: tech,
        submitTime: new Date(at + DAY_MS / 4),
        ...stamp(at + DAY_MS / 4, tech),
      });
    }
  }
}

function addTransfers(world: World): void {
  const { rows, random, now } = world;
  const routes: [string, string][] = [
    ['SZ', 'NB'],
    ['NB', 'SZ'],
    ['SZ', 'US'],
  ];
  ['2', '2', '2', '1', '1', '0', '0', '0', '3', '2'].forEach((billStatus, i) => {
    const [from = 'SZ', to = 'NB'] = routes[i % 3] ?? [];
    const sender = world.sites[from];
    const receiver = world.sites[to];
    if (!sender || !receiver) return;
    const at = now - (48 - i * 4.4) * DAY_MS;
    const sktbId = world.numberAt('SKT', at);
    const maker = sender.crew.warehouse;
    const lines = random.some(parts, 2).map((item) => ({ item, count: random.int(2, 5) }));
    const wasSent = billStatus === TransferStatus.AwaitingReceipt || billStatus === TransferStatus.Finished;
    rows.add('rma_stock_transfer_bill', {
      sktbId,
      billStatus,
      deliverSiteId: from,
      receiveSiteId: to,
      count: lines.reduce((sum, it) => sum + it.count, 0),
      deliverBy: wasSent ? maker : null,
      deliverTime: wasSent ? new Date(at + DAY_MS) : null,
      receiveBy: billStatus === TransferStatus.Finished ? receiver.crew.warehouse : null,
      receiveTime: billStatus === TransferStatus.Finished ? new Date(at + 4 * DAY_MS) : null,
      remark: i % 4 === 0 ? '补充备件库存' : null,
      ...stamp(at, maker),
    });
    for (const { item, count } of lines) {
      const sktblId = world.numberAt('SKL', at);
      rows.add('rma_stock_transfer_bill_line', {
        sktblId,
        sktbId,
        salesCode: item.salesCode,
        name: item.name,
        storageType: StorageType.Goods,
        itemType: '1',
        count,
        ...stamp(at, maker),
      });
      const snStatus = { '0': '0', '1': '1', '2': '2', '3': '0' }[billStatus] ?? '0';
      for (let n = 0; n < count; n++) {
        const sn = wasSent ? `${item.stem}4A26${String(1 + (i % 9)).padStart(2, '0')}0T${random.digits(4)}` : null;
        rows.add('rma_stock_transfer_bill_line_item', { sktblId, sn, snStatus, ...stamp(at, maker) });
      }
    }
  });
}

const findUnits = (world: World, site: Site, is: (unit: Unit) => boolean): Unit[] =>
  [...world.units.values()].filter((it) => it.site === site && is(it));

function addScrap(world: World): void {
  const { rows, now } = world;
  ['1', '1', '0', '1', '0', '2'].forEach((billStatus, i) => {
    const site = siteAt(world, i);
    const scrapped = findUnits(world, site, (it) => it.row.ivyId === Node.Scrapped);
    const chosen = scrapped.slice(i % 2 === 0 ? 0 : 2).slice(0, 4);
    if (chosen.length < 2) return;
    const at = now - (52 - i * 8) * DAY_MS;
    const srbId = world.numberAt('SRB', at);
    const maker = site.crew.supervisor;
    rows.add('rma_scrap_repair_bill', {
      srbId,
      billType: '1',
      billStatus,
      siteId: site.siteId,
      count: chosen.length,
      department: '外协组',
      acceptBy: billStatus === ScrapRepairStatus.Ended ? 'supplier' : null,
      acceptTime: billStatus === ScrapRepairStatus.Ended ? new Date(at + 9 * DAY_MS) : null,
      ...stamp(at, maker),
    });
    chosen.forEach(({ machine }, n) => {
      const isEnded = billStatus === ScrapRepairStatus.Ended;
      rows.add('rma_scrap_repair_bill_line', {
        srbId,
        sn: machine.sn,
        salesCode: machine.item.salesCode,
        name: machine.item.name,
        snRole: isEnded ? (n === 0 ? '1' : '2') : '0',
        productSn: isEnded ? (chosen[0]?.machine.sn ?? null) : null,
        checkIcdIds: isEnded && n === 0 ? 'UM17' : null,
        ...stamp(at, maker),
      });
    });
  });
}

function addDefective(world: World): void {
  const { rows, random, now } = world;
  for (let i = 0; i < 8; i++) {
    const site = siteAt(world, i);
    const isTest = i % 3 === 2;
    const at = now - (60 - i * 7) * DAY_MS;
    const item = models[(i * 5) % models.length];
    if (!item) continue;
    const dpbId = world.numberAt('DPB', at);
    const count = random.int(2, 4);
    rows.add('rma_defective_product_repair_bill', {
      dpbId,
      billType: isTest ? '10' : '9',
      billStatus: i < 4 ? '2' : '1',
      siteId: site.siteId,
      receiveShipId: isTest ? null : 'SF',
      receiveShipNo: isTest ? null : `SF${random.digits(13)}`,
      count,
      remark: isTest ? '新品抽测' : '产线不良退回',
      ...stamp(at, site.crew.warehouse),
    });
    for (let n = 0; n < count; n++) {
      rows.add('rma_defective_product_repair_bill_line', {
        dpbId,
        sn: `${item.stem}4A26${String(1 + i).padStart(2, '0')}0D${random.digits(4)}`,
        salesCode: item.salesCode,
        name: item.name,
        ...stamp(at, site.crew.warehouse),
      });
    }
  }
}

/** Labels that were changed, and the orders from which serial numbers are printed. */
/** Of a changed SN: none of the causes that have a name. */
const OTHER_CAUSE = '9';

function addLabels(world: World): void {
  const { rows, random, now } = world;
  const units = [...world.units.values()].filter((it) => it.machine.model);
  ['1', '2', '4', '1', '5', '3', '1', OTHER_CAUSE].forEach((cause, i) => {
    const unit = units[i * 7];
    if (!unit) return;
    const at = now - (80 - i * 9.5) * DAY_MS;
    const { sn, item } = unit.machine;
    const log: Row<'ubs_sn_change_log'> = {
      oldSn: `${sn.slice(0, 12)}X${random.digits(4)}`,
      newSn: sn,
      cause,
      salesCode: item.salesCode,
      siteId: unit.site.siteId,
      remark: cause === OTHER_CAUSE ? '客户要求更换标签样式' : null,
    };
    rows.add('ubs_sn_change_log', { ...log, ...stamp(at, unit.site.crew.supervisor) });
  });
  models.forEach((item, i) => {
    const at = now - (200 - i * 13) * DAY_MS;
    rows.add('ubs_product_order', {
      orderNo: `PO26${String(1 + (i % 9)).padStart(2, '0')}${random.digits(5)}`,
      salesCode: item.salesCode,
      productVer: ['4A', '4B'][i % 2] ?? '4A',
      qty: random.int(2, 20) * 100,
      status: i < 6 ? '1' : '0',
      startDate: new Date(at).toISOString().slice(0, 10),
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
      startDate: new Date(at).toISOString().slice(0, 10),
      ...stamp(at, 'admin'),
    });
  });
}
