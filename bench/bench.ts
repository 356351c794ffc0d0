import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEmbedded } from '#server/db/embedded.ts';
import { ROOT } from '#server/root.ts';
import { DEMO_PASSWORD } from '#server/session/demoUsers.ts';
import { readOptions } from '../scripts/lib/options.mjs';
import { build } from '../scripts/lib/ready.mjs';
import { type BodyFigures, measureBodies } from './bodies.ts';
import { type BrowserFigures, launch, measureBrowser } from './browser.ts';
import { type BulkFigures, measureBulk } from './bulk.ts';
import { measureBursts } from './burst.ts';
import { measureExport } from './export.ts';
import { type FindManyFigures, measureFindMany } from './findMany.ts';
import { type HashRateFigures, measureHashRate } from './hashRate.ts';
import { measurePager } from './pager.ts';
import { measureScans } from './scan.ts';
import { measurePublish, type PublishFigures } from './publish.ts';
import { measureReports, type ReportFigures } from './reports.ts';
import { login, startBuiltServer, type RunningServer } from './server.ts';
import { measureStation, openStation } from './station.ts';
import { measureUpgrade, type UpgradeFigures } from './upgrade.ts';
import { addReceiver, measureTransfer, RECEIVER, type TransferFigures } from './transfer.ts';

/**
 * Measures the built product on bulk data of its own, against what the same costs with nothing around it, and writes
 * results.json. `BENCH_DATABASE_URL` measures on another PostgreSQL than our own.
 */
const ALONE = [
  'transfer',
  'reports',
  'findMany',
  'bulk',
  'hashRate',
  'bodies',
  'publish',
  'upgrade',
  'browser',
] as const;
const { values: options } = readOptions(
  `npm run bench [-- --sns 1000000 --only NAME --report A,B]
  --only    measures that alone and leaves the other figures as they are: ${ALONE.join(', ')}
  --report  of the reports, or of the actions on many rows, these; what is measured so is told and not kept`,
  { sns: /^[1-9]\d*$/, only: new RegExp(`^(?:${ALONE.join('|')})$`), report: /./ },
);
const sns = Number(options.sns ?? 100_000);
type Row = [what: string, figure: string, bar: string, isMet: boolean];
const ratio = (a: number, b: number) => `${(a / b).toFixed(2)} x`;
const ms = (it: number) => `${it.toFixed(it < 10 ? 2 : 0)} ms`;
const only = options.only as (typeof ALONE)[number] | undefined;
const chosen = options.report?.split(',');
const given = process.env['BENCH_DATABASE_URL'];
const dataDir = join(ROOT, '.cache', `bench-${sns}${given ? '-given' : ''}`);

// What is measured is what stands in the sources.
if ((await build()).code !== 0) process.exit(1);
if (!existsSync(join(dataDir, 'seeded'))) await seed();
/** What can be measured alone. */
const alone: Readonly<
  Record<(typeof ALONE)[number], () => Promise<{ lines: Row[]; figures: Record<string, unknown> }>>
> = {
  transfer: async () => {
    const transfer = await onServer({}, ({ base }, url) => transferOn(base, url));
    return { lines: rowsOfTransfer(transfer), figures: { transfer } };
  },
  reports: async () => {
    const reports = await reportsOn();
    return { lines: reports.flatMap(rowsOfReport), figures: { reports } };
  },
  findMany: async () => {
    const findMany = await onServer({}, async ({ base }, url) =>
      measureFindMany(base, await loginAs(base, 'admin'), url),
    );
    return { lines: rowsOfFindMany(findMany), figures: { findMany } };
  },
  bulk: async () => {
    const bulk = await onServer({}, bulkOn);
    return { lines: rowsOfBulk(bulk), figures: { bulk } };
  },
  hashRate: async () => {
    const hashRate = await onServer({}, async ({ base }, url) => hashRateOn(base, url));
    return { lines: rowsOfHashRate(hashRate), figures: { hashRate } };
  },
  bodies: async () => {
    const bodies = await onServer({}, async ({ base }) => measureBodies(base, await loginAs(base, 'admin')));
    return { lines: bodies.flatMap(rowsOfBodies), figures: { bodies } };
  },
  publish: async () => {
    const publish = await onServer({}, ({ base }, url) => publishOn(base, url));
    return { lines: rowsOfPublish(publish), figures: { publish } };
  },
  upgrade: async () => {
    const upgrade = await onServer({}, ({ base }, url) => upgradeOn(base, url));
    return { lines: rowsOfUpgrade(upgrade), figures: { upgrade } };
  },
  browser: async () => {
    const chromium = await launch();
    try {
      const found = await onServer({}, ({ base }) => measureBrowser(chromium, base));
      return { lines: rowsOfBrowser(found), figures: { browser: found } };
    } finally {
      await chromium.close();
    }
  },
};
if (only) {
  const { lines, figures } = await alone[only]();
  print(lines);
  if (!chosen) save(figures, { over: true });
  process.exit(0);
}

