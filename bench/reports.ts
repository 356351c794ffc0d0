import { sql, type RawBuilder } from 'kysely';
import pg from 'pg';
import { formOf, kinds, type Kind, type ReportInput } from '#domain/reports.ts';
import { readConfig } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import { openDatabase } from '#server/db/pool.ts';
import { createParams } from '#server/reports/params.ts';
import { PREVIEW_ROWS } from '#server/reports/preview.ts';
import { reportOf } from '#server/reports/reportOf.ts';
import { get, measureTimes, median, readRss } from './measure.ts';

export interface ReportFigures {
  kind: Kind;
  rows: number;
  /** Until the preview is answered, and what its query costs with nothing around it. */
  firstMs: number;
  bareFirstMs: number;
  /** From the press to the finished file, and what reading the same rows costs with nothing around it. */
  ms: number;
  bareMs: number;
  /** What of both is no report's: a call that asks for next to nothing, and a job that makes a file of no rows. */
  callMs: number;
  jobMs: number;
  /** How much the server's memory grew meanwhile, at most. */
  growthMb: number;
}

const DAYS = 30;
const MINUTE = 60_000;
const TRIES = 3;
const BATCH = 1000;

/**
 * Every report over the last month of the bulk, all sites: how soon its first rows are seen and its file is there, each
 * against the same SQL with nothing around it, one right after the other. Rule: operating#measuring.
 */
export async function measureReports(
  base: string,
  token: string,
  databaseUrl: string,
  pid: number,
): Promise<ReportFigures[]> {
  const figures: ReportFigures[] = [];
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    // The thread that makes files, its modules and its connections are there whether anybody reports or not.
    await makeFile(base, token, 'exportOnSiteRepairStatistics', client);
    const own = { callMs: await callOfNothing(base, token), jobMs: await jobOfNothing(base, token, client) };
    const bench = { base, token, client, databaseUrl, pid };
    for (const kind of kinds) figures.push({ ...(await measureReport(kind, bench)), ...own });
  } finally {
    await client.end();
  }
  return figures;
}

interface Bench {
  base: string;
  token: string;
  client: pg.Client;
  databaseUrl: string;
  pid: number;
}

async function measureReport(
  kind: Kind,
  { base, token, client, databaseUrl, pid }: Bench,
): Promise<Omit<ReportFigures, 'callMs' | 'jobMs'>> {
  const queries = await compile(kind, databaseUrl);
  const [first, bareFirst]: [number[], number[]] = [[], []];
  for (let i = 0; i < triesFor(bareFirst[0]); i++) {
    bareFirst.push(await timed(() => readFirst(client, queries)));
    first.push(await timed(() => preview(base, token, kind)));
  }
  let rows = 0;
  const [all, bareAll]: [number[], number[]] = [[], []];
  const before = readRss(pid);
  let highest = before;
  const watch = setInterval(() => (highest = Math.max(highest, readRss(pid))), 50);
  for (let i = 0; i < (isShort(bareAll[0]) ? SHORT_TRIES : 1); i++) {
    bareAll.push(await timed(async () => (rows = await readAll(client, queries))));
    all.push(await timed(() => makeFile(base, token, kind, client)));
  }
  clearInterval(watch);
  const [firstMs, bareFirstMs, ms, bareMs] = [first, bareFirst, all, bareAll].map((it) => median(it.sort(byLength)));
  return {
    ...{ kind, rows, firstMs: firstMs as number, bareFirstMs: bareFirstMs as number },
    ...{ ms: ms as number, bareMs: bareMs as number, growthMb: (highest - before) / 1024 },
  };
}

/** What takes some milliseconds is told by many times alone: one odd one is as long as all of it. */
const SHORT_TRIES = 15;
const isShort = (ms: number | undefined): boolean => ms !== undefined && ms < 50;
const triesFor = (ms: number | undefined): number => (isShort(ms) ? SHORT_TRIES : TRIES);

const callOfNothing = async (base: string, token: string): Promise<number> =>
  median(
    await measureTimes(SHORT_TRIES, () => get(`${base}/api/sysBtn/queryByMenuNo.json?menuNo=rmaReportList`, { token })),
  );

