import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { DataOf } from '#domain/call.ts';
import { dayFromSql, dayOf, endOfDay } from '#domain/day.ts';
import { formOf, kinds, ReportType, type Kind } from '#domain/reports.ts';
import type { Context } from '#server/context.ts';
import type { dashBoard } from '#server/dashboard/contract.ts';
import { createParams } from '#server/reports/params.ts';
import { columnsOf } from '#server/reports/report.ts';
import { reportOf } from '#server/reports/reportOf.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { unitOnBill } from '#tests/support/factories.ts';
import { contextFor } from '#tests/support/jobs.ts';

/**
 * Where lists have each row in one day, week and month (moments.test.ts), reports and home's charts have it in the same: of a
 * workshop's work that was all done within a second of the edges of days, on both sides of the two on which the clock is changed.
 */
const timeZone = 'Europe/Berlin';
const around = (at: number) => [-1000, -1, 0, 1].map((it) => at + it);
const edges = ['2026-03-29', '2026-03-30', '2026-10-25', '2026-10-26', '2026-11-01', '2027-01-01'].flatMap((it) =>
  around(dayFromSql(it, timeZone)),
);

/** Whatever the machine's own zone is. */
const zones = ['Asia/Shanghai', 'Europe/Berlin', 'America/Los_Angeles'];
afterEach(() => vi.unstubAllEnvs());

let testApp: TestApp;
let ctx: Context;
beforeAll(async () => {
  testApp = await startTestApp({ timeZone }, { holdsDemo: true });
  ctx = await contextFor(testApp, 'admin');
  const moments = edges.map((it) => new Date(it).toISOString());
  for (const { table, fields, rowsOf, viewOf } of testApp.model.definitions.values()) {
    const names = Object.keys(fields).filter((it) => fields[it]?.type === 'dateTime');
    if (rowsOf || viewOf) continue;
    // In their order, as what is done to a unit follows each other.
    const place = sql`1 + id * ${sql.lit(edges.length)} / (SELECT max(id) + 1 FROM ${sql.table(table)})`;
    const nth = sql`(${`{${moments.join(',')}}`}::timestamptz[])[${place}]`;
    const set = ['createTime', ...names].map(
      (it) => sql`${sql.ref(it)} = CASE WHEN ${sql.ref(it)} IS NOT NULL THEN ${nth} END`,
    );
    await sql`UPDATE ${sql.table(table)} SET ${sql.join(set)}`.execute(testApp.db);
  }
});
afterAll(() => testApp?.close());

describe('a report', () => {
  const days: [string, string][] = [
    ['2026-03-28', '2026-03-28'],
    ['2026-03-29', '2026-03-29'],
    ['2026-03-30', '2026-03-30'],
    ['2026-03-31', '2026-10-24'],
    ['2026-10-25', '2026-10-25'],
    ['2026-10-26', '2026-10-31'],
    ['2026-11-01', '2026-12-31'],
    ['2027-01-01', '2027-01-01'],
  ];
  const months: [string, string][] = [
    ['2026-03-01', '2026-03-01'],
    ['2026-04-01', '2026-09-01'],
    ['2026-10-01', '2026-10-01'],
    ['2026-11-01', '2026-12-01'],
    ['2027-01-01', '2027-01-01'],
  ];
  /** What was there before, and limits; what was repaired twice is counted once in a range. */
  const addsUpToNothing = ['opening', 'closing', 'difference', 'installed', 'target'];
  const onceInARange: Partial<Record<Kind, string>> = { exportRepairAndSaleStatistics: 'repaired' };
  const ranged = kinds
    .filter((it) => formOf(it).range !== 'now')
    .flatMap((kind): [Kind, string][] =>
      formOf(kind).inputs.includes('reportType') ? Object.values(ReportType).map((it) => [kind, it]) : [[kind, '1']],
    );

  /** Its rows, and the sum of each of its counts. */
  async function readSums(kind: Kind, reportType: string, [startDate, endDate]: [string, string]) {
    const report = reportOf(kind);
    const params = createParams(kind, { startDate, endDate, reportType }, ctx);
    const { rows } = await report.rows(params).execute(testApp.db);
    const counted = columnsOf(report, params).filter(
      (it) => it.kind === 'integer' && !addsUpToNothing.includes(it.key) && onceInARange[kind] !== it.key,
    );
    if (!report.chart) return { rows: rows.length };
    return Object.fromEntries(counted.map(({ key }) => [key, rows.reduce((sum, it) => sum + Number(it[key] ?? 0), 0)]));
  }

  it.each(ranged)('%s of type %s has each row in one of the periods of a range', async (kind, type) => {
    const nth = ranged.findIndex(([it, of]) => it === kind && of === type);
    vi.stubEnv('TZ', zones[nth % zones.length]);
    const parts = formOf(kind).range === 'months' ? months : days;
    const whole = await readSums(kind, type, [parts[0]?.[0] ?? '', parts.at(-1)?.[1] ?? '']);
    const sums: Record<string, number> = Object.fromEntries(Object.keys(whole).map((it) => [it, 0]));
    for (const part of parts) {
      for (const [key, it] of Object.entries(await readSums(kind, type, part))) sums[key] = (sums[key] ?? 0) + it;
    }
    expect(sums).toEqual(whole);
  });

  it('is told all of them', () => {
    expect(ranged.length).toBeGreaterThan(15);
  });
});

