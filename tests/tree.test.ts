import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '#server/root.ts';

/** Every file under a folder, by its path from the root. */
function filesUnder(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((it) => {
    const path = `${folder}/${it.name}`;
    return it.isDirectory() ? filesUnder(path) : [path];
  });
}
const sources = filesUnder('src');
const features = sources.filter((it) => it.startsWith('src/features/'));

describe('the tree', () => {
  it('has four rooms, and the one that puts them together', () => {
    expect(readdirSync(join(ROOT, 'src')).sort()).toEqual(['app', 'domain', 'features', 'main', 'server']);
  });

  it('has in a feature only rules, contracts, servers, queries, screens and hooks, with their tests, and no folders', () => {
    const isAllowed = (path: string) => {
      const [, , feature = '', file, deeper] = path.split('/');
      if (file === undefined)
        return ['scripts.ts', 'pages.ts', 'dialogs.ts', 'routes.ts', 'hooks.ts', 'jobs.ts', 'imports.ts'].includes(
          feature,
        );
      if (deeper !== undefined || !/^[a-z]+(-[a-z]+)*$/.test(feature)) return false;
      return (
        /^(rules|contract|server|queries)(\.\w+)*\.ts$/.test(file) || /^(\w+(\.test)?\.tsx|use[A-Z]\w*\.ts)$/.test(file)
      );
    };
    expect(features.filter((it) => !isAllowed(it))).toEqual([]);
    expect(features.length).toBeGreaterThan(40);
  });

  it('has no file whose name says nothing', () => {
    const saysNothing = /^(index|utils?|misc|helpers?|common|types)\.tsx?$/;
    const inAFolder = /\/(utils?|misc|helpers?|common)\//;
    // `definitions/types.ts` makes the types.
    const known = 'src/server/definitions/types.ts';
    const wrong = sources.filter((it) => it !== known && (saysNothing.test(basename(it)) || inAFolder.test(it)));
    expect(wrong).toEqual([]);
  });

  it('has each test beside what it tests, or in tests/', () => {
    const folders = new Set(sources.filter((it) => !it.includes('.test.')).map(dirname));
    expect(sources.filter((it) => it.includes('.test.') && !folders.has(dirname(it)))).toEqual([]);
    expect(sources.filter((it) => it.includes('.spec.'))).toEqual([]);
  });

  it('has every definition under its module’s name', () => {
    const ours = filesUnder('definitions').filter((it) => it.split('/').length === 3);
    const wrong = ours.filter((it) => {
      const { module } = JSON.parse(readFileSync(join(ROOT, it), 'utf8')) as { module: string };
      return `${module}.json` !== basename(it);
    });
    expect(wrong).toEqual([]);
    expect(ours.length).toBeGreaterThan(40);
  });

  it('has no module’s name in what serves every module: its own rules are hooks', () => {
    const modules = filesUnder('definitions')
      .filter((it) => it.split('/').length === 3)
      .map((it) => JSON.parse(readFileSync(join(ROOT, it), 'utf8')) as { module: string; table: string });
    const names = modules.map((it) => `['"\`]${it.module}['"\`:]`);
    // The product's own tables, such as the ledger's, have one word.
    const tables = modules.filter((it) => it.table.includes('_')).map((it) => `\\b${it.table}\\b`);
    const named = new RegExp([...names, ...tables].join('|'));
    const compared = /\bmodule\b['"\]]*\s*[!=]={1,2}(?!=|\s*definition\.module\b)/;
    const every = sources.filter((it) => /^src\/server\/(engine|imports|exports)\/.*(?<!\.test)\.ts$/.test(it));
    const wrong = every.flatMap((path) =>
      readFileSync(join(ROOT, path), 'utf8')
        .split('\n')
        .filter((line) => named.test(line) || compared.test(line))
        .map((line) => `${path}: ${line.trim()}`),
    );
    expect(wrong).toEqual([]);
    expect(every.length).toBeGreaterThan(20);
  });

  it('exports by default only what is loaded when it is first needed', () => {
    const code = new Map(sources.map((it) => [it, readFileSync(join(ROOT, it), 'utf8')]));
    const late = [...code.values()].flatMap((it) =>
      [...it.matchAll(/import\('[^']*?([^/']+)'\)/g)].map((found) => found[1]),
    );
    const defaults = sources.filter((it) => /^export default /m.test(code.get(it) ?? ''));
    expect(defaults.filter((it) => !late.includes(basename(it)))).toEqual([]);
    expect(defaults.length).toBeGreaterThan(5);
  });
});
