// What of the tests `npm test` runs, by its options.
import { readImportGraph } from './importGraph.mjs';
import { isJourney } from './journeyAreas.mjs';
import { readLog, readTimes, unfinished } from './runLog.mjs';
import { selectTests } from './selection.mjs';
import { shardOf } from './shards.mjs';
import { testKindsOf } from './testKinds.mjs';
import { changedFiles } from './tree.mjs';

const OPTIONS = {
  '--no-e2e': /^$/,
  '--only': /^(?:check|unit|e2e)$/,
  '--changed': /^.*$/,
  '--resume': /^$/,
  '--shard': /^[1-9]\d*\/[1-9]\d*$/,
  '--shuffle': /^\d*$/,
  '--force': /^$/,
};
const HELP = '--no-e2e, --only=check|unit|e2e, --changed[=ref], --resume, --shard=1/3, --shuffle[=seed], --force';

/**
 * @param {string[]} args
 * @returns {{ problem: string } | { noE2e: boolean, only?: string, changed?: string, resume: boolean, shuffle?: string,
 * shard?: { part: number, of: number }, force: boolean }} of `--changed` and `--shuffle` alone, ''
 */
export function optionsOf(args) {
  const given = new Map(args.map((it) => [it.split('=')[0], it.includes('=') ? it.slice(it.indexOf('=') + 1) : '']));
  const wrong = args.find((it) => {
    const [name] = it.split('=');
    return !OPTIONS[name]?.test(given.get(name)) || (it.endsWith('=') && name !== it);
  });
  if (wrong !== undefined) return { problem: `npm test does not know ${wrong}; it takes ${HELP}` };
  const [part, of] = (given.get('--shard') ?? '1/1').split('/').map(Number);
  if (part > of) return { problem: `--shard=${part}/${of}: there are only ${of}` };
  const ways = ['--changed', '--resume', '--shard'].filter((it) => given.has(it));
  if (ways.length > 1) return { problem: `npm test takes one of ${ways.join(', ')} at a time` };
  return {
    noE2e: given.has('--no-e2e'),
    only: given.get('--only'),
    changed: given.get('--changed'),
    resume: given.has('--resume'),
    shard: given.has('--shard') ? { part, of } : undefined,
    shuffle: given.get('--shuffle'),
    force: given.has('--force'),
  };
}

/** All that there is is run; only then may a tree be called green. */
export const isWhole = ({ noE2e, only, changed, shard }) => !noE2e && !only && changed === undefined && !shard;

/**
 * @param {string} root
 * @param {ReturnType<typeof optionsOf>} options
 * @param {string} [tree] its hash
 * @returns {{ problem: string } | { check: 'all' | 'types' | null, tests: string[], journeys: string[], allTests: boolean,
 * allJourneys: boolean, whole: string[], isResumed: boolean, kinds: Record<string, string[]>, said: string[] }}
 */
export function planOf(root, options, tree) {
  const graph = readImportGraph(root);
  const kinds = testKindsOf(root, graph);
  const all = { tests: Object.values(kinds).flat().sort(), journeys: [...graph.keys()].filter(isJourney) };
  const wants = (part) => (options.only ? options.only === part : !(part === 'e2e' && options.noE2e));
  const times = readTimes(root);
  const said = [];
  let check = wants('check') ? 'all' : null;
  let { tests, journeys } = all;
  let isResumed = false;

  if (options.changed !== undefined) {
    const changes = changedFiles(root, options.changed);
    if (!changes) return { problem: `git does not know ${options.changed || 'a commit to compare with'}` };
    const selected = selectTests(root, { graph, kinds, changed: changes.files, times });
    ({ tests, journeys } = selected);
    if (check) check = 'types';
    const pure = tests.filter((it) => kinds.pure.includes(it));
    said.push(
      `${count(changes.files, 'file')} changed since ${changes.base.slice(0, 8)}: the type checks, ${count(pure, 'pure test file')}, ` +
        `${tests.length - pure.length} others, ${count(journeys, 'file')} of journeys`,
    );
    const { leftOut } = selected;
    if (leftOut.tests.length + leftOut.journeys.length > 0) {
      said.push(
        `left out, being farther from the change: ${count(leftOut.tests, 'test file')}, ${count(leftOut.journeys, 'file')} ` +
          'of journeys; npm test without --changed runs them',
      );
    }
  } else if (options.resume) {
    const log = readLog(root);
    isResumed = tree !== undefined && log.tree === tree;
    if (isResumed) {
      tests = leftOf('vitest', tests, log);
      journeys = leftOf('browser', journeys, log);
      if (check && unfinished(['check'], log).length === 0) check = null;
      said.push(
        `red or missing in the last run: ${check ? 'check, ' : ''}${count(tests, 'test file')}, ${count(journeys, 'file')} of journeys`,
      );
    } else said.push('the last run was of another tree: nothing to resume, all is run');
  } else if (options.shard) {
    const { part } = options.shard;
    tests = shardOf(tests, times, options.shard);
    journeys = shardOf(journeys, times, options.shard);
    if (part > 1) check = null;
  }
  if (!wants('unit')) tests = [];
  if (!wants('e2e')) journeys = [];
  const isAll = (some, every) => some.length === every.length;
  return {
    check,
    tests,
    journeys,
    allTests: isAll(tests, all.tests),
    allJourneys: isAll(journeys, all.journeys),
    whole: [...all.tests, ...all.journeys, 'check'],
    isResumed,
    kinds,
    said,
  };
}

/** Where a part was red and none of its files, it broke beside them. */
function leftOf(phase, files, log) {
  const left = unfinished(files, log);
  return left.length === 0 && log.lines.get(phase)?.failed > 0 ? files : left;
}

const count = (list, what) => `${list.length} ${what}${list.length === 1 ? '' : 's'}`;
