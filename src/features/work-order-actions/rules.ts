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

/** From where each status is reached by hand; "in process" follows from what comes in. Rule: wafer-bank#states. */
const reachedFrom: Record<WorkOrderStatus, readonly WorkOrderStatus[]> = {
  [Draft]: [Sent],
  [Sent]: [Draft],
  [InProcess]: [],
  [Done]: [Sent, InProcess],
  [Cancelled]: [Draft, Sent],
};

export const isOrderStatus = (value: string): value is WorkOrderStatus => Object.hasOwn(reachedFrom, value);

/** What may be chosen by hand of an order that stands so. */
export const stepsFrom = (status: string): WorkOrderStatus[] =>
  Object.values(WorkOrderStatus).filter((it) => reachedFrom[it].some((from) => from === status));

/** What forbids an order to become this: it is there, its course has no such step, it holds nothing, or something has come in already. */
export function validateStep(order: Order, to: WorkOrderStatus): Problem[] {
  const { workOrderNo: id, billStatus: now, input, output, loss } = order;
  const field = 'billStatus';
  if (to === now) return [{ key: 'sameStatus', field, args: { status: wordOf(now) } }];
  if (to === InProcess) return [{ key: 'statusFollows', field, args: { status: wordOf(to) } }];
  const from = reachedFrom[to];
  const expected = from.map(wordOf);
  if (!from.some((it) => it === now)) {
    return [{ key: 'billState', field, args: { id, status: wordOf(now), expected } }];
  }
  if ((to === Sent || to === Done) && input === 0) {
    return [{ key: 'required', field, args: { fields: [{ zh: '晶圆', en: 'Wafers' }] } }];
  }
  const takesBack = to === Draft || to === Cancelled;
  if (takesBack && output + loss > 0) return [{ key: 'count', field, args: { a: output + loss, b: 0 } }];
  return [];
}

/** Every piece of the input is accounted for: it came out, or it is loss. Rule: wafer-bank#account. */
export const validateAccount = ({ input, output, loss }: Order): Problem[] =>
  output + loss === input ? [] : [{ key: 'count', field: 'outputQty', args: { a: output + loss, b: input } }];

const wordOf = (status: string) => ({ options: 'icopBillStatus', value: status });
