import { createHash } from 'node:crypto';
import { test } from '@playwright/test';

const counts = new Map<string, number>();

/**
 * A word of eight capital letters and digits that neither the demo data nor another journey has. It is made of the
 * journey's name and a count: a journey uses the same words in each run, whatever ran before it.
 */
export function newWord(): string {
  const { testId } = test.info();
  const count = (counts.get(testId) ?? 0) + 1;
  counts.set(testId, count);
  const journey = createHash('sha256').update(testId).digest().readUIntBE(0, 6) % 36 ** 5;
  return [journey.toString(36).padStart(5, '0'), count.toString(36).padStart(3, '0')].join('').toUpperCase();
}

/** Nine digits, of which the same holds. */
export const newNumber = (): number => 100_000_000 + (Number.parseInt(newWord(), 36) % 900_000_000);