const coldStartMs = await coldStart();
const figures = await onDatabase(async (url) => {
  const server = await startBuiltServer({ DATA_DIR: dataDir, DATABASE_URL: url });
  const browser = await launch();
  try {
    const [admin, tech] = [await loginAs(server.base, 'admin'), await loginAs(server.base, 'tech')];
    const station = await openStation(server.base, tech, url);
    return {
      pager: await measurePager(server.base, admin, url),
      station: await measureStation(server.base, station, admin, url),
      browser: await measureBrowser(browser, server.base),
      scan: await measureScans(browser, server.base, tech, url),
      burst: await measureBursts(browser, server.base, await loginAs(server.base, 'warehouse'), url),
      findMany: await measureFindMany(server.base, admin, url),
      transfer: await transferOn(server.base, url),
      bulk: await bulkOn(server, url),
      hashRate: await hashRateOn(server.base, url),
      publish: await publishOn(server.base, url),
      bodies: await measureBodies(server.base, admin),
      // Units that have left the node by then are not scanned.
      export: await measureExport(server.base, admin, url, server.pid, await openStation(server.base, tech, url)),
    };
  } finally {
    await browser.close();
    await server.stop();
  }
});

const { pager, station, browser, scan, burst } = figures;
const rows: Row[] = [
  ['pager.json, 2 filters + sort + exact total, p50', ms(pager.withTotalMs), '< 3 ms', pager.withTotalMs < 3],
  [
    '… against the page alone',
    ratio(pager.withTotalMs, pager.pageAloneMs),
    '≤ 4 x',
    pager.withTotalMs <= 4 * pager.pageAloneMs,
  ],
  ['… against the same SQL, bare', ratio(pager.withTotalMs, pager.bareMs), '', true],
  ['… at 50 connections', `${pager.perSecond.toFixed(0)}/s`, '', true],
  [
    '… against the same SQL, bare',
    ratio(pager.perSecond, pager.barePerSecond),
    '≥ 5 x',
    pager.perSecond >= 5 * pager.barePerSecond,
  ],
  [
    '… while 20 writes a second change the table',
    ratio(pager.perSecondWhileWriting, pager.barePerSecondWhileWriting),
    '≥ 2 x',
    pager.perSecondWhileWriting >= 2 * pager.barePerSecondWhileWriting,
  ],
  ['… totals that were wrong meanwhile', String(pager.wrongTotals), '0', pager.wrongTotals === 0],
  ['page at offset 100,000, p95', ms(pager.deepP95Ms), '< 100 ms', pager.deepP95Ms < 100],
  [
    '… against the same SQL, bare',
    ratio(pager.deepP95Ms, pager.bareDeepP95Ms),
    '< 1 x',
    pager.deepP95Ms < pager.bareDeepP95Ms,
  ],
  ['nested AND/OR search with total, p95', ms(pager.nestedP95Ms), '< 100 ms', pager.nestedP95Ms < 100],
  [
    '… against the same SQL, bare',
    ratio(pager.nestedP95Ms, pager.bareNestedP95Ms),
    '< 1 x',
    pager.nestedP95Ms < pager.bareNestedP95Ms,
  ],
  ['one row changed, p50', ms(station.changeMs), '', true],
  [
    '… against one bare UPDATE',
    ratio(station.changeMs, station.bareUpdateMs),
    '≤ 4 x',
    station.changeMs <= 4 * station.bareUpdateMs,
  ],
  ['SN lookup, p95', ms(station.lookupP95Ms), '< 20 ms', station.lookupP95Ms < 20],
  ['one-SN submit, p95', ms(station.submitP95Ms), '< 40 ms', station.submitP95Ms < 40],
  [
    `${figures.export.rows.toLocaleString('en')} rows x ${figures.export.columns} columns to xlsx`,
    ms(figures.export.ms),
    '< 8 s',
    figures.export.ms < 8000,
  ],
  [
    '… memory that the server grew by',
    `${figures.export.growthMb.toFixed(0)} MB`,
    '< 150 MB',
    figures.export.growthMb < 150,
  ],
  [
    '… scans meanwhile, p95',
    `${figures.export.besideRatio.toFixed(2)} x`,
    '≤ 1.2 x',
    figures.export.besideRatio <= 1.2,
  ],
  ...rowsOfBrowser(browser),
  ['scan to verdict on the screen, p95', ms(scan.scanP95Ms), '< 100 ms', scan.scanP95Ms < 100],
  ['20 scans a second on a bill of 2,000 lines: lost', String(burst.dropped), '0', burst.dropped === 0],
  ['… verdict on the screen, p95', ms(burst.verdictP95Ms), '', true],
  [
    '… against bills of 10 lines',
    ratio(burst.verdictP95Ms, burst.verdictP95OfTenMs),
    '≤ 1.5 x',
    burst.verdictP95Ms <= 1.5 * burst.verdictP95OfTenMs,
  ],
  ['… tasks of the page over 50 ms', String(burst.tasksOver50Ms), '0', burst.tasksOver50Ms === 0],
  ['cold start of the built server on existing data', ms(coldStartMs), '< 2 s', coldStartMs < 2000],
  ...rowsOfTransfer(figures.transfer),
  ...rowsOfFindMany(figures.findMany),
  ...rowsOfBulk(figures.bulk),
  ...rowsOfHashRate(figures.hashRate),
  ...rowsOfPublish(figures.publish),
  ...figures.bodies.flatMap(rowsOfBodies),
];
print(rows);
save({ sns, coldStartMs, ...figures });

