import { BillStatus, DeliverStatus, Flag, OperateStatus, StockupStatus } from '#domain/enums.ts';
import { isReceived } from '#domain/maintainBill.ts';
import { Node } from '#domain/nodes.ts';
import type { Arg, Problem } from '#domain/refusal.ts';
import { wordsOfHold, type GuardedUnit } from '#domain/workflow.ts';

/** What the actions have to know of an item: its line and bill, and the unit that stands for it now. */
export interface ActedItem {
  mtbliId: string;
  mtblId: string;
  mtbId: string;
  billStatus: string | null;
  /** Of its line. */
  type: string | null;
  siteId: string | null;
  receiveSn: string | null;
  receiveStatus: string | null;
  deliverStatus: string | null;
  deliverSiteId: string | null;
  deliverSalesCode: string | null;
  salesCode: string | null;
  scrap: string | null;
  unit: GuardedUnit | null;
}

const module = 'rmaMaintainBillLineItem';
const required = (name: string, of = module, field = name): Problem => ({
  key: 'required',
  field,
  args: { fields: [{ module: of, field: name }] },
});

/** By which of its names people know an item. */
export const nameOf = ({ unit, receiveSn, mtbliId }: Pick<ActedItem, 'unit' | 'receiveSn' | 'mtbliId'>): string =>
  unit?.sn ?? receiveSn ?? mtbliId;

/** Something is selected, each item is named, and none twice. Spec 2 §5 Bill actions. */
export function problemsOfRefs(refs: readonly string[], list: string): Problem[] {
  if (refs.length === 0) return [required('mtbliId', module, list)];
  return refs.flatMap((ref, i): Problem[] => (ref === '' ? [required('mtbliId', module, `${list}.${i}.mtbliId`)] : []));
}

/** Another site's unit is left alone by all but provider staff, whose `siteId` is null. Decisions 2, 1.8 G6. */
export const problemsOfSite = ({ sn, siteId: at }: GuardedUnit, siteId: string | null, field: string): Problem[] =>
  siteId === null || at === siteId ? [] : [{ key: 'otherSite', field, args: { sn } }];

/**
 * What forbids an action of the office on an item, in the order of the general guard: another site's unit, shipped, scrapped, bought out, held, its bill finished. Decisions 2, 1.8.
 */
export function problemsOfItem(item: ActedItem, siteId: string | null, field: string): Problem[] {
  const sn = nameOf(item);
  const { unit } = item;
  const elsewhere = unit ? problemsOfSite(unit, siteId, field) : [];
  if (elsewhere.length > 0) return elsewhere;
  if (item.deliverStatus === DeliverStatus.Shipped) return [{ key: 'shipped', field, args: { sn } }];
  if (item.deliverStatus === DeliverStatus.Scrapped) return [{ key: 'scrapped', field, args: { sn } }];
  if (item.deliverStatus === DeliverStatus.BoughtOut) return [{ key: 'boughtOut', field }];
  if (unit?.held) return [{ key: 'held', field, args: { sn, ...wordsOfHold(unit.held) } }];
  if (item.billStatus === BillStatus.Finished) return [{ key: 'billFinished', field, args: { id: item.mtbId } }];
  return [];
}

/** Only what is in the house is bought. Decisions 2 E28. */
export const problemsOfReceipt = (item: ActedItem, field: string): Problem[] =>
  isReceived(item) ? [] : [{ key: 'notReceived', field, args: { item: item.mtbliId } }];

/** The item is the one that the caller saw on this line or bill. */
export const problemsOfPlace = (part: string, whole: { is: string; said: string }, field: string): Problem[] =>
  whole.is === whole.said ? [] : [{ key: 'notTogether', field, args: { part, whole: whole.said } }];

/** Each group of a buy-out names its items and why they are bought. Spec 2 §5 Bill actions. */
export function problemsOfBuyOut(
  groups: readonly { mtblId: string; mtbliIdList: readonly string[]; remark: string }[],
): Problem[] {
  if (groups.length === 0) return [required('mtbliId', module, 'list')];
  return groups.flatMap(({ mtblId, mtbliIdList, remark }, i): Problem[] => [
    ...(mtblId === '' ? [required('mtblId', module, `${i}.mtblId`)] : []),
    ...problemsOfRefs(mtbliIdList, `${i}.mtbliIdList`),
    ...(remark === '' ? [required('remark', 'rmaMaintainBill', `${i}.remark`)] : []),
  ]);
}

