import { expect, it } from 'vitest';
import { endOfDay, offsetAt } from '#domain/day.ts';

it.each([
  ['2026-02-28', 'Asia/Shanghai', '2026-02-28T16:00:00.000Z'],
  ['2026-12-31', 'UTC', '2027-01-01T00:00:00.000Z'],
  // The clock is put back: this day has 25 hours.
  ['2026-10-25', 'Europe/Berlin', '2026-10-25T23:00:00.000Z'],
])('%s ends in %s at %s', (day, zone, end) => {
  expect(new Date(endOfDay(day, zone)).toISOString()).toBe(end);
});

it.each([
  ['2026-03-29T00:59:59.999Z', 'Europe/Berlin', 60],
  ['2026-03-29T01:00:00.000Z', 'Europe/Berlin', 120],
  ['2026-03-29T23:00:00.000Z', 'Europe/Berlin', 120],
  // Put forward by half an hour, in the middle of an hour of UTC.
  ['2026-10-03T15:29:59.999Z', 'Australia/Lord_Howe', 630],
  ['2026-10-03T15:30:00.000Z', 'Australia/Lord_Howe', 660],
  ['2026-11-21T12:34:56.789Z', 'Asia/Shanghai', 480],
])('at %s the clock of %s is %i minutes ahead', (moment, zone, minutes) => {
  expect(offsetAt(Date.parse(moment), zone)).toBe(minutes * 60_000);
});
