import { Node } from '#domain/nodes.ts';

/**
 * The repair chain by its rules (docs/rules), written a second time and without a look at the server: plain objects, no
 * database. The simulation does the same things to both and compares what they say and what they keep.
 */
export const OK = '000000';

type BillStatus = '0' | '1' | '2' | '3' | '4';
type DeliverStatus = '0' | '1' | '2' | '3' | '4';
type StockupStatus = '0' | '1' | '2' | '3' | '4';
export type Site = 'SZ' | 'NB';
/** Devices are received by their SNs, boards by their number. */
export type Goods = 'device' | 'board';
/** Where all bills are; units may be moved away. */
const HOME: Site = 'SZ';

export interface Bill {
  shipNo: string;
  /** The site's own goods are on it: nobody waits for them, and stored they are stock. Rule: bills#own-goods. */
  isOwn?: (typeof registrations)[number];
  /** Whose it is, where not the first site's. */
  site?: Site;
  /** Whose it is, if the bill says so. */
  customer: string | null;
  /** It was not received until an item was moved to it. */
  beganByMove?: boolean;
  status: BillStatus;
  lines: Line[];
  arrival: 'none' | 'signed' | 'accepted';
}

export interface Line {
  bill: Bill;
  salesCode: string;
  /** How many the customer declared; what a line that the receipt made has received. */
  count: number;
  /** What was declared and has not come. */
  places: DeclaredPlace[];
  items: Item[];
}

/** How something ships: decided of what was declared, it holds for whatever comes for it. */
interface Terms {
  deliverPriority: '0' | '1' | '2';
  /** Goes back to its owner even if it is scrap. */
  returness: boolean;
  /** The model that is sent instead, if another one is. Rule: events#e31. */
  sends: string | null;
  /** With whose goods it ships, if not with its own bill's. Rule: events#e32. */
  shipsWith: Bill | null;
  /** What ships together apart from all others. Rule: events#e32. */
  group: number | null;
}
interface DeclaredPlace extends Terms {
  /** They are filled in the order in which they were declared. */
  no: number;
}

export interface Item extends Terms {
  /** The unit that stands for it. */
  sn: string;
  /** The unit that was received for it. */
  receivedSn: string;
  /** The unit that left for it at last. */
  deliveredSn: string | null;
  /** Another part took the place of one that stood for it, or a machine goes ahead of it whatever is promised. */
  isReplaced: boolean;
  bill: Bill;
  line: Line;
  receiveStatus: '1' | '3';
  deliverStatus: DeliverStatus;
  scrap: boolean;
  stockup: boolean;
  isChecked: boolean;
  /** It went back to its first test, and what was found before is kept. */
  isReturned?: true;
  /** The declared place that it fills. */
  place: DeclaredPlace | null;
}

/** In which warehouse something lies, and as what it is kept: goods, defectives or scraps. */
export interface Laid {
  code: string | null;
  storage: string | null;
}

/** A bill beside the chain speaks for a unit; these sites know of it. Nothing else may be done with such a unit. */
export interface SpokenBy {
  sites: readonly Site[];
  says: string;
}

export interface Unit {
  sn: string;
  laid: Laid;
  spokenBy: SpokenBy | null;
  goods: Goods;
  salesCode: string;
  site: Site;
  node: Node | null;
  item: Item | null;
  checks: Check[];
  past: Past[];
  /** The latest thing written down of it was that something is taken back. */
  isTakenBack: boolean;
  /** Each change of its SN. Rule: labels#changing. */
  changes: { from: string; to: string; stands: boolean }[];
}

interface Check {
  bill: Bill | null;
  found: 'repair' | 'scrap' | 'nofault';
  /** Whether a supervisor's word is awaited. */
  waits: boolean;
  isDecided: boolean;
}

/** One line of an SN's history, and how it is taken back. */
export interface Past {
  step: string;
  /** Where the unit lay before. */
  lay: Laid;
  /** The site that it left by it. */
  leftSite?: Site;
  to: Node | null;
  stands: boolean;
  /** It was rolled back by itself, and its record is gone with it. */
  isUndone?: true;
  /** False: something that it touched has gone on meanwhile; a refusal of its own; null: it is not taken back at all. */
  undo: (() => boolean | string | void) | null;
}

/** The step of a part in what was done to its device. */
interface PartStep {
  step: Past;
  isThere: () => boolean;
  undo: () => void;
}

/** Parts that left a device, that went into it, and their steps. */
interface Rebuilt {
  out: readonly string[];
  inside: readonly string[];
  partSteps: readonly PartStep[];
}

/** What a move does beside naming a bill. Rule: events#e32. */
export interface Move {
  moves: boolean;
  delivers: boolean;
  splits: boolean;
}

export interface DeliveryEdit {
  deliverStatus?: '0' | '1';
  deliverPriority?: '0' | '1' | '2';
  returness?: '0' | '1';
}

export interface Stockup {
  bill: Bill;
  site: Site;
  group: number | null;
  status: StockupStatus;
  /** Each with the SN that was tallied. */
  lines: { item: Item; sn: string; delivered: boolean; no: number }[];
}

export const NOWHERE: Laid = { code: null, storage: null };

/** As what a unit is kept by its node. Rule: storing#warehouses. */
const keptAt = (node: Node | null): string | null => {
  if (node === null || node === Node.Shipped) return null;
  return node === Node.CanShip ? '0' : node === Node.Scrapped ? '2' : '1';
};

/** Where a unit lies after a step that says nothing else of it. */
function laidAfter(step: string, to: Node | null, lay: Laid): Laid {
  const byNode = { code: to === Node.CanShip ? 'FG' : null, storage: to === Node.Shipped ? lay.storage : keptAt(to) };
  if (step === 'builtIn') return NOWHERE;
  if (step === 'deliver') return { code: null, storage: lay.storage };
  const isPlaced = ['receive', 'replace', 'replaced', 'store', 'modifyNode', 'terminate', ...registrations].includes(
    step,
  );
  return isPlaced || (step === 'scrapConfirm' && to === Node.Scrapped) ? byNode : lay;
}

/** Own goods come on a bill of their own by these. Rule: events#e39, events#e40. */
export const registrations = ['defectiveProductRepair', 'testAndStore'] as const;

/** The SN of a board has so many characters. */
const BOARD_SN = 17;

const ownNodes = {
  check: '10',
  repair: '50',
  assemble: '60',
  aging: '70',
  qc: '80',
  store: '90',
  deliver: '100',
} as const;
export type Station = keyof typeof ownNodes;

const usual: Terms = { deliverPriority: '0', returness: false, sends: null, shipsWith: null, group: null };

/** A line of which nothing was declared counts what was received. */
const countMade = (line: Line): void => {
  if (line.places.length === 0 && line.items.every((it) => !it.place)) line.count = line.items.length;
};

/** It may leave, and so is stocked up wherever it is sent, also where a cancelled stock-up bill lets it wait. */
const mayGo = ({ stockup, deliverStatus }: Item): boolean => stockup || deliverStatus === '1';

const isWaiting = ({ status, lines }: Stockup, item: Item): boolean =>
  ['0', '1', '3'].includes(status) && lines.some((it) => it.item === item && !it.delivered);

/** An item before its unit was placed by hand, with the line on which it had left. */
interface Before extends Pick<Item, 'deliverStatus' | 'deliverPriority' | 'scrap' | 'stockup'> {
  item: Item;
  isOnShelf: boolean;
  waits: Tally | null;
  tally: Stockup | null;
  line: Stockup['lines'][number] | null;
}

/** The stock-up bill on which an item waits. */
interface Tally {
  stockup: Stockup;
  wasStopped: boolean;
  no: number;
}

/** The stock-up bill on which it had left was cancelled since, with what still waits on it. */
const isCalledOff = ({ tally }: Before): boolean => tally?.status === '4' && tally.lines.length > 0;

/**
 * A first test since it came in; one that was taken back by a return to first test was one nevertheless.
 * Rule: events#e06.
 */
const wasTested = ({ past }: Unit): boolean =>
  past.slice(past.findLastIndex((it) => it.step === 'receive')).some((it) => it.step === 'check' && !it.isUndone);

/** A stay begins with what put the unit on its bill. */
const beginsStay = ({ step }: Pick<Past, 'step'>): boolean =>
  step === 'receive' || step === 'replace' || registrations.some((it) => it === step);

