import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ROOT } from '#server/root.ts';

interface Freshness {
  needsInstall(root: string): boolean;
  needsBuild(root: string): boolean;
  problemOfNode(version: string, engines: string): string | null;
}
const script = <Shape>(name: string): Promise<Shape> => import(join(ROOT, 'scripts', name)) as Promise<Shape>;
const { needsInstall, needsBuild, problemOfNode } = await script<Freshness>('lib/freshness.mjs');

let clone: string;
const put = (path: string, minute: number, text = '') => {
  const file = join(clone, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  touch(path, minute);
};
const touch = (path: string, minute: number) =>
  utimesSync(join(clone, path), new Date(minute * 60_000), new Date(minute * 60_000));

beforeEach(() => void (clone = mkdtempSync(join(tmpdir(), 'reflow-clone-'))));
afterEach(() => rmSync(clone, { recursive: true, force: true }));

describe('the two commands', () => {
  describe('install', () => {
    const named = {
      '': { name: 'reflow' },
      'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
      'node_modules/for-others': { version: '1.0.0', integrity: 'sha512-o', optional: true },
    };
    const installed = { 'node_modules/a': { ...named['node_modules/a'], license: 'MIT' } };
    const write = (path: string, minute: number, packages: object) => put(path, minute, JSON.stringify({ packages }));
    const lock = (packages: object, minute = 10) => write('package-lock.json', minute, packages);
    beforeEach(() => {
      lock(named);
      write('node_modules/.package-lock.json', 9, installed);
    });

    it('nothing when the packages are those of the lock file, whatever the times say', () => {
      expect(needsInstall(clone)).toBe(false);
      touch('package-lock.json', 99);
      expect(needsInstall(clone)).toBe(false);
    });

    it('when the lock file names another version, another content, one more or one less, however old it is', () => {
      const changed = [
        { ...named, 'node_modules/a': { version: '1.0.1', integrity: 'sha512-a' } },
        { ...named, 'node_modules/a': { version: '1.0.0', integrity: 'sha512-b' } },
        { ...named, 'node_modules/b': { version: '1.0.0', integrity: 'sha512-b' } },
        { '': named[''] },
      ];
      for (const it of changed) {
        lock(it, 1);
        expect(needsInstall(clone), JSON.stringify(it)).toBe(true);
      }
    });

    it('when there are no packages, or an install was cut short', () => {
      put('node_modules/.package-lock.json', 11, '{ "packages": {');
      expect(needsInstall(clone)).toBe(true);
      rmSync(join(clone, 'node_modules/.package-lock.json'));
      put('node_modules/a/index.js', 11);
      expect(needsInstall(clone)).toBe(true);
      rmSync(join(clone, 'node_modules'), { recursive: true });
      expect(needsInstall(clone)).toBe(true);
    });
  });

  it('build when the build is missing or older than a source, also one that was taken away; never for a test', () => {
    put('src/domain/words.ts', 5);
    const settle = () => ['src/domain', 'src'].forEach((it) => touch(it, 5));
    settle();
    expect(needsBuild(clone)).toBe(true);
    put('dist/built', 6);
    expect(needsBuild(clone)).toBe(false);
    put('src/domain/words.test.ts', 9);
    settle();
    expect(needsBuild(clone)).toBe(false);
    put('src/domain/words.ts', 7);
    settle();
    expect(needsBuild(clone)).toBe(true);
    touch('src/domain/words.ts', 5);
    touch('src/domain', 7);
    expect(needsBuild(clone)).toBe(true);
  });

  it('refuse a Node that is too old, in one sentence', () => {
    expect(problemOfNode('20.19.0', '>=20.19')).toBeNull();
    expect(problemOfNode('24.1.0', '>=20.19')).toBeNull();
    expect(problemOfNode('20.18.3', '>=20.19')).toContain('Node 20.18.3 is too old; Reflow needs 20.19');
    expect(problemOfNode('18.20.0', '>=20.19')).toContain('18.20.0');
  });
});

describe('npm run spec', () => {
  const spec = (...args: string[]) =>
    spawnSync(process.execPath, [join(ROOT, 'scripts/spec.mjs'), `--root=${clone}`, ...args], { encoding: 'utf8' });
  const id = (number: number) => `A-XYZ-0${number}`;

  beforeEach(() => {
    const row = (number: number, area: string) => `${id(number)}\t${area}\trule\tsentence ${number}\n`;
    put(
      'tests/requirements.tsv',
      1,
      `id\tarea\tkind\trequirement\n${row(1, 'login')}${row(2, 'login')}${row(3, 'guard')}`,
    );
  });

  it('counts what titles of tests cite, alone, one after another or in one bracket', () => {
    put('src/a.test.ts', 1, `it('says [${id(1)}] [${id(2)}]', f);\n`);
    put('tests/e2e/b.spec.ts', 1, `test(\n  \`walks [${id(3)}, ${id(1)}]\`,\n  f);\n`);
    const { stdout, status } = spec();
    expect(status).toBe(0);
    expect(stdout).toMatch(/login +2 \/ 2/);
    expect(stdout).toMatch(/guard +1 \/ 1/);
    expect(spec('--area=guard').stdout).not.toContain('login');
  });

  it('counts no comment, no skipped test, and lists what is not proven', () => {
    put('src/a.test.ts', 1, `// it('says [${id(1)}]')\nit.skip('later [${id(2)}]', f);\nit('is', f);\n`);
    const { stdout } = spec();
    expect(stdout).toMatch(/login +0 \/ 2/);
    expect(stdout).toContain(`${id(2)}  sentence 2`);
  });

  it('fails for an id that no requirement has', () => {
    put('src/a.test.ts', 1, `it('says [${id(9)}]', f);\n`);
    const { stderr, status } = spec();
    expect(status).toBe(1);
    expect(stderr).toContain(`${id(9)} is no requirement`);
  });
});
