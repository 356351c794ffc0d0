import { afterEach, expect, it } from 'vitest';
import { withAltered } from '#tests/support/faults.ts';
import { randomFrom } from '#tests/support/stations.ts';
import { openMonths, playMonth } from './monthsPlay.ts';

/**
 * Random months of a workshop with two suppliers and two sites, done by the product's own calls and reckoned again from what
 * was written down beside it, to the cent. `npm run chaos -- months --rounds=20` is the long run; `SEED` repeats one.
 */
const MONTHS = Number(process.env['ROUNDS'] ?? 2);
const SEED = Number(process.env['SEED'] ?? 20261201);
/** A fault shows itself in so many months. */
const WITHIN = 4;

let close: (() => Promise<void>) | undefined;
afterEach(() => close?.());

const say = (text: string) => process.env['ROUNDS'] && process.stdout.write(`${text}\n`);

/** So many months in a row; ends with the first that is not as it is reckoned. */
async function play(count: number, seed: number): Promise<string[]> {
  const random = randomFrom(seed);
  const months = await openMonths((n) => Math.floor(random() * n));
  close = months.close;
  for (let n = 0; n < count; n++) {
    const began = performance.now();
    const { wrong, trace } = await playMonth(months, n);
    say(
      `month ${n}: ${trace.length} steps in ${Math.round((performance.now() - began) / 1000)} s, ${wrong.length} differences`,
    );
    if (wrong.length > 0) return [`SEED=${seed}, month ${n}`, ...wrong, ...whatLedTo(wrong, trace)];
  }
  say(months.told());
  return [];
}

/** What was done last, and before to what is wrong. */
function whatLedTo(wrong: readonly string[], trace: readonly string[]): string[] {
  const names = wrong.flatMap((it) => it.match(/\b(?:RX|HB)\w{10,}|\bM[BT][IB]\d{13}/g) ?? []);
  return trace.filter((it, i) => i >= trace.length - 10 || names.some((name) => it.includes(name)));
}

it(`random months are kept and settled as they are reckoned, ${MONTHS} of them`, { timeout: 3_600_000 }, async () => {
  expect(await play(MONTHS, SEED)).toEqual([]);
});

it('planted in the product, days of Greenwich are found', { timeout: 3_600_000 }, async () => {
  const greenwich = (text: string) => text.replaceAll("AT TIME ZONE 'Asia/Shanghai'", "AT TIME ZONE 'UTC'");
  const found = await withAltered(greenwich, () => play(WITHIN, SEED));
  say(found.slice(0, 3).join('; '));
  expect(found.join('\n')).toMatch(/, not \d/);
});