/** Another machine goes for it while its own unit is still in the workshop. Rule: stock-up#advance. */
const isTalliedAhead = ({ sends, isReplaced, stockup }: Item, at: Node | null): boolean =>
  (sends !== null || isReplaced) && stockup && at !== Node.CanShip;

export class WorkshopModel {
  readonly bills: Bill[] = [];
  readonly units = new Map<string, Unit>();
  readonly stockups: Stockup[] = [];
  /** Parts by the device in which they are. */
  protected readonly devices = new Map<string, string>();
  private readonly models: ReadonlyMap<string, Goods>;
  /** What was called otherwise before, by its former SNs. Rule: units#former-sns. */
  protected readonly former = new Map<string, Unit>();
  private groups = 0;
  private placeCount = 0;
  private tallies = 0;

  /** SNs with their models, empty where nobody knows it, whether or not they were ever here. */
  protected readonly archive: Map<string, string>;

  constructor(archive: ReadonlyMap<string, string>, models: ReadonlyMap<string, Goods>) {
    this.archive = new Map(archive);
    this.models = models;
  }

  knows(sn: string): boolean {
    return this.archive.has(sn);
  }

  /** What nobody is called; of what another site's unit was called no more is said than that. Rule: units#former-sns. */
  protected unknown(sn: string, by: Site | null): string {
    const unit = this.former.get(sn);
    return unit && by && unit.node !== null && unit.site !== by ? '100004' : '100002';
  }

  /** A unit is of a site that it stands at, or whose bill speaks for it. Rule: guard#sites. */
  protected isOf(unit: Unit, by: Site): boolean {
    return unit.site === by || unit.spokenBy?.sites.includes(by) === true;
  }

  /** The archive learns an SN that is not the company's own. Rule: events#e05. */
  enterNonOfficial(sn: string): string {
    if (this.former.has(sn)) return this.unknown(sn, HOME);
    if (this.archive.has(sn)) return '100007';
    this.archive.set(sn, 'NOT-OUR');
    return OK;
  }

  create(shipNo: string, customer: string | null, declared: readonly { salesCode: string; count: number }[]): string {
    if (declared.some((it) => !this.models.has(it.salesCode))) return '100002';
    const bill: Bill = { shipNo, customer, status: '0', lines: [], arrival: 'none' };
    bill.lines = declared.map(({ salesCode, count }) => {
      const places = Array.from({ length: count }, (): DeclaredPlace => ({ no: ++this.placeCount, ...usual }));
      return { bill, salesCode, count, places, items: [] };
    });
    this.bills.push(bill);
    return OK;
  }

  signFor(bill: Bill): string {
    if (bill.arrival !== 'none') return '100007';
    bill.arrival = 'signed';
    return OK;
  }

  accept(bill: Bill): string {
    if (bill.arrival === 'none') return '100002';
    if (bill.arrival === 'accepted') return '100022';
    if (bill.status === '2') return '100011';
    bill.arrival = 'accepted';
    const isShort = bill.lines.some((it) => it.items.length < it.count);
    if (bill.status === '3' || (bill.status === '1' && isShort)) bill.status = '4';
    return OK;
  }

  receive(bill: Bill, sns: readonly string[]): string {
    if (new Set(sns).size < sns.length) return '100007';
    if (bill.status !== '0' && bill.status !== '4') return '100012';
    const renamed = sns.find((it) => this.former.has(it));
    if (renamed) return this.unknown(renamed, HOME);
    for (const sn of sns) {
      const known = this.archive.get(sn);
      if (known === undefined) return '100002';
      // What has no model counts as somebody else's, and is asked as a device is.
      if (this.goodsOf(known) === 'board') return '100015';
      const unit = this.units.get(sn);
      if (unit?.spokenBy) return this.isOf(unit, HOME) ? '100008' : '100004';
      if (!unit || unit.node === null || unit.node === Node.Shipped) continue;
      if (unit.site !== HOME) return '100004';
      return unit.node === Node.Scrapped ? '100006' : '100009';
    }
    for (const sn of sns) this.bringIn(bill, sn, Node.AwaitingCheck);
    return OK;
  }

  /**
   * Boards come by their number and are given their SNs, the last ones to those that can't be repaired.
   * Rule: events#e04.
   */
  receiveBoards(
    bill: Bill,
    salesCode: string,
    { repairable, unrepairable }: { repairable: number; unrepairable: number },
    sns: readonly string[],
  ): string {
    if (repairable + unrepairable === 0) return '100001';
    if (bill.status !== '0' && bill.status !== '4') return '100012';
    if (!this.models.has(salesCode)) return '100002';
    if (this.goodsOf(salesCode) !== 'board') return '100015';
    Array.from({ length: repairable + unrepairable }, (_, i) => {
      const sn = sns[i] ?? `missing ${i}`;
      this.archive.set(sn, salesCode);
      this.bringIn(bill, sn, i < repairable ? Node.AwaitingCheck : Node.Scrapped);
    });
    return OK;
  }

  protected isModel(salesCode: string): boolean {
    return this.models.has(salesCode);
  }

  /** What is not the company's own is a device. */
  goodsOf(salesCode: string): Goods {
    return this.models.get(salesCode) ?? 'device';
  }

  private bringIn(bill: Bill, sn: string, to: Node): void {
    const salesCode = this.archive.get(sn) as string;
    const unit = this.units.get(sn) ?? this.admit(sn, salesCode, HOME);
    const line = this.lineOf(bill, salesCode);
    const before = { node: unit.node, item: unit.item, site: unit.site, salesCode: unit.salesCode };
    const receiveStatus = bill.status === '4' ? '3' : '1';
    const place = line.places.shift() ?? null;
    const { no: _, ...terms } = place ?? { no: 0, ...usual };
    const item: Item = {
      ...{
        sn,
        receivedSn: sn,
        isReplaced: false,
        bill,
        line,
        receiveStatus,
        deliverStatus: to === Node.Scrapped ? '3' : '0',
        place,
        ...terms,
        deliveredSn: null,
      },
      ...{ scrap: false, stockup: false, isChecked: false },
    };
    line.items.push(item);
    countMade(line);
    unit.item = item;
    unit.site = HOME;
    unit.salesCode = salesCode;
    unit.node = to;
    this.remember(unit, 'receive', () => {
      if (!unit.item) return false;
      const { bill: last } = unit.item;
      this.takeOff(unit, before);
      if (last.status === '1' || last.status === '2') {
        if (!this.itemsOf(last).length) last.status = '3';
        else this.settle(last);
      }
    });
  }

  /** It comes into the workshop, at no node yet. */
  protected admit(sn: string, salesCode: string, site: Site, goods: Goods = this.goodsOf(salesCode)): Unit {
    const unit: Unit = {
      ...{ sn, goods, salesCode, site, node: null, item: null, laid: NOWHERE, spokenBy: null },
      ...{ checks: [], past: [], isTakenBack: false, changes: [] },
    };
    this.units.set(sn, unit);
    return unit;
  }

  private takeOff(unit: Unit, before: Pick<Unit, 'node' | 'item' | 'site' | 'salesCode'>): void {
    const { line, bill, place, deliverPriority, returness, sends, shipsWith, group } = unit.item as Item;
    this.leavesStockup([unit.item as Item]);
    line.items = line.items.filter((it) => it !== unit.item);
    if (place) {
      line.places.push({ no: place.no, deliverPriority, returness, sends, shipsWith, group });
      line.places.sort((a, b) => a.no - b.no);
    }
    countMade(line);
    if (line.items.length + line.places.length === 0) bill.lines = bill.lines.filter((it) => it !== line);
    Object.assign(unit, before);
  }

  deleteReceived(bill: Bill, sns: readonly string[]): string {
    if (bill.status !== '0' && bill.status !== '4') return '100012';
    const units = [...new Set(sns)].flatMap((it) => this.units.get(it) ?? []).filter((it) => it.item?.bill === bill);
    if (units.some((it) => it.site !== HOME)) return '100004';
    const isTouched = (it: Unit) => it.item?.isChecked || it.item?.receivedSn !== it.sn || wasTested(it);
    if (units.some((it) => it.node !== Node.AwaitingCheck || isTouched(it) || this.holdOf(it))) return '100003';
    const others = sns.filter((sn) => !units.some((it) => it.sn === sn));
    const gone = this.itemsOf(bill).filter((it) => it.deliverStatus === '2' && it.deliveredSn !== it.receivedSn);
    if (gone.some((it) => others.includes(it.receivedSn))) return '100025';
    for (const unit of units) {
      const receipt = unit.past.findLast((it) => it.step === 'receive' && it.stands) as Past;
      const since = unit.past.slice(unit.past.indexOf(receipt));
      for (const it of since.filter(({ step }) => step !== 'changeSn')) it.stands = false;
      receipt.undo?.();
      unit.laid = receipt.lay;
      unit.isTakenBack = true;
    }
    return OK;
  }