function rowsOfBrowser(it: BrowserFigures): Row[] {
  return [
    [
      'JavaScript of the first load, login (gzip)',
      `${it.loginJavaScriptKb} kB`,
      '< 260 kB',
      it.loginJavaScriptKb < 260,
    ],
    ['JavaScript of the first load, list (gzip)', `${it.listJavaScriptKb} kB`, '< 400 kB', it.listJavaScriptKb < 400],
    ['list of a cold browser: first row', ms(it.coldListMs), '< 1.2 s', it.coldListMs < 1200],
    ['200 rows x 20 columns, from the answer to the screen', ms(it.mountMs), '< 300 ms', it.mountMs < 300],
    ['… a row selected, next frame', ms(it.selectMs), '< 100 ms', it.selectMs < 100],
    ['… sorted, next frame', ms(it.sortMs), '< 100 ms', it.sortMs < 100],
    ['… pointer over rows, next frame', ms(it.hoverMs), '< 100 ms', it.hoverMs < 100],
    ['menu click to first row, warm', ms(it.menuClickToRowsMs), '< 150 ms', it.menuClickToRowsMs < 150],
  ];
}

function rowsOfBodies({ kind, sent, maxMs, p99Ms, answers }: BodyFigures): Row[] {
  const told = Object.entries(answers).map(([answer, count]) => `${count} x ${answer}`);
  return [
    [`healthz, ${sent} x ${kind}: longest`, ms(maxMs), '< 200 ms', maxMs < 200],
    [`… p99${told.length > 0 ? `; they get ${told.join(', ')}` : ''}`, ms(p99Ms), '', true],
  ];
}

function rowsOfFindMany({ p50Ms, bareMs }: FindManyFigures): Row[] {
  return [
    ['where 5,000 pasted SNs are, p50', ms(p50Ms), '< 1 s', p50Ms < 1000],
    ['… against reading their units, bare', ratio(p50Ms, bareMs), '', true],
  ];
}

function rowsOfBulk({ rows: count, actions }: BulkFigures): Row[] {
  return Object.entries(actions).flatMap(([action, it]): Row[] => [
    [`dry run, ${count.toLocaleString('en')} x ${action}`, ms(it.ms), '< 5 s', it.ms < 5000],
    ['… until it says how far it is', ms(it.firstMs), '< 1 s', it.firstMs < 1000],
    [`… CPU of the server, of the database`, `${ms(it.serverCpuMs)}, ${ms(it.databaseCpuMs)}`, '', true],
    ...(it.bareMs === undefined
      ? []
      : [['… against the same statement, bare', ...under(it.ms, it.bareMs, 10)] satisfies Row]),
  ]);
}

