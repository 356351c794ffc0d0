// npm test: on a fresh clone, everything. README.md tells what its options leave out; testPlan.mjs reads them.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findChromium } from './lib/chromium.mjs';
import { countsOfPlaywright, countsOfVitest } from './lib/counts.mjs';
import { runJourneys } from './lib/journeys.mjs';
import { build, checkNode, giveUp, install } from './lib/ready.mjs';
import { ROOT, run, runTool, say, took } from './lib/run.mjs';
import { addLine, beginLog, forgetGreen, readGreen, readLog, unfinished, writeGreen } from './lib/runLog.mjs';
import { isWhole, optionsOf, planOf } from './lib/testPlan.mjs';
import { hashOfTree } from './lib/tree.mjs';
import { outsideFile } from './lib/vitestLog.mjs';

checkNode();
const options = optionsOf(process.argv.slice(2));
if (options.problem) giveUp(options.problem);
const started = Date.now();

const tree = hashOfTree(ROOT);
const green = readGreen(ROOT);
const isKnown = isWhole(options) && options.shuffle === undefined && tree !== undefined && green?.tree === tree;
if (isKnown && !options.force && process.env['CI'] !== 'true') {
  say(`this very tree was green at ${green.at}; npm test -- --force runs it again`);
  console.log(`${green.passed} passed, 0 failed`);
  process.exit(0);
}

await install();
const plan = planOf(ROOT, options, tree);
if (plan.problem) giveUp(plan.problem);
plan.said.forEach(say);
const seed = options.shuffle === undefined ? undefined : options.shuffle || String(Date.now() % 1_000_000);
if (seed) say(`shuffled; --shuffle=${seed} gives the same order again`);
// A part that is run alone adds to what is known of this tree.
if ((isWhole(options) && !plan.isResumed) || tree === undefined || readLog(ROOT).tree !== tree) beginLog(ROOT, tree);
if (isWhole(options)) forgetGreen(ROOT);

const table = [];
const wantsBrowser = plan.journeys.length > 0;
// A Chromium that must be installed is fetched meanwhile, and the build is made beside the check.
const browser = wantsBrowser ? findChromium() : null;
const built = wantsBrowser ? build() : null;

if (plan.check) {
  say(plan.check === 'all' ? 'format, lint, walls, types …' : 'types …');
  const part = plan.check === 'all' ? [] : [plan.check];
  note('check', await run(process.execPath, [join(ROOT, 'scripts', 'check.mjs'), ...part]));
}
if (built) note('build', await built);
// A file of either often waits, for its database or for a page: beside each other they leave no processor idle.
let testsAreOver = () => {};
const afterTests = new Promise((done) => void (testsAreOver = done));
const walking = wantsBrowser ? walk() : null;
if (plan.tests.length > 0) {
  say('unit, server and definition tests …');
  const report = reportFile('vitest.json');
  rmSync(outsideFile(ROOT), { force: true });
  const reporters = ['default', 'json', join(ROOT, 'scripts/lib/vitestLog.mjs')].map((it) => `--reporter=${it}`);
  const files = plan.allTests ? [] : plan.tests;
  const args = ['run', ...reporters, `--outputFile.json=${report}`, ...files];
  const projectOf = (file) => Object.keys(plan.kinds).find((it) => plan.kinds[it].includes(file));
  const result = await runTool('vitest/vitest.mjs', args, { env: seed ? { SHUFFLE_SEED: seed } : {} });
  note(
    'vitest',
    result,
    read(report, (it) =>
      countsOfVitest(
        it,
        ROOT,
        projectOf,
        read(outsideFile(ROOT), (errors) => errors),
      ),
    ),
  );
}
testsAreOver();
const walked = await walking;
if (walked) {
  note(
    'browser',
    walked,
    read(walked.report, (it) => countsOfPlaywright(it, ROOT)),
  );
}

console.log('');
for (const failure of table.flatMap((it) => it.failures)) console.log(`  FAILED ${failure}\n`);
for (const { name, ms, cpu, passed, failed, skipped } of table) {
  const tests = passed + failed + skipped > 0 && `${passed} passed, ${failed} failed`;
  const counts = tests ? `   ${tests}${skipped ? `, ${skipped} skipped` : ''}` : '';
  console.log(
    `  ${failed === 0 ? 'ok    ' : 'FAILED'}  ${name.padEnd(9)} ${took(ms).padStart(12)}  ${cpuTook(cpu)}${counts}`,
  );
}
const sum = (what) => table.reduce((total, it) => total + it[what], 0);
console.log(`  in all            ${took(Date.now() - started).padStart(12)}  ${cpuTook(sum('cpu'))}\n`);
const failed = sum('failed');
if (failed > 0) say('npm test -- --resume runs what was red or missing, once more');
else if (isWhole(options) && tree !== undefined && tree === hashOfTree(ROOT)) recordGreen();
console.log(`${sum('passed')} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);

/** The journeys; what they say is shown when the other tests are over. */
async function walk() {
  const report = reportFile('playwright.json');
  const chromium = await browser;
  if (!chromium) return { code: 1, ms: 0, report };
  if ((await built).code !== 0) return null;
  say(`browser journeys in ${chromium}, beside the tests …`);
  const order = seed ? [`--shuffle=${seed}`] : [];
  const files = plan.allJourneys ? [] : plan.journeys.map((it) => `/${it.replaceAll('.', '\\.')}$`);
  const args = [`--reporter=list,json,${join(ROOT, 'scripts/lib/playwrightLog.mjs')}`, ...order, ...files];
  const result = await runJourneys(chromium, args, { PLAYWRIGHT_JSON_OUTPUT_FILE: report }, { after: afterTests });
  return { ...result, report };
}

/** Only what was seen to be green counts, in this run or in the one that it goes on from. */
function recordGreen() {
  const log = readLog(ROOT);
  const unseen = unfinished(plan.whole, log);
  if (unseen.length > 0) return say(`not kept as green, as these did not run: ${unseen.join(', ')}`);
  const passed = [...log.lines.values()].reduce((total, it) => total + it.passed, 0);
  writeGreen(ROOT, { tree, passed, at: new Date().toISOString() });
  if (plan.isResumed) say(`with what was green before, all of this tree: ${passed} passed`);
}

/** A part that counts no tests, or failed beside its tests (a file that does not load), counts as one failure. */
function note(name, { code, ms, cpu = 0 }, counts) {
  const { passed = 0, failed = 0, skipped = 0, failures = [] } = counts ?? {};
  const line = { name, ms, cpu, passed, skipped, failures, failed: code !== 0 && failed === 0 ? 1 : failed };
  table.push(line);
  addLine(ROOT, { phase: name, passed: 0, failed: line.failed, skipped: 0, ms });
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

function cpuTook(ms) {
  return `${took(ms).padStart(12)} CPU`;
}