  finishReceive(bill: Bill): string {
    if (bill.status !== '0' && bill.status !== '4') return '100012';
    bill.status = this.itemsOf(bill).length > 0 ? '1' : '3';
    this.settle(bill);
    return OK;
  }

  /** The general guard of the stations, in its order. 1.8. */
  guard(sn: string, station: Station, by: Site): string {
    const unit = this.units.get(sn);
    if (!unit) return this.unknown(sn, by);
    if (!this.isOf(unit, by)) return '100004';
    if (unit.spokenBy) return '100008';
    if (unit.node === Node.Shipped) return '100005';
    if (unit.node === Node.Scrapped) return '100006';
    if (this.holdOf(unit)) return '100008';
    if (unit.node !== ownNodes[station]) return '100003';
    return unit.item?.bill.status === '2' ? '100011' : OK;
  }

  private guardAll(sns: readonly string[], station: Station, by: Site): string {
    if (sns.length === 0) return '100001';
    if (new Set(sns).size < sns.length) return '100007';
    const renamed = sns.find((it) => this.former.has(it));
    if (renamed) return this.unknown(renamed, by);
    return sns.map((it) => this.guard(it, station, by)).find((it) => it !== OK) ?? OK;
  }

  check(sn: string, found: Check['found'], by: Site, tab: Goods): string {
    const no = this.goodsAt(sn, 'check', by, tab) ?? this.guard(sn, 'check', by);
    if (no !== OK) return no;
    const unit = this.at(sn);
    const check: Check = { bill: unit.item?.bill ?? null, found, waits: found !== 'repair', isDecided: false };
    unit.checks.push(check);
    const { node: from, item } = unit;
    const wasChecked = item?.isChecked ?? false;
    if (item) item.isChecked = true;
    if (found === 'repair') unit.node = Node.AwaitingRepair;
    this.remember(unit, 'check', () => {
      unit.checks = unit.checks.filter((it) => it !== check);
      unit.node = from;
      if (item) item.isChecked = wasChecked;
    });
    return OK;
  }

  /**
   * A supervisor says yes or no to what the latest check proposed. Rule: events#e11, events#e12, events#e13,
   * events#e14.
   */
  confirm(sn: string, kind: 'scrap' | 'nofault', yes: boolean, by: Site): string {
    const unit = this.units.get(sn);
    if (!unit) return this.unknown(sn, by);
    const check = unit.checks.at(-1);
    if (!this.isOf(unit, by)) return '100004';
    if (check?.found === kind && check.isDecided) return '100022';
    if (unit.spokenBy) return '100008';
    if (unit.node === Node.Shipped) return '100005';
    if (unit.node === Node.Scrapped) return '100006';
    if (!check || this.holdOf(unit) !== kind) return '100022';
    const { item } = unit;
    check.waits = false;
    check.isDecided = true;
    if (yes && kind === 'nofault') unit.node = Node.AwaitingTest;
    if (yes && kind === 'scrap') unit.node = item?.returness ? Node.AwaitingStorage : Node.Scrapped;
    if (yes && kind === 'scrap' && item) {
      item.scrap = true;
      if (unit.node === Node.Scrapped && !isTalliedAhead(item, Node.AwaitingCheck)) item.deliverStatus = '3';
      this.settle(item.bill);
    }
    this.remember(unit, `${kind}Confirm`, () => {
      unit.node = Node.AwaitingCheck;
      check.waits = true;
      check.isDecided = false;
      const now = unit.item;
      if (!now || !yes || kind === 'nofault') return;
      now.scrap = false;
      if (now.deliverStatus === '3') now.deliverStatus = '0';
      this.settle(now.bill);
    });
    return OK;
  }

  /** A board needs no assembly. */
  repair(sn: string, by: Site, tab: Goods): string {
    const next = ({ goods }: Unit) => (goods === 'board' ? Node.AwaitingTest : Node.AwaitingAssembly);
    return this.goodsAt(sn, 'repair', by, tab) ?? this.pass([sn], 'repair', next, by);
  }

  /**
   * A board is scrap, and another one takes its place: one from the site's stock, or one that was never here.
   * Rule: events#e16.
   */
  replace(sn: string, other: string, by: Site): string {
    if (other.length !== BOARD_SN) return '100015';
    if (sn === other) return '100007';
    const no = this.goodsAt(sn, 'repair', by, 'board') ?? this.guard(sn, 'repair', by);
    if (no !== OK) return no;
    const wrong = this.partFor(sn, other, by, false);
    if (wrong !== OK) return wrong;
    const there = this.units.get(other);
    const old = this.at(sn);
    const { item } = old;
    const unit = there ?? this.admit(other, old.salesCode, by, 'board');
    const from = unit.node;
    Object.assign(old, { node: Node.Scrapped, item: null });
    Object.assign(unit, { node: Node.AwaitingTest, item, site: by });
    if (item) this.standsFor(item, other, true);
    if (!this.archive.get(other)) this.archive.set(other, old.salesCode);
    // It comes back with the one that took its place.
    this.remember(old, 'replaced', () => false);
    const step = old.past.at(-1) as Past;
    this.remember(unit, 'replace', () => {
      if (old.node !== Node.Scrapped || old.past.findLast((it) => it.stands) !== step) return false;
      Object.assign(old, { node: Node.AwaitingRepair, item: unit.item, laid: step.lay, isTakenBack: true });
      step.stands = false;
      Object.assign(unit, { node: from, item: null });
      const { item: now } = old;
      if (now) this.standsFor(now, old.sn, now.isReplaced && now.receivedSn !== old.sn);
      return true;
    });
    return OK;
  }

  /**
   * What may go into a device or take a part's place: nothing of another device or bill, nothing that is gone.
   * Rule: events#e15, events#e16, events#e17.
   */
  protected partFor(sn: string, part: string, by: Site, isInside: boolean): string {
    if (this.former.has(part)) return this.unknown(part, by);
    const there = this.units.get(part);
    const hasLeft = there?.node === Node.Shipped || there?.node === Node.Scrapped;
    if (this.devices.has(part) && this.devices.get(part) !== sn) return '100026';
    if (there?.item && there.node !== null && !hasLeft) return '100026';
    const archived = this.archive.get(part);
    if (there?.goods === 'device' || (archived && this.goodsOf(archived) === 'device')) return '100015';
    if (!there || (there.node === null && !there.spokenBy) || this.devices.get(part) === sn) return OK;
    // It left by itself once, and has come back inside.
    if (isInside && there.node === Node.Shipped) return OK;
    if (!this.isOf(there, by)) return '100004';
    if (hasLeft) return there.node === Node.Shipped ? '100005' : '100006';
    return there.spokenBy || this.holdOf(there) ? '100008' : OK;
  }

  /** Whether it is a part of a device that is in the workshop. */
  protected around(sn: string): boolean {
    const at = this.units.get(this.devices.get(sn) ?? '')?.node ?? null;
    return at !== null && at !== Node.Shipped && at !== Node.Scrapped;
  }

  isPart(sn: string): boolean {
    return this.devices.has(sn);
  }

  partsOf(device: string): string[] {
    return [...this.devices].filter(([, it]) => it === device).map(([part]) => part);
  }

  /**
   * A device is made of other parts from now on: those of `out` leave it and those of `inside` are in it. Gives how that is
   * taken back: not at all once one of them has gone on.
   */
  private rebuild(device: string, { out, inside, partSteps }: Rebuilt): () => string {
    // What nobody had written down in it does not come back into it.
    const bound = out.filter((sn) => this.devices.get(sn) === device);
    for (const sn of out) this.devices.delete(sn);
    for (const sn of inside) this.devices.set(sn, device);
    const former = bound.map((sn) => ({ sn, since: this.units.get(sn)?.past.length ?? 0 }));
    const hasGoneOn = ({ sn, since }: (typeof former)[number]) =>
      this.units
        .get(sn)
        ?.past.slice(since)
        .some((it) => it.stands) === true;
    return () => {
      const called = (sn: string) => this.former.get(sn)?.sn ?? sn;
      const still = partSteps.filter((it) => it.step.stands);
      if (still.some((it) => !it.isThere()) || former.some(hasGoneOn)) return '100025';
      if (bound.some((sn) => this.partFor(device, sn, HOME, true) === '100026')) return '100026';
      for (const it of still) it.undo();
      for (const sn of inside) this.devices.delete(called(sn));
      for (const sn of bound) this.devices.set(sn, device);
      return OK;
    };
  }

