import { expect, it } from 'vitest';
import { dayFromSql, dayOf, endOfDay, momentFromClock, momentText, offsetAt } from '#domain/day.ts';

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

/** Of a year each day of the months in which the clocks of a zone are changed. */
function daysOfChange(zone: string): string[] {
  const months = Array.from({ length: 12 }, (_, i) => i).filter(
    (it) => offsetAt(Date.UTC(2026, it, 1), zone) !== offsetAt(Date.UTC(2026, it + 1, 1), zone),
  );
  return months.flatMap((month) =>
    Array.from({ length: 31 }, (_, i) => new Date(Date.UTC(2026, month, 1 + i)).toISOString().slice(0, 10)),
  );
}

it('every day begins on itself and ends where the next begins, whichever zone puts its clocks forward or back', () => {
  const changes = Intl.supportedValuesOf('timeZone').map((zone) => [zone, daysOfChange(zone)] as const);
  expect(changes.filter(([, days]) => days.length > 0).length).toBeGreaterThan(100);
  const isWhole = (day: string, zone: string) => {
    const begin = dayFromSql(day, zone);
    return dayOf(begin, zone) === day && dayOf(begin - 1, zone) < day && dayOf(endOfDay(day, zone) - 1, zone) === day;
  };
  const broken = changes.flatMap(([zone, days]) =>
    days.filter((it) => !isWhole(it, zone)).map((it) => `${zone} ${it}`),
  );
  expect(broken).toEqual([]);
});

it.each([
  ['2026-03-29 02:30:00', 'Europe/Berlin', '2026-03-29 03:30:00'],
  ['2026-03-08 02:30:00', 'America/New_York', '2026-03-08 03:30:00'],
  ['2026-09-06 00:00:00', 'America/Santiago', '2026-09-06 01:00:00'],
  ['2026-03-29 00:15:00', 'Atlantic/Azores', '2026-03-29 01:15:00'],
])('%s, which no clock of %s shows, is %s', (clock, zone, shown) => {
  expect(momentText(momentFromClock(clock, zone), zone)).toBe(shown);
});
