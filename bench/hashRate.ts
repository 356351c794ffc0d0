import { SAMPLE_DAYS, SLOT_DAYS } from '#domain/hashRate.ts';
import { at, get, measureTimes, post, withPool } from './measure.ts';
import type { Station } from './station.ts';

export interface HashRateFigures {
  /** Samples a second, for how many seconds, and what became of them. */
  perSecond: number;
  seconds: number;
  lost: number;
  doubled: number;
  ingestP95Ms: number;
  /** A scan's verdict meanwhile, against the same scan alone: its 95th percentile, as a ratio. */
  besideRatio: number;
  /** An account of 500 machines, by interval. */
  chartP95Ms: Record<string, number>;
}

const MACHINES = 500;
const RACKS = 10;
const PER_SECOND = 1000;
const SECONDS = 60;
const SCANS = 300;
const CHARTS = 20;

/**
 * Ten collectors hand in 1,000 samples a second for a minute, each tenth batch twice, while a station scans; then charts of
 * an account of 500 machines that reported each minute. Rule: operating#measuring.
 */
export async function measureHashRate(
  base: string,
  token: string,
  url: string,
  station: Station,
): Promise<HashRateFigures> {
  await fill(url);
  const secret = await issueToken(base, token);
  const alone = await measureTimes(SCANS, station.scan);
  let isRunning = true;
  const sent = collect(base, secret).finally(() => (isRunning = false));
  const beside: number[] = [];
  while (isRunning) {
    beside.push(...(await measureTimes(1, () => station.scan(beside.length))));
    // A station with a quick hand, not one that asks as fast as it is answered.
    await new Promise((done) => setTimeout(done, 100));
  }
  const { rack, samples, times } = await sent;
  // Before and after: a machine is not as quick at all times.
  alone.push(...(await measureTimes(SCANS, station.scan)));
  return {
    ...{ perSecond: PER_SECOND, seconds: SECONDS },
    ...(await compare(url, rack, samples)),
    ingestP95Ms: p95(times),
    besideRatio: p95(beside) / p95(alone),
    chartP95Ms: await measureCharts(base, token),
  };
}

const p95 = (times: readonly number[]) =>
  at(
    times.toSorted((a, b) => a - b),
    0.95,
  );

async function issueToken(base: string, token: string): Promise<string> {
  const input = { name: `bench ${Date.now()}`, siteId: 'SZ', userOid: null, days: 1 };
  const { ok, text } = await post(`${base}/api/sysServiceToken/issue.json`, input, { token });
  if (!ok) throw new Error(`no token: ${text.slice(0, 300)}`);
  return (JSON.parse(text) as { data: { secret: string } }).data.secret;
}

/** Each collector sends its tenth of a second's samples, once a second, whatever the server does. */
async function collect(base: string, secret: string) {
  const rack = `LOAD${Date.now()}`;
  const headers = { authorization: `Bearer ${secret}` };
  const each = PER_SECOND / RACKS;
  const times: number[] = [];
  const calls: Promise<void>[] = [];
  const send = async (samples: object[]) => {
    const began = performance.now();
    const { ok, text } = await post(`${base}/api/hashRate/ingest.json`, { samples }, headers);
    times.push(performance.now() - began);
    if (!ok) throw new Error(`not taken: ${text.slice(0, 300)}`);
  };
  const start = performance.now();
  const now = Date.now();
  for (let second = 0; second < SECONDS; second++) {
    for (let r = 0; r < RACKS; r++) {
      const due = start + second * 1000 + (r * 1000) / RACKS;
      await new Promise((done) => setTimeout(done, Math.max(0, due - performance.now())));
      const samples = Array.from({ length: each }, (_, i) => ({
        userOid: `${rack}-${r}`,
        workerId: `${rack}-${r}-${i % (MACHINES / RACKS)}`,
        timestamp: now + second * 1000 + Math.floor(i / (MACHINES / RACKS)),
        hashRate: 90 + (i % 20),
      }));
      calls.push(send(samples));
      if ((second * RACKS + r) % 10 === 0) calls.push(send(samples));
    }
  }
  await Promise.all(calls);
  return { rack, samples: PER_SECOND * SECONDS, times };
}

/** What is kept and what was added up, against what was sent. */
function compare(url: string, rack: string, sent: number): Promise<{ lost: number; doubled: number }> {
  return withPool(url, 1, async (pool) => {
    const { rows } = await pool.query<{ samples: number; added: number }>(
      `SELECT (SELECT count(*)::int FROM hash_rate_sample WHERE "userOid" LIKE $1) AS samples,
              (SELECT sum(count)::int FROM hash_rate_slot WHERE "userOid" LIKE $1 AND span = 'hour') AS added`,
      [`${rack}%`],
    );
    const { samples = 0, added = 0 } = rows[0] ?? {};
    return { lost: sent - Math.min(samples, added), doubled: Math.max(samples, added) - sent };
  });
}

const ACCOUNT = 'BENCH500';

/** An account of 500 machines: each minute of the days that samples are kept, each hour and day of a chart's length. */
function fill(url: string): Promise<void> {
  return withPool(url, 1, async (pool) => {
    const { rowCount } = await pool.query(
      `SELECT FROM hash_rate_sample WHERE "userOid" = $1 AND at > now() - interval '20 minutes' LIMIT 1`,
      [ACCOUNT],
    );
    if (rowCount) return;
    for (const table of ['hash_rate_sample', 'hash_rate_slot', 'user_speed', 'user_worker'])
      await pool.query(`DELETE FROM ${table} WHERE "userOid" = $1`, [ACCOUNT]);
    await pool.query(`INSERT INTO user_speed ("userOid", name, "siteId") VALUES ($1, $1, 'SZ')`, [ACCOUNT]);
    await pool.query(
      `INSERT INTO user_worker ("workerId", "userOid", "siteId")
       SELECT $1 || '-' || n, $1, 'SZ' FROM generate_series(1, $2::int) AS n`,
      [ACCOUNT, MACHINES],
    );
    const machine = `'${ACCOUNT}-' || n`;
    await pool.query(
      `INSERT INTO hash_rate_sample ("userOid", "workerId", at, "hashRate")
       SELECT $1, ${machine}, t, 90 + n % 20
         FROM generate_series(date_trunc('minute', now()) - make_interval(days => $3::int), now(), '1 minute') AS t,
              generate_series(1, $2::int) AS n`,
      [ACCOUNT, MACHINES, SAMPLE_DAYS],
    );
    for (const [span, count] of [
      ['hour', 60],
      ['day', 1440],
    ] as const)
      await pool.query(
        `INSERT INTO hash_rate_slot ("userOid", span, at, "workerId", total, count)
         SELECT $1, $4::text, date_trunc($4, t, 'Asia/Shanghai'), ${machine}, (90 + n % 20) * $5::int, $5::int
           FROM generate_series(now() - make_interval(days => $3::int), now(), ('1 ' || $4)::interval) AS t,
                generate_series(1, $2::int) AS n`,
        [ACCOUNT, MACHINES, SLOT_DAYS, span, count],
      );
    await pool.query('VACUUM ANALYZE hash_rate_sample, hash_rate_slot, user_worker');
  });
}

async function measureCharts(base: string, token: string): Promise<Record<string, number>> {
  const figures: Record<string, number> = {};
  for (const interval of ['minute', 'hour', 'day']) {
    const path = `${base}/api/userSpeed/userSpeedChart.json?userOid=${ACCOUNT}&interval=${interval}`;
    figures[interval] = p95(await measureTimes(CHARTS, () => get(path, { token })));
  }
  return figures;
}
