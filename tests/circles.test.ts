import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dirname, join as joinPath } from 'node:path/posix';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { ROOT } from '#server/root.ts';

/** Each module, by its path from the root, with those that it imports: values, types, and what it loads later. */
type Imports = ReadonlyMap<string, readonly string[]>;

const rooms = {
  '#app/': 'src/app/',
  '#domain/': 'src/domain/',
  '#features/': 'src/features/',
  '#main/': 'src/main/',
  '#server/': 'src/server/',
};

/** The path that a name stands for in a module; undefined for a package, or for what is no module of ours. */
function pathOf(name: string, importer: string): string | undefined {
  if (!/\.tsx?$/.test(name)) return undefined;
  if (name.startsWith('.')) return joinPath(dirname(importer), name);
  return Object.entries(rooms).flatMap(([sign, room]) => (name.startsWith(sign) ? name.replace(sign, room) : []))[0];
}

/** What a module imports, in whatever form. */
function importsOf(path: string, code: string): string[] {
  const names = ts.preProcessFile(code, true, true).importedFiles;
  return names.flatMap((it) => pathOf(it.fileName, path) ?? []);
}

/** Circles of imports, each as the path that leads back to where it began; every module is gone into once. */
function circlesOf(imports: Imports): string[] {
  const circles: string[] = [];
  const done = new Set<string>();
  const visit = (module: string, path: readonly string[]): void => {
    const begin = path.indexOf(module);
    if (begin >= 0) circles.push([...path.slice(begin), module].join(' -> '));
    if (begin >= 0 || done.has(module)) return;
    for (const it of imports.get(module) ?? []) visit(it, [...path, module]);
    done.add(module);
  };
  for (const module of imports.keys()) visit(module, []);
  return circles;
}

describe('imports', () => {
  it('go in no circle: what two modules share stands below both', () => {
    const paths = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
      .map((it) => `src/${it.replaceAll('\\', '/')}`)
      .filter((it) => /\.tsx?$/.test(it));
    const imports = new Map(paths.map((it) => [it, importsOf(it, readFileSync(join(ROOT, it), 'utf8'))]));
    const all = [...imports.values()].flat();
    expect(all.filter((it) => !imports.has(it))).toEqual([]);
    expect(all.length).toBeGreaterThan(4000);
    expect(circlesOf(imports)).toEqual([]);
  });

  it.each([
    "import { a } from './b.ts';",
    "import type { A } from './b.ts';",
    "export { a } from './b.ts';",
    "import '#domain/b.ts';",
    "const load = () => import('./b.ts');",
  ])('are followed through %s', (code) => {
    const imports = new Map([
      ['src/domain/a.ts', importsOf('src/domain/a.ts', code)],
      ['src/domain/b.ts', importsOf('src/domain/b.ts', "import { c } from '#server/c.ts';")],
      ['src/server/c.ts', importsOf('src/server/c.ts', "import { a } from '#domain/a.ts';")],
    ]);
    expect(circlesOf(imports)).toEqual(['src/domain/a.ts -> src/domain/b.ts -> src/server/c.ts -> src/domain/a.ts']);
  });
});
