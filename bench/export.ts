import { at, get, post, measureTimes, readRss, withPool } from './measure.ts';
import type { Station } from './station.ts';

export interface ExportFigures {
  rows: number;
  columns: number;
  ms: number;
  /** How much the server's memory grew while it exported, at most, above what it held after a first small export. */
  growthMb: number;
  /** A scan's verdict beside the export, against the same scan alone: its 95th percentile, as a ratio. */
  besideRatio: number;
}

const ROWS = 100_000;
const COLUMNS = 20;
const SCANS = 300;

/** Exports 100,000 rows of the wafer WIP list, 20 columns, while a station scans. Rule: operating#measuring. */
export async function measureExport(
  base: string,
  token: string,
  url: string,
  pid: number,
  station: Station,
): Promise<ExportFigures> {
  await fill(url);
  const columns = await readColumns(base, token);
  // The thread, its modules and its connections are there whether anybody exports or not.
  await exported(base, token, columns.slice(0, 1), 'wipId=NONE');
  const alone = await measureTimes(SCANS, station.scan);
  const before = readRss(pid);
  let highest = before;
  const watch = setInterval(() => (highest = Math.max(highest, readRss(pid))), 50);
  const began = performance.now();
  let isRunning = true;
  const export_ = exported(base, token, columns).finally(() => (isRunning = false));
  const times: number[] = [];
  while (isRunning) times.push(...(await measureTimes(1, () => station.scan(times.length))));
  await export_;
  const ms = performance.now() - began;
  clearInterval(watch);
  // Before and after: a machine is not as quick at all times.
  alone.push(...(await measureTimes(SCANS, station.scan)));
  return {
    rows: ROWS,
    columns: COLUMNS,
    ms,
    growthMb: (highest - before) / 1024,
    besideRatio: p95(times) / p95(alone),
  };
}

function fill(url: string): Promise<void> {
  return withPool(url, 1, async (pool) => {
    const { rows } = await pool.query<{ n: string }>('SELECT count(*) AS n FROM icop_wip');
    const missing = ROWS - Number(rows[0]?.n);
    if (missing <= 0) return;
    await pool.query(
      `INSERT INTO icop_wip ("wipId", stage, "stageName", "workOrderNo", "waferPn", "waferMpn", "devicePn", "waferLotId",
         "waferIds", "waferQty", "chipQty", "inputQty", "remainQty", yield, "siteId", "siteName", "inTime", marking, remark)
       SELECT 'WIP' || n, 'CP', '2', 'ABI' || n % 5000, 'PN' || n % 300, 'MPN' || n % 40, 'DEV' || n % 90, 'LOT' || n / 25,
         '1,2,3,' || n % 25, n % 26, n * 3, n * 5, n % 977, (n % 1000) / 10.0, 'SZ', 'SZ',
         now() - n * interval '1 minute', '=MARK' || n, '备注 ' || n
       FROM generate_series(1, $1::int) AS n`,
      [missing],
    );
    await pool.query('ANALYZE icop_wip');
  });
}

const p95 = (times: readonly number[]) =>
  at(
    times.toSorted((a, b) => a - b),
    0.95,
  );

async function readColumns(base: string, token: string): Promise<string[]> {
  const { title } = await asked<{ title: Record<string, string> }>(base, token, '/api/icopWip/pager.json?pageCount=1');
  return Object.keys(title).slice(0, COLUMNS);
}

async function exported(base: string, token: string, columns: string[], filter = ''): Promise<void> {
  const path = `/api/icopWip/exportWip.json?${filter}`;
  const { jobId } = await asked<{ jobId: number }>(base, token, path, { exportColumns: columns });
  for (;;) {
    const { state, msg } = await asked<{ state: string; msg: string }>(base, token, `/rest/jobs/${jobId}`);
    if (state === 'done') return;
    if (state !== 'queued' && state !== 'running') throw new Error(`the export is ${state}: ${msg}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

async function asked<Data>(base: string, token: string, path: string, body?: object): Promise<Data> {
  const { ok, text } = await (body ? post(`${base}${path}`, body, { token }) : get(`${base}${path}`, { token }));
  if (!ok) throw new Error(`${path}: ${text.slice(0, 300)}`);
  return (JSON.parse(text) as { data: Data }).data;
}
