// npm run mutations: one-line faults in all rooms, and whether a test sees each. README.md tells more.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createVitest } from 'vitest/node';
import { distancesTo, readImportGraph } from './lib/importGraph.mjs';
import { chooseMutants, planted } from './lib/mutants.mjs';
import { readOptions } from './lib/options.mjs';
import { checkNode, giveUp } from './lib/ready.mjs';
import { ROOT, runTool, say, took } from './lib/run.mjs';
import { readTimes } from './lib/runLog.mjs';
import { nearestTests } from './lib/selection.mjs';
import { testKindsOf } from './lib/testKinds.mjs';

const USAGE = 'npm run mutations [-- --seed=36 --count=60 --seconds=90 --only=3,7]';
const number = /^\d+$/;
checkNode();
const { values: asked } = readOptions(USAGE, { seed: number, count: number, seconds: number, only: /^[\d,]+$/ });
const { seed = 36, count = 60, seconds = 90, only: chosen = '' } = asked;
const options = { seed: Number(seed), count: Number(count), seconds: Number(seconds), only: chosen };
const git = (...args) => spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' }).stdout.trim();
if (git('status', '--porcelain', 'src', 'definitions'))
  giveUp('commit first: git must be able to put back the files in which faults are planted');

let putBack = () => {};
process.on('exit', () => putBack());
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

const read = (file) => readFileSync(join(ROOT, file), 'utf8');
const graph = readImportGraph(ROOT);
const kinds = testKindsOf(ROOT, graph);
const times = readTimes(ROOT);
let vitest;
/** What the first red test says. */
let red;
const reporter = {
  onTestCaseResult: (test) => {
    const { state, errors } = test.result();
    if (state === 'failed') isRed(`${test.module.relativeModuleId} > ${test.fullName}: ${errors[0]?.message}`);
  },
  onTestModuleEnd: (it) => it.errors()[0] && isRed(`${it.relativeModuleId}: ${it.errors()[0].message}`),
};

const found = { test: [], types: [], nothing: [] };
const only = options.only.split(',').filter(Boolean).map(Number);
for (const mutant of await chosenMutants()) {
  if (only.length > 0 && !only.includes(mutant.number)) continue;
  const began = Date.now();
  const { by, said } = mutant.untyped ? { by: 'types', said: '' } : await look(mutant);
  found[by].push(mutant.number);
  const { number, room, kind, file, line, from, to } = mutant;
  say(`${number} ${by} ${room}, ${kind}, ${file}:${line}: ${from.trim()} → ${to.trim() || 'gone'}`);
  say(`   ${said}, ${took(Date.now() - began)}`);
}
await vitest?.close();
for (const [by, numbers] of Object.entries(found)) say(`seen by ${by}: ${numbers.length} (${numbers.join(', ')})`);
process.exit(found.nothing.length > 0 ? 1 : 0);

/** Kept, as to look for what compiles takes minutes. */
async function chosenMutants() {
  const kept = join(ROOT, '.cache', `mutants-${options.seed}-${options.count}.json`);
  const of = git('rev-parse', 'HEAD:src', 'HEAD:definitions');
  if (existsSync(kept) && JSON.parse(read(`.cache/mutants-${options.seed}-${options.count}.json`)).of === of)
    return JSON.parse(readFileSync(kept, 'utf8')).mutants;
  say('which faults compile …');
  const mutants = await chooseMutants(git('ls-files', 'src', 'definitions').split('\n'), read, options, wrongTypes);
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  writeFileSync(kept, JSON.stringify({ of, mutants }));
  return mutants;
}

/** The files of the faults that do not compile. An error in another file is the fault's that it imports over the fewest others. */
async function wrongTypes(mutants) {
  const distances = mutants.map(({ file }) => ({ file, from: distancesTo(graph, [file]) }));
  const wrong = new Set();
  await withFaults(mutants, async () => {
    for (const name of ['pure', 'app', 'server']) {
      const kept = ['--incremental', '--tsBuildInfoFile', `.cache/mutants-${name}.tsbuildinfo`];
      const args = ['-p', `tsconfig.${name}.json`, ...kept, '--pretty', 'false'];
      const { output } = await runTool('@typescript/native/bin/tsc', args, { quiet: true });
      for (const [, file] of output.matchAll(/^([^\s(]+)\(\d+,\d+\): error/gm)) {
        const [first] = distances
          .filter((it) => it.from.has(file))
          .sort((one, other) => one.from.get(file) - other.from.get(file));
        if (first) wrong.add(first.file);
      }
    }
  });
  return wrong;
}

/** They are there for as long as `action` takes. */
async function withFaults(mutants, action) {
  const sources = mutants.map(({ file }) => [join(ROOT, file), read(file)]);
  putBack = () => sources.forEach(([path, source]) => writeFileSync(path, source));
  mutants.forEach((it, i) => writeFileSync(sources[i][0], planted(sources[i][1], it)));
  try {
    return await action();
  } finally {
    putBack();
    putBack = () => {};
  }
}

/** The nearest tests first, until one is red or the time is over. */
async function look(mutant) {
  const left = nearestTests(ROOT, { graph, kinds, changed: [mutant.file], times });
  red = undefined;
  let tests = 0;
  await withFaults([mutant], async () => {
    // The database that tests copy is made anew by what the definition says now.
    if (mutant.file.startsWith('definitions/')) await stop();
    vitest ??= await start();
    vitest.invalidateFile(join(ROOT, mutant.file));
    const end = Date.now() + 1000 * options.seconds;
    for (let some = 1; left.length > 0 && Date.now() < end && !red; some *= 2) {
      const next = left.splice(0, some).map((it) => join(ROOT, it));
      tests += next.length;
      const specs = (await vitest.globTestSpecifications()).filter((it) => next.includes(it.moduleId));
      const late = setTimeout(() => void vitest.cancelCurrentRun('keyboard-input'), end - Date.now());
      await vitest.runTestSpecifications(specs);
      clearTimeout(late);
    }
  });
  vitest.invalidateFile(join(ROOT, mutant.file));
  if (mutant.file.startsWith('definitions/')) await stop();
  return red ? { by: 'test', said: red } : { by: 'nothing', said: `${tests} of ${tests + left.length} test files` };
}

function isRed(said) {
  if (red) return;
  red = said.replaceAll(/\s+/g, ' ').slice(0, 240);
  void vitest.cancelCurrentRun('test-failure');
}

async function start() {
  const started = await createVitest('test', { root: ROOT, watch: false, testTimeout: 60_000, reporters: [reporter] });
  await started.standalone();
  return started;
}

async function stop() {
  await vitest?.close();
  vitest = undefined;
}
