import { sql, type RawBuilder } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayFromSql } from '#domain/day.ts';
import { dayIn, midnightIn } from '#server/db/days.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';

let testApp: TestApp;
beforeAll(async () => void (testApp = await startTestApp()));
afterAll(() => testApp.close());

const read = async (value: RawBuilder<unknown>) => {
  const { rows } = await sql<{ value: unknown }>`SELECT ${value} AS value`.execute(testApp.db);
  return rows[0]?.value;
};

/** Clocks are put back to this day's midnight there, which comes twice. */
describe.each([
  ['2026-11-01', 'America/Havana'],
  ['2026-10-25', 'Atlantic/Azores'],
])('the day %s in %s', (day, timeZone) => {
  it('begins with the first of its midnights', async () => {
    const begin = (await read(midnightIn(sql`${day}::date`, timeZone))) as number;
    const on = (at: number) => read(sql`${dayIn(sql`${new Date(at)}::timestamptz`, timeZone)}::text`);
    expect(await on(begin)).toBe(day);
    expect(await on(begin - 1)).not.toBe(day);
  });
});

it.each([
  'Asia/Shanghai',
  'Europe/Berlin',
  'America/Los_Angeles',
  'America/Santiago',
  'America/Havana',
  'Africa/Cairo',
  'Atlantic/Azores',
  'Australia/Lord_Howe',
])('each day in %s begins in SQL as it does in the rules', async (timeZone) => {
  const { rows } = await sql<{ day: string; begin: number }>`
    SELECT day::date::text AS day, ${midnightIn(sql`day::date`, timeZone)} AS begin
      FROM generate_series('2026-01-01'::timestamp, '2026-12-31'::timestamp, interval '1 day') AS day`.execute(
    testApp.db,
  );
  expect(rows.length).toBe(365);
  expect(rows.filter(({ day, begin }) => begin !== dayFromSql(day, timeZone))).toEqual([]);
});
