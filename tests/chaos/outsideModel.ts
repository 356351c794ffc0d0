import { Node } from '#domain/nodes.ts';
import {
  NOWHERE,
  OK,
  type registrations,
  WorkshopModel,
  type Bill,
  type Goods,
  type Item,
  type Laid,
  type Past,
  type Site,
  type SpokenBy,
  type Unit,
} from './workshopModel.ts';

/** What a line takes, and how many of it. Rule: transfers#lines. */
export interface TransferLine {
  salesCode: string;
  itemType: string;
  storage: string;
  count: number;
}

interface TransferItem {
  line: TransferLine;
  sn: string | null;
  status: '0' | '1' | '2' | '3';
  /** What is under way, and where it stood and lay. */
  sent: { unit: Unit; node: Node; lay: Laid } | null;
}

export interface Transfer {
  name: string;
  from: Site;
  to: Site;
  maker: string;
  status: '0' | '1' | '2' | '3';
  lines: readonly TransferLine[];
  items: readonly TransferItem[];
}

/** Scrap of a site that is out for repair, or was. */
export interface ScrapRepair {
  name: string;
  site: Site;
  maker: string;
  status: '0' | '1' | '2';
  lines: { sn: string; unit: Unit; role: '0' | '1' | '2'; product: string | null }[];
}

/** A unit that came back: what it was made of, and one part of it that may be known. */
export interface Returned {
  main: string;
  donors: readonly string[];
  part: string | null;
}

export type RegistrationKind = (typeof registrations)[number];

export interface Registration {
  name: string;
  kind: RegistrationKind;
  site: Site;
  bill: Bill;
  isGone: boolean;
  units: readonly { unit: Unit; step: Past; before: Pick<Unit, 'node' | 'item' | 'site' | 'laid'> }[];
}

/** Where each registration takes goods from, as what they are kept there, and where it puts them. */
const ways: Record<RegistrationKind, { from: Node; storage: string; to: Node }> = {
  defectiveProductRepair: { from: Node.AwaitingCheck, storage: '1', to: Node.AwaitingCheck },
  testAndStore: { from: Node.CanShip, storage: '0', to: Node.AwaitingTest },
};

const itemTypes: Record<Goods, string> = { device: '0', board: '1' };
const warehouses: Record<string, string> = { 0: 'FG', 1: 'DEF', 2: 'SCR' };

/** What a transfer has to know of a unit to find its line. */
export const goodsOf = ({ salesCode, goods, laid }: Unit): Omit<TransferLine, 'count'> => ({
  salesCode,
  itemType: itemTypes[goods],
  storage: laid.storage ?? '',
});

const isAlike = (a: Omit<TransferLine, 'count'>, b: Omit<TransferLine, 'count'>): boolean =>
  a.salesCode === b.salesCode && a.itemType === b.itemType && a.storage === b.storage;

/**
 * The workshop with what happens to units beside the chain: transfers from site to site, scrap that is sent out for
 * repair, own goods on bills of their own, and changes of SN. A bill of another kind that speaks for units sets `spokenBy`, and all the rest refuses them.
 */
export class OutsideModel extends WorkshopModel {
  readonly transfers: Transfer[] = [];
  readonly registrations: Registration[] = [];
  readonly scrapRepairs: ScrapRepair[] = [];

  // --- transfers

  initiate(name: string, from: Site, to: Site, maker: string, lines: readonly TransferLine[]): string {
    if (from === to) return '100015';
    if (lines.length === 0 || lines.some((it) => it.count === 0)) return '100001';
    for (const { salesCode, itemType } of lines) {
      if (!this.isModel(salesCode)) return '100002';
      if (itemTypes[this.goodsOf(salesCode)] !== itemType) return '100020';
    }
    const merged: TransferLine[] = [];
    for (const line of lines) {
      const same = merged.find((it) => isAlike(it, line));
      if (same) same.count += line.count;
      else merged.push({ ...line });
    }
    const items = merged.flatMap((line) =>
      Array.from({ length: line.count }, (): TransferItem => ({ line, sn: null, status: '0', sent: null })),
    );
    this.transfers.push({ name, from, to, maker, status: '0', lines: merged, items });
    return OK;
  }

