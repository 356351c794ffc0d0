import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inlineScripts, openClient, sourceOf } from '#server/client.ts';
import { ROOT } from '#server/root.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'reflow-client-'));
  mkdirSync(join(folder, '.vite'));
  writeFileSync(join(folder, 'index.html'), '<html lang="zh-CN"><head><script src="/assets/index.js"></script></head>');
  const chunk = (file: string, imports: string[] = []) => ({ file: `assets/${file}`, imports });
  writeFileSync(
    join(folder, '.vite/manifest.json'),
    JSON.stringify({
      'index.html': chunk('index.js'),
      _table: chunk('table.js', ['index.html', '_table']),
      [sourceOf.shell]: chunk('Shell.js', ['index.html']),
      [sourceOf.calls]: chunk('calls.js'),
      [sourceOf.moduleRoutes]: chunk('ModuleRoutes.js'),
      [sourceOf.list]: chunk('ListPage.js', ['_table', 'index.html']),
      [sourceOf.home]: chunk('HomePage.js'),
      [sourceOf.form]: chunk('FormDialog.js'),
    }),
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

const preloads = (path: string, isSignedIn = true) =>
  [...(openClient(folder)?.pageFor(path, isSignedIn).text ?? '').matchAll(/modulepreload" href="\/assets\/(\w+)/g)].map(
    ([, name]) => name,
  );

it('names what an address needs next, with what that needs, and nothing that the page names already', () => {
  expect(preloads('/rmaInventoryList')).toEqual(['Shell', 'calls', 'ModuleRoutes', 'ListPage', 'table']);
  expect(preloads('/rmaInventoryList/create')).toContain('FormDialog');
  expect(preloads('/home')).toEqual(['Shell', 'calls', 'HomePage']);
});

it('draws the frame before any script for who is signed in, with home in it at home', () => {
  const first = (path: string, isSignedIn = true) =>
    /<html (?:class="([^"]*)" )?lang/.exec(openClient(folder)?.pageFor(path, isSignedIn).text ?? '')?.[1];
  expect([first('/home'), first('/rmaInventoryList'), first('/home', false)]).toEqual([
    'signed-in home',
    'signed-in',
    undefined,
  ]);
});

it('lets the script run that stands in the page, and no other', () => {
  const page = mkdtempSync(join(tmpdir(), 'reflow-page-'));
  writeFileSync(join(page, 'index.html'), '<script src="/assets/index.js"></script><script>alert(1)</script>');
  expect(inlineScripts(page)).toEqual(["'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='"]);
  rmSync(page, { recursive: true });
  expect(inlineScripts(page)).toEqual([]);
});

it('names nothing to who has yet to sign in', () => {
  expect(preloads('/rmaInventoryList', false)).toEqual([]);
});

it('serves one that was built before its parts were named', () => {
  rmSync(join(folder, '.vite'), { recursive: true });
  expect(preloads('/home')).toEqual([]);
  expect(openClient(folder)?.pageFor('/home', true).text).toContain('index.js');
});

it('is none where none was built', () => {
  expect(openClient(join(folder, 'nowhere'))).toBeNull();
});

it('knows each part by a source that is there', () => {
  for (const source of Object.values(sourceOf)) expect(existsSync(join(ROOT, source)), source).toBe(true);
});
