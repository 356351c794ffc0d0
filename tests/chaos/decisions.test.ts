import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { decideAtRandom } from '#tests/support/decisions.ts';

/** `npm run chaos -- decisions --rounds=5000`; `--seed` repeats a run. */
const ROUNDS = Number(process.env['ROUNDS'] ?? 500);
const SEED = Number(process.env['SEED'] ?? Math.floor(Math.random() * 1e9));

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp.close());

it(`decides on nothing that was not seen, in ${ROUNDS} rounds (seed ${SEED})`, { timeout: 3_600_000 }, async () => {
  const tally = await decideAtRandom(testApp, { rounds: ROUNDS, seed: SEED });
  expect(tally.unseen).toEqual([]);
  expect(tally.wrong).toEqual([]);
  expect(Math.min(tally.decided, tally.refused)).toBeGreaterThan(ROUNDS / 5);
});
