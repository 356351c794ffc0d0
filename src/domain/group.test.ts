import { expect, it } from 'vitest';
import { chunksOf, groupBy } from '#domain/group.ts';

it('takes things in their order, so many at a time, each once', () => {
  expect(chunksOf([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
  expect(chunksOf([1, 2], 2)).toEqual([[1, 2]]);
  expect(chunksOf([], 2)).toEqual([]);
});

it('keeps things of a key together, in the order in which the keys first came', () => {
  expect([...groupBy(['b1', 'a1', 'b2'], (it) => it.charAt(0))]).toEqual([
    ['b', ['b1', 'b2']],
    ['a', ['a1']],
  ]);
});
