import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Envelope } from '#domain/call.ts';
import type { DefinitionChange } from '#domain/definition/change.ts';
import { mayDo } from '#domain/rights.ts';
import { checkDraft, saveChange } from '#features/studio/contract.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { callsOf, type Called } from '#tests/support/calls.ts';
import { takeSnapshot } from '#tests/support/snapshot.ts';

/**
 * What a window that shows a draft can ask of the server: every call, with the draft's number and without. Rule:
 * definitions#preview.
 */
let testApp: TestApp;
let calls: Called[];
const admin = { as: 'admin' };
/** Of one site, and may make drafts and set rights beside his work. */
const author = 'planner';
beforeAll(async () => {
  testApp = await startTestApp({}, { holdsDemo: true });
  calls = callsOf(testApp);
  const rights = ['sysModule:configure', 'sysDraft:list', 'sysDraft:create', 'adminRole:list', 'adminRole:modifyRight'];
  await testApp.db
    .insertInto('role_right')
    .values(rights.map((right) => ({ roleId: author, right })))
    .onConflict((it) => it.doNothing())
    .execute();
});
afterAll(() => testApp?.close());

async function open(changes: Iterable<[module: string, DefinitionChange]>): Promise<number> {
  const { data } = await testApp.ask<{ id: number }>('POST', '/api/sysDraft/create.json', { name: 'Look' }, admin);
  for (const [module, change] of changes) await save(data.id, module, change);
  return data.id;
}

async function save(draftId: number, module: string, change: object | null, version = 0): Promise<void> {
  const saved = await testApp.send(saveChange, { draftId, module, version, change: change as never }, admin);
  expect(saved, saved.msg).toMatchObject({ code: '000000' });
}

const problemsOf = async (id: number) => (await testApp.send(checkDraft, { id }, admin)).data.problems;

/** A body is left out: who has the right is told what is missing, who has not that he has not. */
async function ask({ method, path }: Called, as: string, draft?: number) {
  const headers = {
    token: await testApp.openToken(as),
    ...(draft !== undefined && { 'definitions-draft': String(draft) }),
  };
  const reply = await testApp.app.inject({ method, url: path.replace(/:\w+/g, '1'), headers });
  const isJson = String(reply.headers['content-type']).startsWith('application/json');
  return `${reply.statusCode} ${isJson ? reply.json<Envelope>().code : ''}`;
}

const previewOnly = '200 100015';

describe('a draft that gives its author every right', () => {
  it('lets him do and read in its preview what he may without it, and write nothing', async () => {
    const held = await testApp.db.selectFrom('role_right').select('right').where('roleId', '=', author).execute();
    const rights = new Set(held.map((it) => it.right));
    const moduleOf = ({ rights: [right = ''] }: Called) => right.split(':')[0] ?? '';
    const told: [string, string, string][] = [];
    const refused: Called[] = [];
    const drafts = new Map<string, number>();
    for (const { module, buttons = [] } of testApp.model.definitions.values()) {
      const every = { [author]: ['list', ...buttons.map((it) => it.btnNo)] };
      drafts.set(module, await open([[module, { rights: every }]]));
    }
    const before = await takeSnapshot(testApp.db);
    for (const [module, draft] of drafts) {
      // What asks for no right of a module is asked once.
      for (const call of calls.filter((it) => moduleOf(it) === module || (module === 'ubsSite' && !isOfModule(it)))) {
        // A stream that is open to him does not end.
        if (call.streams && call.rights.some((it) => it === 'signedIn' || mayDo(rights, it))) continue;
        const shown = await ask(call, author, draft);
        if (shown === previewOnly) refused.push(call);
        else told.push([`${call.method} ${call.path}`, shown, await ask(call, author)]);
      }
    }
    expect(await takeSnapshot(testApp.db)).toEqual(before);
    expect(told.filter(([, shown, real]) => shown !== real)).toEqual([]);
    const answered = told.map(([name]) => name).filter((it) => !it.startsWith('GET'));
    expect([...new Set(answered.map((it) => it.split('/').at(-1)))].sort()).toEqual([
      'advancedSearch.json',
      'tabCounts.json',
    ]);
    expect(told.length).toBeGreaterThan(300);
    expect(refused.length).toBeGreaterThan(300);
  });
});
const isOfModule = ({ rights: [right = ''] }: Called) => right.includes(':');

describe('a draft with a new column in each list', () => {
  it('breaks no call that only looks', async () => {
    const change: DefinitionChange = { fields: { seenBefore: { type: 'String', label: { zh: '新', en: 'New' } } } };
    const all = [...testApp.model.definitions.keys()];
    const wrong = new Set((await problemsOf(await open(all.map((it) => [it, change])))).map((it) => it.module));
    const fit = all.filter((it) => !wrong.has(it));
    expect(fit.length).toBeGreaterThan(20);
    const draft = await open(fit.map((it) => [it, change]));
    const looking = calls.filter(
      (it) => it.method === 'GET' && !it.streams && !it.url.includes(':module') && !it.path.endsWith('logout.json'),
    );
    const told: [string, string, string][] = [];
    for (const call of looking) told.push([call.path, await ask(call, 'admin', draft), await ask(call, 'admin')]);
    expect(told.filter(([, shown, real]) => shown !== real && shown !== previewOnly)).toEqual([]);
  });
});

it('is of what the draft says now: a part that is removed and made again is read anew', async () => {
  const label = (en: string): DefinitionChange => ({ label: { zh: '站点', en } });
  const draft = await open([['ubsSite', label('Before')]]);
  const shown = async () => {
    const headers = { token: await testApp.openToken('admin'), 'definitions-draft': String(draft) };
    const reply = await testApp.app.inject({ url: '/api/ubsSite/pager.json?lang=en', headers });
    return reply.json<Envelope<{ tableName: string }>>().data.tableName;
  };
  expect(await shown()).toBe('Before');
  await save(draft, 'ubsSite', null, 1);
  await save(draft, 'ubsSite', label('After'));
  expect(await shown()).toBe('After');
});
