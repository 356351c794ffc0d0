import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { decideAtRandom, deciders } from '#tests/support/decisions.ts';

/** `npm run chaos -- decisions --rounds=5000`; `--seed` repeats a run. */
const ROUNDS = Number(process.env['ROUNDS'] ?? 500);
const SEED = Number(process.env['SEED'] ?? Math.floor(Math.random() * 1e9));

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp.close());

it(`decides on nothing that was not seen, in ${ROUNDS} rounds (seed ${SEED})`, { timeout: 3_600_000 }, async () => {
  const { calls, ...tally } = await decideAtRandom(testApp, { rounds: ROUNDS, seed: SEED });
  if (process.env['ROUNDS']) process.stdout.write(`${JSON.stringify({ ...tally, calls }, null, 1)}\n`);
  expect(tally.unseen).toEqual([]);
  expect(tally.wrong).toEqual([]);
  expect(Math.min(tally.decided, tally.refused)).toBeGreaterThan(ROUNDS / 5);
});

it('finds each call that would go by the version of the day', { timeout: 600_000 }, async () => {
  const { unseen } = await decideAtRandom(testApp, { rounds: deciders.length * 20, seed: SEED, blind: true });
  const missed = deciders
    .map((it) => `${it.method} ${it.path} `)
    .filter((it) => !unseen.some((one) => one.includes(it)));
  expect(missed).toEqual([]);
});
