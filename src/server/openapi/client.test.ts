import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ROOT } from '#server/root.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { PASSWORD } from '#tests/support/world.ts';

interface Document {
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, object> }>>;
}

let testApp: TestApp;
let folder: string;
let document: Document;
beforeAll(async () => {
  testApp = await startTestApp();
  // Inside the clone, where what it imports is found.
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  folder = mkdtempSync(join(ROOT, '.cache', 'openapi-client-'));
  const reply = await testApp.app.inject({
    url: '/api/openapi.json?lang=en',
    headers: { token: await testApp.openToken('admin') },
  });
  document = reply.json<Document>();
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await testApp.close();
});

/** What somebody writes who has only the document: it works, and what the document forbids does not compile. */
const PROGRAM = `
import createClient from 'openapi-fetch';
import type { operations, paths } from './api.ts';

export async function work(fetch: (request: Request) => Promise<Response>, userId: string, password: string) {
  const client = createClient<paths>({ baseUrl: 'http://reflow.test', fetch });
  const login = await client.POST('/api/login.json', { body: { userId, password } });
  const token: string | undefined = login.data?.data?.token;
  const headers = { token: token ?? '' };
  const created = await client.POST('/api/ubsCountry/create.json', { headers, body: { countryId: 'XK', name: 'Kosovo' } });
  const id: number | undefined = created.data?.data?.id;
  const query = { pageStart: 0, pageCount: 10, order: 'desc', countryId: 'XK' } as const;
  const page = await client.GET('/api/ubsCountry/pager.json', { headers, params: { query } });
  const names = page.data?.data?.items?.map((it): string | null | undefined => it.name);
  return { id, names, total: page.data?.data?.itemTotal };
}

export async function wrong(client: ReturnType<typeof createClient<paths>>) {
  // @ts-expect-error -- nobody signs in without a password
  await client.POST('/api/login.json', { body: { userId: 'admin' } });
  // @ts-expect-error -- a list sorts up or down
  await client.GET('/api/ubsCountry/pager.json', { params: { query: { order: 'sideways' } } });
  // @ts-expect-error -- a country has a name
  await client.POST('/api/ubsCountry/create.json', { body: { countryId: 'XK' } });
  // @ts-expect-error -- there is no such call
  await client.GET('/api/ubsCountry/nothing.json', {});
}

type Status = NonNullable<operations['get_rmaMaintainBill_pager']['responses'][200]['content']['application/json']['data']>;
export type Bill = NonNullable<Status['items']>[number];
export const done: Bill['billStatus'] = '4';
// @ts-expect-error -- a status is one of those of the select
export const never: Bill['billStatus'] = 'whatever';
`;

/** The types of all calls; the generator lets another judge, Redocly's, look at the document first. */
const generate = async (of: object) => astToString(await openapiTS(of as never, { silent: true }));

it('a client that a generator makes of the document compiles, and does what its types say', async () => {
  writeFileSync(join(folder, 'api.ts'), await generate(document));
  writeFileSync(join(folder, 'program.ts'), PROGRAM);
  const compilerOptions = { lib: ['ES2023', 'DOM'], types: [] };
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: join(ROOT, 'tsconfig.base.json'), compilerOptions, files: ['program.ts'] }),
  );
  const tsc = join(ROOT, 'node_modules/@typescript/native/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
  expect(stdout).toBe('');

  const { work } = (await import(pathToFileURL(join(folder, 'program.ts')).href)) as {
    work: (fetch: (request: Request) => Promise<Response>, userId: string, password: string) => Promise<object>;
  };
  const fetch = async (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    const reply = await testApp.app.inject({
      method: request.method as 'GET' | 'POST',
      url: `${pathname}${search}`,
      headers: Object.fromEntries(request.headers),
      ...(request.method === 'POST' && { payload: await request.text() }),
    });
    return new Response(reply.body, { status: reply.statusCode, headers: { 'content-type': 'application/json' } });
  };
  expect(await work(fetch, 'admin', PASSWORD)).toEqual({ id: expect.any(Number), names: ['Kosovo'], total: 1 });
});

it('no client is made of a document that refers to nothing, or calls two of its calls the same', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const [login, logout] = ['/api/login.json', '/api/logout.json'];
  const part = () => {
    const copy = structuredClone(document);
    copy.paths = Object.fromEntries([login, logout].map((path) => [path, copy.paths[path] ?? {}]));
    return copy;
  };
  expect(await generate(part())).toContain('post_login');
  const lost = part();
  Object.assign(lost.paths[login]?.['post']?.responses['200'] ?? {}, { $ref: '#/components/responses/Nothing' });
  await expect(generate(lost)).rejects.toThrow(/Can't resolve \$ref/);
  const doubled = part();
  for (const it of Object.values(doubled.paths[logout] ?? {})) it.operationId = 'post_login';
  await expect(generate(doubled)).rejects.toThrow(/operationId/);
});