  /** Of a part of which nobody has heard nothing is known but that it is one. Rule: parts#archive. */
  protected archivePart(sn: string): void {
    if (!this.archive.has(sn)) this.archive.set(sn, '');
  }

  /** Stock that goes into a device stands nowhere by itself. */
  protected takeInside(sn: string): PartStep[] {
    const unit = this.units.get(sn);
    if (!unit || unit.node === null || unit.node === Node.Shipped || unit.node === Node.Scrapped) return [];
    return [this.movePart(unit, null, 'builtIn')];
  }

  /** Stock that is no longer inside a device waits for its check. Rule: parts#coming-out. */
  protected comeOut(sn: string, by: Site): PartStep[] {
    const unit = this.units.get(sn);
    if (!unit || unit.node !== null || unit.item || unit.spokenBy || this.holdOf(unit)) return [];
    return [this.movePart(Object.assign(unit, { site: by }), Node.AwaitingCheck, 'comesOut')];
  }

  private movePart(unit: Unit, to: Node | null, name: string): PartStep {
    const { node, item } = unit;
    unit.node = to;
    if (to !== null) unit.item = null;
    this.remember(unit, name, () => false);
    const step = unit.past.at(-1) as Past;
    return {
      step,
      isThere: () => unit.node === to && unit.past.findLast((it) => it.stands) === step,
      undo: () => {
        Object.assign(unit, { node, item, laid: step.lay, isTakenBack: true });
        step.stands = false;
      },
    };
  }

  /**
   * A board of a device is scrap, another one is in it instead; without an old one the other one comes in beside.
   * Rule: events#e15.
   */
  replacePart(sn: string, old: string | null, other: string, by: Site): string {
    if (other.length !== BOARD_SN) return '100015';
    if (sn === other) return '100007';
    const no = this.goodsAt(sn, 'repair', by, 'device') ?? this.guard(sn, 'repair', by);
    if (no !== OK) return no;
    const wrong = this.partFor(sn, other, by, false);
    if (wrong !== OK) return wrong;
    if (old !== null && this.former.has(old)) return this.unknown(old, by);
    if (old !== null && this.partFor(sn, old, by, true) === '100026') return '100026';
    if (this.devices.get(other) === sn) return '100026';
    if (old !== null) this.archivePart(old);
    this.archivePart(other);
    const scrap =
      old === null ? [] : [this.movePart(Object.assign(this.partOf(old, by), { site: by }), Node.Scrapped, 'replaced')];
    return this.build(sn, 'repair', Node.AwaitingAssembly, {
      out: old === null ? [] : [old],
      inside: [other],
      partSteps: [...scrap, ...this.takeInside(other)],
    });
  }

  /** A part of which nobody knows the model is written down as such. Rule: parts#archive. */
  private partOf(sn: string, by: Site): Unit {
    return this.units.get(sn) ?? this.admit(sn, '', by, 'board');
  }

  private build(sn: string, step: 'repair' | 'assemble', to: Node, parts: Rebuilt): string {
    const unit = this.at(sn);
    const from = unit.node;
    const undo = this.rebuild(sn, parts);
    unit.node = to;
    this.remember(unit, step, () => {
      const no = undo();
      if (no === OK) unit.node = from;
      return no === OK || no;
    });
    return OK;
  }

  private standsFor(item: Item, sn: string, isReplaced: boolean): void {
    Object.assign(item, { sn, isReplaced });
    for (const line of this.stockups.flatMap((it) => it.lines)) {
      if (line.item === item && !line.delivered) line.sn = sn;
    }
  }

  /** Of the parts one may be a unit, or an SN that some device has. Rule: events#e17. */
  assemble(sn: string, part: string | null, by: Site): string {
    if (sn === part) return '100007';
    const no = this.goodsAt(sn, 'assemble', by, 'device') ?? this.guard(sn, 'assemble', by);
    if (no !== OK) return no;
    const wrong = part === null ? OK : this.partFor(sn, part, by, true);
    if (wrong !== OK) return wrong;
    if (part !== null) this.archivePart(part);
    const inside = part === null ? [] : [part];
    const out = this.partsOf(sn);
    return this.build(sn, 'assemble', Node.AwaitingTest, {
      out,
      inside,
      partSteps: [
        ...inside.flatMap((it) => this.takeInside(it)),
        ...out.filter((it) => it !== part).flatMap((it) => this.comeOut(it, by)),
      ],
    });
  }

  /** What stands on no open bill lies in a warehouse, or begins its way again. Rule: events#e23. */
  activate(sn: string, to: typeof Node.AwaitingCheck | typeof Node.CanShip | typeof Node.Scrapped, by: Site): string {
    const unit = this.units.get(sn);
    if (!unit) return this.unknown(sn, by);
    if ((unit.node !== null || unit.spokenBy) && !this.isOf(unit, by)) return '100004';
    if (unit.spokenBy) return '100008';
    if (unit.node === Node.Shipped) return '100005';
    if (this.holdOf(unit)) return '100008';
    if (this.around(sn)) return '100026';
    if (unit.item && unit.item.bill.status !== '2') return '100009';
    if (unit.node !== null && unit.node !== Node.Scrapped && unit.node !== Node.CanShip) return '100003';
    const { node, item, site } = unit;
    const device = this.devices.get(sn);
    this.devices.delete(sn);
    Object.assign(unit, { node: to, item: null, site: by });
    this.remember(unit, 'storeStart', () => {
      Object.assign(unit, { node, item, site });
      if (device) this.devices.set(unit.sn, device);
    });
    unit.laid = { code: to === Node.CanShip ? 'FG' : to === Node.Scrapped ? 'SCR' : 'DEF', storage: keptAt(to) };
    return OK;
  }

  /** The refusal of what is scanned where the other kind of goods is. */
  private goodsAt(sn: string, station: Station, by: Site, tab: Goods): string | null {
    return this.guard(sn, station, by) === OK && this.at(sn).goods !== tab ? '100015' : null;
  }

  aging(results: readonly { sn: string; passes: boolean }[], by: Site): string {
    return this.test(results, 'aging', Node.AwaitingInspection, by);
  }
  qc(results: readonly { sn: string; passes: boolean }[], by: Site): string {
    return this.test(results, 'qc', Node.AwaitingStorage, by);
  }

  private test(
    results: readonly { sn: string; passes: boolean }[],
    station: 'aging' | 'qc',
    passed: Node,
    by: Site,
  ): string {
    const passes = new Map(results.map((it) => [it.sn, it.passes]));
    const next = ({ sn }: Unit) => (passes.get(sn) ? passed : Node.AwaitingRepair);
    const sns = results.map((it) => it.sn);
    return this.pass(sns, station, next, by);
  }

  private pass(sns: readonly string[], station: Station, next: (unit: Unit) => Node, by: Site): string {
    const no = this.guardAll(sns, station, by);
    if (no !== OK) return no;
    for (const sn of sns) {
      const unit = this.at(sn);
      const from = unit.node;
      unit.node = next(unit);
      this.remember(unit, station, () => void (unit.node = from));
    }
    return OK;
  }

  store(sns: readonly string[], by: Site): string {
    const no = this.guardAll(sns, 'store', by);
    if (no !== OK) return no;
    for (const sn of sns) {
      const unit = this.at(sn);
      unit.node = Node.CanShip;
      if (unit.item?.bill.isOwn) {
        this.storeOwn(unit, unit.item);
        continue;
      }
      this.remember(unit, 'store', () => {
        unit.node = Node.AwaitingStorage;
        const { item } = unit;
        if (!item) return;
        this.leavesStockup([item]);
        item.deliverStatus = '0';
        this.settle(item.bill);
      });
      if (unit.item) this.release(unit.item);
    }
    return OK;
  }

  /** Own goods on the shelf are stock of the site, and their item is kept. Rule: bills#own-goods. */
  private storeOwn(unit: Unit, item: Item): void {
    this.takeIntoStock(unit, item);
    this.remember(unit, 'store', () => {
      if (!this.takeOutOfStock(unit, item)) return false;
      unit.node = Node.AwaitingStorage;
      this.settle(item.bill);
      return true;
    });
  }

