import { expect, it } from 'vitest';
import { endStages, slowestStage, stepNodes, waitingStages } from './pipeline.ts';
import { nodes } from './nodes.ts';

it('every node of the chain is before one step, in the order of the chain', () => {
  expect(waitingStages).toEqual([
    ...['signFor', 'receive', 'check', 'repair', 'assemble', 'aging', 'qc', 'store', 'deliver'],
  ]);
  expect(stepNodes.map((it) => it.step)).toEqual(waitingStages.slice(2));
  const atEnd = ['40', '900'];
  expect(stepNodes.map((it) => it.node)).toEqual(nodes.filter((it) => !atEnd.includes(it)));
});

it('the slowest stage is the one whose oldest has waited longest; what has ended waits for nobody', () => {
  const at = (stage: string, oldest: number | null, count = 1) => ({ stage, count, oldest });
  expect(slowestStage([])).toBeUndefined();
  expect(slowestStage(endStages.map((it) => at(it, 1)))).toBeUndefined();
  expect(slowestStage([at('qc', 300), at('check', 200), at('delivered', 100), at('store', null, 0)])).toBe('check');
});
