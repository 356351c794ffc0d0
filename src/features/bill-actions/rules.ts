import { BillStatus, DeliverStatus, Flag } from '#domain/enums.ts';
import { validateTally, type ItemInHand } from '#domain/itemActions.ts';
import { isReceived, validateNoneInHouse } from '#domain/maintainBill.ts';
import type { Arg, Problem } from '#domain/refusal.ts';
import { isUnseen } from '#domain/signs.ts';

/** What the actions have to know of an item: its line and bill, and the unit that stands for it now. */
export interface ActedItem extends ItemInHand {
  deliverStatus: string;
  mtblId: string;
  /** Of its line. */
  type: string | null;
  siteId: string | null;
  deliverSiteId: string | null;
  deliverSalesCode: string | null;
  salesCode: string | null;
  stockup: string | null;
  /** Of its bill; none of a customer's. */
  billType: string | null;
  /** Of its bill: whose it is. */
  btmUserId: string | null;
  /** Of the bill with whose goods it ships: whose that is. */
  shipsForUserId: string | null;
}

/**
 * An item that may go is stocked up wherever it is sent: also where its stock-up bill was cancelled and lets it wait, and
 * where another unit goes for it ahead of time.
 */
export const isTallied = ({ stockup, deliverStatus }: Pick<ActedItem, 'stockup' | 'deliverStatus'>): boolean =>
  stockup === Flag.Yes || deliverStatus === DeliverStatus.CanShip;

const module = 'rmaMaintainBillLineItem';
const required = (name: string, of = module, field = name): Problem => ({
  key: 'required',
  field,
  args: { fields: [{ module: of, field: name }] },
});

/** Something is selected, each item is named, and none twice. Rule: guard#items. */
export function validateRefs(refs: readonly string[], list: string): Problem[] {
  if (refs.length === 0) return [required('mtbliId', module, list)];
  return refs.flatMap((ref, i): Problem[] => (ref === '' ? [required('mtbliId', module, `${list}.${i}.mtbliId`)] : []));
}

/** Each group of a buy-out names its items and why they are bought. Rule: bills#reasons. */
export function validateBuyOut(
  groups: readonly { mtblId: string; mtbliIdList: readonly string[]; remark: string }[],
): Problem[] {
  if (groups.length === 0) return [required('mtbliId', module, 'list')];
  return groups.flatMap(({ mtblId, mtbliIdList, remark }, i): Problem[] => [
    ...(mtblId === '' ? [required('mtblId', module, `${i}.mtblId`)] : []),
    ...validateRefs(mtbliIdList, `${i}.mtbliIdList`),
    ...(isUnseen(remark) ? [required('remark', 'rmaMaintainBill', `${i}.remark`)] : []),
  ]);
}

/** A flag is 0 or 1; left out it is 0. */
export function validateFlag(value: string, field: string, label: Arg): Problem[] {
  const isFlag = value === '' || value === Flag.No || value === Flag.Yes;
  return isFlag ? [] : [{ key: 'format', field, args: { field: label } }];
}

/** Units that are still in the workshop keep a bill open, unless they are given up. Rule: events#e29. */
export function validateClosing(mtbId: string, open: readonly string[], discards: boolean): Problem[] {
  return discards ? [] : validateNoneInHouse(mtbId, open);
}

/** What a return to the first test says of itself: all three names of each unit. */
export function validateReturnedUnits(rows: readonly { sn: string; mtbliId: string; mtbId: string }[]): Problem[] {
  if (rows.length === 0) return [required('mtbliId', module, 'list')];
  return rows.flatMap(({ mtbliId, mtbId }, i): Problem[] => [
    ...(mtbliId === '' ? [required('mtbliId', module, `${i}.mtbliId`)] : []),
    ...(mtbId === '' ? [required('mtbId', module, `${i}.mtbId`)] : []),
  ]);
}

interface CodeChange {
  salesCode: string;
  replaceFlag: string;
  count: number | null;
}

/** A code, how it is meant, and for how many rows. Rule: bills#reasons. */
export function validateCodeChange({ salesCode, replaceFlag, count }: CodeChange, rows: number): Problem[] {
  if (salesCode === '') return [required('salesCode', 'rmaMaintainBillLine')];
  const label = { zh: '换料方式', en: 'Replace flag' };
  if (replaceFlag === '') return [{ key: 'required', field: 'replaceFlag', args: { fields: [label] } }];
  const wrong = validateFlag(replaceFlag, 'replaceFlag', label);
  if (wrong.length > 0 || count === rows) return wrong;
  return [{ key: 'count', field: 'salesCodeCount', args: { a: count ?? 0, b: rows } }];
}