  private takeIntoStock(unit: Unit, item: Item): void {
    item.deliverStatus = '4';
    unit.item = null;
    this.settle(item.bill);
  }

  private takeOutOfStock(unit: Unit, item: Item): boolean {
    if (!item.bill.isOwn || unit.item || item.deliverStatus !== '4') return false;
    item.deliverStatus = '0';
    unit.item = item;
    return true;
  }

  /** On the shelf an item can ship and goes on its stock-up bill, unless it is paused. 1.5, 1.7. */
  private release(item: Item): void {
    item.deliverStatus = item.deliverPriority === '2' ? '0' : '1';
    if (item.deliverStatus === '1') this.goesOnStockup(item);
  }

  deliver(stockup: Stockup, sns: readonly string[], by: Site): string {
    const no = this.guardAll(sns, 'deliver', by);
    if (no !== OK) return no;
    if (stockup.site !== by) return '100002';
    if (stockup.status !== '0' && stockup.status !== '1') return '100011';
    const waiting = stockup.lines.filter((it) => !it.delivered);
    if (waiting.length === 0) return '100021';
    const units = sns.map((it) => this.at(it));
    for (const unit of units) {
      const { item, salesCode, sn } = unit;
      if (item && item.deliverStatus !== '1') return '100024';
      if (waiting.some((it) => this.fits(unit, it.item))) continue;
      if (!waiting.some((it) => this.at(it.item.sn).salesCode === salesCode)) return '100020';
      return this.isTallied(sn) ? '100020' : '100021';
    }
    const chosen: Stockup['lines'] = [];
    for (const unit of units) {
      const line = this.inOrder(waiting).find((it) => !chosen.includes(it) && this.fits(unit, it.item));
      if (!line) return '100020';
      chosen.push(line);
    }
    units.forEach((unit, i) => this.leave(unit, chosen[i] as Stockup['lines'][number]));
    this.haveLeft(stockup);
    return OK;
  }

  /**
   * All boards that wait with the named ones, on their lines of maintain bills, leave: as many as is said.
   * Rule: events#e26.
   */
  deliverCounted(stockup: Stockup, sent: readonly { item: Item; count: number }[], by: Site): string {
    if (sent.length === 0) return '100001';
    if (stockup.site !== by) return '100002';
    if (stockup.status !== '0' && stockup.status !== '1') return '100011';
    const waiting = stockup.lines.filter((it) => !it.delivered);
    const groups = sent.map(({ item }) => this.waitingWith(stockup, item));
    const leaving = [...new Set(groups.flat())];
    const no = leaving.map((it) => this.guard(it.item.sn, 'deliver', by)).find((it) => it !== OK);
    if (no) return no;
    if (waiting.length === 0) return '100021';
    for (const [i, { item, count }] of sent.entries()) {
      if (groups[i]?.length === 0) return '100020';
      if (this.goodsOf(item.line.salesCode) !== 'board') return '100015';
      if (groups[i]?.length !== count) return '100019';
    }
    if (new Set(sent.map((it) => it.item.line)).size < sent.length) return '100019';
    if (leaving.some(({ item }) => !this.fits(this.at(item.sn), item))) return '100020';
    for (const it of leaving) this.leave(this.at(it.item.sn), it);
    this.haveLeft(stockup);
    return OK;
  }

  /** What waits on a stock-up bill and on the same line of a maintain bill as this item does. */
  waitingWith(stockup: Stockup, item: Item): Stockup['lines'] {
    const waiting = stockup.lines.filter((it) => !it.delivered);
    return waiting.some((it) => it.item === item) ? waiting.filter((it) => it.item.line === item.line) : [];
  }

  private haveLeft(stockup: Stockup): void {
    this.recount(stockup);
    for (const bill of new Set(stockup.lines.map((it) => it.item.bill))) this.settle(bill);
  }

  /**
   * A received unit ships on its own item if no other model is promised, a stock machine where its model is sent.
   * Rule: events#e31, stock-up#advance.
   */
  fits(unit: Unit, item: Item): boolean {
    if (unit.item) return unit.item === item && (item.sends ?? unit.salesCode) === unit.salesCode;
    const own = item.isReplaced ? this.at(item.sn).salesCode : null;
    return (item.sends ?? own) === unit.salesCode;
  }

  /** What is urgent goes first, then what was tallied first. */
  private inOrder(tallied: Stockup['lines']): Stockup['lines'] {
    const isUrgent = (it: Stockup['lines'][number]) => it.item.deliverPriority === '1';
    const lines = tallied.toSorted((a, b) => a.no - b.no);
    return [...lines.filter(isUrgent), ...lines.filter((it) => !isUrgent(it))];
  }

  /** A stock machine goes instead of the item's own unit, which becomes stock. Rule: stock-up#advance. */
  private leave(unit: Unit, line: Stockup['lines'][number]): void {
    const { item } = line;
    const own = unit.item ? null : this.at(item.sn);
    const called = own?.sn;
    const since = own?.past.length ?? 0;
    if (own) own.item = null;
    unit.node = Node.Shipped;
    item.deliverStatus = '2';
    item.deliveredSn = unit.sn;
    item.stockup = false;
    line.delivered = true;
    this.remember(unit, 'deliver', () => {
      if (this.around(unit.sn)) return '100026';
      const waiting = this.stockups.find((it) => it.lines.includes(line));
      if (own) {
        // Another SN is refused as what has gone on is, whatever speaks for the unit.
        if (own.spokenBy && own.sn === called) return '100008';
        if (own.sn !== called || own.item || own.node === null || own.site !== waiting?.site) return false;
        const asStock = ['storeStart', 'replaced'];
        if (own.past.slice(since).some((it) => it.stands && asStock.includes(it.step))) return false;
        own.item = item;
      }
      unit.node = Node.CanShip;
      item.deliverStatus = '1';
      item.deliveredSn = null;
      if (waiting) {
        line.delivered = false;
        item.stockup = true;
        this.recount(waiting);
      }
      if (item.deliverPriority === '2') {
        item.deliverStatus = '0';
        this.leavesStockup([item]);
      }
      this.settle(item.bill);
      return true;
    });
  }

  editDelivery(item: Item, edit: DeliveryEdit): string {
    if (this.at(item.sn).spokenBy && this.at(item.sn).item === item) return '100008';
    if (item.deliverStatus === '2') return '100005';
    if (item.deliverStatus === '3') return '100006';
    const unit = this.at(item.sn);
    const isOnShelf = unit.item === item && unit.node === Node.CanShip;
    const { deliverStatus } = edit;
    if (deliverStatus !== undefined && deliverStatus !== item.deliverStatus && !isOnShelf) return '100003';
    if (edit.returness) item.returness = edit.returness === '1';
    const wasPaused = item.deliverPriority === '2';
    item.deliverPriority = edit.deliverPriority ?? item.deliverPriority;
    const isScrap = unit.item === item && unit.node === Node.Scrapped;
    if (item.deliverPriority === '2') item.deliverStatus = '0';
    else if (isScrap && wasPaused) item.deliverStatus = '1';
    else if (isOnShelf) item.deliverStatus = wasPaused ? '1' : (deliverStatus ?? item.deliverStatus);
    if (item.deliverStatus === '0') this.leavesStockup([item]);
    else this.goesOnStockup(item);
    return OK;
  }

  /** Any of the nine nodes, and with it what always goes with that node. Rule: events#e36. */
  modifyNode(sn: string, to: Node): string {
    const unit = this.units.get(sn);
    if (!unit) return this.unknown(sn, null);
    if (unit.spokenBy) return '100008';
    if (unit.node === to) return '100007';
    if (unit.node === null && this.devices.has(sn)) return '100026';
    if (unit.node === Node.Shipped && this.around(sn)) return '100026';
    const from = unit.node;
    const was = this.stateOf(unit);
    const released = this.holdOf(unit) ? unit.checks.at(-1) : undefined;
    this.setNode(unit, to);
    this.remember(unit, 'modifyNode', () => {
      if (was && (was.item === unit.item ? isCalledOff(was) : was.deliverStatus === '2')) return false;
      if (was) this.takeOutOfStock(unit, was.item);
      this.setNode(unit, from, was);
      if (released) released.waits = true;
      return true;
    });
    return OK;
  }

