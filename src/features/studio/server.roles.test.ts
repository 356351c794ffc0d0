import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DefinitionChange } from '#domain/definition/change.ts';
import type { Context } from '#server/context.ts';
import { readMigration } from '#server/db/migrate.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { expectRefused } from '#tests/support/guard.ts';
import { publishAsItIs } from '#tests/support/publishing.ts';
import { checkDraft, FORMAT, importDraft, readDraft, readModule, saveChange } from './contract.ts';
import { readRights } from './server.before.ts';

/** Rights that a draft gives are given to the role that was meant, whatever it is called since, and to none of its former code. */
let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp({}, { worksJobs: true });
});
afterAll(() => testApp.close());

const admin = { as: 'admin' };
const post = (path: string, body: object) =>
  testApp.ask<{ id: number; version: number }>('POST', `/api/${path}.json`, body, admin);
const done = async (answer: ReturnType<typeof post>) => expect(await answer).toMatchObject({ code: '000000' });
let made = 0;
/** Each of another name: those of two roles are not alike. */
const make = (roleId: string) => {
  made += 1;
  return done(post('adminRole/create', { roleId, name: `临时${made}`, nameEn: `Temporary ${made}`, allSites: '0' }));
};
const roleOf = (roleId: string) =>
  testApp.db.selectFrom('admin_role').select(['id', 'version']).where('roleId', '=', roleId).executeTakeFirst();
const rename = async (from: string, to: string) =>
  done(post('adminRole/modifyById', { ...(await roleOf(from)), roleId: to }));
const remove = async (roleId: string) => done(post('adminRole/deleteById', (await roleOf(roleId)) ?? {}));

const save = (draftId: number, module: string, version: number, change: DefinitionChange) =>
  testApp.send(saveChange, { draftId, module, version, change: change as Record<string, unknown> }, admin);
async function open(module: string, change: DefinitionChange): Promise<number> {
  const { id } = (await post('sysDraft/create', { name: 'Test' })).data;
  expect(await save(id, module, 0, change)).toMatchObject({ code: '000000' });
  return id;
}
const partOf = async (id: number) => (await testApp.send(readDraft, { id }, admin)).data.parts[0];
const problemsOf = async (id: number) =>
  (await testApp.send(checkDraft, { id }, admin)).data.problems.map((it) => `${it.path}: ${it.rule} ${it.name}`);
const publish = (id: number) => publishAsItIs(testApp, id, 'as agreed', admin);
const holders = async (right: string) =>
  (
    await testApp.db
      .selectFrom('role_right')
      .select('roleId')
      .where('right', '=', right)
      .where('roleId', 'in', ['crew', 'gang'])
      .execute()
  ).map((it) => it.roleId);

beforeEach(async () => {
  await testApp.db.deleteFrom('admin_role').where('roleId', 'in', ['crew', 'gang']).execute();
  await testApp.db.deleteFrom('role_right').where('roleId', 'in', ['crew', 'gang']).execute();
  await make('crew');
});

const given: DefinitionChange = { rights: { crew: ['list'] } };
const place = { zh: '站', en: 'Place' };
const another = ['rights.crew: roleAnother crew'];

