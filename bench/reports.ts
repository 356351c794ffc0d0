import { sql, type RawBuilder } from 'kysely';
import pg from 'pg';
import { formOf, kinds, type Kind, type ReportInput } from '#domain/reports.ts';
import { orderSummary } from '#features/order-summary/queries.ts';
import { orderModules } from '#features/order-summary/rules.ts';
import { readConfig } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import { openDatabase } from '#server/db/pool.ts';
import { createParams } from '#server/reports/params.ts';
import { PREVIEW_ROWS } from '#server/reports/preview.ts';
import { reportOf } from '#server/reports/reportOf.ts';
import { get, median, readRss } from './measure.ts';

export interface ReportFigures {
  kind: string;
  rows: number;
  /** Until the preview is answered, and what its query costs with nothing around it; where there is a preview. */
  firstMs: number | null;
  bareFirstMs: number | null;
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
const TOO_LONG = 504;
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
  isChosen: (kind: string) => boolean = () => true,
): Promise<ReportFigures[]> {
  const figures: ReportFigures[] = [];
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    // The thread that makes files, its modules and its connections are there whether anybody reports or not.
    await makeFile(base, token, addressOf('exportOnSiteRepairStatistics'), client);
    const bench = { base, token, client, pid };
    for (const kind of kinds.filter(isChosen))
      figures.push(await measureReport(await reportSubject(kind, databaseUrl), bench));
    if (!isChosen('exportSummary')) return figures;
    await makeOrders(client);
    figures.push(await measureReport(await orderSubject(databaseUrl), bench));
  } finally {
    await client.end();
  }
  return figures;
}

interface Bench {
  base: string;
  token: string;
  client: pg.Client;
  pid: number;
}

/** What is measured: its calls with what they are asked with, and the queries that they make. */
interface Subject {
  name: string;
  preview?: string;
  file: string;
  queries: Queries;
}

/**
 * Each try asks for nothing, reads bare and asks for the report, one right after the other, so that an hour in which the
 * machine is slow is slow for all three; what counts is the middle of what the tries differ by.
 */
async function measureReport(
  { name, preview, file, queries }: Subject,
  { base, token, client, pid }: Bench,
): Promise<ReportFigures> {
  const [first, bareFirst, call]: [number[], number[], number[]] = [[], [], []];
  for (let i = 0; preview && i < triesFor(bareFirst[0]); i++) {
    call.push(await timed(() => askNothing(base, token)));
    bareFirst.push(await timed(() => readFirst(client, queries)));
    first.push(await timed(() => asked(base, token, preview)));
  }
  let rows = 0;
  const [all, bareAll, job]: [number[], number[], number[]] = [[], [], []];
  const before = readRss(pid);
  let highest = before;
  const watch = setInterval(() => (highest = Math.max(highest, readRss(pid))), 50);
  for (let i = 0; i < triesFor(bareAll[0]); i++) {
    job.push(await timed(() => makeFile(base, token, addressOf('exportOnSiteRepairStatistics', LATER), client)));
    bareAll.push(await timed(async () => (rows = await readAll(client, queries))));
    all.push(await timed(() => makeFile(base, token, file, client)));
  }
  clearInterval(watch);
  const [firstMs = null, bareFirstMs = null] = [first, bareFirst].filter((it) => it.length > 0).map(middle);
  const own = (whole: readonly number[], nothing: readonly number[]) =>
    whole.length === 0 ? 0 : middle(whole) - middle(whole.map((it, i) => it - (nothing[i] ?? 0)));
  return {
    ...{ kind: name, rows, firstMs, bareFirstMs, ms: middle(all), bareMs: middle(bareAll) },
    ...{ callMs: own(first, call), jobMs: own(all, job) },
    growthMb: (highest - before) / 1024,
  };
}

const middle = (times: readonly number[]) => median(times.toSorted(byLength));

/** The shorter it is, the more one odd time weighs: what takes some milliseconds is told by many times alone. */
function triesFor(ms: number | undefined): number {
  if (ms === undefined || ms >= 1000) return TRIES;
  return ms < 100 ? 41 : 9;
}

const askNothing = (base: string, token: string) =>
  asked(base, token, '/api/sysBtn/queryByMenuNo.json?menuNo=rmaReportList');

/** Days on which nothing was delivered yet. */
const LATER = { startDate: '2090-01-01', endDate: '2090-01-02' };

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

interface Queries {
  all: Compiled;
  first: Compiled;
  below?: Compiled;
}

const addressOf = (call: string, input: ReportInput = inputOf(call.replace('preview', 'export') as Kind)) =>
  `/api/rmaReport/${call}.json?${new URLSearchParams({ ...input })}`;

async function reportSubject(kind: Kind, databaseUrl: string): Promise<Subject> {
  const report = reportOf(kind);
  const params = createParams(kind, inputOf(kind), ctx);
  const queries = await compile(databaseUrl, report.rows(params), report.footer?.(params));
  return { name: kind, preview: addressOf(kind.replace('export', 'preview')), file: addressOf(kind), queries };
}

/** The orders of one type; a summary has no preview. */
async function orderSubject(databaseUrl: string): Promise<Subject> {
  const input = inputOf('exportMainBillData');
  const params = {
    ...createParams('exportMainBillData', input, ctx),
    orderKinds: ['bumping_cp'] as const,
    modules: orderModules,
  };
  const asked = new URLSearchParams({ ...input, kind: 'bumping_cp' });
  return {
    name: 'exportSummary of orders',
    file: `/api/icopBumpingCpWorkOrder/exportSummary.json?${asked}`,
    queries: await compile(databaseUrl, orderSummary(params)),
  };
}

