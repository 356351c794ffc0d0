import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { bankCalls, openBanks } from '#tests/support/bank.ts';
import { chipParts } from '#tests/support/chips.ts';

/**
 * Any two calls that change the bank, one of them held before its first, second, third statement and so on while the other
 * comes: afterwards every die is somewhere. A bank gets slower to look at as it fills; each first call has one of its own.
 */
const ROUNDS = Number(process.env['ROUNDS'] ?? 2);
const names = Object.keys(bankCalls);

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
  await chipParts(testApp.db);
});
afterAll(() => testApp.close());

it.each(names)(`every two are told apart, ${ROUNDS} times: %s`, { timeout: 3_600_000 }, async (first) => {
  const { together } = openBanks(testApp, `${names.indexOf(first)}-`);
  const heard = new Map<string, number>();
  for (const second of names) {
    for (let round = 0; round < ROUNDS; round++) {
      let statement = 0;
      // A call has some thirty statements; each is come to in turn.
      const codes = await together(first, second, () => statement++ === (round * 7) % 31);
      heard.set(codes.join(' '), (heard.get(codes.join(' ')) ?? 0) + 1);
    }
  }
  process.stdout.write(`${first}: ${JSON.stringify(Object.fromEntries(heard))}\n`);
  expect([...heard.keys()].some((it) => it.includes('000000'))).toBe(true);
});
