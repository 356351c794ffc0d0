import { slotsOf } from '#domain/assembly.ts';
import { Node } from '#domain/nodes.ts';
import {
  activate,
  ask,
  elsewhere,
  hasLeft,
  modifyNode,
  partFor,
  staff,
  type Chance,
  type Command,
  type Draw,
  type Server,
} from './commands.ts';
import {
  goodsOf,
  type OutsideModel,
  type Registration,
  type RegistrationKind,
  type Returned,
  type ScrapRepair,
  type Transfer,
  type TransferLine,
} from './outsideModel.ts';
import type { Site, Unit } from './workshopModel.ts';

/** What happens beside the chain: transfers, scrap repairs, registrations of own goods, changes of SN. */
export function outsideDraws(model: OutsideModel, sns: readonly string[], chance: Chance): Draw[] {
  const { below } = chance;
  const one = <T>(list: readonly T[]): T | undefined => list[below(list.length)];
  const units = [...model.units.values()];
  const isStock = ({ node, item, laid, spokenBy }: Unit) =>
    node !== null && node !== Node.Shipped && laid.storage !== null && !spokenBy && (!item || item.bill.status === '2');
  const stock = units.filter((it) => isStock(it) && !model.holdOf(it));
  const at = (status: Transfer['status']) => model.transfers.filter((it) => it.status === status);
  const mostly = <T>(good: readonly T[], all: readonly T[]) => one(below(8) === 0 || good.length === 0 ? all : good);
  const defectives = stock.filter((it) => it.node === Node.AwaitingCheck && it.laid.storage === '1');
  const goods = stock.filter((it) => it.node === Node.CanShip && it.laid.storage === '0');
  const unheard = sns.filter((it) => model.knows(it) && !model.units.has(it));
  const alive = model.registrations.filter((it) => !it.isGone);
  const changeable = units.filter((it) => !hasLeft(it) && !it.spokenBy);
  const changed = units.filter((it) => it.changes.length > 0);
  const scrap = units.filter(
    (it) => it.node === Node.Scrapped && !it.spokenBy && (!it.item || it.item.bill.status === '2'),
  );
  const scrapDevices = scrap.filter((it) => it.goods === 'device');
  // What may be laid aside as scrap: goods of the stock, and what is here no more.
  const spare = units.filter(
    (it) =>
      it.goods === 'device' &&
      (it.node === null || it.node === Node.CanShip) &&
      !it.spokenBy &&
      (!it.item || it.item.bill.status === '2'),
  );
  const laidAside = one(spare);
  const out = model.scrapRepairs.filter((it) => it.status === '0');
  const whole = out.filter((it) => it.lines.length > 1 && it.lines.some(({ unit }) => unit.goods === 'device'));
  return [
    // Scrap is seldom met by chance, and two pieces of it at one site still less.
    [
      scrapDevices.length < 4 ? 10 : 1,
      () => activate(model, laidAside && { unit: laidAside, by: laidAside.site }, chance, 'SCR'),
    ],
    [1, () => modifyNode(model, one(stock.filter((it) => it.node !== Node.Scrapped)), Node.Scrapped)],
    [
      scrapDevices.length > 0 && scrap.length > 1 ? 20 : 1,
      () => combine(model, mostly(scrapDevices, units), scrap, chance),
    ],
    [whole.length > 0 ? 36 : 1, () => acceptRepair(model, mostly(whole, model.scrapRepairs), chance)],
    [out.length > 0 ? 4 : 1, () => cancelRepair(model, mostly(out, model.scrapRepairs), chance)],
    [at('0').length < 2 ? 5 : 1, () => initiate(model, stock, chance)],
    [at('0').length > 0 ? 12 : 1, () => deliverTransfer(model, mostly(at('0'), model.transfers), stock, chance)],
    [at('1').length > 0 ? 8 : 1, () => receiveTransfer(model, mostly(at('1'), model.transfers), chance)],
    [1, () => cancelTransfer(model, mostly(at('0'), model.transfers), chance)],
    [2, () => returnTransfer(model, mostly(at('1'), model.transfers))],
    [
      defectives.length > 0 ? 5 : 1,
      () => register(model, 'defectiveProductRepair', mostly(defectives, units), defectives, chance),
    ],
    [goods.length > 0 ? 4 : 1, () => register(model, 'testAndStore', mostly(goods, units), goods, chance)],
    [
      1,
      () =>
        registerSns(
          model,
          'testAndStore',
          [one(unheard)].flatMap((it) => it ?? []),
          one(['SZ', 'NB'] as const),
        ),
    ],
    [alive.length > 0 ? 3 : 0, () => deleteRegistration(model, mostly(alive, model.registrations))],
    [5, () => changeSn(model, mostly(changeable, units), chance)],
    [changed.length > 0 ? 3 : 0, () => rollbackChange(model, one(changed), chance)],
  ];
}

