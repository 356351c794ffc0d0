import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '#server/root.ts';

/**
 * A day is that of the workshop's calendar. The database's own day is its server's, the machine's own is its zone's: whoever
 * needs a day asks the one place of SQL or of the rules. Rule: wire#days.
 */
const places = ['src/server/db/days.ts', 'src/domain/day.ts', 'src/domain/period.ts'];

const forbidden: Record<string, RegExp> = {
  'the database’s day': /\bcurrent_date\b|\blocaltime(stamp)?\b|\bnow\(\)::(date|timestamp\b)|\bcurrent_timestamp::/i,
  'a day, month or clock of the database’s zone': /\bdate_trunc\('?(week|month|year|day|quarter)|\bAT TIME ZONE\b/i,
  'a limit in days that goes by the hour':
    /make_interval\(days => \$\{(limits\.secondRepairDays|REPAIR_WARRANTY_DAYS)\}/,
  'the UTC day of a moment': /new Date\([^)]*\)\.(toISOString\(\)\.(slice|substring)|getUTC(Date|Month|FullYear))/,
  'the machine’s day or clock': /\.get(Date|Month|FullYear|Day|Hours|Minutes|Seconds|TimezoneOffset)\(\)/,
  'a text of a moment in the machine’s zone': /\.to(Locale)?(Date|Time)String\(|\.toLocaleString\(\)|\bdayjs\(/,
  'a formatter of its own': /Intl\.DateTimeFormat\((?!\))/,
};

/** They name no day of the workshop, or take the zone as a parameter where no builder of SQL is. */
const allowed: Record<string, string> = {
  'src/server/db/numbers.ts': 'a prepared text of its own, with the zone as a parameter',
  'src/server/backup/contents.ts': 'the moment of a backup, in UTC and with a Z',
  'src/server/reports/monthStatistics.ts': 'counts months from a day that was given as text',
  'src/server/config.ts': 'asks whether a zone is one',
  'src/app/shell/WorkshopClock.tsx': 'says whose the clock is where the browser’s is another',
  'src/app/fields/typedDate.ts': 'counts days that were given as text',
};

const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .map((it) => `src/${it}`)
  .filter((it) => /\.tsx?$/.test(it) && !/\.test\.tsx?$/.test(it));

const findIn = (code: string): string[] =>
  Object.entries(forbidden).flatMap(([what, sign]) => (sign.test(code) ? [what] : []));

it('nobody but the one place asks for a day', () => {
  expect(files.length).toBeGreaterThan(1000);
  const found = files
    .filter((it) => !places.includes(it) && !(it in allowed))
    .flatMap((it) => findIn(readFileSync(join(ROOT, it), 'utf8')).map((what) => `${it}: ${what}`));
  expect(found).toEqual([]);
});

it('what is allowed is still there', () => {
  const unused = Object.keys(allowed).filter((it) => findIn(readFileSync(join(ROOT, it), 'utf8')).length === 0);
  expect(unused).toEqual([]);
});

it.each([
  'o."warrantyUntil" >= current_date',
  'now()::date',
  "date_trunc('month', t.at)",
  '(t.at AT TIME ZONE zone)::date',
  'make_interval(days => ${limits.secondRepairDays})',
  'new Date(at).toISOString().slice(0, 10)',
  'new Date().getUTCFullYear()',
  'it.getMonth()',
  'it.getHours()',
  'new Date(at).toTimeString().slice(0, 8)',
  'new Date(at).toLocaleTimeString()',
  'new Date(at).toLocaleString()',
  "dayjs(at).format('HH:mm')",
  "new Intl.DateTimeFormat('en', { hour: '2-digit' })",
])('%s is found', (code) => {
  expect(findIn(code)).not.toEqual([]);
});
