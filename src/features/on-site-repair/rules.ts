import {
  BOARD_COUNT,
  ComponentType,
  isQrCode,
  normaliseQrCode,
  qrCodeFor,
  slotsOf,
  type Slot,
} from '#domain/assembly.ts';
import { DOMESTIC_COUNTRY } from '#domain/billLanguage.ts';
import { BillStatus, GoodsType, PIECES_MAX } from '#domain/enums.ts';
import { isOfSite, validateNotHeld } from '#domain/hold.ts';
import { splitUrls } from '#domain/images.ts';
import { isOwnBill } from '#domain/maintainBill.ts';
import { Node } from '#domain/nodes.ts';
import type { Arg, Problem } from '#domain/refusal.ts';
import { isCountedBySlots } from '#domain/repairRecord.ts';
import { parseSlots } from '#domain/slots.ts';
import { isSn, NO_PART, normaliseSn, repeatedSns } from '#domain/sn.ts';
import { parseLanguage, type Language } from '#domain/words.ts';
import { wordOfNode, type GuardedUnit } from '#domain/workflow.ts';

/** How many pictures one record of a visit holds. Rule: on-site-repair#records. */
export const VISIT_PICTURES = 3;

/**
 * What is repaired at a customer: the device, power, controls, the boards for power, IO and BB, and four computing
 * boards. Rule: on-site-repair#records.
 */
export const visitPartsTypes: readonly string[] = Array.from({ length: 10 }, (_, i) => String(i + 1));

/** The positions of a device at a customer: each part has a QR code number there. Rule: on-site-repair#parts. */
export const visitSlots: readonly Slot[] = slotsOf(BOARD_COUNT).map((it) => ({ ...it, hasQrCode: true }));

/** One record as it is entered. */
export interface VisitRow {
  sn: string;
  partsType: string;
  repairMethod: string;
  codes: readonly unknown[];
  slot: string;
  spendItemCount: number | null;
  urls?: string | readonly string[] | null | undefined;
}

/** The slots of a record, each once. Rule: on-site-repair#spent. */
export const visitSlotsOf = (slot: string): string[] => [...new Set(parseSlots(slot))];

/**
 * How many pieces a record spends: one a slot where slots are replaced or changed, else what was entered, or one.
 * Rule: on-site-repair#spent.
 */
export const visitCountOf = ({
  repairMethod,
  slot,
  spendItemCount,
}: Omit<VisitRow, 'sn' | 'codes' | 'partsType'>): number =>
  isCountedBySlots(repairMethod) ? visitSlotsOf(slot).length : (spendItemCount ?? 1);

const lineField = (field: string): Arg => ({ module: 'rmaSiteRepairBillLine', field });
const required = (field: string, ...fields: Arg[]): Problem => ({ key: 'required', field, args: { fields } });
const malformed = (field: string, what: Arg): Problem => ({ key: 'format', field, args: { field: what } });

/** What a record of a visit may be of. */
interface VisitKnown {
  /** The methods that are offered, as at the stations. Rule: repairing#methods. */
  repairMethods: readonly string[];
  /** The slots of its bill of material: null where that says nothing, empty where none was chosen and none is known. */
  slots: ReadonlySet<string> | null;
}

/**
 * What is wrong with one record of a visit, by the names of the form. Rule: on-site-repair#records, on-site-repair#veneers.
 */
export function validateVisitRow(row: VisitRow, { repairMethods, slots }: VisitKnown): Problem[] {
  const entered = visitSlotsOf(row.slot);
  const sn = normaliseSn(row.sn);
  const problems: Problem[] = [];
  if (row.partsType === '') problems.push(required('partsType', lineField('partsType')));
  else if (!visitPartsTypes.includes(row.partsType)) problems.push(malformed('partsType', lineField('partsType')));
  if (row.repairMethod === '') problems.push(required('repairMethod', lineField('repairMethod')));
  else if (!repairMethods.includes(row.repairMethod))
    problems.push(malformed('repairMethod', lineField('repairMethod')));
  if (entered.length === 0) problems.push(required('slot', lineField('slot')));
  if (row.codes.length === 0) problems.push(required('issueCodeIdList', lineField('icdIds')));
  if (sn === '') problems.push(required('sn', lineField('componentSn')));
  else if (!isSn(sn)) problems.push(malformed('sn', lineField('componentSn')));
  const unknown = slots ? entered.find((it) => !slots.has(it)) : undefined;
  if (unknown !== undefined) problems.push({ key: 'slot', field: 'slot', args: { slot: unknown } });
  return [...problems, ...countProblems(row), ...pictureProblems(row)];
}

