import { BOARD_COUNT, slotsOf, validateParts, type EnteredPart } from '#domain/assembly.ts';
import { BillStatus, ScrapRepairStatus } from '#domain/enums.ts';
import { isOfSite, validateNotHeld } from '#domain/hold.ts';
import { Node } from '#domain/nodes.ts';
import type { Arg, Problem } from '#domain/refusal.ts';
import type { RepairRow } from '#domain/repairRecord.ts';
import { NO_PART } from '#domain/sn.ts';
import { wordOfNode, type GuardedUnit } from '#domain/workflow.ts';

/** No bill has more SNs. Rule: scrap-repair#combining. */
export const SCRAP_MAX = 1000;
export const DEPARTMENT_LENGTH = 100;

/** A unit that comes back has a power, controls and four boards. Rule: scrap-repair#units. */
export const acceptSlots = slotsOf(BOARD_COUNT);

const LIST = 'scrapRepairLineRequestList';
const billField = (field: string): Arg => ({ module: 'rmaScrapRepairBill', field });
const missing = (field: string, word = billField(field)): Problem => ({
  key: 'required',
  field,
  args: { fields: [word] },
});

/** What is entered beside the SNs. */
interface Combined {
  siteId: string;
  count: number | null;
}

/** There is a site first, then SNs, and just as many as were counted. Rule: scrap-repair#combining. */
export function validateCombined({ siteId, count }: Combined, scanned: number): Problem[] {
  if (siteId === '') return [missing('siteId')];
  if (scanned === 0) return [missing(LIST, { zh: 'SN', en: 'SN' })];
  if (count === null || count === 0) return [missing('count')];
  return count === scanned ? [] : [{ key: 'scrapCount', field: 'count', args: { expected: count, given: scanned } }];
}

/**
 * Only scrap of the site goes out that no open bill of a customer and nothing else speaks for. Rule: scrap-repair#scrap.
 */
export function validateScrap(sn: string, unit: GuardedUnit | undefined, siteId: string, field = 'sn'): Problem[] {
  if (!unit) return [{ key: 'notFound', field, args: { what: 'SN', value: sn } }];
  if (!isOfSite(unit, siteId)) return [{ key: 'otherSite', field, args: { sn } }];
  const held = validateNotHeld(unit, field);
  if (held.length > 0) return held;
  if (unit.ivyId !== Node.Scrapped) return [{ key: 'notScrap', field, args: { sn, node: wordOfNode(unit.ivyId) } }];
  return unit.mtbId && unit.billStatus !== BillStatus.Finished
    ? [{ key: 'scrapOnBill', field, args: { sn, mtbId: unit.mtbId } }]
    : [];
}

/** What was sent beside an SN is what the SN is. Rule: guard#belonging. */
export const validateSalesCode = (sn: string, said: string, is: string, field: string): Problem[] =>
  said === '' || said === is ? [] : [{ key: 'notTogether', field, args: { part: sn, whole: said } }];

/** A bill, as far as it decides who does what with it. */
export interface ScrapRepair {
  srbId: string;
  billStatus: string;
  siteId: string;
}

/** A bill waits for its units; one that was received once is not entered again. Rule: scrap-repair#states. */
export function validateOpen({ srbId, billStatus }: ScrapRepair, field: string): Problem[] {
  if (billStatus === ScrapRepairStatus.Open) return [];
  if (billStatus === ScrapRepairStatus.Ended) return [{ key: 'outsourcingDone', field, args: { id: srbId } }];
  const word = (value: string): Arg => ({ options: 'scrapRepairStatus', value });
  const args = { id: srbId, status: word(billStatus), expected: word(ScrapRepairStatus.Open) };
  return [{ key: 'billState', field, args }];
}

/** A submit names the bill that it is for, and its own site. Rule: guard#belonging. */
export function validateNamed(given: { srbId: string; siteId: string }, siteId?: string): Problem[] {
  const empty = (['srbId', 'siteId'] as const).filter((it) => given[it] === '');
  if (empty.length > 0) return empty.map((it) => missing(it));
  return siteId === undefined || given.siteId === siteId
    ? []
    : [{ key: 'notTogether', field: 'siteId', args: { part: given.siteId, whole: given.srbId } }];
}

/** Who made it gives it up, or somebody who sees all sites. Rule: scrap-repair#cancelling. */
export const validateCanceller = (
  { srbId, createBy }: ScrapRepair & { createBy: string },
  { userId, seesAll }: { userId: string; seesAll: boolean },
): Problem[] =>
  createBy === userId || seesAll ? [] : [{ key: 'notBillMaker', field: 'id', args: { id: srbId, user: createBy } }];

/** An SN is one of the bill. Rule: scrap-repair#accepting. */
export const validateOnBill = (sn: string, lines: readonly { sn: string }[], srbId: string, field = 'sn'): Problem[] =>
  lines.some((it) => it.sn === sn) ? [] : [{ key: 'notOnScrapBill', field, args: { sn, id: srbId } }];

