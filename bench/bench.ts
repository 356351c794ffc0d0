import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEmbedded } from '#server/db/embedded.ts';
import { ROOT } from '#server/root.ts';
import { DEMO_PASSWORD } from '#server/session/demoUsers.ts';
import { measureBrowser } from './browser.ts';
import { measurePager } from './pager.ts';
import { login, startBuiltServer } from './server.ts';

/** `npm run bench [-- --sns 100000]`: measures the built product on bulk data of its own and writes results.json. */
const sns = Number(process.argv[process.argv.indexOf('--sns') + 1]) || 100_000;
const dataDir = join(ROOT, '.cache', `bench-${sns}`);

if (!existsSync(join(ROOT, 'dist/server/main.js')))
  throw new Error('Nothing is built yet: run `node scripts/build.mjs` first');
if (!existsSync(join(dataDir, 'seeded'))) await seed();

const { coldStartMs, stop } = await startBuiltServer({ DATA_DIR: dataDir });
await stop();
const { pager, browser } = await onDatabase(async (url) => {
  const server = await startBuiltServer({ DATA_DIR: dataDir, DATABASE_URL: url });
  const token = await login(server.base, 'admin', DEMO_PASSWORD);
  const figures = { pager: await measurePager(server.base, token, url), browser: await measureBrowser(server.base) };
  await server.stop();
  return figures;
});

const rows: [string, string, string][] = [
  ['cold start of the built server on existing data', `${coldStartMs.toFixed(0)} ms`, 'under 2000 ms'],
  ['JavaScript of the first load, login (gzip)', `${browser.loginJavaScriptKb} kB`, 'under 260 kB'],
  ['JavaScript of the first load, list (gzip)', `${browser.listJavaScriptKb} kB`, 'under 400 kB'],
  ['list, cold page: first row', `${browser.coldListMs.toFixed(0)} ms`, 'under 1200 ms'],
  ['menu click to rows, warm', `${browser.menuClickToRowsMs.toFixed(0)} ms`, 'under 150 ms'],
  ['pager.json, 2 filters + sort + exact total, p50', `${pager.withTotalMs.toFixed(2)} ms`, 'under 3 ms'],
  ['… against the page alone', ratio(pager.withTotalMs, pager.pageAloneMs), 'at most 4 x'],
  ['… against the same SQL, bare', ratio(pager.withTotalMs, pager.bareMs), ''],
  ['… at 50 connections, requests/s', pager.perSecond.toFixed(0), ''],
  ['… against the same SQL, bare', ratio(pager.perSecond, pager.barePerSecond), 'at least 5 x'],
];
console.log(`\nOn ${sns.toLocaleString('en')} SNs:\n`);
for (const [what, figure, bar] of rows) console.log(`  ${what.padEnd(52)} ${figure.padStart(12)}   ${bar}`);
writeFileSync(join(ROOT, 'bench/results.json'), `${JSON.stringify({ sns, coldStartMs, pager, browser }, null, 2)}\n`);

function ratio(a: number, b: number): string {
  return `${(a / b).toFixed(2)} x`;
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

async function onDatabase<T>(use: (url: string) => Promise<T>): Promise<T> {
  const given = process.env['BENCH_DATABASE_URL'];
  if (given) return use(given);
  const embedded = await startEmbedded({ dataDir, root: ROOT, log: () => undefined });
  try {
    return await use(embedded.url);
  } finally {
    await embedded.stop();
  }
}