/** At least one piece is spent; a record without slots is refused for those. Rule: on-site-repair#spent. */
function countProblems(row: VisitRow): Problem[] {
  const count = visitCountOf(row);
  const isTooFew = !isCountedBySlots(row.repairMethod) && count < 1;
  if (!Number.isInteger(count) || isTooFew) return [malformed('spendItemCount', lineField('spendItemCount'))];
  if (count <= PIECES_MAX) return [];
  return [{ key: 'atMost', field: 'spendItemCount', args: { field: lineField('spendItemCount'), max: PIECES_MAX } }];
}

const pictureProblems = ({ urls }: VisitRow): Problem[] =>
  splitUrls(urls).length > VISIT_PICTURES
    ? [{ key: 'images', field: 'repairUrls', args: { min: 0, max: VISIT_PICTURES } }]
    : [];

/** A part of the device as it is entered, all of it normalised. */
export interface VisitPart {
  sn: string;
  componentType: string;
  qrCodeNum: string;
}

/** A part as it is kept: a computing board that is not there has XXXX as its QR code number. Rule: on-site-repair#parts. */
export function visitPartOf(scanned: string, componentType: string, qrCode: string): VisitPart {
  const sn = normaliseSn(scanned);
  const entered = normaliseQrCode(qrCode);
  return { sn, componentType, qrCodeNum: componentType === ComponentType.Board ? qrCodeFor(sn, entered) : entered };
}

/**
 * What is wrong with the parts that were entered; all of them may be left out. One that is entered has an SN of its own
 * and a QR code number; XXXX stands only for a computing board. Rule: on-site-repair#parts.
 */
export function validatePartsOfVisit(
  deviceSn: string,
  parts: readonly VisitPart[],
  fieldOf: (i: number, field: 'sn' | 'qrCode') => string,
): Problem[] {
  const snLabel = { module: 'rmaAssembleBillLine', field: 'sn' };
  const qrLabel = { module: 'rmaAssembleBillLine', field: 'qrCodeNum' };
  const repeated = new Set(repeatedSns([deviceSn, ...parts.map((it) => it.sn)].filter((it) => it !== '')));
  return parts.flatMap(({ sn, qrCodeNum, componentType }, i): Problem[] => {
    const isBoard = componentType === ComponentType.Board;
    if (sn === '' && qrCodeNum === '') return [];
    if (sn === '' || (!isBoard && sn === NO_PART)) return [required(fieldOf(i, 'sn'), snLabel)];
    if (qrCodeNum === '') return [required(fieldOf(i, 'qrCode'), qrLabel)];
    if (repeated.has(sn)) return [{ key: 'duplicateSn', field: fieldOf(i, 'sn'), args: { sn } }];
    if (!isSn(sn)) return [malformed(fieldOf(i, 'sn'), snLabel)];
    const isAllowed = isQrCode(qrCodeNum) && (isBoard || qrCodeNum !== NO_PART);
    return isAllowed ? [] : [{ key: 'qrCodeIllegal', field: fieldOf(i, 'qrCode') }];
  });
}

type Parts = Readonly<Record<string, { sn: string; qrCode: string }>>;

/** The same of a form that has each position by its name. */
export function validateVisitParts(deviceSn: string, parts: Parts): Problem[] {
  const entered = visitSlots.map(({ name, componentType }) =>
    visitPartOf(parts[name]?.sn ?? '', componentType, parts[name]?.qrCode ?? ''),
  );
  return validatePartsOfVisit(deviceSn, entered, (i, what) => `${visitSlots[i]?.name}.${what}`);
}

/** What a submit has to hold before anything is asked of it. Rule: on-site-repair#submit. */
export function validateVisit(visit: { mtbId: string; sn: string; checkCodes: number; rows: number }): Problem[] {
  const problems: Problem[] = [];
  if (visit.mtbId === '') problems.push(required('mtbId', { module: 'rmaSiteRepairBill', field: 'mtbId' }));
  if (visit.sn === '') problems.push(required('productSn', lineField('productSn')));
  if (visit.checkCodes === 0) problems.push(required('checkIssueCodeIdList', lineField('checkIcdIds')));
  if (visit.rows === 0) problems.push(required('repairInfoList', lineField('componentSn')));
  return problems;
}

/** Goods may still be repaired at the customer of a bill in these states. Rule: on-site-repair#bills. */
const openBills: readonly string[] = [BillStatus.Awaiting, BillStatus.Received, BillStatus.ReceivedLater];

/** Only an order of a customer that has not ended has visits. Rule: on-site-repair#bills. */
export function validateVisitBill(
  bill: { mtbId: string; billStatus: string; billType: string | null },
  field = 'mtbId',
): Problem[] {
  const { mtbId: id, billStatus, billType } = bill;
  if (billStatus === BillStatus.Finished) return [{ key: 'billFinished', field, args: { id } }];
  if (isOwnBill(billType)) return [{ key: 'ownGoodsApart', field, args: { id } }];
  if (openBills.includes(billStatus)) return [];
  const word = (value: string): Arg => ({ options: 'billStatus', value });
  return [{ key: 'billState', field, args: { id, status: word(billStatus), expected: openBills.map(word) } }];
}

