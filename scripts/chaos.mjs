// npm run chaos: what takes long and what goes by chance, on real PostgreSQL and in a real browser.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findChromium } from './lib/chromium.mjs';
import { runJourneys } from './lib/journeys.mjs';
import { readOptions } from './lib/options.mjs';
import { build, checkNode, install } from './lib/ready.mjs';
import { ROOT, runTool, say, took } from './lib/run.mjs';

const fileOf = (name) => `tests/chaos/${name}.test.ts`;
const groups = {
  properties: filesOfProperties,
  definitions: () => ['tests/api/publishHistories.test.ts'],
  delays: () => [],
  browser: () => [],
  languages: () => [],
};
const USAGE = `npm run chaos [-- NAME … --short --rounds=200 --commands=100000 --scans=500 --seed=… --episode=…]
Without names, all of it; --short takes minutes. Names:
  ${filesOf('tests/chaos').join(', ')}
              the tests of tests/chaos
  properties  every test that tries random values, with new ones, and the walks that take turns, whole
  definitions the tests of publishes alone
  delays      every test of pages, where each answer and each write of the browser takes up to 40 ms more, by chance:
              what turns red asserts what is true for a moment only
  browser     the journeys of tests/chaos/browser
  languages   the journeys that npm test walks in one language, in both`;
const number = /^\d+$/;
checkNode();
const { values: options, words: names } = readOptions(
  USAGE,
  { short: true, rounds: number, commands: number, scans: number, seed: number, episode: number },
  (it) => Object.hasOwn(groups, it) || existsSync(join(ROOT, fileOf(it))),
);
const { short: isShort = false } = options;

/** Without a number of its own, a short run takes that of the test. */
const settings = (lengths) => ({
  CHAOS: isShort ? 'short' : 'long',
  ...Object.fromEntries(
    Object.entries({
      rounds: undefined,
      commands: undefined,
      scans: undefined,
      ...lengths,
      seed: undefined,
      episode: undefined,
    })
      .map(([name, long]) => [name.toUpperCase(), options[name] ?? (isShort ? undefined : long)])
      .filter(([, value]) => value !== undefined),
  ),
});

await install();
const began = Date.now();
const codes = [];
const wanted =
  names.length === 0 ? ['tests/chaos/', ...filesOfProperties()] : names.flatMap((it) => groups[it]?.() ?? fileOf(it));
if (wanted.length > 0) {
  const env = settings({ rounds: '200', commands: '100000' });
  // How long one takes is the machine's.
  const run = ['run', '--maxWorkers=1', '--testTimeout=3600000', ...wanted];
  codes.push((await runTool('vitest/vitest.mjs', run, { env })).code);
}
if (names.length === 0 || names.includes('delays')) {
  const seed = options.seed ?? String(1 + Math.floor(Math.random() * 1e6));
  say(`answers and writes are delayed by seed ${seed}`);
  const run = ['run', ...['browser', 'isolated', 'pages'].map((it) => `--project=${it}`)];
  codes.push((await runTool('vitest/vitest.mjs', run, { env: { DELAYS: seed } })).code);
}
const journeys = [
  ...(names.length === 0 || names.includes('browser')
    ? ['tests/chaos/browser/', 'tests/e2e/parcelToDelivery.spec.ts']
    : []),
  ...(names.length === 0 || names.includes('languages') ? filesNaming('/languages.ts', ['tests/e2e']) : []),
];
if (journeys.length > 0) codes.push(await browser(journeys));
const code = codes.some((it) => it !== 0) ? 1 : 0;
say(`${code === 0 ? 'nothing lost, nothing twice' : 'something went wrong'}, after ${took(Date.now() - began)}`);
process.exit(code);

async function browser(files) {
  const chromium = await findChromium();
  if (!chromium || (await build()).code !== 0) return 1;
  return (await runJourneys(chromium, files, settings({ rounds: '20', scans: '500' }))).code;
}

function filesOfProperties() {
  return filesNaming('/tries.ts', ['src', 'tests']).filter((it) => it.includes('.test.'));
}

/** By their names alone. */
function filesOf(room) {
  return readdirSync(join(ROOT, room)).flatMap((it) => /^(\w+)\.test\.ts$/.exec(it)?.[1] ?? []);
}

/** The test files of some folders that import a given one. */
function filesNaming(imported, rooms) {
  return rooms.flatMap((room) =>
    readdirSync(join(ROOT, room), { recursive: true })
      .map((name) => `${room}/${name}`)
      .filter((it) => /\.(test|spec)\.tsx?$/.test(it) && readFileSync(join(ROOT, it), 'utf8').includes(imported)),
  );
}