const ORDERS = 50_000;

/** As many work orders as some years bring, of the last month, each with two lines. */
async function makeOrders(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query(
    `SELECT FROM icop_bumping_cp_work_order WHERE "workOrderNo" = 'BENCH1' AND "createTime" > now() - interval '1 day'`,
  );
  if (rowCount) return;
  for (const table of ['icop_bumping_cp_work_order_line', 'icop_bumping_cp_work_order'])
    await client.query(`DELETE FROM ${table} WHERE "workOrderNo" LIKE 'BENCH%'`);
  await client.query(
    `INSERT INTO icop_supplier ("supplierId", "supplierName", "supplierType", status) SELECT 'BENCH', '长电科技', '1', '1'
      WHERE NOT EXISTS (SELECT FROM icop_supplier WHERE "supplierId" = 'BENCH')`,
  );
  await client.query(
    `INSERT INTO icop_part_number ("waferPn", "waferMpn", status)
     SELECT 'WPN-' || n, 'MPN-' || n, '1' FROM generate_series(0, 49) AS n
      WHERE NOT EXISTS (SELECT FROM icop_part_number WHERE "waferPn" = 'WPN-' || n)`,
  );
  await client.query(
    `INSERT INTO icop_bumping_cp_work_order ("workOrderNo", "billStatus", "processType", "lotType", "engineeringCode",
       "supplierId", "waferPn", "waferMpn", "siteId", "waferQty", "chipQty", "outputQty", "lossQty", "sentTime", "doneTime", "createTime")
     SELECT 'BENCH' || n, '3', '2', (n % 2)::text, 'E' || n, 'BENCH', 'WPN-' || n % 50, 'MPN-' || n % 50, 'SZ', 50, 25000,
            24000 + n % 500, 120, now() - n * interval '40 seconds', now() - n * interval '30 seconds', now() - n * interval '50 seconds'
       FROM generate_series(1, $1::int) AS n`,
    [ORDERS],
  );
  await client.query(
    `INSERT INTO icop_bumping_cp_work_order_line ("workOrderNo", "waferPn", "waferQty", "chipQty")
     SELECT 'BENCH' || n, 'WPN-' || n % 50, 25, 12500 FROM generate_series(1, $1::int) AS n, generate_series(1, 2)`,
    [ORDERS],
  );
  await client.query('VACUUM ANALYZE icop_bumping_cp_work_order, icop_bumping_cp_work_order_line');
}

const config = readConfig();
const ctx = { currentUser: { sites: 'all' }, lang: 'zh', config } as unknown as Context;

/** The queries as the server asks them: all rows, the first ones, and the sums below them. */
async function compile(databaseUrl: string, rows: RawBuilder<unknown>, footer?: RawBuilder<unknown>): Promise<Queries> {
  const { db, close } = openDatabase(databaseUrl, config.timeZone, { size: 1 });
  const compiled = (query: RawBuilder<unknown>): Compiled => {
    const { sql: text, parameters } = query.compile(db);
    return { text, values: [...parameters] };
  };
  try {
    return {
      all: compiled(rows),
      first: compiled(sql`${rows} LIMIT ${sql.lit(PREVIEW_ROWS + 1)}`),
      ...(footer && { below: compiled(footer) }),
    };
  } finally {
    await close();
  }
}

const begin = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL work_mem = '64MB'; SET LOCAL jit = off`;

async function readFirst(client: pg.Client, { first, below }: Queries): Promise<void> {
  await client.query(begin);
  await client.query(first);
  if (below) await client.query(below);
  await client.query('COMMIT');
}

async function readAll(client: pg.Client, { all, below }: Queries): Promise<number> {
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

async function asked(base: string, token: string, address: string): Promise<void> {
  const { ok, text } = await get(`${base}${address}`, { token });
  if (!ok) throw new Error(`${address}: ${text.slice(0, 300)}`);
}

/**
 * Until the file begins to come, as whoever pressed the button waits for it. A call waits for a minute only; what takes
 * longer is asked for.
 */
async function makeFile(base: string, token: string, address: string, client: pg.Client): Promise<void> {
  const began = performance.now();
  const answer = await fetch(`${base}${address}`, { headers: { token } });
  if (answer.headers.get('content-disposition') !== null) return answer.body?.cancel();
  if (answer.status !== TOO_LONG) throw new Error(`${address}: ${(await answer.text()).slice(0, 300)}`);
  for (;;) {
    const { rows } = await client.query<{ state: string; problem: unknown }>(
      `SELECT state, problem FROM job ORDER BY id DESC LIMIT 1`,
    );
    const { state = 'missing', problem } = rows[0] ?? {};
    if (state === 'done') return;
    if ((state !== 'queued' && state !== 'running') || performance.now() - began > 10 * MINUTE)
      throw new Error(`${address} is ${state}: ${JSON.stringify(problem)}`);
    // Asking costs time of the machine as well: as near as a fiftieth of what it takes is enough.
    await new Promise((done) => setTimeout(done, (performance.now() - began) / 50));
  }
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await act();
  return performance.now() - began;
}