function rowsOfHashRate(it: HashRateFigures): Row[] {
  const all = (it.perSecond * it.seconds).toLocaleString('en');
  return [
    [
      `${it.perSecond} samples a second, ${all} in all: lost, doubled`,
      `${it.lost}, ${it.doubled}`,
      '0, 0',
      it.lost === 0 && it.doubled === 0,
    ],
    ['… a call of a hundred, p95', ms(it.ingestP95Ms), '', true],
    ['… scans meanwhile, p95', `${it.besideRatio.toFixed(2)} x`, '≤ 1.2 x', it.besideRatio <= 1.2],
    ...Object.entries(it.chartP95Ms).map(
      // A day by the minute adds up 720,000 samples; hours and days were added up before.
      ([interval, time]): Row => [
        `chart of 500 machines by the ${interval}, p95`,
        ms(time),
        interval === 'minute' ? '' : '< 500 ms',
        interval === 'minute' || time < 500,
      ],
    ),
  ];
}

function rowsOfPublish(it: PublishFigures): Row[] {
  return [
    [`${it.publishes} publishes of a field and an index on the table of scans, each`, ms(it.answerMs), '', true],
    ['… until its index is there', ms(it.indexMs), '', true],
    [`… ${it.scans} scans meanwhile, p95`, `${it.scanRatio.toFixed(2)} x`, '≤ 1.5 x', it.scanRatio <= 1.5],
    ['… rows written meanwhile, p95', `${it.writeRatio.toFixed(2)} x`, '', true],
  ];
}

function rowsOfUpgrade(it: UpgradeFigures): Row[] {
  return [
    ['an upgrade: a column, its backfill, index, NOT NULL and key', ms(it.upgradeMs), '', true],
    [
      `… ${it.calls.toLocaleString('en')} calls of ten writers meanwhile: failed`,
      String(it.failed),
      '0',
      it.failed === 0,
    ],
    ['… p95', ms(it.p95Ms), '', true],
    ['… longest', ms(it.longestMs), '< 1 s', it.longestMs < 1000],
    ['… longest without an upgrade', ms(it.longestBeforeMs), '', true],
  ];
}

function rowsOfTransfer(it: TransferFigures): Row[] {
  const deliver = it.deliverCheckP95Ms / it.deliverCheckP95OfTenMs;
  const receive = it.receiveCheckP95Ms / it.receiveCheckP95OfTenMs;
  return [
    ['a transfer of 2,000 SNs: scan to deliver, p95', ms(it.deliverCheckP95Ms), '', true],
    ['… against one of 10', `${deliver.toFixed(2)} x`, '≤ 1.5 x', deliver <= 1.5],
    ['… delivered', ms(it.deliverSubmitMs), '< 2 s', it.deliverSubmitMs < 2000],
    ['… scan to sign for, p95', ms(it.receiveCheckP95Ms), '', true],
    ['… against one of 10', `${receive.toFixed(2)} x`, '≤ 1.5 x', receive <= 1.5],
    ['… signed for', ms(it.receiveSubmitMs), '< 2 s', it.receiveSubmitMs < 2000],
  ];
}

function rowsOfReport(it: ReportFigures): Row[] {
  const { kind, rows: count, growthMb } = it;
  // What any call and any job costs is not the report's.
  const file = it.ms - it.jobMs;
  const preview: Row[] =
    it.firstMs === null || it.bareFirstMs === null
      ? []
      : [
          [`${kind}, first rows`, ms(it.firstMs), '', true],
          [
            `… but a call's own ${ms(it.callMs)}, against the same SQL, bare`,
            ...under(it.firstMs - it.callMs, it.bareFirstMs, 1.5),
          ],
        ];
  return [
    ...preview,
    [`${kind}, file of ${count.toLocaleString('en')} rows`, ms(it.ms), '', true],
    [`… but a job's own ${ms(it.jobMs)}, against reading the same rows`, ...under(file, it.bareMs, 1.5)],
    ['… memory that the server grew by', `${growthMb.toFixed(0)} MB`, '< 150 MB', growthMb < 150],
  ];
}

