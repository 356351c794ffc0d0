import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { bulkAtRandom, importAtRandom, settingImports, type Planted } from '#tests/support/bulkRounds.ts';
import { manyActions } from '#tests/support/manyActions.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
  working = await startTestApp({ exportWaitMs: 120_000 }, { worksJobs: true });
});
let working: TestApp;
afterAll(async () => {
  await testApp.close();
  await (working as TestApp | undefined)?.close();
});

/** Many more by `npm run chaos -- bulk`. */
const SEED = 39;

it('a run of any action on many rows does what its preview has shown, and what it does to one row alone', async () => {
  const { actions, unseen, wrong, compared, told } = await bulkAtRandom(testApp, {
    rounds: manyActions.length,
    seed: SEED,
  });
  expect(unseen).toEqual([]);
  expect(wrong).toEqual([]);
  expect(Object.keys(actions)).toHaveLength(manyActions.length);
  expect(compared).toBeGreaterThan(20);
  expect(told).toBeGreaterThan(3);
});

it.each<Planted>(['goes by the version of the day', 'does what the preview refused'])(
  'one that %s is found',
  async (planted) => {
    const { unseen } = await bulkAtRandom(testApp, { rounds: manyActions.length, seed: SEED, planted });
    expect(unseen.length).toBeGreaterThan(3);
  },
);

it('each import that sets a field tells what it writes over and what is before its bill, and takes nothing that was changed since', async () => {
  expect(settingImports.map((it) => `${it.module} ${it.field}`).toSorted()).toEqual([
    'rmaArrivalBill signTime',
    'rmaDeliverBill signForTime',
  ]);
  const { imported, refused, wrong } = await importAtRandom(working, { rounds: settingImports.length * 6, seed: SEED });
  expect(wrong).toEqual([]);
  expect(Math.min(imported, refused)).toBeGreaterThan(1);
});
