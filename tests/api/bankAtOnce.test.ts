import { afterAll, beforeAll, expect, it } from 'vitest';
import { workOrderModules } from '#domain/wafer.ts';
import { orderModules } from '#features/work-order-actions/contract.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { bankCalls, openBanks, rivalsOf } from '#tests/support/bank.ts';
import { chipParts } from '#tests/support/chips.ts';
import { features } from '#tests/support/features.ts';

/**
 * Any two calls that change one order or lot of the bank, at the same moment: what the first one does is written and not kept yet when the
 * second one comes. `npm run chaos -- bank` lets all of them meet at every statement.
 */
let testApp: TestApp;
let banks: ReturnType<typeof openBanks>;
beforeAll(async () => {
  testApp = await startTestApp();
  await chipParts(testApp.db);
  banks = openBanks(testApp);
});
afterAll(() => testApp.close());

it.each(Object.keys(bankCalls))('every die is somewhere, whoever comes next to %s', async (first) => {
  const codes = [];
  for (const second of rivalsOf(first))
    codes.push(...(await banks.together(first, second, (it) => /^commit/i.test(it))));
  expect(codes).toContain('000000');
});

it('every call that writes orders or lots is among them', () => {
  // The same call of another kind of order takes the same way.
  const kinds = new Map<string, string>([...orderModules, ...workOrderModules].map((it) => [it, 'order']));
  const kindOf = (path: string) =>
    path
      .split('/')
      .map((it) => kinds.get(it) ?? it)
      .join('/');
  const walked = new Set(Object.values(bankCalls).map((it) => kindOf(it.path)));
  const writing = features.routes.map((it) => it.call).filter((it) => it.writes && it.path.startsWith('/api/icop'));
  const missing = writing.map((it) => it.path).filter((it) => !walked.has(kindOf(it)));
  expect(writing.length).toBeGreaterThan(15);
  // A wafer order holds nothing of the bank when it is made.
  expect(missing).toEqual(['/api/icopWaferWorkOrder/create.json'].filter((it) => !walked.has(kindOf(it))));
});