function under(a: number, b: number, most: number): [figure: string, bar: string, isMet: boolean] {
  return [ratio(Math.max(0, a), b), `≤ ${most} x`, a <= most * b];
}

function print(lines: readonly Row[]): void {
  console.log(
    `\nOn ${sns.toLocaleString('en')} SNs, ${given ? 'a PostgreSQL of the machine' : 'the embedded database'}:\n`,
  );
  for (const [what, figure, bar, isMet] of lines)
    console.log(`  ${isMet ? ' ' : '!'} ${what.padEnd(52)} ${figure.padStart(12)}   ${bar}`);
}

/** The figures stand by the kind of database; `over`: what was not measured stays as it was. */
function save(measured: Record<string, unknown>, { over = false } = {}): void {
  const file = join(ROOT, 'bench/results.json');
  const before = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, object>) : {};
  const key = given ? 'given' : 'embedded';
  const all = { ...before, [key]: { ...(over && before[key]), ...measured } };
  writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`);
}

/** No preview is ended for its length, and no call waits for its file. */
function reportsOn(): Promise<ReportFigures[]> {
  return onServer({ SEARCH_MS: '60000', EXPORT_WAIT_MS: '60000' }, async ({ base, pid }, url) =>
    measureReports(base, await loginAs(base, 'admin'), url, pid, (kind) => chosen?.includes(kind) ?? true),
  );
}

function bulkOn({ base, pid }: RunningServer, url: string): Promise<BulkFigures> {
  return measureBulk({ base, pid, signIn: (userId) => loginAs(base, userId) }, url, { only: chosen });
}

async function hashRateOn(base: string, url: string): Promise<HashRateFigures> {
  const station = await openStation(base, await loginAs(base, 'tech'), url);
  return measureHashRate(base, await loginAs(base, 'admin'), url, station);
}

async function publishOn(base: string, url: string): Promise<PublishFigures> {
  const station = await openStation(base, await loginAs(base, 'tech'), url);
  return measurePublish(base, await loginAs(base, 'admin'), url, station);
}

async function upgradeOn(base: string, url: string): Promise<UpgradeFigures> {
  const station = await openStation(base, await loginAs(base, 'tech'), url);
  return measureUpgrade(base, { admin: await loginAs(base, 'admin') }, url, station);
}

async function transferOn(base: string, url: string): Promise<TransferFigures> {
  await addReceiver(url);
  const [sender, receiver] = [await loginAs(base, 'warehouse'), await loginAs(base, RECEIVER)];
  return measureTransfer(base, { sender, receiver }, url);
}

function loginAs(base: string, userId: string): Promise<string> {
  return login(base, userId, DEMO_PASSWORD);
}

/** The database's own start is part of it where it is ours. */
async function coldStart(): Promise<number> {
  const server = await startBuiltServer({ DATA_DIR: dataDir, ...(given && { DATABASE_URL: given }) });
  await server.stop();
  return server.coldStartMs;
}

/** Tables and demo users by a first start, then the bulk. */
async function seed(): Promise<void> {
  await onDatabase(async (url) => {
    const first = await startBuiltServer({ DATA_DIR: dataDir, DATABASE_URL: url });
    await first.stop();
    const seeded = spawnSync('npx', ['tsx', 'bench/seed.ts', '--sns', String(sns)], {
      cwd: ROOT,
      env: { ...process.env, DATA_DIR: dataDir, DATABASE_URL: url },
      stdio: 'inherit',
    });
    if (seeded.status !== 0) throw new Error('The seed failed');
  });
  writeFileSync(join(dataDir, 'seeded'), String(sns));
}

function onServer<T>(env: Record<string, string>, use: (server: RunningServer, url: string) => Promise<T>): Promise<T> {
  return onDatabase(async (url) => {
    const server = await startBuiltServer({ DATA_DIR: dataDir, DATABASE_URL: url, ...env });
    try {
      return await use(server, url);
    } finally {
      await server.stop();
    }
  });
}

async function onDatabase<T>(use: (url: string) => Promise<T>): Promise<T> {
  if (given) return use(given);
  const embedded = await startEmbedded({ dataDir, root: ROOT, log: () => undefined });
  try {
    return await use(embedded.url);
  } finally {
    await embedded.stop();
  }
}
