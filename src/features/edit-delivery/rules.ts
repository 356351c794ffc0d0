import { DeliverPriority, DeliverStatus, Flag } from '#domain/enums.ts';
import { validateNotEnded } from '#domain/itemActions.ts';
import { Node } from '#domain/nodes.ts';
import type { Problem } from '#domain/refusal.ts';
import { wordOfNode } from '#domain/workflow.ts';

/** What the edit may set, each left as it is where nothing is sent. */
export interface DeliveryEdit {
  deliverStatus?: string;
  deliverPriority?: string;
  deliverPayment?: string;
  returness?: string;
}

interface Item {
  sn: string;
  deliverStatus: string | null;
  deliverPriority: string | null;
  ivyId: Node | null;
}

const accepted: Record<keyof DeliveryEdit, readonly string[]> = {
  deliverStatus: Object.values(DeliverStatus),
  deliverPriority: Object.values(DeliverPriority),
  deliverPayment: Object.values(Flag),
  returness: Object.values(Flag),
};

/** Something is set, and each value is one of its list. */
export function validateEdit(edit: DeliveryEdit): Problem[] {
  const named = Object.entries(edit) as [keyof DeliveryEdit, string][];
  const fields = Object.keys(accepted).map((field) => ({ module: 'rmaMaintainBillLineItem', field }));
  if (named.length === 0) return [{ key: 'required', field: 'deliverStatus', args: { fields } }];
  return named.flatMap(([field, value]): Problem[] =>
    accepted[field].includes(value)
      ? []
      : [{ key: 'format', field, args: { field: { module: 'rmaMaintainBillLineItem', field } } }],
  );
}

/**
 * What forbids to edit this item's delivery: it has left, is scrap or was bought out; and only between "cannot" and
 * "can ship" is chosen by hand, on the shelf alone; the other states come with their own events.
 * Rule: bills#delivery-states, events#e35.
 */
export function validateItem(item: Item, edit: DeliveryEdit): Problem[] {
  const { sn, deliverStatus: now, ivyId } = item;
  const ended = validateNotEnded(sn, now, 'id');
  if (ended.length > 0) return ended;
  const to = edit.deliverStatus;
  if (to === undefined || to === now) return [];
  const field = 'deliverStatus';
  if (to !== DeliverStatus.CannotShip && to !== DeliverStatus.CanShip) {
    return [{ key: 'format', field, args: { field: { module: 'rmaMaintainBillLineItem', field } } }];
  }
  if (ivyId === Node.CanShip) return [];
  return [{ key: 'wrongNode', field, args: { sn, node: wordOfNode(ivyId), expected: wordOfNode(Node.CanShip) } }];
}

/**
 * The state after the edit: a pause holds the item back, its end lets a unit on the shelf go again, and the machine
 * that goes in advance for one that was scrapped; otherwise what was chosen. Rule: bills#delivery-states, events#e35,
 * stock-up#advance.
 */
export function statusAfter(item: Item, edit: DeliveryEdit): string {
  const now = item.deliverStatus ?? DeliverStatus.CannotShip;
  const priority = edit.deliverPriority ?? item.deliverPriority;
  if (priority === DeliverPriority.Paused) return DeliverStatus.CannotShip;
  const isOnShelf = item.ivyId === Node.CanShip;
  const isFreed = item.deliverPriority === DeliverPriority.Paused;
  if (isFreed && (isOnShelf || item.ivyId === Node.Scrapped)) return DeliverStatus.CanShip;
  return isOnShelf ? (edit.deliverStatus ?? now) : now;
}