describe('home', () => {
  type Home = DataOf<typeof dashBoard>;
  const read = async () => (await testApp.ask<Home>('GET', '/api/dashBoard.json', {}, { as: 'techNB' })).data;
  /** How many of the list of received units a period has. */
  async function countIn(name: string, from: number, to: number, more: object = {}) {
    const period = { [`${name}Start`]: from, [`${name}End`]: to - 1000, ...more };
    const { data } = await testApp.ask<{ itemTotal: number }>('GET', '/api/rmaReceivedUnit/pager.json', period, {
      as: 'techNB',
    });
    return data.itemTotal;
  }
  /** Day by day. */
  async function sumOfDays(name: string, from: number, to: number, more?: object) {
    let sum = 0;
    for (let at = from; at < to; at = endOfDay(dayOf(at, timeZone), timeZone)) {
      sum += await countIn(name, at, endOfDay(dayOf(at, timeZone), timeZone), more);
    }
    return sum;
  }

  it('has each unit in one week and one month, as the days of the list have it', async () => {
    vi.stubEnv('TZ', 'America/Los_Angeles');
    const first = await read();
    const at = (moment: number, column: string) => ({ [column]: new Date(moment) as never, continues: '1' as const });
    const put = (moment: number, column: 'receiveTime' | 'deliverTime') =>
      unitOnBill(testApp.db, { node: '900', siteId: 'NB', item: at(moment, column) });
    const weeks = first.turnaround.map((it) => it.from);
    const months = first.returns.map((it) => it.from);
    const delivered = weeks.flatMap(around);
    for (const it of delivered) await put(it, 'deliverTime');
    for (const it of months.flatMap(around)) await put(it, 'receiveTime');
    const { turnaround, returns } = await read();
    expect([turnaround.map((it) => it.from), returns.map((it) => it.from)]).toEqual([weeks, months]);
    const added = turnaround.map((it, i) => it.delivered - (first.turnaround[i]?.delivered ?? 0));
    const expected = weeks.map((from, i) => delivered.filter((it) => it >= from && it < (weeks[i + 1] ?? Infinity)));
    expect(added).toEqual(expected.map((it) => it.length));
    for (const [i, from] of weeks.slice(0, -1).entries()) {
      expect(await sumOfDays('deliverTime', from, weeks[i + 1] as number)).toBe(turnaround[i]?.delivered);
    }
    for (const [i, from] of months.slice(0, -1).entries()) {
      const next = months[i + 1] as number;
      const figure = returns[i]?.again;
      expect(await countIn('receiveTime', from, next, { continues: '1' })).toBe(figure);
      expect(figure).toBeGreaterThan(0);
    }
    const [month = 0, next = 0] = months;
    expect(await sumOfDays('receiveTime', month, next, { continues: '1' })).toBe(returns[0]?.again);
  });
});
