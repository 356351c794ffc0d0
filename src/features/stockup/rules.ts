import { StockupStatus } from '#domain/enums.ts';
import type { Problem } from '#domain/refusal.ts';

/** What the dispatcher may do with a stock-up bill besides delivering it. Rule: stock-up#actions. */
export type StockupAction = 'stop' | 'reset' | 'cancel' | 'finish';

interface StockupState {
  skbId: string;
  status: string | null;
  deliveredCount: number;
}

/** In which states each action takes a bill. Rule: stock-up#actions. */
const acceptedStates: Record<StockupAction, readonly StockupStatus[]> = {
  stop: [StockupStatus.Open, StockupStatus.Partly],
  reset: [StockupStatus.Stopped, StockupStatus.Cancelled],
  cancel: [StockupStatus.Open, StockupStatus.Stopped],
  finish: [StockupStatus.Partly],
};

/** What forbids an action: the bill is finished, in another state, or already delivered in part. Rule: events#e24. */
export function validateAction(action: StockupAction, { skbId, status, deliveredCount }: StockupState): Problem[] {
  const isDelivering = status === StockupStatus.Partly || (deliveredCount > 0 && status !== StockupStatus.Finished);
  if (action === 'cancel' && isDelivering) return [{ key: 'partlyDelivered', field: 'id', args: { id: skbId } }];
  if (acceptedStates[action].some((it) => it === status)) return [];
  if (status === StockupStatus.Finished) return [{ key: 'billFinished', field: 'id', args: { id: skbId } }];
  const args = { id: skbId, status: wordOf(status), expected: acceptedStates[action].map(wordOf) };
  return [{ key: 'billState', field: 'id', args }];
}

const wordOf = (status: string | null) => ({ options: 'stockupStatus', value: status ?? StockupStatus.Open });
