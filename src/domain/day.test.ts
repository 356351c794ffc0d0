import { expect, it } from 'vitest';
import { endOfDay } from '#domain/day.ts';

it.each([
  ['2026-02-28', 'Asia/Shanghai', '2026-02-28T15:59:59.999Z'],
  ['2026-12-31', 'UTC', '2026-12-31T23:59:59.999Z'],
  // The clock is put back: this day has 25 hours.
  ['2026-10-25', 'Europe/Berlin', '2026-10-25T22:59:59.999Z'],
])('%s ends in %s at %s', (day, zone, end) => {
  expect(new Date(endOfDay(day, zone)).toISOString()).toBe(end);
});
