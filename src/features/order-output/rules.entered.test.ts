import { expect, it } from 'vitest';
import { LOSS, reportOf, sumsOf } from './rules.entered.ts';

const entered = new Map([
  ['wafer 1', { 1: '10', [LOSS]: '' }],
  ['wafer 2', { 1: '4,20', [LOSS]: '-5' }],
  ['wafer 3', { 1: '', [LOSS]: '0' }],
]);

it('what was entered and is no number is reported as none, never left out and never as 0', () => {
  expect(reportOf(entered, ['1'])).toEqual([
    { position: 'wafer 1', outputs: [{ bin: '1', qty: 10 }], lossQty: 0 },
    { position: 'wafer 2', outputs: [{ bin: '1', qty: NaN }], lossQty: NaN },
  ]);
});

it('sums leave it out', () => {
  expect(sumsOf([], entered)).toEqual({ left: 0, good: 10, loss: 0, stays: -10 });
});