  private stateOf({ item, node }: Unit): Before | null {
    if (!item) return null;
    const { deliverStatus, deliverPriority, scrap, stockup } = item;
    const tally = this.stockups.find((it) => it.lines.some((line) => line.item === item && line.delivered)) ?? null;
    const line = tally?.lines.find((it) => it.item === item && it.delivered) ?? null;
    return {
      item,
      deliverStatus,
      deliverPriority,
      scrap,
      stockup,
      isOnShelf: node === Node.CanShip,
      waits: this.tallyOf(item),
      tally,
      line,
    };
  }

  private setNode(unit: Unit, to: Node | null, was: Before | null = null): void {
    const { item, node: from } = unit;
    if (this.holdOf(unit)) (unit.checks.at(-1) as Check).waits = false;
    unit.node = to;
    if (!item) return;
    const ends = to === Node.Shipped || to === Node.Scrapped;
    const goesAhead = isTalliedAhead(item, from);
    if (from === Node.Shipped) {
      item.deliveredSn = null;
      this.bringBack(item);
    } else if (to !== Node.CanShip && (ends || !goesAhead)) this.leavesStockup([item]);
    if (was?.item === item) this.makeAsBefore(item, was, goesAhead);
    else if (to === Node.CanShip || ends || !goesAhead) {
      if (from === Node.Scrapped) item.scrap = false;
      if (to === Node.Scrapped) item.scrap = true;
      if (to === Node.CanShip && item.bill.isOwn) return this.takeIntoStock(unit, item);
      if (to === Node.CanShip) this.release(item);
      else item.deliverStatus = to === Node.Shipped ? '2' : to === Node.Scrapped ? '3' : '0';
    }
    if (to === Node.Shipped) item.deliveredSn = unit.sn;
    this.settle(item.bill);
  }

  /**
   * Everything is as it was, but what the office has paused since stays paused, and what it freed goes.
   * Rule: events#e37.
   */
  private makeAsBefore(item: Item, was: Before, goesAhead: boolean) {
    const { deliverStatus, deliverPriority, scrap, stockup, isOnShelf, waits, tally, line } = was;
    if (goesAhead && (deliverStatus === '0' || deliverStatus === '1')) return;
    item.scrap = scrap;
    item.deliverStatus = deliverStatus;
    if (tally && line) {
      if (tally.lines.length === 0) tally.status = '0';
      tally.lines.push(line);
      this.recount(tally);
    }
    if (deliverStatus !== '0' && deliverStatus !== '1') return;
    if (item.deliverPriority === '2') item.deliverStatus = '0';
    else if (isOnShelf && deliverPriority === '2') this.release(item);
    else if (stockup) this.tallyAgain(item, waits);
  }

  /** A delivered item is off the stock-up bill on which it left. */
  private bringBack(item: Item): void {
    const stockup = this.stockups.find((it) => it.lines.some((line) => line.item === item && line.delivered));
    if (!stockup) return;
    stockup.lines = stockup.lines.filter((it) => it.item !== item);
    this.recount(stockup);
  }

  /** The latest step that still stands, and no other. Rule: events#e37. */
  rollback(unit: Unit, which: Past): string {
    if (!which.stands) return '100014';
    if (unit.past.findLast((it) => it.stands) !== which) return '100025';
    if (unit.spokenBy) return which.step === 'transferOut' ? '100025' : '100008';
    // Its receipt was deleted since.
    if (unit.node !== which.to) return '100025';
    const isOfAnother = which.step === 'receive' && unit.item && unit.item.receivedSn !== unit.sn;
    if (!which.undo || isOfAnother || (which.step === 'receive' && wasTested(unit))) return '100015';
    const undone = which.undo();
    if (typeof undone === 'string') return undone;
    if (undone === false) return '100025';
    which.stands = false;
    which.isUndone = true;
    unit.laid = which.lay;
    unit.isTakenBack = true;
    return OK;
  }

  /** What the office may do with an item at all; it is said in this order. 1.8. */
  private actOn(unit: Unit, item: Item): string {
    if (unit.spokenBy) return '100008';
    if (item.deliverStatus === '2') return '100005';
    if (item.deliverStatus === '3') return '100006';
    if (item.deliverStatus === '4') return '100022';
    if (this.holdOf(unit)) return '100008';
    return item.bill.status === '2' ? '100011' : OK;
  }

  /** The unit becomes stock where it stands. Rule: events#e28. */
  buyOut(unit: Unit, item: Item): string {
    const no = this.actOn(unit, item);
    if (no !== OK) return no;
    if (unit.node === Node.Scrapped) return '100006';
    const { deliverStatus, stockup } = item;
    const tally = this.tallyOf(item);
    this.leavesStockup([item]);
    item.deliverStatus = '4';
    unit.item = null;
    this.settle(item.bill);
    this.remember(unit, 'buyOut', () => {
      if (unit.item) return false;
      unit.item = item;
      item.deliverStatus = deliverStatus;
      if (stockup) this.tallyAgain(item, tally);
      this.settle(item.bill);
      return true;
    });
    return OK;
  }

  /** Units stand at another site from now on, and what is tallied ships from there. Rule: events#e33. */
  changeSite(units: readonly Unit[], to: Site): string {
    for (const unit of units) {
      const no = this.actOn(unit, unit.item as Item);
      if (no !== OK) return no;
      if (unit.site === to) return '100007';
    }
    for (const unit of units) {
      const from = unit.site;
      const item = unit.item as Item;
      const isTallied = mayGo(item);
      const waited = isTallied && !item.stockup;
      const tally = this.tallyOf(item);
      this.leavesStockup([item]);
      unit.site = to;
      if (isTallied) this.goesOnStockup(item);
      this.remember(unit, 'updateSiteId', () => {
        if (unit.item !== item) return false;
        const wasTallied = item.stockup;
        this.leavesStockup([item]);
        unit.site = from;
        if (wasTallied && !waited) this.tallyAgain(item, tally);
        return true;
      });
      Object.assign(unit.past.at(-1) as Past, { leftSite: from });
    }
    return OK;
  }

  /** Another model is sent, or a wrong registration is corrected. Rule: events#e31. */
  changeItem(units: readonly Unit[], salesCode: string, corrects: boolean): string {
    const goods = this.models.get(salesCode);
    if (!goods) return '100002';
    for (const unit of units) {
      const item = unit.item as Item;
      const no = this.actOn(unit, item);
      if (no !== OK) return no;
      if (this.goodsOf(item.line.salesCode) !== goods) return '100015';
      const now = corrects ? item.line.salesCode : (item.sends ?? item.line.salesCode);
      if (now === salesCode) return '100007';
      const isLeaving = this.stockups.some(
        (it) => it.status === '1' && it.lines.some((line) => line.item === item && !line.delivered),
      );
      if (isLeaving) return '100025';
    }
    const there = new Set(units.flatMap((it) => (it.item as Item).bill.lines));
    for (const unit of units) {
      const item = unit.item as Item;
      const { line, sends, isReplaced } = item;
      const { salesCode: code } = unit;
      if (!corrects) {
        // The model of its own line ends a promise.
        const promise = salesCode === line.salesCode ? null : salesCode;
        if (promise === null) item.isReplaced ||= isTalliedAhead(item, unit.node);
        item.sends = promise;
        this.remember(unit, 'replaceSaleCode', () => {
          if (unit.item !== item || item.line !== line || item.sends !== promise) return false;
          Object.assign(item, { sends, isReplaced });
        });
        continue;
      }
      const archived = this.archive.get(unit.sn) ?? '';
      unit.salesCode = salesCode;
      this.archive.set(unit.sn, salesCode);
      const now = this.lineOf(item.bill, salesCode);
      const counted = this.putOn(item, now);
      this.remember(unit, 'replaceSaleCode', () => {
        if (!this.isWayBack(unit, item, now, line)) return false;
        this.putBack(item, line, counted);
        unit.salesCode = code;
        this.archive.set(unit.sn, archived);
        const isEmpty = now.count + now.items.length + now.places.length === 0;
        if (isEmpty && !there.has(now)) now.bill.lines = now.bill.lines.filter((it) => it !== now);
      });
    }
    return OK;
  }

