import { BillStatus, DeliverStatus, Flag, OperateStatus, StockupStatus } from '#domain/enums.ts';
import { isOfSite, validateNotHeld, validateNotOnBill } from '#domain/hold.ts';
import { isReceived } from '#domain/maintainBill.ts';
import { Node } from '#domain/nodes.ts';
import type { Arg, Problem } from '#domain/refusal.ts';
import type { GuardedUnit } from '#domain/workflow.ts';

/** What decides whether something may be done with an item of a bill: its own state, and the unit that stands for it now. */
export interface ItemInHand {
  mtbliId: string;
  mtbId: string;
  billStatus: string | null;
  receiveSn: string | null;
  receiveStatus: string | null;
  deliverStatus: string | null;
  scrap: string | null;
  unit: GuardedUnit | null;
}

/** Whose units somebody may act on: his own site's alone, or, as provider staff, all (null). Rule: guard#sites. */
export const ownSite = (currentUser: { siteId: string; sites: 'all' | readonly string[] }): string | null =>
  currentUser.sites === 'all' ? null : currentUser.siteId;

/** By which of its names people know an item. */
export const itemName = ({ unit, receiveSn, mtbliId }: Pick<ItemInHand, 'unit' | 'receiveSn' | 'mtbliId'>): string =>
  unit?.sn ?? receiveSn ?? mtbliId;

/** Another site's unit is left alone by all but provider staff, whose `siteId` is null. Rule: guard#sites. */
export const validateItemSite = (unit: GuardedUnit, siteId: string | null, field: string): Problem[] =>
  siteId === null || isOfSite(unit, siteId) ? [] : [{ key: 'otherSite', field, args: { sn: unit.sn } }];

/** The item is the one that the caller saw on this line or bill. */
export const validateBelonging = (part: string, whole: { is: string; said: string }, field: string): Problem[] =>
  whole.is === whole.said ? [] : [{ key: 'notTogether', field, args: { part, whole: whole.said } }];

/** How an item goes back is settled once it has left, is scrap or was bought out. Rule: events#e35. */
export function validateNotEnded(sn: string, deliverStatus: string | null, field: string): Problem[] {
  if (deliverStatus === DeliverStatus.Shipped) return [{ key: 'shipped', field, args: { sn } }];
  if (deliverStatus === DeliverStatus.Scrapped) return [{ key: 'scrapped', field, args: { sn } }];
  return deliverStatus === DeliverStatus.BoughtOut ? [{ key: 'boughtOut', field }] : [];
}

/**
 * What forbids an action of the office on an item, in the order of the general guard: another site's unit, spoken
 * for by a bill, shipped, scrapped, bought out, held for a confirmation, its bill finished. Rule: guard#items.
 */
export function validateItem(item: ItemInHand, siteId: string | null, field: string): Problem[] {
  const sn = itemName(item);
  const { unit } = item;
  const elsewhere = unit ? validateItemSite(unit, siteId, field) : [];
  if (elsewhere.length > 0) return elsewhere;
  const spokenFor = unit ? validateNotOnBill(unit, field) : [];
  if (spokenFor.length > 0) return spokenFor;
  const ended = validateNotEnded(sn, item.deliverStatus, field);
  if (ended.length > 0) return ended;
  const held = unit ? validateNotHeld(unit, field) : [];
  if (held.length > 0) return held;
  if (item.billStatus === BillStatus.Finished) return [{ key: 'billFinished', field, args: { id: item.mtbId } }];
  return [];
}

/**
 * Only what is in the workshop is bought, and no scrap for which another machine was to go. Rule: events#e28,
 * stock-up#advance.
 */
export function validateReceived(
  item: Pick<ItemInHand, 'mtbliId' | 'receiveStatus' | 'unit'>,
  field: string,
): Problem[] {
  if (!isReceived(item)) return [{ key: 'notReceived', field, args: { item: item.mtbliId } }];
  const { unit } = item;
  return unit?.ivyId === Node.Scrapped ? [{ key: 'scrapped', field, args: { sn: unit.sn } }] : [];
}

