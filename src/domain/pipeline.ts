import { nodesOf, steps, type Step } from '#domain/workflow.ts';
import { nodes, type Node } from '#domain/nodes.ts';

/** Where goods of a bill wait: for the gate, then for each step of the chain. Rule: bills#pipeline. */
export const waitingStages = ['signFor', ...steps] as const;

/** Where they have ended. All but delivery lie beside the way. */
export const endStages = ['delivered', 'stocked', 'scrapped', 'discarded', 'boughtOut', 'notReceived'] as const;

export type Stage = (typeof waitingStages)[number] | (typeof endStages)[number];

/** The node before each step that takes units from one: by the state machine, so that no list says it anew. */
export const stepNodes: readonly { step: Step; node: Node }[] = steps
  .filter((it) => it !== 'receive')
  .map((step) => ({ step, node: nodes.find((it) => nodesOf(step).includes(it)) as Node }));

/** How many stand at a stage, and since when the oldest of them. */
export interface StageCount {
  stage: string;
  count: number;
  oldest: number | null;
}

/** The stage whose oldest has waited longest; none where nothing waits. */
export function slowestStage(counts: readonly StageCount[]): string | undefined {
  const waiting = counts.filter((it) => waitingStages.some((stage) => stage === it.stage) && it.oldest !== null);
  return waiting.sort((a, b) => (a.oldest ?? 0) - (b.oldest ?? 0))[0]?.stage;
}
