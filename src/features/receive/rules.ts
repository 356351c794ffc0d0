import { GoodsType, Origin, ReceivePayment, Warranty } from '#domain/enums.ts';
import { type Hold, isOfSite, validateNotHeld } from '#domain/hold.ts';
import { mayReceive } from '#domain/maintainBill.ts';
import { Node } from '#domain/nodes.ts';
import type { Problem } from '#domain/refusal.ts';
import { wordOfNode } from '#domain/workflow.ts';

/** One scanned device of a receipt. */
export interface Machine {
  sn: string;
  field: string;
  /** The line that the form put it on; empty: the server finds one. */
  mtblId: string;
  depreciation: string;
}

/** What the archive, the catalogue and the inventory know of a scanned SN. */
export interface Known {
  type: string;
  salesCode: string;
  slaveCodes: readonly string[];
}
export interface UnitLocation {
  siteId: string | null;
  ivyId: Node | null;
  mtbId: string | null;
  /** The bill beside the chain that speaks for it. */
  held: Hold | null;
}

export interface BillLine {
  mtblId: string;
  type: string;
  salesCode: string;
}

/** Boards of one model that are received by their number. Rule: events#e04. */
export interface BoardEntry {
  field: string;
  /** The line that the form put them on; empty: the server finds one. */
  mtblId: string;
  salesCode: string;
  repairable: number;
  unrepairable: number;
}

/** Goods that are not the company's own hang on this code. Rule: events#e05. */
export const NOT_OUR = 'NOT-OUR';

/** More boards of one model come in several entries. */
const BOARDS_AT_ONCE = 500;

/** Codes as an item keeps them, parted by bars. */
export const parseSlaveCodes = (text: string | null): string[] =>
  (text ?? '')
    .split('|')
    .map((it) => it.trim().toUpperCase())
    .filter((it) => it !== '');

/** What the carrier was paid, in digits to the cent; nothing said is nothing paid, and what is no amount is none. */
export function parseAmount(sent: string | number | null | undefined): number {
  const text = String(sent ?? '').trim();
  if (text === '') return 0;
  return /^-?(?=\.?\d)\d{0,12}(\.\d{1,2})?$/.test(text) ? Number(text) : Number.NaN;
}

/** The carrier is paid by us only on arrival, and then something. Rule: receiving#freight. */
export function validatePayment(payment: string, payAmount: number): Problem[] {
  const label = (field: string) => ({ module: 'rmaReceiveBill', field });
  if (payment !== ReceivePayment.Send && payment !== ReceivePayment.Arrival) {
    return [{ key: 'format', field: 'payment', args: { field: label('payment') } }];
  }
  if (payment === ReceivePayment.Send) return [];
  if (Number.isNaN(payAmount) || payAmount > 1e9) {
    return [{ key: 'format', field: 'payAmount', args: { field: label('payAmount') } }];
  }
  return payAmount >= 0.01 ? [] : [{ key: 'required', field: 'payAmount', args: { fields: [label('payAmount')] } }];
}

const missing = (name: string, field: string, module = 'rmaReceiveBillLineItem'): Problem => ({
  key: 'required',
  field,
  args: { fields: [{ module, field: name }] },
});

/** Something comes in. Rule: receiving#required. */
export const validateReceipt = (machines: readonly unknown[], boards: readonly unknown[]): Problem[] =>
  machines.length + boards.length > 0 ? [] : [missing('receiveSn', 'rmaReceiveBillLineRequestList')];

/** Each device has a depreciation that exists. Rule: receiving#required. */
export function validateMachines(machines: readonly Machine[], depreciations: readonly string[]): Problem[] {
  return machines.flatMap(({ depreciation, field }): Problem[] => {
    if (depreciation === '') return [missing('depreciation', `${field}.depreciation`)];
    if (depreciations.includes(depreciation)) return [];
    const args = { field: { module: 'rmaReceiveBillLineItem', field: 'depreciation' } };
    return [{ key: 'format', field: `${field}.depreciation`, args }];
  });
}

/**
 * A line of boards names its model, and how many of them can be repaired or not: at least one.
 * Rule: receiving#required.
 */