/** A flag is 0 or 1; left out it is 0. */
export function problemsOfFlag(value: string, field: string, label: Arg): Problem[] {
  const isFlag = value === '' || value === Flag.No || value === Flag.Yes;
  return isFlag ? [] : [{ key: 'format', field, args: { field: label } }];
}

/** Units that are still in the house keep a bill open, unless they are given up. Decisions 2 E29. */
export function problemsOfClosing(mtbId: string, open: readonly string[], discards: boolean): Problem[] {
  if (open.length === 0 || discards) return [];
  const sns = open.length > MOST_NAMED ? [...open.slice(0, MOST_NAMED), '…'] : [...open];
  return [{ key: 'unitsInHouse', field: 'mtbId', args: { n: open.length, mtbId, sns } }];
}

const MOST_NAMED = 50;

/** What a return to the first test says of itself: all three names of each unit. */
export function problemsOfReturned(rows: readonly { sn: string; mtbliId: string; mtbId: string }[]): Problem[] {
  if (rows.length === 0) return [required('mtbliId', module, 'list')];
  return rows.flatMap(({ mtbliId, mtbId }, i): Problem[] => [
    ...(mtbliId === '' ? [required('mtbliId', module, `${i}.mtbliId`)] : []),
    ...(mtbId === '' ? [required('mtbId', module, `${i}.mtbId`)] : []),
  ]);
}

/**
 * What forbids to test a unit from the beginning again: it is another site's, it was shipped or bought out, it stands for
 * another item or bill, its bill is finished, it was given up, or it waits for its first test already; a repeat is told
 * as such. Decisions 2 E30.
 */
export function problemsOfReturn(
  unit: GuardedUnit & { mtbliId: string | null },
  item: Pick<ActedItem, 'deliverStatus' | 'receiveSn' | 'scrap'> | undefined,
  said: { mtbliId: string; mtbId: string; siteId: string | null; latest: string | null },
  field: string,
): Problem[] {
  const { sn } = unit;
  const elsewhere = problemsOfSite(unit, said.siteId, field);
  if (elsewhere.length > 0) return elsewhere;
  if (unit.ivyId === Node.Shipped) return [{ key: 'shipped', field, args: { sn } }];
  if (item?.deliverStatus === DeliverStatus.BoughtOut && item.receiveSn === sn) return [{ key: 'boughtOut', field }];
  const apart = [
    ...problemsOfPlace(sn, { is: unit.mtbliId ?? '', said: said.mtbliId }, field),
    ...problemsOfPlace(sn, { is: unit.mtbId ?? '', said: said.mtbId }, field),
  ];
  if (apart.length > 0) return apart.slice(0, 1);
  if (unit.billStatus === BillStatus.Finished) return [{ key: 'billFinished', field, args: { id: said.mtbId } }];
  if (unit.ivyId === Node.Scrapped && item?.scrap !== Flag.Yes) return [{ key: 'scrapped', field, args: { sn } }];
  if (unit.ivyId !== Node.AwaitingCheck || unit.held) return [];
  return said.latest === OperateStatus.Rollbacked
    ? [{ key: 'rolledBack', field }]
    : [{ key: 'atFirstTest', field, args: { sn } }];
}

export interface CodeChange {
  salesCode: string;
  replaceFlag: string;
  count: number | null;
}

/** A code, how it is meant, and for how many rows. Decisions 2, O-56. */
export function problemsOfChange({ salesCode, replaceFlag, count }: CodeChange, rows: number): Problem[] {
  if (salesCode === '') return [required('salesCode', 'rmaMaintainBillLine')];
  const label = { zh: '换料方式', en: 'Replace flag' };
  if (replaceFlag === '') return [{ key: 'required', field: 'replaceFlag', args: { fields: [label] } }];
  const wrong = problemsOfFlag(replaceFlag, 'replaceFlag', label);
  if (wrong.length > 0 || count === rows) return wrong;
  return [{ key: 'count', field: 'salesCodeCount', args: { a: count ?? 0, b: rows } }];
}

/**
 * An item gets a code only of its own kind of goods, another one than it has, and not while a part of its stock-up bill
 * has left. Decisions 2 E31.
 */