/**
 * An item gets a code only of its own kind of goods, another one than it has, and not while a part of its stock-up bill
 * has left. Rule: events#e31.
 */
export function validateCode(
  item: ActedItem,
  to: { salesCode: string; type: string; corrects: boolean },
  stockup: { skbId: string; status: string } | null,
  field: string,
): Problem[] {
  const { salesCode } = to;
  if (item.type !== to.type) {
    return [{ key: 'format', field, args: { field: { module: 'rmaMaintainBillLine', field: 'salesCode' } } }];
  }
  const now = to.corrects ? item.salesCode : (item.deliverSalesCode ?? item.salesCode);
  if (now === salesCode) return [{ key: 'sameCode', field, args: { code: salesCode } }];
  return validateTally(stockup, field);
}

export interface BillMove {
  mtbId: string;
  mtblId: string;
  moveBillFlag: string;
  deliverFlag: string;
  splitDeliverFlag: string;
}

/**
 * Where to, and what is moved there: the item, its delivery, or its delivery apart; the last two exclude each other.
 * Rule: events#e32.
 */
export function validateMove(move: BillMove): Problem[] {
  const targets = [
    ...(move.mtbId === '' ? [required('mtbId')] : []),
    ...(move.mtblId === '' ? [required('mtblId')] : []),
  ];
  if (targets.length > 0) return targets;
  const wrong = flagNames.flatMap((it) => validateFlag(move[it], it, flagLabels[it]));
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
  /** None of a customer's bill. */
  billType: string | null;
  btmUserId: string | null;
}

/** The target takes goods as long as it is not finished. Rule: events#e32. */
export const validateTarget = ({ mtbId, billStatus }: Target): Problem[] =>
  billStatus === BillStatus.Finished ? [{ key: 'billFinished', field: 'mtbId', args: { id: mtbId } }] : [];

/**
 * An item goes to another bill of its site, on a line of its kind of goods; own goods and a customer's do not mix. Shipping apart alone leaves it on its bill,
 * so that its own bill may be named there. Rule: events#e32.
 */
export function validateMovedItem(item: ActedItem, target: Target, move: BillMove, field: string): Problem[] {
  const goes = move.moveBillFlag === Flag.Yes || move.deliverFlag === Flag.Yes;
  if (goes && item.mtbId === target.mtbId) return [{ key: 'sameBill', field, args: { id: target.mtbId } }];
  if ((item.unit?.siteId ?? item.siteId) !== target.siteId) {
    return [{ key: 'billOtherSite', field: 'mtbId', args: { id: target.mtbId } }];
  }
  if (item.billType !== target.billType) {
    return [{ key: 'ownGoodsApart', field: 'mtbId', args: { id: target.mtbId } }];
  }
  if (item.type !== target.type) {
    return [{ key: 'format', field: 'mtblId', args: { field: { module: 'rmaMaintainBillLine', field: 'type' } } }];
  }
  return validateCustomer(item, target, move);
}

/**
 * What ships together is one customer's: between bills of two customers an item and its delivery move together, or it
 * ships apart. One that only moves goes on with the goods with which it ships now. A bill that does not say whose it is
 * may be anybody's. Rule: stock-up#one-customer, events#e32.
 */
function validateCustomer(item: ActedItem, target: Target, move: BillMove): Problem[] {
  const delivers = move.deliverFlag === Flag.Yes;
  if (move.splitDeliverFlag === Flag.Yes || (move.moveBillFlag === Flag.Yes && delivers)) return [];
  const involved = [item.btmUserId, delivers ? null : item.shipsForUserId, target.btmUserId];
  if (new Set(involved.filter(Boolean)).size <= 1) return [];
  return [{ key: 'billOtherCustomer', field: 'mtbId', args: { id: target.mtbId } }];
}

/** Where an item stands is where its unit is, or where it is to be sent from before it has come. Rule: events#e33. */
export const siteOf = (item: ActedItem): string | null =>
  isReceived(item) ? (item.unit?.siteId ?? item.siteId) : (item.deliverSiteId ?? item.siteId);

/** An item changes only to another site. Rule: events#e33. */
export const validateNewSite = (item: ActedItem, siteId: string, site: string, field: string): Problem[] =>
  siteOf(item) === siteId ? [{ key: 'sameSite', field, args: { site } }] : [];