const nameOf = (prefix: string, n: number): string => `${prefix}SIM${String(n + 1).padStart(3, '0')}`;
const TRANSFERS = 'rmaStockTransferBill';

function initiate(model: OutsideModel, stock: readonly Unit[], { below }: Chance): Command | undefined {
  const first = stock[below(stock.length)];
  const from = first?.site ?? 'SZ';
  const to = below(16) === 0 ? from : elsewhere[from];
  const here = stock.filter((it) => it.site === from);
  const picked = [first, ...Array.from({ length: below(3) }, () => here[below(here.length)])];
  const chosen = [...new Set(picked.flatMap((it) => it ?? []))].filter((it) => it.salesCode !== '');
  const lines = chosen.map((it): TransferLine => ({ ...goodsOf(it), count: below(16) === 0 ? 2 * below(2) : 1 }));
  if (below(16) === 0 && lines[0]) Object.assign(lines[0], { itemType: '2' });
  const by = below(2) === 0 ? from : elsewhere[from];
  const name = nameOf('T', model.transfers.length);
  const maker = staff.warehouse[by];
  return {
    says: `initiate ${name} ${from} to ${to} ${JSON.stringify(lines)} by ${maker}`,
    judge: () => model.initiate(name, from, to, maker, lines),
    perform: (server) =>
      ask(server, maker, `${TRANSFERS}/initiate`, {
        deliverSiteId: from,
        receiveSiteId: to,
        remark: name,
        rmaStockTransferLineRequestList: lines.map(({ storage, ...it }) => ({ ...it, storageType: storage })),
      }),
  };
}

/** The transfer on the server, with its lines and items. */
async function stored({ testApp: { db } }: Server, { name }: Transfer) {
  const bills = db.selectFrom('rma_stock_transfer_bill').select(['id', 'sktbId']);
  const bill = await bills.where('remark', '=', name).executeTakeFirstOrThrow();
  const lines = db.selectFrom('rma_stock_transfer_bill_line').selectAll().where('sktbId', '=', bill.sktbId);
  const items = db.selectFrom('rma_stock_transfer_bill_line_item').selectAll().where('sktbId', '=', bill.sktbId);
  return { ...bill, lines: await lines.execute(), items: await items.execute() };
}

function deliverTransfer(
  model: OutsideModel,
  transfer: Transfer | undefined,
  stock: readonly Unit[],
  { below }: Chance,
): Command | undefined {
  if (!transfer) return undefined;
  const units = [...model.units.values()];
  const free = stock.filter((it) => it.site === transfer.from);
  const isFor = (line: TransferLine) => (unit: Unit) => {
    const is = goodsOf(unit);
    return is.salesCode === line.salesCode && is.itemType === line.itemType && is.storage === line.storage;
  };
  const taken = new Set<string>();
  const given = transfer.lines.flatMap((line) => {
    const fitting = free.filter(isFor(line)).filter((it) => !taken.has(it.sn));
    const count = Math.max(line.count + (below(12) === 0 ? below(3) - 1 : 0), 0);
    const sns = Array.from({ length: count }, () => {
      const wrong = below(12) === 0 ? units[below(units.length)] : undefined;
      const unit = wrong ?? fitting.splice(below(fitting.length), 1)[0] ?? units[below(units.length)];
      if (unit) taken.add(unit.sn);
      return unit?.sn ?? 'NOBODY';
    });
    return sns.length > 0 ? [{ line, sns }] : [];
  });
  if (given.length === 0) return undefined;
  const by = below(16) === 0 ? transfer.to : transfer.from;
  return {
    says: `deliverAccept ${transfer.name} ${given.map((it) => it.sns.join(' ')).join(', ')} at ${by}`,
    judge: () => model.deliverTransfer(transfer, given, by),
    perform: async (server) => {
      const { sktbId, lines } = await stored(server, transfer);
      const idOf = ({ salesCode, itemType, storage }: TransferLine) =>
        lines.find((it) => it.salesCode === salesCode && it.itemType === itemType && it.storageType === storage)
          ?.sktblId;
      return ask(server, staff.warehouse[by], `${TRANSFERS}/deliverAccept`, {
        sktbId,
        deliverSiteId: transfer.from,
        lineList: given.map(({ line, sns }) => ({ sktblId: idOf(line), snList: sns })),
      });
    },
  };
}

