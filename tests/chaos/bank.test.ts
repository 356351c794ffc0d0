import { expect, it } from 'vitest';
import { startTestApp } from '#tests/support/app.ts';
import { bankCalls, openBanks } from '#tests/support/bank.ts';
import { chipParts } from '#tests/support/chips.ts';

/**
 * Any two calls that change the bank, one of them held before its first, second, third statement and so on while the other
 * comes: afterwards every die is somewhere.
 */
const ROUNDS = Number(process.env['ROUNDS'] ?? 2);
const names = Object.keys(bankCalls);

it.each(names)(`every two are told apart, ${ROUNDS} times: %s`, { timeout: 3_600_000 }, async (first) => {
  const heard = new Map<string, number>();
  for (const second of names) {
    // All of a bank is looked at after each round: a full one would take ever longer.
    const testApp = await startTestApp();
    await chipParts(testApp.db);
    const { together } = openBanks(testApp);
    for (let round = 0; round < ROUNDS; round++) {
      let statement = 0;
      // A call has some thirty statements; each is come to in turn.
      const codes = await together(first, second, () => statement++ === (round * 7) % 31);
      heard.set(codes.join(' '), (heard.get(codes.join(' ')) ?? 0) + 1);
    }
    await testApp.close();
  }
  process.stdout.write(`${first}: ${JSON.stringify(Object.fromEntries(heard))}\n`);
  expect([...heard.keys()].some((it) => it.includes('000000'))).toBe(true);
});