export function problemsOfCode(
  item: ActedItem,
  to: { salesCode: string; type: string; corrects: boolean },
  stockup: { skbId: string; status: string } | undefined,
  field: string,
): Problem[] {
  const { salesCode } = to;
  if (item.type !== to.type) {
    return [{ key: 'format', field, args: { field: { module: 'rmaMaintainBillLine', field: 'salesCode' } } }];
  }
  const now = to.corrects ? item.salesCode : (item.deliverSalesCode ?? item.salesCode);
  if (now === salesCode) return [{ key: 'sameCode', field, args: { code: salesCode } }];
  if (stockup?.status !== StockupStatus.Partly) return [];
  const word = (value: string): Arg => ({ options: 'stockupStatus', value });
  const args = { id: stockup.skbId, status: word(stockup.status), expected: word(StockupStatus.Open) };
  return [{ key: 'billState', field, args }];
}

export interface BillMove {
  mtbId: string;
  mtblId: string;
  moveBillFlag: string;
  deliverFlag: string;
  splitDeliverFlag: string;
}

/** Where to, and what is moved there: the item, its delivery, or its delivery apart; the last two exclude each other. E32. */
export function problemsOfMove(move: BillMove): Problem[] {
  const targets = [
    ...(move.mtbId === '' ? [required('mtbId')] : []),
    ...(move.mtblId === '' ? [required('mtblId')] : []),
  ];
  if (targets.length > 0) return targets;
  const wrong = flagNames.flatMap((it) => problemsOfFlag(move[it], it, flagLabels[it]));
  if (wrong.length > 0) return wrong;
  if (flagNames.every((it) => move[it] !== Flag.Yes)) {
    return [{ key: 'required', field: 'moveBillFlag', args: { fields: flagNames.map((it) => flagLabels[it]) } }];
  }
  const both = move.deliverFlag === Flag.Yes && move.splitDeliverFlag === Flag.Yes;
  return both ? [{ key: 'format', field: 'splitDeliverFlag', args: { field: flagLabels.splitDeliverFlag } }] : [];
}

const flagNames = ['moveBillFlag', 'deliverFlag', 'splitDeliverFlag'] as const;
const flagLabels = {
  moveBillFlag: { zh: '移至目标工单', en: 'Move to the bill' },
  deliverFlag: { zh: '随目标工单发货', en: 'Ship with the bill' },
  splitDeliverFlag: { zh: '单独发货', en: 'Ship apart' },
} as const;

export interface Target {
  mtbId: string;
  mtblId: string;
  type: string | null;
  siteId: string | null;
  billStatus: string | null;
}

/** The target takes goods as long as it is not finished. Decisions 2 E32. */
export const problemsOfTarget = ({ mtbId, billStatus }: Target): Problem[] =>
  billStatus === BillStatus.Finished ? [{ key: 'billFinished', field: 'mtbId', args: { id: mtbId } }] : [];

/**
 * An item goes to another bill of its site, on a line of its kind of goods. Shipping apart alone leaves it on its bill, so
 * that its own bill may be named there. Decisions 2 E32.
 */
export function problemsOfMoved(item: ActedItem, target: Target, move: BillMove, field: string): Problem[] {
  const goes = move.moveBillFlag === Flag.Yes || move.deliverFlag === Flag.Yes;
  if (goes && item.mtbId === target.mtbId) return [{ key: 'sameBill', field, args: { id: target.mtbId } }];
  if ((item.unit?.siteId ?? item.siteId) !== target.siteId) {
    return [{ key: 'billOtherSite', field: 'mtbId', args: { id: target.mtbId } }];
  }
  if (item.type === target.type) return [];
  return [{ key: 'format', field: 'mtblId', args: { field: { module: 'rmaMaintainBillLine', field: 'type' } } }];
}

/** Where an item stands is where its unit is, or where it is to be sent from before it has come. Decisions 2 E33. */
export const siteOf = (item: ActedItem): string | null =>
  isReceived(item) ? (item.unit?.siteId ?? item.siteId) : (item.deliverSiteId ?? item.siteId);

/** An item changes only to another site. Decisions 2 E33. */
export const problemsOfStore = (item: ActedItem, siteId: string, site: string, field: string): Problem[] =>
  siteOf(item) === siteId ? [{ key: 'sameSite', field, args: { site } }] : [];