/** All that is under way is signed for, or a part of it; now and then also what is not. */
function receiveTransfer(model: OutsideModel, transfer: Transfer | undefined, { below }: Chance): Command | undefined {
  if (!transfer) return undefined;
  const open = transfer.items.filter((it) => it.status === '1');
  const part = below(2) === 0 ? open : open.slice(0, 1 + below(open.length));
  const other = below(8) === 0 ? transfer.items[below(transfer.items.length)] : undefined;
  const sent = transfer.items.filter((it) => it.sn !== null);
  const items = [...part, ...[other].flatMap((it) => it ?? [])].filter((it) => sent.includes(it));
  const chosen = items.length > 0 ? items : sent.slice(0, 1);
  if (chosen.length === 0) return undefined;
  const by = below(16) === 0 ? transfer.from : transfer.to;
  return {
    says: `receiverAccept ${transfer.name} ${chosen.map((it) => it.sn).join(' ')} at ${by}`,
    judge: () => model.receiveTransfer(transfer, chosen, by),
    perform: async (server) => {
      const { sktbId, items: rows } = await stored(server, transfer);
      const idList = chosen.map((it) => rows.find((row) => row.sn === it.sn)?.id);
      const input = { sktbId, receiveSiteId: transfer.to, idList };
      return ask(server, staff.warehouse[by], `${TRANSFERS}/receiverAccept`, input);
    },
  };
}

function cancelTransfer(model: OutsideModel, transfer: Transfer | undefined, { below }: Chance): Command | undefined {
  if (!transfer) return undefined;
  const as = below(3) === 0 ? (['warehouse', 'whNB', 'admin'][below(3)] as string) : transfer.maker;
  return {
    says: `cancelTransfer ${transfer.name} by ${as}`,
    judge: () => model.cancelTransfer(transfer, as),
    perform: async (server) =>
      ask(server, as, `${TRANSFERS}/cancelTransfer`, { id: String((await stored(server, transfer)).id) }),
  };
}

function returnTransfer(model: OutsideModel, transfer: Transfer | undefined): Command | undefined {
  if (!transfer) return undefined;
  return {
    says: `returnTransfer ${transfer.name}`,
    judge: () => model.returnTransfer(transfer),
    perform: async (server) =>
      ask(server, 'admin', `${TRANSFERS}/returnTransfer`, { id: String((await stored(server, transfer)).id) }),
  };
}

const REPAIRS = 'rmaScrapRepairBill';
const rowOf = ({ testApp: { db } }: Server, { name }: ScrapRepair) =>
  db.selectFrom('rma_scrap_repair_bill').select(['id', 'srbId']).where('remark', '=', name).executeTakeFirstOrThrow();

/** One to five SNs, mostly scrap of one site. */
function combine(
  model: OutsideModel,
  first: Unit | undefined,
  scrap: readonly Unit[],
  { below }: Chance,
): Command | undefined {
  if (!first) return undefined;
  const { site } = first;
  const here = scrap.filter((it) => it !== first && (below(16) === 0 || it.site === site));
  const picked = Array.from({ length: 1 + below(4) }, () => here[below(here.length)]?.sn).flatMap((it) => it ?? []);
  const all = [first.sn, ...picked];
  const sns = below(12) === 0 ? all : [...new Set(all)];
  const count = below(16) === 0 ? sns.length + below(3) - 1 : sns.length;
  const by = below(16) === 0 ? elsewhere[site] : site;
  const name = nameOf('R', model.scrapRepairs.length);
  const maker = staff.warehouse[by];
  return {
    says: `combineRepair ${name} ${sns.join(' ')} counted ${count} of ${site} by ${maker}`,
    judge: () => model.combine(name, site, maker, { sns, count, by }),
    perform: (server) =>
      ask(server, maker, `${REPAIRS}/combineRepair`, {
        ...{ siteId: site, count, remark: name },
        scrapRepairLineRequestList: sns.map((sn) => ({ sn })),
      }),
  };
}