/** What the archive or the workshop knows of a device. */
export interface DeviceKnown {
  type: string;
  salesCode: string;
  name: string;
  itemId: number | null;
}

/** What a bill says of a device. */
export interface PlaceOnBill {
  /** An item of it names the device. */
  isNamed: boolean;
  isRepaired: boolean;
  /** Of the device's model. */
  declared: number;
  /** Of the model: the devices that items name, and those that were repaired on the bill. */
  taken: number;
}

/**
 * What forbids to repair a device at its customer on this bill: a board; spoken for by another bill; in the workshop or
 * scrapped there; repaired on the bill before; not of the bill, which has no open count of its model either.
 * Rule: on-site-repair#devices.
 */
export function validateVisitDevice(
  sn: string,
  known: DeviceKnown,
  unit: GuardedUnit | undefined,
  bill: { mtbId: string; siteId: string; place: PlaceOnBill },
  field = 'sn',
): Problem[] {
  if (known.type === GoodsType.Board) return [{ key: 'isBoard', field, args: { sn } }];
  const gone = unit ? validateAway(unit, bill.siteId, field) : [];
  if (gone.length > 0) return gone;
  const { mtbId, place } = bill;
  if (place.isRepaired) return [{ key: 'repairedOnSite', field, args: { sn, mtbId } }];
  const isOfBill = place.isNamed || unit?.mtbId === mtbId || place.taken < place.declared;
  return isOfBill ? [] : [{ key: 'notOfVisit', field, args: { sn, code: known.salesCode, mtbId } }];
}

/** A device at its customer was shipped, or never was in the workshop; where else it stands is told to its own site. */
function validateAway(unit: GuardedUnit, siteId: string, field: string): Problem[] {
  const { sn, ivyId, held } = unit;
  const isAway = ivyId === null || ivyId === Node.Shipped;
  if (isAway && held === null) return [];
  if (!isOfSite(unit, siteId)) return [{ key: 'otherSite', field, args: { sn } }];
  const spokenFor = validateNotHeld(unit, field);
  if (spokenFor.length > 0) return spokenFor;
  if (ivyId === Node.Scrapped) return [{ key: 'scrapped', field, args: { sn } }];
  const expected = [null, Node.Shipped].map(wordOfNode);
  return [{ key: 'wrongNode', field, args: { sn, node: wordOfNode(ivyId), expected } }];
}

/** A part that is bound, or is to be. */
interface PlacedPart {
  sn: string;
  componentType: string;
  qrCodeNum: string | null;
}

/**
 * Of what a device consists after a visit: what was entered takes the place of what was there, position by position, as
 * the boards stand in the order in which they were bound; the others stay. Rule: on-site-repair#parts.
 */
export function partsAfter(
  bound: readonly PlacedPart[],
  entered: readonly (VisitPart & { name: string })[],
): PlacedPart[] {
  const kinds = [...new Set([...visitSlots, ...bound, ...entered].map((it) => it.componentType))];
  return kinds.flatMap((kind) => {
    // What was entered for another position is not in this one any more.
    const isMoved = ({ sn }: PlacedPart) => entered.some((it) => it.sn === sn);
    const places = bound.filter((it) => it.componentType === kind).map((it) => (isMoved(it) ? undefined : it));
    const after: (PlacedPart | undefined)[] = [...places];
    entered
      .filter((it) => it.componentType === kind)
      .forEach(({ name, ...part }, i) => (after[positionOf(name) ?? i] = part));
    return after.flatMap((it) => it ?? []);
  });
}

/** Which of its kind a position is, by its name. */
const positionOf = (name: string): number | undefined => {
  const number = /^board([1-9])$/.exec(name)?.[1];
  return number === undefined ? undefined : Number(number) - 1;
};

/** How many parts of each kind a device has; what is no part of it is not entered. Rule: on-site-repair#parts. */
export function validateKinds(parts: readonly VisitPart[], fieldOf: (i: number) => string): Problem[] {
  const most = (type: string) => visitSlots.filter((it) => it.componentType === type).length;
  const what = { module: 'rmaAssembleBillLine', field: 'componentType' };
  return parts.flatMap(({ componentType }, i): Problem[] => {
    const before = parts.slice(0, i).filter((it) => it.componentType === componentType).length;
    return before < most(componentType) ? [] : [malformed(fieldOf(i), what)];
  });
}

/** What the customer of an order reads: who is abroad English; the language of the house where no country is told. */
export const customerLanguage = (countryId: string | null): Language =>
  parseLanguage(countryId && countryId !== DOMESTIC_COUNTRY ? 'en' : undefined);
