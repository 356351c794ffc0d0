import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Definition } from '#domain/definition/grammar.ts';
import { referencesOf } from '#domain/definition/references.ts';
import { refusals } from '#domain/refusal.ts';
import { brokenReferenceOf } from '#server/brokenReference.ts';
import type { Context } from '#server/context.ts';
import { readRow } from '#server/engine/rows.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { untilWaiting } from '#tests/support/locks.ts';

let testApp: TestApp;
let other: pg.Client;
let stateId: number;
beforeAll(async () => {
  testApp = await startTestApp();
  other = new pg.Client({ connectionString: testApp.url });
  await other.connect();
  await testApp.db.insertInto('ubs_country').values({ countryId: 'CN', name: '中国' }).execute();
});
afterAll(async () => {
  await other.end();
  await testApp.close();
});
beforeEach(async () => {
  const row = { stateId: 'GD', countryId: 'CN', name: '广东' };
  stateId = (await testApp.db.insertInto('ubs_state').values(row).returning('id').executeTakeFirstOrThrow()).id;
});
afterEach(async () => {
  await other.query('ROLLBACK');
  await testApp.db.deleteFrom('ubs_city').execute();
  await testApp.db.deleteFrom('ubs_state').execute();
});

const city = { cityId: 'SZX', stateId: 'GD', name: '深圳' };
const post = (path: string, body: object, lang: 'zh' | 'en' = 'en') =>
  testApp.ask('POST', `/api/${path}.json`, body, { as: 'admin', lang });
/** What the call answers when another one's transaction ends while the call waits for it. */
async function overtaken<T>(call: Promise<T>): Promise<T> {
  await untilWaiting(testApp.db);
  await other.query('COMMIT');
  return call;
}

describe('a row whose referent goes while it is written', () => {
  it('is refused, with what to do', async () => {
    for (const [lang, msg] of [
      ['en', 'State GD does not exist'],
      ['zh', /GD 不存在$/],
    ] as const) {
      await other.query(`BEGIN; DELETE FROM ubs_state WHERE "stateId" = 'GD'`);
      const answer = await overtaken(post('ubsCity/create', city, lang));
      expect(answer).toMatchObject({
        code: refusals.notFound.code,
        data: { problems: [{ key: 'notFound', field: 'stateId' }] },
      });
      if (typeof msg === 'string') expect(answer.msg).toBe(msg);
      else expect(answer.msg).toMatch(msg);
      await testApp.db.insertInto('ubs_state').values({ stateId: 'GD', countryId: 'CN', name: '广东' }).execute();
    }
    expect(await testApp.db.selectFrom('ubs_city').select('id').execute()).toEqual([]);
  });
});

describe('a row to which another begins to refer while it goes', () => {
  const refer = () =>
    other.query(`BEGIN; INSERT INTO ubs_city ("cityId", "stateId", name) VALUES ('CAN', 'GD', '广州')`);

  it.each([
    ['en', 'State GD is used by 1 row of "Cities" and can\'t be deleted; change what uses it first'],
    ['zh', '省/州 GD 正被“城市”中的 1 条记录使用，不能删除；请先修改使用它的记录'],
  ] as const)('stays (%s)', async (lang, msg) => {
    await refer();
    const answer = await overtaken(post('ubsState/deleteById', { id: stateId }, lang));
    expect(answer).toMatchObject({ code: refusals.inUse.code, msg, data: { problems: [{ key: 'inUse' }] } });
    expect(await testApp.db.selectFrom('ubs_state').select('id').execute()).toHaveLength(1);
  });

  it('stays where it is one of many, and the others go', async () => {
    const more = { stateId: 'ZJ', countryId: 'CN', name: '浙江' };
    const { id } = await testApp.db.insertInto('ubs_state').values(more).returning('id').executeTakeFirstOrThrow();
    await refer();
    const answer = await overtaken(post('ubsState/bulk', { action: 'deleteAll', ids: [stateId, id] }));
    expect(answer.data).toMatchObject({ doneCount: 1, results: [{ done: false, key: 'inUse' }, { done: true }] });
  });

  it('keeps its number, also where nobody is overtaken', async () => {
    await testApp.db.insertInto('ubs_city').values(city).execute();
    const answer = await post('ubsState/modifyById', { id: stateId, version: 1, stateId: 'GX' });
    expect(answer).toMatchObject({ data: { problems: [{ key: 'valueInUse', field: 'stateId' }] } });
    const refused = await post('ubsState/deleteById', { id: stateId });
    expect(refused).toMatchObject({ data: { problems: [{ key: 'inUse' }] } });
  });
});

it('what the database itself keeps is told by what it is and by the list that uses it', () => {
  const { references } = referencesOf(testApp.model.definitions.values());
  const constraint = references.find((it) => it.module === 'ubsCity' && it.column === 'stateId')?.name;
  const detail = 'Key ("stateId")=(GD) is still referenced from table "ubs_city".';
  expect(brokenReferenceOf(Object.assign(new Error(), { code: '23503', constraint, detail }), testApp.model)).toEqual({
    key: 'stillUsed',
    field: 'stateId',
    args: { what: { zh: '省/州', en: 'State' }, value: 'GD', where: { zh: '城市', en: 'Cities' } },
  });
});

describe('a row that is held while it is changed', () => {
  it('is still referred to by others at once', async () => {
    const { db, model } = testApp;
    const definition = model.definitions.get('ubsState') as Definition;
    await db.transaction().execute(async (trx) => {
      const ctx = { db: trx, model, currentUser: { sites: 'all' } } as unknown as Context;
      await readRow(definition, stateId, ['id'], ctx, true);
      expect(await post('ubsCity/create', city)).toMatchObject({ code: '000000' });
    });
  });
});