  deliverTransfer(
    transfer: Transfer,
    given: readonly { line: TransferLine; sns: readonly string[] }[],
    by: Site,
  ): string {
    if (transfer.from !== by) return '100004';
    if (transfer.status !== '0') return '100025';
    const sns = given.flatMap((it) => it.sns);
    if (new Set(sns).size < sns.length) return '100007';
    const countOf = (line: TransferLine) => given.filter((it) => it.line === line).flatMap((it) => it.sns).length;
    if (transfer.lines.some((it) => countOf(it) !== it.count)) return '100019';
    const scanned = given.flatMap(({ line, sns: some }) => some.map((sn) => ({ line, sn })));
    for (const { line, sn } of scanned) {
      const no = this.stockFor(sn, line, transfer.from);
      if (no !== OK) return no;
    }
    transfer.status = '1';
    const spokenBy: SpokenBy = { sites: [transfer.from, transfer.to], says: `transfer ${transfer.name}` };
    for (const { line, sn } of scanned) {
      const unit = this.at(sn);
      const item = transfer.items.find((it) => it.line === line && it.status === '0') as TransferItem;
      Object.assign(item, { sn, status: '1', sent: { unit, node: unit.node, lay: unit.laid } });
      unit.node = null;
      this.remember(unit, 'transferOut', () => false);
      Object.assign(unit, { laid: NOWHERE, spokenBy });
    }
    return OK;
  }

  /** Only own stock that lies at the site and of which nothing speaks is sent. Rule: transfers#own-stock. */
  private stockFor(sn: string, line: TransferLine, site: Site): string {
    const unit = this.units.get(sn);
    if (!unit) return '100002';
    if (!this.isOf(unit, site)) return '100020';
    if (unit.spokenBy || this.holdOf(unit)) return '100008';
    if (unit.node === Node.Shipped) return '100005';
    if (unit.node === null || unit.laid.storage === null) return '100003';
    if (unit.item && unit.item.bill.status !== '2') return '100009';
    return isAlike(goodsOf(unit), line) ? OK : '100020';
  }

  receiveTransfer(transfer: Transfer, items: readonly TransferItem[], by: Site): string {
    if (transfer.to !== by) return '100004';
    if (transfer.status !== '1') return '100025';
    const open = transfer.items.filter((it) => it.status === '1');
    if (items.length > open.length || new Set(items).size < items.length) return '100019';
    if (items.some((it) => !open.includes(it))) return '100020';
    for (const item of items) {
      const { storage } = item.line;
      this.arrive(item, '2', transfer.to, { code: warehouses[storage] ?? 'FG', storage });
    }
    this.settleTransfer(transfer);
    return OK;
  }

  returnTransfer(transfer: Transfer): string {
    if (transfer.status !== '1') return '100025';
    for (const item of transfer.items.filter((it) => it.status === '1')) {
      this.arrive(item, '3', transfer.from, { ...(item.sent?.lay ?? NOWHERE), storage: item.line.storage });
    }
    this.settleTransfer(transfer);
    return OK;
  }

  /** Lies in stock again: at the node at which it left. */
  private arrive(item: TransferItem, status: '2' | '3', site: Site, laid: Laid): void {
    const { unit, node } = item.sent as NonNullable<TransferItem['sent']>;
    const leftSite = unit.site;
    Object.assign(unit, { node, site, spokenBy: null });
    this.remember(unit, status === '2' ? 'transferIn' : 'transferReturn', () => false);
    if (status === '2') Object.assign(unit.past.at(-1) as Past, { leftSite });
    unit.laid = laid;
    item.status = status;
  }

  private settleTransfer(transfer: Transfer): void {
    const has = (status: string) => transfer.items.some((it) => it.status === status);
    transfer.status = has('1') ? '1' : has('2') ? '2' : '3';
  }

  cancelTransfer(transfer: Transfer, as: string): string {
    if (transfer.status !== '0') return '100025';
    if (transfer.maker !== as && as !== 'admin') return '100013';
    transfer.status = '3';
    return OK;
  }

  // --- scrap that is repaired