/** A unit that came back, as it is entered; SNs normalised. */
export interface AcceptedUnit {
  productSn: string;
  /** How many. */
  checkCodes: number;
  repairs: readonly Pick<RepairRow, 'partsType'>[];
  parts: readonly EnteredPart[];
  assistSns: readonly string[];
}

/**
 * What is wrong with a unit beside those that were added before: an SN that is a main or auxiliary one already, itself
 * as its auxiliary, and what it lacks, in the order in which it is entered. Rule: scrap-repair#units.
 */
export function validateAccepted(unit: AcceptedUnit, added: readonly AcceptedUnit[], at = ''): Problem[] {
  const { productSn: sn, parts, assistSns } = unit;
  if (sn === '') return [missing(`${at}productSn`, { module: 'rmaScrapRepairBillLine', field: 'productSn' })];
  const taken = new Set(added.flatMap((it) => [it.productSn, ...it.assistSns]));
  const twice = (it: string, field: string): Problem => ({ key: 'duplicateSn', field, args: { sn: it } });
  if (taken.has(sn)) return [twice(sn, `${at}productSn`)];
  const wrong = assistSns.flatMap((it, i): Problem[] => {
    const field = `${at}assistSnList.${i}`;
    if (it === sn) return [{ key: 'notAuxiliary', field, args: { sn } }];
    return taken.has(it) || assistSns.indexOf(it) < i ? [twice(it, field)] : [];
  });
  if (wrong.length > 0) return wrong;
  return [...validateAssembly(unit, added, at), ...validateWhole(unit, at), ...sameAsDonor(parts, assistSns, at)];
}

/** All six parts are there, each as its position wants it, and in no other unit. Rule: scrap-repair#units. */
function validateAssembly(
  { productSn: sn, parts }: AcceptedUnit,
  added: readonly AcceptedUnit[],
  at: string,
): Problem[] {
  const isWhole = parts.length === acceptSlots.length && parts.every((it) => it.sn !== '');
  const list = `${at}assembleInfoList`;
  if (!isWhole) return [{ key: 'assemblyInfo', field: list, args: { sn } }];
  const inField = (field = '') => field.replace('partsList', list);
  const used = new Set(added.flatMap((it) => it.parts.map((part) => part.sn)).filter((it) => it !== NO_PART));
  return [
    ...validateParts(sn, parts).map((it) => ({ ...it, field: inField(it.field) })),
    ...parts.flatMap((it, i): Problem[] =>
      used.has(it.sn) ? [{ key: 'duplicateSn', field: `${list}.${i}.sn`, args: { sn: it.sn } }] : [],
    ),
  ];
}

const validateWhole = ({ productSn: sn, checkCodes, repairs, assistSns }: AcceptedUnit, at: string): Problem[] => [
  ...(checkCodes === 0 ? [{ key: 'checkInfo' as const, field: `${at}checkIssueCodeIdList`, args: { sn } }] : []),
  ...(repairs.length === 0 ? [{ key: 'repairInfo' as const, field: `${at}repairInfoList`, args: { sn } }] : []),
  ...(assistSns.length === 0 ? [{ key: 'auxiliaryInfo' as const, field: `${at}assistSnList`, args: { sn } }] : []),
];

/** What was used up as a whole is no part by itself. */
const sameAsDonor = (parts: readonly EnteredPart[], assistSns: readonly string[], at: string): Problem[] =>
  parts.flatMap(({ sn }, i): Problem[] =>
    assistSns.includes(sn) ? [{ key: 'duplicateSn', field: `${at}assembleInfoList.${i}.sn`, args: { sn } }] : [],
  );

/** There is a unit, and each is whole beside the ones before it. Rule: scrap-repair#accepting. */
export const validateUnits = (units: readonly AcceptedUnit[]): Problem[] =>
  units.length === 0
    ? [{ key: 'submitInfo', field: 'list' }]
    : units.flatMap((it, i) => validateAccepted(it, units.slice(0, i), `list.${i}.`));

/** An added unit as its SNs are still on the list of the station: without its main SN there is none. */
export function stillScanned<Unit extends { productSn: string; assistSns: readonly string[] }>(
  units: readonly Unit[],
  scanned: readonly string[],
): Unit[] {
  const there = new Set(scanned);
  return units
    .filter((it) => there.has(it.productSn))
    .map((it) => ({ ...it, assistSns: it.assistSns.filter((sn) => there.has(sn)) }));
}

/** What was scanned for the unit in work: its main SN first, then those that were used up for it. */
export function rolesOf(
  units: readonly { productSn: string; assistSns: readonly string[] }[],
  scanned: readonly string[],
): { productSn: string; assistSns: string[] } {
  const added = new Set(units.flatMap((it) => [it.productSn, ...it.assistSns]));
  const [productSn = '', ...assistSns] = scanned.filter((it) => !added.has(it));
  return { productSn, assistSns };
}