  /** Items belong to another bill, ship with it, or ship apart. Rule: events#e32. */
  moveBill(units: readonly Unit[], bill: Bill, line: Line, { moves, delivers, splits }: Move): string {
    if (!moves && !delivers && !splits) return '100001';
    if (delivers && splits) return '100015';
    if (bill.status === '2') return '100011';
    for (const unit of units) {
      const item = unit.item as Item;
      const no = this.actOn(unit, item);
      if (no !== OK) return no;
      if ((moves || delivers) && item.bill === bill) return '100007';
      if (unit.site !== (bill.site ?? HOME)) return '100004';
      if (item.bill.isOwn !== bill.isOwn) return '100020';
      if (this.goodsOf(item.line.salesCode) !== this.goodsOf(line.salesCode)) return '100015';
      const involved = [item.bill.customer, delivers ? null : (item.shipsWith?.customer ?? null), bill.customer];
      const areSeveral = new Set(involved.filter((it) => it !== null)).size > 1;
      if (areSeveral && !splits && !(moves && delivers)) return '100020';
    }
    const items = units.map((it) => it.item as Item);
    const ofBill = (item: Item) => (moves ? bill : item.bill);
    const shipsIn = (item: Item) => (delivers ? bill : splits ? ofBill(item) : (item.shipsWith ?? item.bill));
    const together = items.map((it) => [shipsIn(it), ofBill(it)] as const);
    if (this.customersMeet(together, items)) return '100020';
    const ships = delivers || splits;
    const tallied = items.filter(mayGo);
    const onTallies = new Map(tallied.map((it) => [it, this.tallyOf(it)]));
    if (ships) this.leavesStockup(tallied);
    const group = splits ? ++this.groups : null;
    const sources = new Set(items.map((it) => it.bill));
    const ways = new Map<Item, Past['undo']>();
    for (const item of items) {
      const before = item.shipsWith ?? item.bill;
      const { line: own, shipsWith, group: apart } = item;
      const tally = onTallies.get(item) ?? null;
      const waited = tallied.includes(item) && !tally;
      const counted = moves && this.putOn(item, line);
      ways.set(item, () => {
        const unit = this.at(item.sn);
        if (!this.isWayBack(unit, item, moves ? line : own, own)) return false;
        if (this.customersMeet([[shipsWith ?? own.bill, own.bill]], [item])) return false;
        const { stockup } = item;
        const goesOn = ships && stockup && !waited;
        if (ships) this.leavesStockup([item]);
        if (moves) this.putBack(item, own, counted);
        Object.assign(item, { shipsWith, group: apart });
        if (goesOn) this.tallyAgain(item, tally);
        if (!moves) return;
        if (own.bill.status === '3') own.bill.status = '1';
        this.settle(own.bill);
        this.settleLeft(bill);
      });
      // What only moves ships as it would have before.
      const withBill = delivers ? bill : splits ? item.bill : before;
      item.shipsWith = withBill === item.bill ? null : withBill;
      item.group = delivers ? null : (group ?? item.group);
    }
    if (ships) for (const item of tallied) this.goesOnStockup(item);
    for (const unit of units) this.remember(unit, 'moveBill', ways.get(unit.item as Item) as Past['undo']);
    if (moves && bill.status === '3') Object.assign(bill, { status: '1', beganByMove: true });
    for (const source of sources) this.settleLeft(source);
    return OK;
  }

  /** Whether what ships with one bill, or has shipped with it, would be two customers' if these goods of these bills did. */
  private customersMeet(together: readonly (readonly [ships: Bill, of: Bill])[], instead: readonly Item[]): boolean {
    const others = this.bills.flatMap((bill) =>
      bill.lines.flatMap(({ items, places }) =>
        [...items.filter((it) => !instead.includes(it)), ...places].map((it) => [it.shipsWith ?? bill, bill] as const),
      ),
    );
    return together.some(([ships]) => {
      const bills = [...others, ...together].flatMap(([goes, of]) => (goes === ships ? [goes, of] : []));
      return new Set(bills.flatMap((it) => it.customer ?? [])).size > 1;
    });
  }

  protected lineOf(bill: Bill, salesCode: string): Line {
    const there = bill.lines.find((it) => it.salesCode === salesCode);
    if (there) return there;
    const line: Line = { salesCode, count: 0, places: [], items: [], bill };
    bill.lines.push(line);
    return line;
  }

  /**
   * What a line declares follows the items that it gives and gets; says whether the one it left counts one less.
   * Rule: events#e32.
   */
  private putOn(item: Item, line: Line): boolean {
    const isCounted = item.line.count > 0;
    item.line.items = item.line.items.filter((it) => it !== item);
    item.line.count = Math.max(item.line.count - 1, 0);
    line.items.push(item);
    line.count += 1;
    item.line = line;
    item.bill = line.bill;
    return isCounted;
  }

  private putBack(item: Item, line: Line, counted: boolean): void {
    this.putOn(item, line);
    if (!counted) line.count -= 1;
  }

  /**
   * Whether an item is still on the line to which a step took it, and the one from which it came is there.
   * Rule: events#e37.
   */
  private isWayBack(unit: Unit, item: Item, now: Line, line: Line): boolean {
    return unit.item === item && item.line === now && line.bill.lines.includes(line);
  }

  /**
   * It waits on its former stock-up bill again, unless that has ended or goes elsewhere, or another one has taken its
   * place. Rule: events#e37.
   */
  private tallyAgain(item: Item, tally: Tally | null): void {
    if (!tally || item.stockup) return this.goesOnStockup(item);
    const { stockup, wasStopped, no } = tally;
    const { bill, site, group } = stockup;
    const isOpen = (it: Stockup) =>
      it.bill === bill && it.site === site && it.group === group && '01'.includes(it.status);
    const { status, lines } = stockup;
    const lives = status === '4' ? lines.length === 0 && !this.stockups.some(isOpen) : status !== '2';
    if (!lives || !this.takes(stockup, item, this.at(item.sn).site)) return this.goesOnStockup(item);
    if (status === '4') stockup.status = wasStopped ? '3' : '0';
    stockup.lines.push({ item, sn: item.sn, delivered: false, no });
    item.stockup = true;
    this.recount(stockup);
  }

  /** The stock-up bill on which it waits. */
  private tallyOf(item: Item): Tally | null {
    const stockup = this.stockups.find((it) => isWaiting(it, item));
    const line = stockup?.lines.find((it) => it.item === item && !it.delivered);
    return stockup && line ? { stockup, wasStopped: stockup.status === '3', no: line.no } : null;
  }

  /** What is still in the workshop is named, or given up. Rule: events#e29. */
  terminate(bill: Bill, discards: boolean): string {
    if (bill.status === '2') return '100011';
    const open = this.itemsOf(bill).filter((it) => it.deliverStatus === '0' || it.deliverStatus === '1');
    if (open.length > 0 && !discards) return '100023';
    const before = new Map(open.map((it) => [it, this.stateOf(this.at(it.sn))]));
    this.leavesStockup(open);
    for (const item of open) {
      const unit = this.at(item.sn);
      const { node: from } = unit;
      const released = this.holdOf(unit) ? unit.checks.at(-1) : undefined;
      if (released) released.waits = false;
      item.deliverStatus = '3';
      // Scrap for which another machine was to go.
      if (from === Node.Scrapped) continue;
      unit.node = Node.Scrapped;
      this.remember(unit, 'terminate', () => {
        this.setNode(unit, from, before.get(item));
        if (released) released.waits = true;
      });
    }
    bill.status = '2';
    return OK;
  }

  /** All that was done since the first test is taken back at once. Rule: events#e30. */
  returnToCheck(unit: Unit, item: Item): string {
    if (unit.spokenBy) return '100008';
    if (unit.node === Node.Shipped) return '100005';
    if (item.bill.status === '2') return '100011';
    if (unit.node === Node.Scrapped && !item.scrap) return '100006';
    const isHeld = this.holdOf(unit) !== null;
    if (unit.node === Node.AwaitingCheck && !isHeld) return unit.isTakenBack ? '100014' : '100003';
    this.leavesStockup([item]);
    if (isHeld) (unit.checks.at(-1) as Check).waits = false;
    const receipt = unit.past.findLastIndex((it) => beginsStay(it) && it.stands);
    const isLeaving = ({ step, to, stands }: Past) =>
      stands && step !== 'changeSn' && (step === 'check' || to !== Node.AwaitingCheck);
    const first = unit.past.findIndex((it, i) => i > receipt && isLeaving(it));
    const left = unit.past.slice(Math.max(first, 0)).find((it) => it.stands && it.leftSite && first >= 0)?.leftSite;
    const isOutOfScrap = (it: Past, i: number) =>
      i === 0 &&
      it.step === 'modifyNode' &&
      unit.past.slice(0, first).findLast((was) => was.stands)?.to === Node.Scrapped;
    const isWork = ({ to }: Past) => to !== Node.CanShip && to !== Node.Shipped;
    const back = (first < 0 ? [] : unit.past.slice(first)).filter(
      (it, i) => it.step !== 'changeSn' && !(isOutOfScrap(it, i) && isWork(it)),
    );
    const wasScrap = back.some(isOutOfScrap);
    for (const it of back) it.stands = false;
    unit.node = Node.AwaitingCheck;
    unit.laid = { code: null, storage: '1' };
    if (wasScrap) this.remember(unit, 'returnToCheck', null);
    unit.isTakenBack = true;
    Object.assign(item, { deliverStatus: '0', scrap: false, isChecked: false, isReturned: true });
    if (wasScrap) return OK;
    if (left && left !== unit.site) {
      this.remember(unit, 'updateSiteId', () => false);
      Object.assign(unit.past.at(-1) as Past, { leftSite: left });
    }
    return OK;
  }