  combine(
    name: string,
    site: Site,
    maker: string,
    { sns, count, by }: { sns: readonly string[]; count: number; by: Site },
  ) {
    if (sns.length === 0 || count === 0) return '100001';
    if (count !== sns.length) return '100019';
    if (site !== by) return '100002';
    if (new Set(sns).size < sns.length) return '100007';
    const renamed = sns.find((it) => this.former.has(it));
    if (renamed) return this.unknown(renamed, site);
    const no = sns.map((it) => this.repairable(it, site)).find((it) => it !== OK);
    if (no) return no;
    const spokenBy: SpokenBy = { sites: [site], says: `scrapRepair ${name}` };
    const units = sns.map((it) => this.at(it));
    for (const unit of units) {
      this.remember(unit, 'combineRepair', null);
      unit.spokenBy = spokenBy;
    }
    const lines = units.map((unit): ScrapRepair['lines'][number] => ({ sn: unit.sn, unit, role: '0', product: null }));
    this.scrapRepairs.push({ name, site, maker, status: '0', lines });
    return OK;
  }

  /** Rule: scrap-repair#scrap. */
  private repairable(sn: string, site: Site): string {
    const unit = this.units.get(sn);
    if (!unit) return '100002';
    if (!this.isOf(unit, site)) return '100004';
    if (unit.spokenBy || this.holdOf(unit)) return '100008';
    if (unit.node !== Node.Scrapped) return '100003';
    return unit.item && unit.item.bill.status !== '2' ? '100009' : OK;
  }

  /** Rule: scrap-repair#accepting, scrap-repair#units. */
  acceptRepair(repair: ScrapRepair, list: readonly Returned[], by: Site): string {
    const no = this.acceptable(repair, list, by);
    if (no !== OK) return no;
    const lineOf = (sn: string) => repair.lines.find((it) => it.sn === sn) as ScrapRepair['lines'][number];
    for (const { main, donors, part } of list) {
      const out = [main, ...donors].flatMap((sn) => this.partsOf(sn));
      for (const it of out) this.devices.delete(it);
      for (const it of out.filter((one) => one !== part)) this.comeOut(it, by);
      if (part !== null) {
        this.archivePart(part);
        this.devices.set(part, main);
        this.takeInside(part);
      }
      const unit = this.at(main);
      Object.assign(unit, { node: Node.AwaitingTest, item: null, spokenBy: null });
      this.remember(unit, 'outsourcingAccept', null);
      unit.laid = { code: null, storage: '1' };
      Object.assign(lineOf(main), { role: '1', product: main });
      for (const sn of donors) {
        const donor = this.at(sn);
        this.remember(donor, 'outsourcingAccept', null);
        donor.spokenBy = { sites: [repair.site], says: `consumed ${repair.name}` };
        donor.laid = { ...donor.laid, code: null };
        Object.assign(lineOf(sn), { role: '2', product: main });
      }
    }
    this.backToScrap(repair);
    repair.status = '1';
    return OK;
  }

  private acceptable(repair: ScrapRepair, list: readonly Returned[], by: Site): string {
    const no = this.openTo(repair, by);
    if (no !== OK) return no;
    if (list.length === 0) return '100001';
    const taken = new Set<string>();
    for (const { main, donors, part } of list) {
      const own = [main, ...donors];
      if (new Set(own).size < own.length || own.some((it) => taken.has(it))) return '100007';
      if (donors.length === 0) return '100001';
      if (part !== null && own.includes(part)) return '100007';
      for (const it of own) taken.add(it);
    }
    if ([...taken].some((sn) => !repair.lines.some((it) => it.sn === sn))) return '100020';
    if (list.some((it) => this.at(it.main).goods !== 'device')) return '100015';
    for (const { main, donors, part } of list) {
      const wrong = part === null ? OK : this.partFrom(main, donors, part, repair.site);
      if (wrong !== OK) return wrong;
    }
    return OK;
  }

  /** What is in one that is taken apart for the very unit is free. Rule: scrap-repair#parts. */
  private partFrom(main: string, donors: readonly string[], part: string, site: Site): string {
    const device = this.devices.get(part);
    if (device === undefined || !donors.includes(device)) return this.partFor(main, part, site, true);
    this.devices.delete(part);
    const no = this.partFor(main, part, site, true);
    this.devices.set(part, device);
    return no;
  }

