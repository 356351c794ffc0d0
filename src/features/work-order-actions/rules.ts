import type { Problem } from '#domain/refusal.ts';
import { WorkOrderStatus } from '#domain/wafer.ts';

/** Rule: wafer-bank#states. */

export interface Order {
  workOrderNo: string;
  billStatus: string;
  /** What went in, came out, and was lost; wafers of a wafer order, dies of every other one. */
  input: number;
  output: number;
  loss: number;
}

const { Draft, Sent, InProcess, Done, Cancelled } = WorkOrderStatus;

/**
 * From where each status is reached. A wafer order takes nothing in, so its receipt is its end.
 * Rule: wafer-bank#states.
 */
const reachedFrom: Record<WorkOrderStatus, readonly WorkOrderStatus[]> = {
  [Draft]: [Sent],
  [Sent]: [Draft, InProcess],
  [InProcess]: [Sent],
  [Done]: [Sent, InProcess],
  [Cancelled]: [Draft, Sent],
};

export const isOrderStatus = (value: string): value is WorkOrderStatus => Object.hasOwn(reachedFrom, value);

/** What forbids an order to become this: it is there, its course has no such step, or output has come in already. */
export function validateStep(order: Order, to: WorkOrderStatus): Problem[] {
  const { workOrderNo: id, billStatus: now, output } = order;
  const field = 'billStatus';
  if (to === now) return [{ key: 'sameStatus', field, args: { status: wordOf(now) } }];
  const from = reachedFrom[to];
  const expected = from.map(wordOf);
  if (!from.some((it) => it === now)) {
    return [{ key: 'billState', field, args: { id, status: wordOf(now), expected } }];
  }
  const takesBack = to === Draft || to === Cancelled || (to === Sent && now === InProcess);
  if (takesBack && output > 0) return [{ key: 'count', field, args: { a: output, b: 0 } }];
  return [];
}

/** Every piece of the input is accounted for: it came out, or it is loss. Rule: wafer-bank#account. */
export const validateAccount = ({ input, output, loss }: Order): Problem[] =>
  output + loss === input ? [] : [{ key: 'count', field: 'outputQty', args: { a: output + loss, b: input } }];

const wordOf = (status: string) => ({ options: 'icopBillStatus', value: status });

/** Dies of a lot on its wafers, as evenly as they go, the remainder on the last. Rule: wafer-bank#account. */
export function spread(total: number, pieces: number): number[] {
  const each = Math.floor(total / Math.max(pieces, 1));
  return Array.from({ length: pieces }, (_, i) => (i === pieces - 1 ? total - each * (pieces - 1) : each));
}