/** Days on which nothing was delivered yet. */
const LATER = { startDate: '2090-01-01', endDate: '2090-01-02' };
async function jobOfNothing(base: string, token: string, client: pg.Client): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < SHORT_TRIES; i++)
    times.push(await timed(() => makeFile(base, token, 'exportOnSiteRepairStatistics', client, LATER)));
  return median(times.sort(byLength));
}

const byLength = (a: number, b: number) => a - b;

/** What the report is asked with: the days up to today, as months where it goes by these. */
function inputOf(kind: Kind): ReportInput {
  const today = new Date();
  const from = new Date(today.getTime() - DAYS * 86_400_000);
  const day = (it: Date) => it.toISOString().slice(0, 10);
  const month = (it: Date) => `${day(it).slice(0, 7)}-01`;
  const { range, inputs } = formOf(kind);
  if (range === 'now') return {};
  const to = range === 'months' ? month : day;
  return {
    ...{ startDate: to(from), endDate: to(today) },
    ...(inputs.includes('reportType') && { reportType: '2' }),
  };
}

interface Compiled {
  text: string;
  values: unknown[];
}

/** The report's own queries, as the server asks them. */
async function compile(kind: Kind, databaseUrl: string) {
  const config = readConfig();
  const { db, close } = openDatabase(databaseUrl, config.timeZone, { size: 1 });
  const compiled = (query: RawBuilder<unknown>): Compiled => {
    const { sql: text, parameters } = query.compile(db);
    return { text, values: [...parameters] };
  };
  try {
    const ctx = { currentUser: { sites: 'all' }, lang: 'zh', config } as unknown as Context;
    const params = createParams(kind, inputOf(kind), ctx);
    const report = reportOf(kind);
    const below = report.footer?.(params);
    return {
      all: compiled(report.rows(params)),
      first: compiled(sql`${report.rows(params)} LIMIT ${sql.lit(PREVIEW_ROWS + 1)}`),
      below: below && compiled(below),
    };
  } finally {
    await close();
  }
}

const begin = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL work_mem = '64MB'; SET LOCAL jit = off`;

async function readFirst(client: pg.Client, { first, below }: Awaited<ReturnType<typeof compile>>): Promise<void> {
  await client.query(begin);
  await client.query(first);
  if (below) await client.query(below);
  await client.query('COMMIT');
}

async function readAll(client: pg.Client, { all, below }: Awaited<ReturnType<typeof compile>>): Promise<number> {
  await client.query(`${begin}; SET LOCAL cursor_tuple_fraction = 1`);
  await client.query({ text: `DECLARE bare NO SCROLL CURSOR FOR ${all.text}`, values: all.values });
  for (let count = 0; ;) {
    const { rows } = await client.query(`FETCH ${BATCH} FROM bare`);
    count += rows.length;
    if (rows.length < BATCH) {
      if (below) await client.query(below);
      await client.query('COMMIT');
      return count;
    }
  }
}

async function preview(base: string, token: string, kind: Kind): Promise<void> {
  const { ok, text } = await ask(base, token, kind.replace('export', 'preview'), kind);
  if (!ok) throw new Error(`${kind}: ${text.slice(0, 300)}`);
}

const ask = (base: string, token: string, call: string, kind: Kind, input = inputOf(kind)) =>
  get(`${base}/api/rmaReport/${call}.json?${new URLSearchParams({ ...input })}`, { token });

/** The call waits for a while only; the job is what makes the file. */
async function makeFile(
  base: string,
  token: string,
  kind: Kind,
  client: pg.Client,
  input: ReportInput = inputOf(kind),
): Promise<void> {
  await ask(base, token, kind, kind, input);
  const deadline = Date.now() + 10 * MINUTE;
  for (;;) {
    const { rows } = await client.query<{ state: string; problem: unknown }>(
      `SELECT state, problem FROM job ORDER BY id DESC LIMIT 1`,
    );
    const { state = 'missing', problem } = rows[0] ?? {};
    if (state === 'done') return;
    if ((state !== 'queued' && state !== 'running') || Date.now() > deadline)
      throw new Error(`${kind} is ${state}: ${JSON.stringify(problem)}`);
    await new Promise((done) => setTimeout(done, 2));
  }
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await act();
  return performance.now() - began;
}