  private openTo({ site, status }: ScrapRepair, by: Site | 'all'): string {
    if (by !== 'all' && site !== by) return '100002';
    if (status === '0') return OK;
    return status === '1' ? '100022' : '100025';
  }

  cancelRepair(repair: ScrapRepair, as: string, by: Site | 'all'): string {
    const no = this.openTo(repair, by);
    if (no !== OK) return no;
    if (repair.maker !== as && by !== 'all') return '100013';
    this.backToScrap(repair);
    repair.status = '2';
    return OK;
  }

  private backToScrap({ lines }: ScrapRepair): void {
    for (const { unit } of lines.filter((it) => it.role === '0')) {
      unit.spokenBy = null;
      this.remember(unit, 'scrapRepairReturn', null);
    }
  }

  // --- own goods

  register(name: string, kind: RegistrationKind, sns: readonly string[], by: Site): string {
    if (sns.length === 0) return '100001';
    if (new Set(sns).size < sns.length) return '100007';
    const no = sns.map((it) => this.registrable(it, kind, by)).find((it) => it !== OK);
    if (no) return no;
    const bill: Bill = {
      ...{ shipNo: name, isOwn: kind, site: by, customer: null, status: '1', lines: [], arrival: 'accepted' },
    };
    this.bills.push(bill);
    const units = sns.map((sn) => {
      const code = this.archive.get(sn) || (this.units.get(sn)?.salesCode ?? '');
      const unit = this.units.get(sn) ?? this.admit(sn, code, by);
      const { node, item, site, laid } = unit;
      const line = this.lineOf(bill, code);
      const own: Item = {
        ...{ sn, receivedSn: sn, deliveredSn: null, isReplaced: false, bill, line, receiveStatus: '1' },
        ...{ deliverStatus: '0', scrap: false, stockup: false, isChecked: false, place: null },
        ...{ deliverPriority: '0', returness: false, sends: null, shipsWith: null, group: null },
      };
      line.items.push(own);
      line.count += 1;
      Object.assign(unit, { node: ways[kind].to, item: own, site: by });
      this.remember(unit, kind, null);
      return { unit, step: unit.past.at(-1) as Past, before: { node, item, site, laid } };
    });
    this.registrations.push({ name, kind, site: by, bill, isGone: false, units });
    return OK;
  }

  /** Rule: events#e39, events#e40. */
  private registrable(sn: string, kind: RegistrationKind, by: Site): string {
    const unit = this.units.get(sn);
    const inside = this.devices.has(sn);
    if (!unit || (unit.node === null && !unit.spokenBy)) {
      if (kind === 'defectiveProductRepair' || !this.archive.get(sn)) return '100002';
      return inside ? '100026' : OK;
    }
    if (!this.isOf(unit, by)) return '100004';
    if (unit.spokenBy) return '100008';
    if (unit.node === Node.Shipped) return '100005';
    if (unit.node === Node.Scrapped) return '100006';
    if (this.holdOf(unit)) return '100008';
    if (inside) return '100026';
    if (unit.item && unit.item.bill.status !== '2') return '100009';
    return unit.node === ways[kind].from && unit.laid.storage === ways[kind].storage ? OK : '100003';
  }

  /** All of it goes, as long as nothing of it has moved or was tested. Rule: bills#own-goods. */
  deleteRegistration(registration: Registration): string {
    if (registration.isGone) return '100002';
    const { bill, kind, units } = registration;
    const isUntouched = ({ unit, step }: (typeof units)[number]) =>
      unit.item?.bill === bill &&
      !this.holdOf(unit) &&
      unit.node === ways[kind].to &&
      unit.past.findLast((it) => it.stands) === step;
    const isStranger = (it: Item) => !units.some(({ unit }) => unit.item === it);
    if (!units.every(isUntouched) || this.itemsOf(bill).some(isStranger)) return '100023';
    if (units.some(({ unit }) => unit.item?.isReturned)) return '100015';
    for (const { unit, step, before } of units) {
      Object.assign(unit, { ...before, isTakenBack: true });
      step.stands = false;
    }
    this.bills.splice(this.bills.indexOf(bill), 1);
    registration.isGone = true;
    return OK;
  }

  // --- changes of SN

