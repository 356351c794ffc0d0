import {
  BillStatus,
  DeliverPriority,
  DeliverStatus,
  Flag,
  OwnBillType,
  receivedItems,
  undeliveredItems,
} from '#domain/enums.ts';
import type { Problem } from '#domain/refusal.ts';

/** What the counts of a bill's line and its end depend on. */
export interface ItemState {
  receiveStatus: string | null;
  deliverStatus: string | null;
  scrap: string | null;
}

/** The bill is about goods of the site's own: no customer waits for them. Rule: bills#own-goods. */
export const isOwnBill = (billType: string | null | undefined): boolean =>
  Object.values(OwnBillType).some((it) => it === billType);

/** Goods may still be received: nothing finalized yet, or opened again for late goods. Rule: bills#receipt-states. */
export const mayReceive = (billStatus: string | null): boolean =>
  billStatus === BillStatus.Awaiting || billStatus === BillStatus.ReceivedLater;

/** What a bill becomes when its receipt is finalized. Rule: events#e07. */
export const statusAfterReceipt = (received: number): BillStatus =>
  received > 0 ? BillStatus.Received : BillStatus.NotReceived;

/** Late goods open the receipt again: nothing was received, or a line is short. Rule: events#e02. */
export const opensAgain = (billStatus: string | null, isShort: boolean): boolean =>
  billStatus === BillStatus.NotReceived || (billStatus === BillStatus.Received && isShort);

/** The item is in the workshop, or was. */
export const isReceived = ({ receiveStatus }: Pick<ItemState, 'receiveStatus'>): boolean =>
  receivedItems.includes(receiveStatus ?? '');

/** A received item of which the customer still waits to hear. Rule: counts#open-items. */
export const isOpen = (item: ItemState): boolean =>
  isReceived(item) && undeliveredItems.includes(item.deliverStatus ?? '');

/** The store released the item, and the office does not hold it back: it may leave. Rule: bills#release. */
export const mayLeave = (item: { deliverStatus: string | null; deliverPriority: string | null }): boolean =>
  item.deliverStatus === DeliverStatus.CanShip && item.deliverPriority !== DeliverPriority.Paused;

/** The five counts of a line: projections of its items, never increments. Rule: counts#lines. */
export function countsOf(items: readonly ItemState[]) {
  const number = (is: (item: ItemState) => boolean) => items.filter(is).length;
  return {
    receiveCount: number(isReceived),
    deliverCount: number((it) => it.deliverStatus === DeliverStatus.Shipped),
    scrapCount: number((it) => it.scrap === Flag.Yes),
    discardCount: number((it) => it.deliverStatus === DeliverStatus.Scrapped && it.scrap !== Flag.Yes),
    buyOutCount: number((it) => it.deliverStatus === DeliverStatus.BoughtOut),
  };
}

/** The finish rule: a bill whose receipt is closed is finished as soon as no item is open. Rule: counts#finish. */
export const isFinished = (billStatus: string | null, items: readonly ItemState[]): boolean =>
  billStatus === BillStatus.Received && !items.some(isOpen);

const MOST_NAMED = 50;

/** Units that are still in the workshop keep a bill open; many are not all named. Rule: events#e29, on-site-repair#end. */
export function validateNoneInHouse(mtbId: string, open: readonly string[]): Problem[] {
  if (open.length === 0) return [];
  const sns = open.length > MOST_NAMED ? [...open.slice(0, MOST_NAMED), '…'] : [...open];
  return [{ key: 'unitsInHouse', field: 'mtbId', args: { n: open.length, mtbId, sns } }];
}
