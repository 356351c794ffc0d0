// npm test: on a fresh clone, everything. `-- --no-e2e` leaves out the browser, `-- --only=check|unit|e2e` runs one part.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findChromium } from './lib/chromium.mjs';
import { runJourneys } from './lib/journeys.mjs';
import { build, checkNode, install } from './lib/ready.mjs';
import { ROOT, run, runTool, say, took } from './lib/run.mjs';
import { countsOfPlaywright, countsOfVitest } from './lib/counts.mjs';

const args = process.argv.slice(2);
const only = args.find((it) => it.startsWith('--only='))?.slice('--only='.length);
const unknown = args.find((it) => it !== '--no-e2e' && !/^--only=(check|unit|e2e)$/.test(it));
if (unknown) {
  console.error(`reflow: npm test does not know ${unknown}; it takes --no-e2e, --only=check, --only=unit, --only=e2e`);
  process.exit(1);
}
/**
 * Journeys wait for the browser more than they reckon: two halves side by side take little more than one alone. So many
 * journeys of the first half, whose walks over all pages are long, take as long as so many of the second.
 */
const SHARDS = [63, 103];
const wants = (part) => (only ? only === part : !(part === 'e2e' && args.includes('--no-e2e')));

const started = Date.now();
checkNode();
await install();
const chromium = wants('e2e') ? await findChromium() : null;
const table = [];

if (wants('check')) {
  say('format, lint, walls, types …');
  note('check', await run(process.execPath, [join(ROOT, 'scripts', 'check.mjs')]));
}
if (wants('unit')) {
  say('unit, server and definition tests …');
  const report = reportFile('vitest.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  note('vitest', await runTool('vitest/vitest.mjs', ['run', ...reporters]), read(report, countsOfVitest));
}
if (wants('e2e')) {
  const built = await build();
  note('build', built);
  if (built.code === 0 && chromium) {
    say(`browser journeys in ${chromium}, in ${SHARDS.length} parts side by side …`);
    const parts = SHARDS.map((_, i) => i + 1);
    for (const [i, part] of (await Promise.all(parts.map(browse))).entries()) note(`browser ${i + 1}`, ...part);
  } else if (!chromium) note('browser', { code: 1, ms: 0 });
}

console.log('');
for (const failure of table.flatMap((it) => it.failures)) console.log(`  FAILED ${failure}\n`);
for (const { name, ms, passed, failed, skipped } of table) {
  const tests = passed + failed + skipped > 0 && `${passed} passed, ${failed} failed`;
  const counts = tests ? `   ${tests}${skipped ? `, ${skipped} skipped` : ''}` : '';
  console.log(`  ${failed === 0 ? 'ok    ' : 'FAILED'}  ${name.padEnd(9)} ${took(ms).padStart(12)}${counts}`);
}
console.log(`  in all ${took(Date.now() - started)}\n`);
const sum = (what) => table.reduce((total, it) => total + it[what], 0);
console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
process.exit(sum('failed') > 0 ? 1 : 0);

/** One part of the journeys, on servers and data of its own. */
async function browse(part) {
  const report = reportFile(`playwright-${part}.json`);
  const args = ['--reporter=list,json', `--shard=${part}/${SHARDS.length}`, `--output=test-results/${part}`];
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: report, PWTEST_SHARD_WEIGHTS: SHARDS.join(':') };
  const result = await runJourneys(chromium, args, env);
  return [result, read(report, countsOfPlaywright)];
}

/** A part that counts no tests, or failed beside its tests (a file that does not load), counts as one failure. */
function note(name, { code, ms }, counts) {
  const { passed = 0, failed = 0, skipped = 0, failures = [] } = counts ?? {};
  table.push({ name, ms, passed, skipped, failures, failed: code !== 0 && failed === 0 ? 1 : failed });
}

/** A report of an earlier run must not speak for this one. */
function reportFile(name) {
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  const file = join(ROOT, '.cache', name);
  rmSync(file, { force: true });
  return file;
}

/** Called when the run is over, as `note` takes its result first. */
function read(file, countsOf) {
  return existsSync(file) ? countsOf(JSON.parse(readFileSync(file, 'utf8'))) : undefined;
}