describe('a role to which a draft gives rights', () => {
  it('and that is called otherwise since is still the one that gets them, and who has the part open is told', async () => {
    const id = await open('ubsSite', given);
    await rename('crew', 'gang');
    await make('crew');
    expect(await partOf(id)).toMatchObject({ version: 2, change: { rights: { gang: ['list'] } } });
    await expectRefused(testApp, '100025', () => save(id, 'ubsSite', 1, given));
    expect(await problemsOf(id)).toEqual([]);
    await publish(id);
    expect(await holders('ubsSite:list')).toEqual(['gang']);
  });

  const ways = {
    'the editor': () => open('ubsSite', given),
    'an import': async () => {
      // Of rights alone nothing is imported.
      const changes = [{ module: 'ubsSite', change: { ...given, one: place } }];
      return (await testApp.send(importDraft, { name: 'x', format: FORMAT, changes }, admin)).data.draftId;
    },
  };
  it.each(Object.entries(ways))('and that went is not the one that has its code since: by %s', async (_, begin) => {
    const id = await begin();
    expect(await problemsOf(id)).toEqual([]);
    await remove('crew');
    expect(await problemsOf(id)).toEqual(['rights.crew: noRole crew']);
    await make('crew');
    expect(await problemsOf(id)).toEqual(another);
    const { msg } = await expectRefused(testApp, '100015', () => publish(id), ['job']);
    expect(msg).toContain('“crew” is another role now than when the draft set its rights');
    expect(await holders('ubsSite:list')).toEqual([]);
  });

  it('is meant anew where its rights are set anew, and not where something else is changed', async () => {
    const id = await open('ubsSite', given);
    await remove('crew');
    await make('crew');
    await save(id, 'ubsSite', 1, { ...given, one: place });
    expect(await problemsOf(id)).toEqual(another);
    // Another of that code follows nobody's rights that it was not given.
    await rename('crew', 'gang');
    expect(await problemsOf(id)).toEqual(['rights.crew: noRole crew']);
    await rename('gang', 'crew');
    await save(id, 'ubsSite', 2, { rights: { crew: ['list', 'add'] } });
    await save(id, 'ubsSite', 3, given);
    expect(await problemsOf(id)).toEqual([]);
    await publish(id);
    expect(await holders('ubsSite:list')).toEqual(['crew']);
  });

  const shownOn = async () =>
    Object.fromEntries(
      (await testApp.send(readModule, { module: 'ubsSite' }, admin)).data.roles.map((it) => [it.roleId, it.id]),
    );

  it('is the one that the page showed on which its rights were set, in a first part as in one that is kept over another', async () => {
    const { id } = (await post('sysDraft/create', { name: 'Test' })).data;
    const roles = await shownOn();
    await rename('crew', 'gang');
    await make('crew');
    const saveAsShown = (version: number, change: DefinitionChange) =>
      testApp.send(saveChange, { draftId: id, module: 'ubsSite', version, change: { ...change }, roles }, admin);
    expect((await saveAsShown(0, given)).code).toBe('000000');
    expect(await problemsOf(id)).toEqual(another);
    await expectRefused(testApp, '100015', () => publish(id), ['job']);
    // What somebody else saved meanwhile means the one of today, and the page keeps its own over it.
    expect((await save(id, 'ubsSite', 1, { rights: { crew: ['list', 'add'] } })).code).toBe('000000');
    expect(await problemsOf(id)).toEqual([]);
    expect((await saveAsShown(2, given)).code).toBe('000000');
    expect(await problemsOf(id)).toEqual(another);
    expect((await partOf(id))?.roles).toEqual({ crew: roles['crew'] });
    expect((await saveAsShown(3, { rights: {} })).code).toBe('000000');
    const now = await shownOn();
    await testApp.send(
      saveChange,
      { draftId: id, module: 'ubsSite', version: 4, change: { ...given }, roles: now },
      admin,
    );
    expect(await problemsOf(id)).toEqual([]);
    await publish(id);
    expect(await holders('ubsSite:list')).toEqual(['crew']);
  });

  it('that was not there when it was named is not the one that is made since', async () => {
    await remove('crew');
    const id = await open('ubsSite', given);
    await make('crew');
    expect(await problemsOf(id)).toEqual(another);
  });

  it('that was not there when it was named is not the one that is made since, whatever id was sent for it', async () => {
    const { id } = (await post('sysDraft/create', { name: 'Test' })).data;
    const next = Number((await roleOf('crew'))?.id) + 1;
    const roles = { gang: next };
    const change = { rights: { gang: ['list'] } };
    const saved = await testApp.send(saveChange, { draftId: id, module: 'ubsSite', version: 0, change, roles }, admin);
    expect(saved.code).toBe('000000');
    expect((await partOf(id))?.roles).toEqual({});
    await make('gang');
    expect(Number((await roleOf('gang'))?.id)).toBe(next);
    expect(await problemsOf(id)).toEqual(['rights.gang: roleAnother gang']);
    await expectRefused(testApp, '100015', () => publish(id), ['job']);
    expect(await holders('ubsSite:list')).toEqual([]);
  });

  it('has in the preview what it has, where it is not meant', async () => {
    const id = await open('ubsSite', { rights: { crew: [] } });
    await remove('crew');
    await make('crew');
    const rights = ['sysModule:configure', 'sysDraft:list', 'ubsSite:list'];
    await testApp.db
      .insertInto('role_right')
      .values(rights.map((right) => ({ roleId: 'crew', right })))
      .execute();
    await testApp.db.updateTable('admin_user').set({ roleIds: 'crew' }).where('userId', '=', 'office').execute();
    const headers = { token: await testApp.openToken('office'), 'definitions-draft': String(id) };
    const reply = await testApp.app.inject({ url: '/api/ubsSite/pager.json?lang=en', headers });
    expect(reply.json()).toMatchObject({ code: '000000' });
    await testApp.db.updateTable('admin_user').set({ roleIds: 'office' }).where('userId', '=', 'office').execute();
  });

  it('is known of drafts from before as far as it was there when they were saved', async () => {
    const id = await open('ubsSite', { rights: { crew: ['list'], gang: ['list'] } });
    await make('gang');
    await sql`ALTER TABLE definition_draft DROP COLUMN roles`.execute(testApp.db);
    await sql.raw(readMigration('0087_roles_of_drafts.sql')).execute(testApp.db);
    expect(await problemsOf(id)).toEqual(['rights.gang: roleAnother gang']);
  });
});

it('what the roles of a draft may do until then is told by button, for the module and for all', async () => {
  await make('band');
  await testApp.db
    .insertInto('role_right')
    .values(['ubsSite:add', '*:list', 'ubsSite:former', 'ubsCity:add'].map((right) => ({ roleId: 'band', right })))
    .execute();
  const { db, model } = testApp;
  const rights = await readRights([{ module: 'ubsSite', change: { rights: { band: [] } } }], { db, model } as Context);
  expect(rights.get('ubsSite')?.['band']?.toSorted()).toEqual(['add', 'list']);
});