/** What came back: mostly devices, each of one or two others of the bill, one perhaps with a part that is known. */
function acceptRepair(model: OutsideModel, repair: ScrapRepair | undefined, chance: Chance): Command | undefined {
  if (!repair) return undefined;
  const { below } = chance;
  const { site } = repair;
  const rest = [...repair.lines];
  const units = [...model.units.values()];
  const take = (isMain: boolean): string | undefined => {
    if (below(30) === 0) return units[below(units.length)]?.sn;
    const fitting = isMain && below(12) > 0 ? rest.filter((it) => it.unit.goods === 'device') : rest;
    const line = fitting[below(fitting.length)];
    if (line && below(30) > 0) rest.splice(rest.indexOf(line), 1);
    return line?.sn;
  };
  const list: Returned[] = [];
  const wanted = below(16) === 0 ? 0 : repair.lines.length > 3 ? 1 + below(2) : 1;
  while (list.length < wanted) {
    const main = take(true);
    if (main === undefined) break;
    const count = rest.length > 1 && wanted === 1 ? 1 + below(2) : 1;
    const donors = Array.from({ length: count }, () => take(false)).flatMap((it) => it ?? []);
    if (list.length > 0 && donors.length === 0) break;
    const inside = donors.flatMap((it) => model.partsOf(it));
    const parts = [inside[below(inside.length)], below(2) === 0 ? partFor(model, site, chance) : null, null];
    const part = list.length === 0 ? (parts[below(parts.length)] ?? null) : null;
    list.push({ main, donors, part });
  }
  const by = below(16) === 0 ? elsewhere[site] : site;
  const told = list.map((it) => `${it.main} of ${it.donors.join(' ')} with ${it.part ?? 'its own'}`);
  return {
    says: `outsourcingAccept ${repair.name} ${told.join(', ')} at ${by}`,
    judge: () => model.acceptRepair(repair, list, by),
    perform: async (server) => {
      const { srbId } = await rowOf(server, repair);
      const { codes } = server;
      const record = { partsType: '7', repairMethod: '8', issueCodeIdList: [codes['RP01']], slot: 'U1' };
      const sent = list.map(({ main, donors, part }, n) => ({
        ...{ productSn: main, assistSnList: donors, checkIssueCodeIdList: [codes['FX01']], repairInfoList: [record] },
        assembleInfoList: slotsOf(4).map(({ name, componentType, hasQrCode }, i) => ({
          sn: part !== null && i === 2 ? part : `${name}-${repair.name}-${n}`,
          component_type: componentType,
          qrCodeNum: hasQrCode ? `${repair.name}${n}${name}`.padEnd(17, 'Q') : '',
        })),
      }));
      return ask(server, staff.tech[by], `${REPAIRS}/outsourcingAccept`, { srbId, siteId: site, list: sent });
    },
  };
}

const sitesOf = { warehouse: 'SZ', whNB: 'NB', admin: 'all' } as const;

function cancelRepair(model: OutsideModel, repair: ScrapRepair | undefined, { below }: Chance): Command | undefined {
  if (!repair) return undefined;
  const maker = repair.maker as keyof typeof sitesOf;
  const as = below(3) === 0 ? ((['warehouse', 'whNB', 'admin'] as const)[below(3)] ?? maker) : maker;
  return {
    says: `cancelScrapRepair ${repair.name} by ${as}`,
    judge: () => model.cancelRepair(repair, as, sitesOf[as]),
    perform: async (server) =>
      ask(server, as, `${REPAIRS}/cancelScrapRepair`, { id: String((await rowOf(server, repair)).id) }),
  };
}

const OWN = 'rmaDefectiveProductRepairBill';

/** One to three units of one site. */
function register(
  model: OutsideModel,
  kind: RegistrationKind,
  first: Unit | undefined,
  others: readonly Unit[],
  { below }: Chance,
): Command | undefined {
  if (!first) return undefined;
  // Of what only stands in the archive the model does not know what a repair has written there.
  if (first.salesCode === '' || (first.node === null && !model.knows(first.sn))) return undefined;
  const here = others.filter((it) => it.site === first.site && it.salesCode !== '');
  const more = Array.from({ length: below(3) }, () => here[below(here.length)]?.sn);
  const sns = [first.sn, ...more].flatMap((it) => it ?? []);
  const by = below(16) === 0 ? elsewhere[first.site] : first.site;
  return registerSns(model, kind, below(8) === 0 ? sns : [...new Set(sns)], by);
}