  /** Rule: labels#changing, units#former-sns. */
  changeSn(oldSn: string, newSn: string): string {
    if (oldSn === newSn) return '100007';
    const unit = this.units.get(oldSn);
    if (!unit) return '100002';
    const place = unit.node === null ? (this.units.get(this.devices.get(oldSn) ?? '') ?? unit) : unit;
    if (place.spokenBy) return '100008';
    if (place.node === Node.Shipped) return '100005';
    if (place.node === Node.Scrapped) return '100006';
    if (this.holdOf(place)) return '100008';
    if (!this.namesOf(unit).includes(newSn) && this.isTaken(newSn)) return '100007';
    const change = { from: oldSn, to: newSn, stands: true };
    this.rename(unit, newSn);
    unit.changes.push(change);
    this.recallFormer(unit);
    this.remember(unit, 'changeSn', () => {
      this.rename(unit, oldSn);
      change.stands = false;
      this.recallFormer(unit);
      return true;
    });
    return OK;
  }

  /** The change in the list of changes is taken back. Rule: events#e41. */
  rollbackChange(unit: Unit, change: Unit['changes'][number]): string {
    if (!change.stands) return '100014';
    const step = unit.past.findLast((it) => it.stands);
    if (unit.changes.findLast((it) => it.stands) !== change || step?.step !== 'changeSn') return '100025';
    return this.rollback(unit, step);
  }

  /** A unit with all SNs that it has or had; what was given and taken back was never given. */
  namesOf({ sn, changes }: Unit): string[] {
    return [...new Set([sn, ...changes.filter((it) => it.stands).flatMap((it) => [it.to, it.from])])];
  }

  private isTaken(sn: string): boolean {
    const { bills, units, archive, former, devices } = this;
    const isOnBill = bills.some((bill) =>
      this.itemsOf(bill).some((it) => it.receivedSn === sn || it.deliveredSn === sn),
    );
    return units.has(sn) || archive.has(sn) || former.has(sn) || devices.has(sn) || isOnBill;
  }

  private recallFormer(unit: Unit): void {
    for (const [sn, it] of this.former) if (it === unit) this.former.delete(sn);
    for (const sn of this.namesOf(unit)) if (sn !== unit.sn) this.former.set(sn, unit);
  }

  /** Everything that is open goes by the new SN; what has ended keeps the one under which it did. */
  private rename(unit: Unit, to: string): void {
    const { sn: from, item } = unit;
    this.units.delete(from);
    this.units.set(to, unit);
    const code = this.archive.get(from);
    if (code !== undefined) this.archive.set(to, code);
    this.archive.delete(from);
    const device = this.devices.get(from);
    this.devices.delete(from);
    if (device !== undefined) this.devices.set(to, device);
    for (const [part, it] of this.devices) if (it === from) this.devices.set(part, to);
    if (item?.receivedSn === from) item.receivedSn = to;
    for (const line of this.stockups.flatMap((it) => it.lines)) {
      if (line.sn === from && !line.delivered) line.sn = to;
    }
    for (const it of this.bills.flatMap((bill) => this.itemsOf(bill))) if (it.sn === from) it.sn = to;
    unit.sn = to;
  }

  override picture(): string[] {
    const transfers = this.transfers.map(({ name, from, to, status, lines, items }) => {
      const wanted = lines.map((it) => `${it.salesCode}/${it.itemType}/${it.storage}:${it.count}`).sort();
      const sent = items.map((it) => `${it.sn ?? '-'}:${it.status}`).sort();
      return `transfer ${name} ${from} to ${to} is ${status} with ${wanted.join(' ')} ${sent.join(' ')}`;
    });
    const own = this.registrations.filter((it) => !it.isGone);
    const registered = own.map(
      ({ name, kind, site, bill }) => `registration ${name} ${kind} at ${site} is ${bill.status}`,
    );
    const repairs = this.scrapRepairs.map(({ name, site, status, lines }) => {
      const sent = lines.map((it) => `${it.sn}:${it.role}:${it.product ?? '-'}`).sort();
      return `repair ${name} at ${site} is ${status} with ${sent.join(' ')}`;
    });
    const former = [...this.former].map(([sn, unit]) => `former ${sn} is ${unit.sn}`);
    return [...super.picture(), ...transfers, ...registered, ...repairs, ...former].sort();
  }
}