export function validateBoards(boards: readonly Omit<BoardEntry, 'mtblId'>[]): Problem[] {
  return boards.flatMap(({ field, salesCode, repairable, unrepairable }): Problem[] => {
    if (salesCode === '') return [missing('salesCode', `${field}.salesCode`, 'rmaReceiveBillLine')];
    const label = boardCount;
    if (!(repairable + unrepairable > 0)) {
      return [{ key: 'required', field: `${field}.repairableCount`, args: { fields: [label] } }];
    }
    if (repairable + unrepairable <= BOARDS_AT_ONCE) return [];
    return [{ key: 'atMost', field: `${field}.repairableCount`, args: { field: label, max: BOARDS_AT_ONCE } }];
  });
}
export const boardCount = { zh: '板卡数量', en: 'The count of boards' };

/** Boards are of a model that the catalogue knows as one. Rule: events#e04. */
export function validateModel(salesCode: string, known: Pick<Known, 'type'> | undefined, field: string): Problem[] {
  const what = { module: 'rmaReceiveBillLine', field: 'salesCode' };
  if (!known) return [{ key: 'notFound', field, args: { what, value: salesCode } }];
  return known.type === GoodsType.Board ? [] : [{ key: 'notBoardModel', field, args: { salesCode } }];
}

/** A not-our-company entry has SN and type. Rule: receiving#not-ours. */
export function validateNonOfficial(sn: string, type: string): Problem[] {
  const sns = sn === '' ? [missing('sn', 'sn', 'ubsItemObject')] : [];
  if (type === '') return [...sns, missing('type', 'type', 'ubsItemObject')];
  const isType = type === GoodsType.Device || type === GoodsType.Board;
  return isType
    ? sns
    : [...sns, { key: 'format', field: 'type', args: { field: { module: 'ubsItemObject', field: 'type' } } }];
}

/** A unit as it stands on its receipt. */
interface Received {
  sn: string;
  /** The SN that came in for its item: another one's, where this part took its place. */
  receiveSn: string | null;
  ivyId: Node | null;
  held: object | null;
  checkTime: number | null;
}

/**
 * Only what waits for its first test, and never had one since it came, may be taken off its receipt; what a return to
 * first test took back was a test nevertheless. Rule: events#e06.
 */
export const isDeletable = (unit: Received, wasTested: boolean): boolean =>
  unit.ivyId === Node.AwaitingCheck &&
  unit.receiveSn === unit.sn &&
  unit.held === null &&
  unit.checkTime === null &&
  !wasTested;

/** What is taken off a receipt, as the form names it: SNs of a line, as many as it says. */
export interface RemovedLine {
  mtblId: string;
  count: number | null;
  sns: readonly string[];
}

/**
 * The lines are the bill's own, each with as many SNs as it says; those of them that are on the bill are on this line.
 * What was never submitted is on no line yet. Rule: events#e06.
 */
export function validateRemovedLines(
  removed: readonly RemovedLine[],
  mtbId: string,
  { lines, lineOf }: { lines: readonly string[]; lineOf: ReadonlyMap<string, string | null> },
): Problem[] {
  return removed.flatMap(({ mtblId, count, sns }, i): Problem[] => {
    const field = `rmaReceiveBillLineRequestList.${i}`;
    if (mtblId !== '' && !lines.includes(mtblId)) {
      return [{ key: 'notTogether', field: `${field}.mtblId`, args: { part: mtblId, whole: mtbId } }];
    }
    if (count !== null && count !== sns.length) {
      return [{ key: 'count', field: `${field}.count`, args: { a: count, b: sns.length } }];
    }
    const strange = sns.filter((sn) => mtblId !== '' && lineOf.has(sn) && lineOf.get(sn) !== mtblId);
    return strange.map((sn) => ({ key: 'notTogether', field: `${field}.snList`, args: { part: sn, whole: mtblId } }));
  });
}

/**
 * That something else has left for a unit keeps it in the workshop; what is on the bill still is judged by itself.
 * Rule: events#e06.
 */
export const validateNotReplaced = (replaced: Iterable<string>, onBill: readonly string[]): Problem[] =>
  [...replaced]
    .filter((sn) => !onBill.includes(sn))
    .map(() => ({
      key: 'laterFirst',
      field: 'snList',
      args: { step: { options: 'workflowSteps', value: 'deliver' } },
    }));

/** Only an SN that the archive does not know is entered as somebody else's. Rule: events#e05, receiving#not-ours. */
export function validateUnknownSn(sn: string, known: { origin: string | null } | undefined): Problem[] {
  if (!known) return [];
  return [{ key: known.origin === Origin.NotOurs ? 'alreadyRegistered' : 'officialSn', field: 'sn', args: { sn } }];
}

