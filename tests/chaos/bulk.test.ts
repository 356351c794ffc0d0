import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { bulkAtRandom, importAtRandom, type Planted } from '#tests/support/bulkRounds.ts';
import { manyActions } from '#tests/support/manyActions.ts';

/** `npm run chaos -- bulk --rounds=500`; `--seed` repeats a run. */
const ROUNDS = Number(process.env['ROUNDS'] ?? 200);
/** Each is three jobs. */
const IMPORTS = Math.ceil(ROUNDS / 5);
const SEED = Number(process.env['SEED'] ?? Math.floor(Math.random() * 1e9));

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
  working = await startTestApp({ exportWaitMs: 120_000 }, { worksJobs: true });
});
let working: TestApp;
afterAll(async () => {
  await testApp.close();
  await working.close();
});

it(
  `does nothing that its preview did not show, in ${ROUNDS} rounds (seed ${SEED})`,
  { timeout: 3_600_000 },
  async () => {
    const tally = await bulkAtRandom(testApp, { rounds: ROUNDS, seed: SEED });
    if (process.env['ROUNDS']) process.stdout.write(`${JSON.stringify(tally, null, 1)}\n`);
    expect(tally.unseen).toEqual([]);
    expect(tally.wrong).toEqual([]);
    expect(Object.keys(tally.actions)).toHaveLength(manyActions.length);
    expect(Math.min(tally.changed, tally.compared)).toBeGreaterThan(ROUNDS / 5);
  },
);

it.each<Planted>(['goes by the version of the day', 'does what the preview refused'])(
  'finds a run that %s',
  { timeout: 600_000 },
  async (planted) => {
    const { unseen } = await bulkAtRandom(testApp, { rounds: manyActions.length * 5, seed: SEED, planted });
    expect(unseen.length).toBeGreaterThan(manyActions.length / 5);
  },
);

it(
  `imports nothing over what was changed since, in ${ROUNDS} rounds (seed ${SEED})`,
  { timeout: 3_600_000 },
  async () => {
    const { imported, refused, wrong } = await importAtRandom(working, { rounds: ROUNDS, seed: SEED });
    expect(wrong).toEqual([]);
    expect(Math.min(imported, refused)).toBeGreaterThan(IMPORTS / 10);
  },
);

it('finds an import of what nobody has looked at', { timeout: 600_000 }, async () => {
  const { wrong } = await importAtRandom(working, { rounds: 20, seed: SEED, planted: true });
  expect(wrong.length).toBeGreaterThan(2);
});