  stop(stockup: Stockup): string {
    return this.act(stockup, ['0', '1'], () => (stockup.status = '3'));
  }

  reset(stockup: Stockup): string {
    if (stockup.status !== '4') {
      return this.act(stockup, ['3'], () => {
        stockup.status = '0';
        this.recount(stockup);
      });
    }
    const waiting = stockup.lines.filter(({ item, delivered }) => {
      const unit = this.at(item.sn);
      const isReady = unit.item === item && (unit.node === Node.CanShip || item.isReplaced || item.sends !== null);
      return !delivered && !item.stockup && item.deliverStatus === '1' && isReady;
    });
    if (waiting.length === 0) return '100021';
    stockup.lines = waiting.filter(({ item }) => this.takes(stockup, item, this.at(item.sn).site));
    for (const { item } of stockup.lines) item.stockup = true;
    stockup.status = '0';
    this.recount(stockup);
    // What goes to another customer or place by now.
    for (const { item } of waiting) this.goesOnStockup(item);
    return OK;
  }

  cancel(stockup: Stockup): string {
    if (stockup.status === '1' || (stockup.status === '3' && stockup.lines.some((it) => it.delivered))) return '100022';
    return this.act(stockup, ['0', '3'], () => {
      for (const { item } of stockup.lines) item.stockup = false;
      stockup.status = '4';
    });
  }

  finish(stockup: Stockup): string {
    return this.act(stockup, ['1'], () => {
      const rest = stockup.lines.filter((it) => !it.delivered);
      stockup.lines = stockup.lines.filter((it) => it.delivered);
      this.recount(stockup);
      this.stockups.push({ ...stockup, status: '0', lines: rest });
    });
  }

  private act(stockup: Stockup, from: readonly StockupStatus[], work: () => void): string {
    if (!from.includes(stockup.status)) return stockup.status === '2' ? '100011' : '100025';
    work();
    return OK;
  }

  /** Whether some of what it ships with has gone already: it joins the rest of that. */
  isFollowing({ item, site }: Unit): boolean {
    return this.stockups.some((it) => it.status === '1' && item && !item.stockup && this.takes(it, item, site));
  }

  private takes({ bill, site, group }: Stockup, item: Item, from: Site): boolean {
    return bill === (item.shipsWith ?? item.bill) && site === from && group === item.group;
  }

  /** The open bill of what ships together from one site. 1.7. */
  private goesOnStockup(item: Item): void {
    if (item.stockup) return;
    const { site } = this.at(item.sn);
    const { group } = item;
    const bill = item.shipsWith ?? item.bill;
    let open = this.stockups.findLast((it) => this.takes(it, item, site) && (it.status === '0' || it.status === '1'));
    if (!open) this.stockups.push((open = { bill, site, group, status: '0', lines: [] }));
    open.lines.push({ item, sn: item.sn, delivered: false, no: ++this.tallies });
    item.stockup = true;
    this.recount(open);
  }

  private leavesStockup(items: readonly Item[]): void {
    for (const stockup of this.stockups) {
      if (!['0', '1', '3'].includes(stockup.status)) continue;
      const stays = stockup.lines.filter((it) => it.delivered || !items.includes(it.item));
      if (stays.length === stockup.lines.length) continue;
      stockup.lines = stays;
      this.recount(stockup);
    }
    for (const item of items) item.stockup = false;
  }

  /** What a stock-up bill is follows from its lines. 1.7. */
  private recount(stockup: Stockup): void {
    const delivered = stockup.lines.filter((it) => it.delivered).length;
    const { status, lines } = stockup;
    if (status === '4' || lines.length === 0) stockup.status = '4';
    else if (delivered === lines.length) stockup.status = '2';
    else if (status !== '3') stockup.status = delivered === 0 ? '0' : '1';
  }

  private isTallied(sn: string): boolean {
    return this.stockups.some(
      (it) => ['0', '1', '3'].includes(it.status) && it.lines.some((line) => line.sn === sn && !line.delivered),
    );
  }

  /** The finish rule, both ways. 1.3, 1.4. */
  protected settle(bill: Bill): void {
    const isOpen = this.itemsOf(bill).some((it) => it.deliverStatus === '0' || it.deliverStatus === '1');
    if (bill.status === '1' && !isOpen) bill.status = '2';
    else if (bill.status === '2' && isOpen) bill.status = '1';
  }

  /** A bill that an item was moved away from is what it would be without it. */
  private settleLeft(bill: Bill): void {
    const awaits = bill.lines.some((it) => it.places.length > 0);
    const isLeft = this.itemsOf(bill).length === 0 && (awaits || bill.beganByMove);
    if (bill.status === '1' && isLeft) bill.status = '3';
    else this.settle(bill);
  }

  holdOf(unit: Unit): 'scrap' | 'nofault' | null {
    const latest = unit.checks.at(-1);
    if (unit.node !== Node.AwaitingCheck || !latest?.waits || latest.found === 'repair') return null;
    return latest.found;
  }

  protected itemsOf(bill: Bill): Item[] {
    return bill.lines.flatMap((it) => it.items);
  }

  protected at(sn: string): Unit {
    return this.units.get(sn) as Unit;
  }

  protected remember(unit: Unit, step: string, undo: Past['undo'] | null): void {
    const { node: to, laid: lay } = unit;
    unit.past.push({ step, to, lay, stands: true, undo });
    unit.laid = laidAfter(step, to, lay);
    unit.isTakenBack = false;
  }

  /** All that both keep, as sorted lines of text. */
  picture(): string[] {
    const units = [...this.units.values()].map(
      (it) =>
        `${it.goods} ${it.sn} ${it.salesCode} of ${it.site} at ${it.node ?? 'none'} on ${it.item?.bill.shipNo ?? 'none'} ` +
        `held ${this.holdOf(it) ?? it.spokenBy?.says ?? 'no'} lies ${it.laid.code ?? '-'} ${it.laid.storage ?? '-'}`,
    );
    const lines = this.bills.flatMap((bill) =>
      bill.lines
        .filter((it) => it.items.length > 0)
        .map(({ salesCode, items }) => {
          const count = (is: (it: Item) => boolean) => items.filter(is).length;
          const counts = [
            items.length,
            count((it) => it.deliverStatus === '2'),
            count((it) => it.scrap),
            count((it) => it.deliverStatus === '3' && !it.scrap),
            count((it) => it.deliverStatus === '4'),
          ];
          return `line ${bill.shipNo} ${salesCode} counts ${counts.join(' ')}`;
        }),
    );
    const items = this.bills.flatMap((bill) =>
      this.itemsOf(bill).map(
        (it) =>
          `item ${bill.shipNo} ${it.receivedSn} received ${it.receiveStatus} deliver ${it.deliverStatus} ` +
          `priority ${it.deliverPriority} scrap ${Number(it.scrap)} stockup ${Number(it.stockup)} ` +
          `sends ${it.deliverStatus === '2' ? 'gone' : (it.sends ?? (it.isReplaced ? 'any' : 'itself'))} with ${it.shipsWith?.shipNo ?? 'its own'}`,
      ),
    );
    const stockups = this.stockups.map(({ bill, site, group, status, lines: tallied }) => {
      const sns = tallied.map((it) => `${it.sn}:${Number(it.delivered)}`).sort();
      return `stockup ${bill.shipNo} at ${site}${group ? ' apart' : ''} is ${status} with ${sns.join(' ')}`;
    });
    return [
      ...this.bills.map((it) => `bill ${it.shipNo} is ${it.status}`),
      ...[...units, ...lines, ...items, ...stockups].sort(),
    ].sort();
  }
}