/**
 * Where a site wants it so, goods come in only after their parcel was signed for; without a number there is none.
 * Rule: receiving#signed-first.
 */
export const validateSigning = (no: string | null, isSigned: boolean, signsFirst: boolean): Problem[] =>
  !no || isSigned || !signsFirst ? [] : [{ key: 'signFirst', args: { no } }];

/** Goods come in only while the receipt of the bill is open. Rule: bills#receipt-states. */
export const validateBillStatus = (billStatus: string | null): Problem[] =>
  mayReceive(billStatus) ? [] : [{ key: 'receivingClosed' }];

/**
 * What forbids to receive an SN as a device: not ours by the archive, a board, in the workshop already, scrapped, another
 * site's, or a stock machine. A unit that was shipped, or never was here, may come. Rule: events#e03.
 */
export function validateArrival(
  sn: string,
  known: Known | undefined,
  location: UnitLocation | undefined,
  siteId: string,
  field = 'sn',
): Problem[] {
  if (!known) return [{ key: 'notInArchive', field, args: { sn } }];
  if (known.type === GoodsType.Board && known.salesCode !== NOT_OUR) return [{ key: 'isBoard', field, args: { sn } }];
  if (location?.held && isOfSite(location, siteId)) return validateNotHeld({ sn, held: location.held }, field);
  if (location?.held) return [{ key: 'otherSite', field, args: { sn } }];
  if (!location || location.ivyId === null || location.ivyId === Node.Shipped) return [];
  if (location.siteId !== siteId) return [{ key: 'otherSite', field, args: { sn } }];
  if (location.ivyId === Node.Scrapped) return [{ key: 'scrapped', field, args: { sn } }];
  if (location.mtbId === null) return [{ key: 'stockMachine', field, args: { sn } }];
  return [{ key: 'inHouse', field, args: { sn, mtbId: location.mtbId, node: wordOfNode(location.ivyId) } }];
}

/** What is inside a device of the workshop does not come to the dock. Rule: receiving#once-only. */
export const validateNotInDevice = (sn: string, device: string | undefined, field = 'sn'): Problem[] =>
  device === undefined ? [] : [{ key: 'partBound', field, args: { sn, device } }];

/**
 * The line of the bill that takes such goods: of their own code, else of one of their slave codes.
 * Rule: receiving#matching.
 */
export function lineFor<Line extends BillLine>(known: Known, lines: readonly Line[]): Line | undefined {
  const alike = lines.filter((it) => it.type === known.type);
  return (
    alike.find((it) => it.salesCode === known.salesCode) ?? alike.find((it) => known.slaveCodes.includes(it.salesCode))
  );
}

/** Whether a line may take such goods at all. */
export const fitsLine = (known: Known, line: BillLine): boolean => lineFor(known, [line]) !== undefined;

/**
 * Shipped after a repair so lately, a device has the repair's warranty and counts as a second return.
 * Rule: receiving#findings.
 */
export const REPAIR_WARRANTY_DAYS = 90;

/** What a receipt finds out about a device. Rule: receiving#findings. */
interface Findings {
  inWarranty: boolean;
  recently: boolean;
  maintains: number;
  mixed: boolean;
  lastUserId: string | null;
}

export const warrantyOf = (it: Pick<Findings, 'inWarranty' | 'recently'>): string => {
  if (it.inWarranty) return Warranty.In;
  return it.recently ? Warranty.Repair : Warranty.Out;
};

/** Somebody else sends the machine in than the last time. */
export const isSecondHand = (lastUserId: string | null, userId: string | null): boolean =>
  lastUserId !== null && userId !== null && lastUserId !== userId;

/** Puts each device on its declared item where one still waits, the one declared for this SN first; `null` = a new item. */
export function assignItems(
  devices: readonly { sn: string; mtblId: string }[],
  waiting: readonly { mtbliId: string; mtblId: string; receiveSn: string | null }[],
): (string | null)[] {
  const free = new Set(waiting);
  const take = (is: (it: (typeof waiting)[number]) => boolean) => {
    const found = [...free].find(is);
    if (found) free.delete(found);
    return found?.mtbliId ?? null;
  };
  const named = devices.map(({ sn, mtblId }) => take((it) => it.mtblId === mtblId && it.receiveSn === sn));
  return devices.map(({ mtblId }, i) => named[i] ?? take((it) => it.mtblId === mtblId && !it.receiveSn));
}
