import { expect, it, vi } from 'vitest';
import { cacheFor, createCacheMemory } from '#server/cache.ts';

const memory = createCacheMemory();
const asked = new Set(['bill', 'line']);
const at = (bill: number, line = 1) =>
  cacheFor(
    memory,
    new Map([
      ['bill', bill],
      ['line', line],
    ]),
    asked,
  );

it('works a thing out once while its tables are unchanged, and anew when one of them is', async () => {
  const count = vi.fn(() => Promise.resolve(7));
  for (let i = 0; i < 3; i++) expect(await at(1).get('count', ['bill', 'line'], count)).toBe(7);
  expect(count).toHaveBeenCalledTimes(1);
  await at(2).get('count', ['bill', 'line'], count);
  await at(2, 2).get('count', ['bill', 'line'], count);
  await at(2, 3).get('bills alone', ['bill'], count);
  await at(2, 4).get('bills alone', ['bill'], count);
  expect(count).toHaveBeenCalledTimes(4);
});

it('lets requests that ask at the same time wait for one answer', async () => {
  const count = vi.fn(() => Promise.resolve(7));
  expect(await Promise.all([1, 2, 3].map(() => at(5).get('shared', ['bill'], count)))).toEqual([7, 7, 7]);
  expect(count).toHaveBeenCalledTimes(1);
});

it('keeps no failure, and nothing of a table whose version the request has not read', async () => {
  const fails = vi.fn(() => Promise.reject(new Error('no')));
  for (let i = 0; i < 2; i++) await expect(at(6).get('fails', ['bill'], fails)).rejects.toThrow('no');
  expect(fails).toHaveBeenCalledTimes(2);
  const count = vi.fn(() => Promise.resolve(7));
  for (let i = 0; i < 2; i++) await at(6).get('unknown', ['bill', 'site'], count);
  expect(count).toHaveBeenCalledTimes(2);
});
