import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ROOT } from '#server/root.ts';

/** The graph of imports and the projects of vitest: plain JavaScript, like all that runs before anything is installed. */
type Graph = Map<string, string[]>;
type Kinds = Record<'pure' | 'browser' | 'database' | 'pages' | 'isolated', string[]>;
const script = <Shape>(name: string): Promise<Shape> => import(join(ROOT, 'scripts/lib', name)) as Promise<Shape>;
const { readImportGraph, distancesTo } = await script<{
  readImportGraph: (root: string) => Graph;
  distancesTo: (graph: Graph, files: string[]) => Map<string, number>;
}>('importGraph.mjs');
const { testKindsOf } = await script<{ testKindsOf: (root: string) => Kinds }>('testKinds.mjs');

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'reflow-graph-'));
  write({
    'package.json': JSON.stringify({ imports: { '#app/*': './src/app/*', '#definitions/*': './definitions/*' } }),
    'definitions/intake/bill.json': '{}',
    'definitions/menu.json': '{}',
    'src/app/a.ts': '',
    'src/app/b.ts': '',
    'src/app/c.tsx': '',
  });
});
afterEach(() => rmSync(root, { recursive: true }));

function write(files: Record<string, string>) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
}

/** What a file with these lines imports. */
function importsOf(...lines: string[]) {
  write({ 'src/app/file.ts': lines.join('\n') });
  return readImportGraph(root).get('src/app/file.ts');
}

describe('the graph of imports', () => {
  it.each([
    ["import { a } from './a.ts';"],
    ["import './a.ts';"],
    ["import a, {\n  type A,\n  b,\n} from '#app/a.ts';"],
    ["import type, { a } from './a.ts';"],
    ["import * as all from './a.ts';"],
    ["export { a } from './a.ts';"],
    ["export * from './a.ts';"],
    ['const page = () => import("./a.ts");'],
    ["const page = `${await import('./a.ts')}`;"],
    ["const worker = new Worker(new URL('./a.ts', import.meta.url));"],
    ["const worker = new Worker(new URL('a.ts', import.meta.url));"],
    ["import text from './a.ts?raw';"],
    ["const name: string = '#app/a.ts';\nawait import(name);"],
    ["vi.mock('#app/a.ts', () => ({}));"],
    ["import.meta.glob<string>('/src/app/a*.ts', { eager: true });"],
    ["import.meta.glob(['./a.ts', './none/**/*.ts']);"],
    ["const quote = /['`]/;\nimport { a } from './a.ts';"],
    ["const nested = `a ${b ? `c ${d}` : '}'} e`;\nimport { a } from './a.ts';"],
    ["const half = a / 2; // it's a half\nimport { a } from './a.ts';"],
  ])('has what runs: %s', (source) => {
    expect(importsOf(source)).toEqual(['src/app/a.ts']);
  });

  it.each([
    ["import type { A } from './a.ts';"],
    ["import type { A } from '#app/a.ts';"],
    ["import { type A, type B } from '#app/a.ts';"],
    ["export type { A } from '#app/a.ts';"],
    ["let a: typeof import('#app/a.ts');"],
    ["// import { a } from '#app/a.ts';"],
    ["/*\nimport { a } from './a.ts';\n*/"],
    ['const told = "import { a } from \'./a.ts\';";'],
    ["const told = `\nimport { a } from './a.ts';\n`;"],
    ["import { a } from './missing.ts';"],
    ["import react from 'react';"],
    ["import { a } from './file.ts';"],
  ])('has neither types nor what is only told: %s', (source) => {
    expect(importsOf(source)).toEqual([]);
  });

  it('has the data that a file imports, each once and in order', () => {
    const menu = "import menu from '#definitions/menu.json' with { type: 'json' };";
    const sources = [menu, "import '../../definitions/intake/bill.json';", "import('#definitions/menu.json');"];
    expect(importsOf(...sources)).toEqual(['definitions/intake/bill.json', 'definitions/menu.json']);
    expect(importsOf("import.meta.glob('/definitions/**/*.json');")).toHaveLength(2);
    expect(importsOf("import.meta.glob('/definitions/*/*.json');")).toEqual(['definitions/intake/bill.json']);
  });

  it('tells how far files are from what they need', () => {
    const graph = new Map([
      ['test', ['page', 'rule']],
      ['page', ['list']],
      ['list', ['rule', 'page']],
      ['rule', []],
      ['other', ['page']],
    ]);
    expect([...distancesTo(graph, ['rule'])]).toEqual([
      ['rule', 0],
      ['test', 1],
      ['list', 1],
      ['page', 2],
      ['other', 3],
    ]);
  });

  it('finds the files of this repository', () => {
    const graph = readImportGraph(ROOT);
    expect(graph.get('src/main/server.ts')).toContain('src/main/serverFeatures.ts');
    expect(graph.get('src/app/testing/realServer.ts')).toContain('tests/support/app.ts');
    expect(graph.get('src/server/imports/workbook.ts')).toContain('src/server/imports/sheetWorker.mjs');
    expect(graph.get('scripts/test.mjs')).toContain('scripts/lib/run.mjs');
  });
});

describe('the kinds of test files', () => {
  // Put together here, as vitest takes the word for its own wherever it stands in a test file.
  const jsdom = `// @vitest-${'environment'} jsdom\n`;
  const open = "import { open } from '../support/open.ts';\n";

  it('are told from what a file imports and calls', () => {
    write({
      'tests/support/database.ts': '',
      'tests/support/open.ts': "import './database.ts';",
      'tests/api/call.test.ts': open,
      'tests/api/shown.test.ts': jsdom + open,
      'tests/api/types.test.ts': "import type { Open } from '../support/open.ts';",
      'tests/rule.test.ts': "it('replaces nothing: vi.mock(', () => undefined); // vi.mock('./a.ts')",
      'src/app/page.test.tsx': jsdom,
      'src/app/page/part.test.tsx': `${jsdom}vi.mock('#app/a.ts', () => ({}));`,
      'src/app/again.test.ts': 'vi.resetModules();',
      'tests/chaos/kill.test.ts': open,
      'tests/e2e/repair.spec.ts': '',
    });
    expect(testKindsOf(root)).toEqual({
      pure: ['tests/api/types.test.ts', 'tests/rule.test.ts'],
      browser: ['src/app/page.test.tsx'],
      database: ['tests/api/call.test.ts'],
      pages: ['tests/api/shown.test.ts'],
      isolated: ['src/app/again.test.ts', 'src/app/page/part.test.tsx'],
    });
  });

  it('are all used here', () => {
    const { pure, browser, database, isolated } = testKindsOf(ROOT);
    expect(pure).toContain('src/domain/workflow.test.ts');
    expect(browser).toContain('src/app/engine/ListPage.test.tsx');
    expect(database).toContain('tests/api/rights.test.ts');
    expect(isolated).toContain('src/app/i18nProvider.test.ts');
  });
});
