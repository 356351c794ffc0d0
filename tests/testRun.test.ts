import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ROOT } from '#server/root.ts';

type Graph = Map<string, string[]>;
type Kinds = Record<'pure' | 'browser' | 'database' | 'pages' | 'isolated', string[]>;
type Times = Record<string, number>;
interface Selected {
  tests: string[];
  journeys: string[];
  leftOut: { tests: string[]; journeys: string[] };
}
interface Line {
  phase: string;
  file?: string;
  passed: number;
  failed: number;
  skipped: number;
  ms: number;
}
interface Log {
  tree?: string;
  lines: Map<string, Line>;
}
interface Plan {
  problem?: string;
  check: string | null;
  tests: string[];
  journeys: string[];
  isResumed: boolean;
  said: string[];
}
interface Counts {
  passed: number;
  failed: number;
  skipped: number;
  failures: string[];
}
const script = <Shape>(name: string): Promise<Shape> => import(join(ROOT, 'scripts/lib', name)) as Promise<Shape>;
const { readImportGraph } = await script<{ readImportGraph: (root: string) => Graph }>('importGraph.mjs');
const { testKindsOf } = await script<{ testKindsOf: (root: string, graph?: Graph) => Kinds }>('testKinds.mjs');
const { nearestTests, selectTests } = await script<{
  nearestTests: (root: string, known: { graph: Graph; kinds: Kinds; changed: string[]; times: Times }) => string[];
  selectTests: (
    root: string,
    known: {
      graph: Graph;
      kinds: Kinds;
      changed: string[];
      times: Times;
      patience?: { tests: number; journeys: number };
    },
  ) => Selected;
}>('selection.mjs');
const { readJourneyAreas } = await script<{
  readJourneyAreas: (
    root: string,
    graph: Graph,
  ) => {
    modulesOf: (feature: string) => Set<string>;
    nearness: (journey: string, modules: Set<string>) => number | undefined;
    journeys: string[];
  };
}>('journeyAreas.mjs');
const { shardOf } = await script<{
  shardOf: (files: string[], times: Times, shard: { part: number; of: number }) => string[];
}>('shards.mjs');
const { default: ShuffledFiles } = await script<{
  default: new (vitest: object) => {
    sort: (specs: { project: { name: string }; moduleId: string }[]) => Promise<{ moduleId: string }[]>;
  };
}>('shuffledFiles.mjs');
const { hashOfTree, changedFiles } = await script<{
  hashOfTree: (root: string) => string | undefined;
  changedFiles: (root: string, ref?: string) => { base: string; files: string[] } | undefined;
}>('tree.mjs');
const { addLine, beginLog, readLog, readTimes } = await script<{
  addLine: (root: string, line: Line) => void;
  beginLog: (root: string, tree: string) => void;
  readLog: (root: string) => Log;
  readTimes: (root: string) => Times;
}>('runLog.mjs');
const { optionsOf, planOf } = await script<{
  optionsOf: (args: string[]) => { problem?: string };
  planOf: (root: string, options: object, tree?: string) => Plan;
}>('testPlan.mjs');
const { countsOfVitest, countsOfPlaywright } = await script<{
  countsOfVitest: (
    report: object,
    root: string,
    projectOf?: (file: string) => string,
    outside?: { file?: string; message: string }[],
  ) => Counts;
  countsOfPlaywright: (report: object, root: string) => Counts;
}>('counts.mjs');
const { run } = await script<{
  run: (program: string, args: string[], options: object) => Promise<{ ms: number; cpu: number }>;
}>('run.mjs');

let root: string;
beforeEach(() => void (root = mkdtempSync(join(tmpdir(), 'reflow-run-'))));
afterEach(() => rmSync(root, { recursive: true }));