/** No other model is sent for an item while a part of its stock-up bill has left. Rule: events#e31. */
export function validateTally(stockup: { skbId: string; status: string } | null, field: string): Problem[] {
  if (stockup?.status !== StockupStatus.Partly) return [];
  const word = (value: string): Arg => ({ options: 'stockupStatus', value });
  const args = { id: stockup.skbId, status: word(stockup.status), expected: word(StockupStatus.Open) };
  return [{ key: 'billState', field, args }];
}

/** Images are added to a first test that was made. Rule: events#e34. */
export const validateTested = (checkTime: number | null, field: string): Problem[] =>
  checkTime === null ? [{ key: 'notChecked', field }] : [];

/**
 * What forbids to test a unit from the beginning again: it is another site's, it was shipped or bought out, it stands
 * for another item or bill, its bill is finished, it was given up, or it waits for its first test already; a repeat is
 * told as such. Rule: events#e30.
 */
export function validateReturn(
  unit: GuardedUnit & { mtbliId: string | null },
  item: Pick<ItemInHand, 'deliverStatus' | 'receiveSn' | 'scrap'> | undefined,
  said: { mtbliId: string; mtbId: string; siteId: string | null; latest: string | null },
  field: string,
): Problem[] {
  const { sn } = unit;
  const elsewhere = validateItemSite(unit, said.siteId, field);
  if (elsewhere.length > 0) return elsewhere;
  const held = validateNotOnBill(unit, field);
  if (held.length > 0) return held;
  if (unit.ivyId === Node.Shipped) return [{ key: 'shipped', field, args: { sn } }];
  if (item?.deliverStatus === DeliverStatus.BoughtOut && item.receiveSn === sn) return [{ key: 'boughtOut', field }];
  const apart = [
    ...validateBelonging(sn, { is: unit.mtbliId ?? '', said: said.mtbliId }, field),
    ...validateBelonging(sn, { is: unit.mtbId ?? '', said: said.mtbId }, field),
  ];
  if (apart.length > 0) return apart.slice(0, 1);
  if (unit.billStatus === BillStatus.Finished) return [{ key: 'billFinished', field, args: { id: said.mtbId } }];
  if (unit.ivyId === Node.Scrapped && item?.scrap !== Flag.Yes) return [{ key: 'scrapped', field, args: { sn } }];
  if (unit.ivyId !== Node.AwaitingCheck || unit.held) return [];
  return said.latest === OperateStatus.Rollbacked
    ? [{ key: 'rolledBack', field }]
    : [{ key: 'atFirstTest', field, args: { sn } }];
}

/** An item with what the actions on it look at besides: its first test, and the stock-up bill on which it waits. */
interface StandingItemInHand extends ItemInHand {
  checkTime: number | null;
  tally: { skbId: string; status: string } | null;
}

/**
 * What forbids each action of the office on an item, by its button; of goods that have not come there is no unit.
 * `siteId`: whose units the actor may act on, null for all. Rule: units#next, bills#detail.
 */
export const validateItemAction = {
  editDeliver: (item) => validateNotEnded(itemName(item), item.deliverStatus, 'sn'),
  supplementCheckPicture: ({ checkTime }) => validateTested(checkTime, 'sn'),
  replaceSaleCode: (item, siteId) => [...validateItem(item, siteId, 'sn'), ...validateTally(item.tally, 'sn')],
  updateSiteId: (item, siteId) => validateItem(item, siteId, 'sn'),
  moveBill: (item, siteId) => validateItem(item, siteId, 'sn'),
  rollbackToPreliminaryTest: (item, siteId) => {
    const { mtbliId, mtbId, unit } = item;
    if (!unit) return [{ key: 'notReceived', field: 'sn', args: { item: mtbliId } }];
    return validateReturn({ ...unit, mtbliId }, item, { mtbliId, mtbId, siteId, latest: null }, 'sn');
  },
  buyOut: (item, siteId) => [...validateItem(item, siteId, 'sn'), ...validateReceived(item, 'sn')],
} satisfies Record<string, (item: StandingItemInHand, siteId: string | null) => Problem[]>;
export type ItemActionName = keyof typeof validateItemAction;