function registerSns(
  model: OutsideModel,
  kind: RegistrationKind,
  sns: readonly string[],
  by: Site | undefined,
): Command | undefined {
  if (sns.length === 0 || !by) return undefined;
  const name = nameOf(kind === 'testAndStore' ? 'PACK' : 'DEFECT', model.registrations.length);
  return {
    says: `${kind} ${name} ${sns.join(' ')} at ${by}`,
    judge: () => model.register(name, kind, sns, by),
    perform: (server) => {
      const units = sns.map((sn) => ({ sn }));
      const form = { siteId: by, remark: name };
      return kind === 'testAndStore'
        ? ask(server, staff.warehouse[by], `${OWN}/testAndStore`, { ...form, dataList: [{ itemRequestList: units }] })
        : ask(server, staff.warehouse[by], `${OWN}/defectiveProductRepair`, {
            ...{ ...form, receiveShipId: 'SF', receiveShipNo: name, lineRequestList: units },
          });
    },
  };
}

function deleteRegistration(model: OutsideModel, registration: Registration | undefined): Command | undefined {
  if (!registration) return undefined;
  const { name, site } = registration;
  return {
    says: `deleteRegistration ${name}`,
    judge: () => model.deleteRegistration(registration),
    perform: async (server) => {
      const rows = server.testApp.db.selectFrom('rma_defective_product_repair_bill').select('id');
      const found = await rows.where('remark', '=', name).executeTakeFirst();
      return ask(server, staff.warehouse[site], `${OWN}/deleteById`, { id: found?.id ?? 999_999 });
    },
  };
}

/** Mostly a new SN; now and then one that the unit had, or one that is another's. */
function changeSn(model: OutsideModel, unit: Unit | undefined, { below }: Chance): Command | undefined {
  if (!unit) return undefined;
  const units = [...model.units.values()];
  const used = units.flatMap((it) => it.changes.flatMap(({ from, to }) => [from, to]));
  const count = units.reduce((sum, it) => sum + it.changes.length, 0);
  const fresh = `RX19NEW${String(count + 1).padStart(10, '0')}`;
  const own = unit.changes.flatMap(({ from, to }) => [from, to]).filter((it) => it.length === 17);
  const others = [...used, ...units.map((it) => it.sn)].filter((it) => it.length === 17);
  const lists = [[fresh], [fresh], [fresh], own, below(2) === 0 ? others : [fresh]];
  const list = lists[below(lists.length)] ?? [];
  const newSn = list[below(list.length)] ?? fresh;
  const { sn } = unit;
  return {
    says: `changeSn ${sn} to ${newSn}`,
    judge: () => model.changeSn(sn, newSn),
    perform: (server) =>
      ask(server, 'admin', 'ubsItemObject/changeSn', { cause: '1', oldSn: sn, newSn, remark: 'simulated' }),
  };
}

function rollbackChange(model: OutsideModel, unit: Unit | undefined, { below }: Chance): Command | undefined {
  if (!unit) return undefined;
  const latest = unit.changes.findLast((it) => it.stands);
  const change = (below(4) === 0 ? undefined : latest) ?? unit.changes[below(unit.changes.length)];
  if (!change) return undefined;
  const { sn, changes } = unit;
  const position = changes.indexOf(change);
  return {
    says: `rollbackChange ${change.from} to ${change.to} of ${sn}`,
    judge: () => model.rollbackChange(unit, change),
    perform: async (server) => {
      const rows = await server.testApp.db
        .selectFrom('ubs_sn_change_log as l')
        .innerJoin('ubs_item_object as o', 'o.id', 'l.itemObjectId')
        .select('l.id')
        .where('o.sn', '=', sn)
        .orderBy('l.id')
        .execute();
      const id = String(rows[position]?.id);
      return ask(server, 'admin', 'ubsSnChangeLog/rollbackById', { id, remark: 'simulated' }, 'GET');
    },
  };
}