const put = (files: Record<string, string>) => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
};
const git = (...args: string[]) => {
  const who = ['-c', 'user.name=test', '-c', 'user.email=test@localhost', '-c', 'commit.gpgsign=false'];
  const { status, stdout, stderr } = spawnSync('git', [...who, ...args], { cwd: root, encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  return stdout.trim();
};
// Put together here, as vitest takes the word for its own wherever it stands in a test file.
const JSDOM = `// @vitest-${'environment'} jsdom\n`;

/** Two stations, a server's test for each, pages, and what journeys open of them. */
const workshop = () =>
  put({
    'package.json': JSON.stringify({ imports: { '#tests/*': './tests/*', '#features/*': './src/features/*' } }),
    'definitions/workflow/repairBill.json': '{}',
    'definitions/workflow/checkBill.json': '{}',
    'src/domain/sn.ts': '',
    'src/domain/sn.test.ts': "import './sn.ts';",
    'src/features/pages.ts': [
      'export const pages = {',
      "  'repairBill:repair': () => import('./repair/RepairPage.tsx'),",
      "  'checkBill:check': () => import('./check/CheckPage.tsx'),",
      '};',
    ].join('\n'),
    'src/features/repair/rules.ts': "import '../../domain/sn.ts';",
    'src/features/repair/RepairPage.tsx': "import './rules.ts';",
    'src/features/repair/RepairPage.test.tsx': `${JSDOM}import './RepairPage.tsx';`,
    'src/features/repair/server.test.ts': "import './rules.ts';\nimport '#tests/support/database.ts';",
    'src/features/check/CheckPage.tsx': "import '../../domain/sn.ts';",
    'src/features/check/CheckPage.test.tsx': `${JSDOM}import './CheckPage.tsx';`,
    'src/main/browser.tsx': "import '#features/pages.ts';",
    'tests/support/database.ts': '',
    'tests/support/setup.ts': '',
    'tests/api/far.test.ts': "import '#tests/support/database.ts';\nimport '#features/repair/RepairPage.tsx';",
    'tests/e2e/operator.ts': "export const stations = ['workflow/checkBill'];",
    'tests/e2e/repair.spec.ts': "page.goto('/repairBillList/repair');",
    'tests/e2e/both.spec.ts': "page.goto('/repairBillList'); page.goto('/checkBillList');",
    'tests/e2e/shift.spec.ts': "import './operator.ts';",
    'tests/e2e/signIn.spec.ts': "page.goto('/');",
  });

const select = (changed: string[], patience?: { tests: number; journeys: number }) => {
  const graph = readImportGraph(root);
  return selectTests(root, {
    graph,
    kinds: testKindsOf(root, graph),
    changed,
    times: {},
    ...(patience && { patience }),
  });
};

describe('npm test -- --changed', () => {
  beforeEach(workshop);

  it('takes the pure tests and those that reach the change, the nearest first', () => {
    const { tests, leftOut } = select(['src/features/repair/rules.ts']);
    expect(tests).toEqual([
      'src/domain/sn.test.ts',
      'src/features/repair/server.test.ts',
      'src/features/repair/RepairPage.test.tsx',
      'tests/api/far.test.ts',
    ]);
    expect(leftOut.tests).toEqual([]);
  });

  it('takes first what is about the change: a test in its folder, one that names its module', () => {
    const database = "import '#tests/support/database.ts';";
    put({
      'src/domain/model.ts': "import '../../definitions/workflow/repairBill.json';",
      'src/features/repair/queries.ts': '',
      'src/features/near/near.test.ts': `${database}import '../../domain/model.ts';import '../repair/queries.ts';`,
      'src/features/repair/server.test.ts': `${database}import '../near/near.test.ts';`,
      'tests/api/names.test.ts': `${database}import '#features/near/near.test.ts';ask('/api/repairBill');`,
    });
    const first = (change: string) => select([change], { tests: 1, journeys: 1 }).tests.at(-1);
    expect(first('src/features/repair/queries.ts')).toBe('src/features/repair/server.test.ts');
    expect(first('definitions/workflow/repairBill.json')).toBe('tests/api/names.test.ts');
  });

  it('takes a pure test that is long, beside what it tests, where the change reaches it', () => {
    put({ 'tests/walls.test.ts': '', 'src/domain/alone.test.ts': '' });
    const times = { 'src/domain/sn.test.ts': 9_000, 'src/domain/alone.test.ts': 9_000, 'tests/walls.test.ts': 9_000 };
    const graph = readImportGraph(root);
    const testsFor = (change: string) =>
      selectTests(root, { graph, kinds: testKindsOf(root, graph), changed: [change], times }).tests;
    expect(testsFor('src/domain/sn.ts').slice(0, 2)).toEqual(['tests/walls.test.ts', 'src/domain/sn.test.ts']);
    expect(testsFor('src/features/check/CheckPage.tsx')).toEqual([
      'tests/walls.test.ts',
      'src/features/check/CheckPage.test.tsx',
    ]);
  });

  it('knows all that a change reaches, the pure ones too, in that order', () => {
    const graph = readImportGraph(root);
    const changed = ['src/domain/sn.ts'];
    expect(nearestTests(root, { graph, kinds: testKindsOf(root, graph), changed, times: {} })).toEqual([
      'src/domain/sn.test.ts',
      'src/features/check/CheckPage.test.tsx',
      'src/features/repair/server.test.ts',
      'src/features/repair/RepairPage.test.tsx',
      'tests/api/far.test.ts',
    ]);
  });

  it('takes a test that was itself changed, and all when what runs before them was', () => {
    expect(select(['tests/api/far.test.ts']).tests).toEqual(['src/domain/sn.test.ts', 'tests/api/far.test.ts']);
    expect(select(['tests/support/setup.ts']).tests).toHaveLength(5);
    expect(select(['README.md']).tests).toEqual(['src/domain/sn.test.ts']);
  });

  it('takes the journeys of the touched features, the one that is about little else first', () => {
    const patience = { tests: 100_000, journeys: 1_000_000 };
    const journeysOf = (...changed: string[]) => select(changed, patience).journeys.map((it) => it.slice(10, -8));
    expect(journeysOf('src/features/repair/RepairPage.tsx').slice(0, 2)).toEqual(['repair', 'both']);
    expect(journeysOf('src/features/check/CheckPage.tsx').slice(0, 2)).toEqual(['both', 'shift']);
    expect(journeysOf('definitions/workflow/checkBill.json')).toEqual(['both', 'shift']);
    expect(journeysOf('tests/e2e/operator.ts')).toEqual(['shift']);
    expect(journeysOf('README.md')).toEqual([]);
    // Of what is in no feature nothing says where it is seen.
    expect(journeysOf('src/main/browser.tsx')).toHaveLength(4);
  });

  it('takes no more than one waits for, but the nearest in any case, and tells what it leaves out', () => {
    const { tests, journeys, leftOut } = select(['src/domain/sn.ts'], { tests: 1, journeys: 1 });
    expect(tests).toHaveLength(2);
    expect(journeys).toHaveLength(1);
    expect(leftOut.tests).toHaveLength(3);
    expect([...journeys, ...leftOut.journeys].sort()).toEqual(readJourneyAreas(root, readImportGraph(root)).journeys);
  });

  it('compares with where the branch left main, and sees what is not committed', () => {
    git('init', '--quiet', '--initial-branch=main');
    put({ '.gitignore': 'ignored\n', 'a.ts': '', 'b.ts': '' });
    git('add', '--all');
    git('commit', '--quiet', '--message=one');
    git('checkout', '--quiet', '-b', 'work');
    put({ 'a.ts': '1' });
    git('commit', '--quiet', '--all', '--message=two');
    put({ 'new.ts': '', ignored: '' });
    rmSync(join(root, 'b.ts'));
    expect(changedFiles(root)).toEqual({ base: git('rev-parse', 'main'), files: ['a.ts', 'b.ts', 'new.ts'] });
    expect(changedFiles(root, 'HEAD')?.files).toEqual(['b.ts', 'new.ts']);
    expect(changedFiles(root, 'nowhere')).toBeUndefined();
  });

  it('finds journeys for every feature and every module that lies in a folder of definitions', () => {
    const { modulesOf, nearness, journeys } = readJourneyAreas(ROOT, readImportGraph(ROOT));
    const journeysOf = (modules: Set<string>) => journeys.filter((it) => nearness(it, modules) !== undefined);
    const folders = (path: string) =>
      readdirSync(join(ROOT, path), { withFileTypes: true }).filter((it) => it.isDirectory());
    const features = folders('src/features').map((it) => it.name);
    expect(features.filter((it) => journeysOf(modulesOf(it)).length === 0)).toEqual([]);
    const named = (modules: Set<string>) => journeys.filter((it) => (nearness(it, modules) ?? 2) < 2);
    const unnamed = folders('definitions').filter(({ name }) => {
      const files = readdirSync(join(ROOT, 'definitions', name));
      return named(new Set(files.map((it) => it.replace('.json', '')))).length === 0;
    });
    expect(unnamed.map((it) => it.name)).toEqual([]);
    expect(named(modulesOf('repair'))).toContain('tests/e2e/repair.spec.ts');
    expect(named(modulesOf('stock-transfer'))).toContain('tests/e2e/stockTransfer.spec.ts');
  });
});

describe('npm test -- --shard', () => {
  const files = Array.from({ length: 23 }, (_, i) => `${String.fromCharCode(97 + i)}.test.ts`);

  it('has every file in exactly one part', () => {
    for (const of of [1, 2, 3, 7, 30]) {
      const parts = Array.from({ length: of }, (_, i) => shardOf(files, { 'a.test.ts': 9 }, { part: i + 1, of }));
      expect(parts.flat().sort()).toEqual(files);
    }
  });

  it('gives each part as much to do by the times of the last run', () => {
    const times = { 'a.test.ts': 90, 'b.test.ts': 30, 'c.test.ts': 30, 'd.test.ts': 30 };
    expect(shardOf(Object.keys(times), times, { part: 1, of: 2 })).toEqual(['a.test.ts']);
    expect(shardOf(Object.keys(times), times, { part: 2, of: 2 })).toEqual(['b.test.ts', 'c.test.ts', 'd.test.ts']);
  });

  it('needs names of files of which none begins another, as vitest looks for a part of a name', () => {
    const all = Object.values(testKindsOf(ROOT)).flat();
    expect(all.filter((it) => all.some((other) => other !== it && other.includes(it)))).toEqual([]);
  });
});

describe('npm test -- --shuffle', () => {
  const specs = ['pure', 'browser', 'database'].flatMap((name) =>
    Array.from({ length: 6 }, (_, i) => ({ project: { name }, moduleId: `${name}${i}.test.ts` })),
  );
  const orderOf = async (seed: number) => {
    const order = new ShuffledFiles({ config: { sequence: { seed } } });
    return (await order.sort(specs)).map((it) => it.moduleId);
  };

  it('gives each seed an order of its own, the same whenever it is asked', async () => {
    expect(await orderOf(1)).toEqual(await orderOf(1));
    expect(await orderOf(1)).not.toEqual(await orderOf(2));
    expect((await orderOf(1)).sort()).toEqual(specs.map((it) => it.moduleId).sort());
  });

  it('keeps the files of a project together, as a worker keeps its modules for them alone', async () => {
    for (const seed of [1, 2, 3]) {
      const projects = (await orderOf(seed)).map((it) => it.replace(/\d.*/, ''));
      expect(projects.filter((it, i) => it !== projects[i - 1])).toHaveLength(3);
    }
  });
});

describe('npm test -- --resume', () => {
  const done = (phase: string, file: string | undefined, failed: number): Line => ({
    phase,
    ...(file && { file }),
    passed: 2,
    failed,
    skipped: 0,
    ms: 70,
  });
  const resume = (tree = 'this tree') => planOf(root, optionsOf(['--resume']), tree);
  beforeEach(() => {
    workshop();
    beginLog(root, 'this tree');
  });

  it('runs what was red or is missing, of a run that was cut short in the middle of a line too', () => {
    addLine(root, done('check', undefined, 0));
    addLine(root, done('vitest', 'src/domain/sn.test.ts', 0));
    addLine(root, done('vitest', 'tests/api/far.test.ts', 1));
    addLine(root, done('browser', 'tests/e2e/repair.spec.ts', 0));
    writeFileSync(join(root, '.cache/test-run.jsonl'), '{"phase":"brow', { flag: 'a' });
    const { check, tests, journeys, isResumed } = resume();
    expect({ check, isResumed }).toEqual({ check: null, isResumed: true });
    expect(tests).not.toContain('src/domain/sn.test.ts');
    expect(tests).toContain('tests/api/far.test.ts');
    expect(tests).toHaveLength(4);
    expect(journeys).toHaveLength(3);
  });

  it('forgets what was red once it is green, and runs a check that was red again', () => {
    addLine(root, done('check', undefined, 1));
    for (const failed of [1, 0]) addLine(root, done('vitest', 'tests/api/far.test.ts', failed));
    expect(resume().check).toBe('all');
    expect(resume().tests).not.toContain('tests/api/far.test.ts');
  });

  it('runs all files of a part that broke beside them', () => {
    for (const file of Object.values(testKindsOf(root)).flat()) addLine(root, done('vitest', file, 0));
    expect(resume().tests).toEqual([]);
    addLine(root, done('vitest', undefined, 1));
    expect(resume().tests).toHaveLength(5);
  });

  it('runs everything when the last run was of another tree', () => {
    addLine(root, done('vitest', 'src/domain/sn.test.ts', 0));
    const { tests, isResumed, said } = resume('another tree');
    expect(isResumed).toBe(false);
    expect(tests).toHaveLength(5);
    expect(said.join()).toContain('another tree');
  });

  it('keeps the times of the runs before', () => {
    addLine(root, done('vitest', 'src/domain/sn.test.ts', 0));
    beginLog(root, 'next tree');
    addLine(root, { ...done('vitest', 'tests/api/far.test.ts', 0), ms: 80.4 });
    expect(readTimes(root)).toEqual({ 'src/domain/sn.test.ts': 70, 'tests/api/far.test.ts': 80 });
    expect(readLog(root)).toMatchObject({ tree: 'next tree', lines: new Map([['tests/api/far.test.ts', {}]]) });
  });
});

describe('the hash of the tree', () => {
  beforeEach(() => {
    git('init', '--quiet');
    put({ '.gitignore': 'ignored\n', 'a.ts': '1' });
    git('add', '--all');
    git('commit', '--quiet', '--message=one');
  });

  it('is that of the content, whether it is committed or not', () => {
    const first = hashOfTree(root);
    expect(first).toBe(git('rev-parse', 'HEAD^{tree}'));
    put({ 'a.ts': '2' });
    const second = hashOfTree(root);
    expect(second).not.toBe(first);
    git('commit', '--quiet', '--all', '--message=two');
    expect(hashOfTree(root)).toBe(second);
    put({ 'a.ts': '1' });
    expect(hashOfTree(root)).toBe(first);
  });

  it('is that of what was changed in the very second in which git last looked', () => {
    const first = hashOfTree(root);
    const past = new Date('2026-01-01T00:00:00Z');
    const date = (name: string) => utimesSync(join(root, name), past, past);
    put({ 'a.ts': '2' });
    date('a.ts');
    git('add', '--all');
    date('.git/index');
    put({ 'a.ts': '1' });
    date('a.ts');
    expect(hashOfTree(root)).toBe(first);
  });

  it('has new files but not those that git ignores, and leaves the index and the objects alone', () => {
    const first = hashOfTree(root);
    put({ ignored: '' });
    expect(hashOfTree(root)).toBe(first);
    put({ 'b.ts': '1 of a kind' });
    const objects = git('count-objects');
    expect(hashOfTree(root)).not.toBe(first);
    expect(git('count-objects')).toBe(objects);
    expect(git('status', '--porcelain')).toBe('?? b.ts');
  });

  it('is none where there is no git', () => {
    const bare = mkdtempSync(join(tmpdir(), 'reflow-bare-'));
    expect(hashOfTree(bare)).toBeUndefined();
    rmSync(bare, { recursive: true });
  });
});

describe('npm test', () => {
  it.each([
    [['--nothing'], 'does not know --nothing'],
    [['--only=all'], 'does not know --only=all'],
    [['--shard=0/2'], 'does not know --shard=0/2'],
    [['--shard=3/2'], 'only 2'],
    [['--shuffle=x'], 'does not know --shuffle=x'],
    [['--changed', '--resume'], 'one of --changed, --resume'],
  ])('refuses %s', (args, why) => {
    expect(optionsOf(args).problem).toContain(why);
  });

  it('reads its options', () => {
    expect(optionsOf([])).toMatchObject({ noE2e: false, resume: false, force: false });
    expect(optionsOf(['--changed=HEAD~1', '--no-e2e'])).toMatchObject({ changed: 'HEAD~1', noE2e: true });
    expect(optionsOf(['--changed', '--shuffle'])).toMatchObject({ changed: '', shuffle: '' });
    expect(optionsOf(['--shard=2/3', '--only=unit', '--shuffle=7'])).toMatchObject({
      shard: { part: 2, of: 3 },
      only: 'unit',
      shuffle: '7',
    });
  });

  it('runs the parts that it is asked for', () => {
    workshop();
    const planned = (...args: string[]) => {
      const { check, tests, journeys } = planOf(root, optionsOf(args));
      return [check, tests.length, journeys.length];
    };
    expect(planned()).toEqual(['all', 5, 4]);
    expect(planned('--no-e2e')).toEqual(['all', 5, 0]);
    expect(planned('--only=check')).toEqual(['all', 0, 0]);
    expect(planned('--only=e2e')).toEqual([null, 0, 4]);
    expect(planned('--shard=2/2', '--only=unit')).toEqual([null, 2, 0]);
    expect(planOf(root, optionsOf(['--changed'])).problem).toContain('git does not know');
  });

  it('counts errors outside of tests and what passes only the second time as failures', () => {
    const results = [{ name: '/clone/b.test.ts', status: 'passed', assertionResults: [{ status: 'passed' }] }];
    const report = { numPassedTests: 4, numFailedTests: 1, numPendingTests: 2, numTodoTests: 0, testResults: results };
    const outside = [{ file: '/clone/a.test.ts', message: 'does not load' }];
    expect(countsOfVitest(report, '/clone', undefined, outside)).toMatchObject({ passed: 4, failed: 2, skipped: 2 });
    const stats = { expected: 3, unexpected: 1, flaky: 1, skipped: 0 };
    const journeys = { stats, errors: [{}] };
    expect(countsOfPlaywright(journeys, '/clone')).toMatchObject({ passed: 3, failed: 3, skipped: 0 });
  });

  it('prints for each failure the command that repeats it alone', () => {
    const red = (fullName: string) => ({ status: 'failed', fullName, failureMessages: ['why'] });
    const testResults = [
      { name: '/clone/src/a.test.ts', status: 'failed', assertionResults: [red("it's (1) [W-RCV-12]")] },
    ];
    const outside = [{ file: '/clone/src/b.test.ts', message: 'does not load' }, { message: 'nobody handled it' }];
    const report = { numPassedTests: 0, numFailedTests: 1, numPendingTests: 0, numTodoTests: 0, testResults };
    const [unloaded, unhandled, one] = countsOfVitest(report, '/clone', () => 'pure', outside).failures;
    expect(one).toContain(String.raw`npx vitest run --project=pure src/a.test.ts -t 'it'\''s \(1\) \[W-RCV-12\]'`);
    expect(unloaded).toMatch(/npx vitest run --project=pure src\/b\.test\.ts$/);
    expect(unhandled).toContain('nobody handled it');
    const spec = { ok: false, file: 'repair.spec.ts', line: 12, title: 'repairs', tests: [] };
    const journeys = {
      config: { rootDir: '/clone/tests/e2e' },
      stats: { expected: 0, unexpected: 1, flaky: 0, skipped: 0 },
      errors: [],
      suites: [{ suites: [{ specs: [spec] }] }],
    };
    expect(countsOfPlaywright(journeys, '/clone').failures.join()).toContain(
      'npm run e2e -- tests/e2e/repair.spec.ts:12',
    );
  });

  it.runIf(process.platform === 'linux')(
    'tells the processor time of each part, of parts side by side too',
    async () => {
      const busy =
        'const spent = () => process.cpuUsage().user; while (spent() < 400_000) for (let i = 0; i < 1e6; i++);';
      const node = (code: string) => run(process.execPath, ['-e', code], { quiet: true });
      const [long, short] = await Promise.all([node(busy), node('')]);
      expect(long.cpu).toBeGreaterThanOrEqual(400);
      expect(short.cpu).toBeLessThan(long.cpu);
    },
  );

  it('says what one part said beside another when that is over', async () => {
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const shown = () => write.mock.calls.map(([text]) => String(text)).filter((it) => it.includes('journey'));
    let isOver = () => {};
    const after = new Promise<void>((done) => void (isOver = done));
    const ended = join(root, 'ended');
    const code = `console.log('a journey'); require('node:fs').writeFileSync(${JSON.stringify(ended)}, '')`;
    const beside = run(process.execPath, ['-e', code], { after });
    await vi.waitUntil(() => existsSync(ended));
    expect(shown()).toEqual([]);
    isOver();
    await beside;
    expect(shown()).toEqual(['a journey\n']);
  });
});
