import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { standardColumns } from '#domain/definition/columns.ts';
import type { Definition } from '#domain/definition/grammar.ts';
import { createView, readViews, saveListSetting } from '#domain/listView.ts';
import { expireJobs } from '#server/jobs/expiry.ts';
import { jobHandler } from '#server/jobs/job.ts';
import { startJobNow } from '#server/jobs/start.ts';
import { ONE_TIME } from '#server/session/sessions.ts';
import { goesWithAccount, staysOfAccount } from '#server/session/ofAccount.ts';
import { openFileStore } from '#server/uploads/fileStore.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { contextFor } from '#tests/support/jobs.ts';

let testApp: TestApp;
let begin = () => undefined as void;
const begun = new Promise<void>((done) => (begin = done));
const handlers = {
  waits: jobHandler(async (_, job) => {
    await job.openFile('half.txt');
    begin();
    await new Promise((__, fail) =>
      job.signal.addEventListener('abort', () => fail(job.signal.reason as Error), { once: true }),
    );
    return {};
  }),
};
beforeAll(async () => {
  testApp = await startTestApp({}, { worksJobs: handlers });
});
afterAll(() => testApp.close());

const post = (path: string, body: object, as = 'admin', lang: 'zh' | 'en' = 'en') =>
  testApp.ask<{ problems?: { key: string; field?: string }[] }>('POST', `/api/${path}.json`, body, { as, lang });
const rowOf = (table: 'admin_user' | 'admin_role', column: 'userId' | 'roleId', value: string) =>
  testApp.db.selectFrom(table).select(['id', 'version']).where(sql.ref(column), '=', value).executeTakeFirstOrThrow();
const add = (userId: string, more: object = {}) =>
  post('adminUser/create', {
    userId,
    userName: 'Li',
    roleIds: 'tech',
    siteId: 'SZ',
    password: 'Pink7#elephant',
    ...more,
  });
/** Has chosen a password of its own, so that it may do something. */
const settle = (userId: string) =>
  testApp.db
    .updateTable('admin_user')
    .set({ password: sql`replace(password, ${ONE_TIME}, '')` })
    .where('userId', '=', userId)
    .execute();
const remove = async (userId: string) =>
  post('adminUser/deleteById', { id: (await rowOf('admin_user', 'userId', userId)).id });

/** What a column is called that names an account, whatever its table. */
const NAMES_ACCOUNT = /^(userId|userName|owner|account|login|bucket)$|By$|Reviewer$/;

describe('every column that names an account', () => {
  const ofDefinition = ({ fields }: Definition, column: string) => {
    const field = fields[column];
    if (column in standardColumns) return 'history: who wrote a row';
    if (field?.ref?.module === 'adminUser') return 'a foreign key: the account stays';
    if (field?.format === 'user') return 'history: who did a step';
    return undefined;
  };
  /** What is called so in a definition and names no account. */
  const others: Readonly<Record<string, string>> = {
    'admin_user userId': 'the account itself',
    'admin_user userName': 'the account itself',
    'rma_maintain_bill userName': 'the customer',
    'rma_site_repair_bill userName': 'the customer',
    'rma_unhandled_package_bill userName': 'the customer',
  };

  it('goes with it, stays as history, or keeps it', async () => {
    const { rows } = await sql<{ table: string; column: string }>`
      SELECT c.table_name AS table, c.column_name AS column FROM information_schema.columns AS c
        JOIN information_schema.tables AS t USING (table_schema, table_name)
       WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE' ORDER BY 1, 2`.execute(testApp.db);
    const definitions = [...testApp.model.definitions.values()].filter((it) => !it.rowsOf);
    const registered = [goesWithAccount, staysOfAccount].flatMap((it) =>
      Object.entries(it).flatMap(([table, columns]) => Object.keys(columns).map((column) => `${table} ${column}`)),
    );
    const unknown = rows.flatMap(({ table, column }) => {
      const definition = definitions.find((it) => it.table === table);
      const isNaming =
        NAMES_ACCOUNT.test(column) || (definition !== undefined && ofDefinition(definition, column) !== undefined);
      const name = `${table} ${column}`;
      const isKnown =
        registered.includes(name) ||
        name in others ||
        (definition !== undefined && ofDefinition(definition, column) !== undefined);
      return isNaming && !isKnown ? [name] : [];
    });
    expect(unknown).toEqual([]);
    // Nothing is registered that is not there.
    const there = new Set(rows.map((it) => `${it.table} ${it.column}`));
    expect([...registered, ...Object.keys(others)].filter((it) => !there.has(it))).toEqual([]);
    expect(new Set(registered).size).toBe(registered.length);
  });
});

describe('an account that is deleted', () => {
  const tables = Object.keys(goesWithAccount) as (keyof typeof goesWithAccount)[];
  /** How many rows of each table are the account's. */
  const left = async (userId: string) => {
    const counts: Record<string, number> = {};
    for (const table of tables) {
      const [column = ''] = Object.keys(goesWithAccount[table]);
      const { rows } = await sql<{ n: number }>`
        SELECT count(*)::int AS n FROM ${sql.table(table)}
         WHERE ${column === 'bucket' ? sql`${sql.ref(column)} LIKE ${`% ${userId}%`}` : sql`${sql.ref(column)} = ${userId}`}`.execute(
        testApp.db,
      );
      counts[table] = rows[0]?.n ?? 0;
    }
    return counts;
  };

  /** As much of each as an account leaves, some of it as somebody does, the rest as it stands in the database. */
  async function work(userId: string) {
    const { db } = testApp;
    await settle(userId);
    const id = userId.padEnd(32, '0').replaceAll(/[^0-9a-f]/g, 'a');
    await testApp.send(createView, { module: 'rmaCheckBill', name: 'mine', state: {} }, { as: userId });
    await testApp.send(saveListSetting, { module: 'rmaCheckBill', columns: [] }, { as: userId });
    await db.insertInto('user_coin').values({ userId, coin: 'BTC' }).execute();
    await db.insertInto('known_address').values({ userId, network: '10.0.0.1' }).execute();
    await db
      .insertInto('idempotency_key')
      .values({ userId, route: '/x', key: 'k', bodyHash: Buffer.from('x') })
      .execute();
    for (const bucket of [`account ${userId}`, `login ${userId} 10.0.0.1`, `password ${userId}`])
      await db.insertInto('login_attempt').values({ bucket }).execute();
    await db
      .insertInto('station_scans')
      .values({
        siteId: 'SZ',
        station: 'check',
        bill: 'X',
        userId,
        userName: 'Li',
        snList: ['A'],
        expiresAt: new Date('2100-01-01'),
      })
      .execute();
    await openFileStore(testApp.config).put(id, Buffer.from('secret'));
    await db
      .insertInto('file')
      .values({ id, kind: 'job', name: 'a.xlsx', mime: 'x', size: 6, siteId: 'SZ', createBy: userId, owner: userId })
      .execute();
    const job = {
      kind: 'listExport',
      title: 't',
      module: 'rmaCheckBill',
      userId,
      siteId: 'SZ',
      lang: 'en',
      input: '{}',
      scope: '{}',
    };
    await db
      .insertInto('job')
      .values([
        { ...job, state: 'done', fileId: id },
        { ...job, state: 'cancelled' },
      ])
      .execute();
    return { id, path: join(testApp.config.dataDir, 'files', id.slice(0, 2), id) };
  }

  it('takes all that is its alone with it, also from the disk; who looks like it gets none of it', async () => {
    expect(await add('leaver')).toMatchObject({ code: '000000' });
    expect(await add('leaver2')).toMatchObject({ code: '000000' });
    const { id, path } = await work('leaver');
    await work('leaver2');
    const before = await left('leaver2');
    expect(Object.values(await left('leaver')).every((it) => it > 0)).toBe(true);
    expect(existsSync(path)).toBe(true);
    expect(await remove('leaver')).toMatchObject({ code: '000000' });
    const after = await left('leaver');
    expect({ ...after, login_attempt: 0 }).toEqual(Object.fromEntries(tables.map((it) => [it, 0])));
    expect(await left('leaver2')).toEqual(before);
    expect(
      await testApp.db
        .selectFrom('login_attempt')
        .select('bucket')
        .where('bucket', 'in', ['account leaver', 'password leaver', 'login leaver 10.0.0.1'])
        .execute(),
    ).toEqual([]);
    await expireJobs({ database: { db: testApp.db } as never, config: testApp.config });
    expect(existsSync(path)).toBe(false);
    expect(await testApp.db.selectFrom('file').select('id').where('id', '=', id).execute()).toEqual([]);
  });

  it('has what it has running cancelled, and nothing of its file stays', async () => {
    expect(await add('runner')).toMatchObject({ code: '000000' });
    const ctx = await contextFor(testApp, 'runner');
    const id = await startJobNow(ctx, { kind: 'waits', title: 't', module: 'rmaReport', right: 'signedIn', input: {} });
    await begun;
    const { fileId } = await testApp.db
      .selectFrom('job')
      .select('fileId')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(await remove('runner')).toMatchObject({ code: '000000' });
    expect(await testApp.db.selectFrom('job').select('id').where('userId', '=', 'runner').execute()).toEqual([]);
    await expireJobs({ database: { db: testApp.db } as never, config: testApp.config });
    const path = join(testApp.config.dataDir, 'files', (fileId ?? '').slice(0, 2), fileId ?? '');
    await expect.poll(() => existsSync(`${path}.part`) || existsSync(path)).toBe(false);
  });

  it('leaves a view that it shared to the role, as long as there is one', async () => {
    expect(await add('sharer', { roleIds: 'admin' })).toMatchObject({ code: '000000' });
    expect(
      await post('adminRole/create', { roleId: 'readers', name: '读者', nameEn: 'Readers', allSites: '0' }),
    ).toMatchObject({ code: '000000' });
    await settle('sharer');
    await testApp.send(
      createView,
      { module: 'rmaCheckBill', name: 'ours', state: {}, roleId: 'readers' },
      { as: 'sharer' },
    );
    expect(await remove('sharer')).toMatchObject({ code: '000000' });
    const seen = async () =>
      (await testApp.send(readViews, { module: 'rmaCheckBill' }, { as: 'admin' })).data.items.map((it) => it.name);
    expect(await seen()).toContain('ours');
    const { id } = await rowOf('admin_role', 'roleId', 'readers');
    expect(await post('adminRole/deleteById', { id })).toMatchObject({ code: '000000' });
    expect(await seen()).not.toContain('ours');
  });
});

describe('the name of an account that went', () => {
  it('is taken by no other while the audit log has what was done under it, nor is one that looks like it', async () => {
    expect(await add('bygone', { userName: 'Wang Fang' })).toMatchObject({ code: '000000' });
    await settle('bygone');
    await testApp.send(createView, { module: 'rmaCheckBill', name: 'mine', state: {} }, { as: 'bygone' });
    await remove('bygone');
    for (const userId of ['bygone', 'BYGONE', 'byg0ne']) {
      const en = await add(userId);
      expect(en).toMatchObject({
        code: '100023',
        msg: `${userId} was used before by Wang Fang, and the audit log has what was done under it; choose another one`,
        data: { problems: [{ key: 'userIdUsed', field: 'userId' }] },
      });
    }
    const body = { userId: 'bygone', userName: 'Li', roleIds: 'tech', siteId: 'SZ', password: 'Pink7#elephant' };
    expect((await post('adminUser/create', body, 'admin', 'zh')).msg).toBe(
      '账号 bygone 曾由Wang Fang使用，操作日志中有以它进行的操作；请换一个账号',
    );
    const { id, version } = await rowOf('admin_user', 'userId', 'office');
    expect(await post('adminUser/modifyById', { id, version, userId: 'bygone' })).toMatchObject({
      data: { problems: [{ key: 'userIdUsed' }] },
    });
  });

  it('is free where nothing was done under it, and nothing of the first one comes back with it', async () => {
    await add('ghost');
    await remove('ghost');
    // Left behind by an earlier version.
    await testApp.db.insertInto('user_coin').values({ userId: 'ghost', coin: 'BTC' }).execute();
    expect(await add('ghost')).toMatchObject({ code: '000000' });
    expect(await testApp.db.selectFrom('user_coin').select('coin').where('userId', '=', 'ghost').execute()).toEqual([]);
  });

  it('stays, once something was done under it; before, what is its own is forgotten with it', async () => {
    await add('early');
    await testApp.db.insertInto('user_coin').values({ userId: 'early', coin: 'BTC' }).execute();
    const first = await rowOf('admin_user', 'userId', 'early');
    expect(await post('adminUser/modifyById', { ...first, userId: 'later' })).toMatchObject({ code: '000000' });
    expect(await testApp.db.selectFrom('user_coin').select('coin').where('userId', '=', 'early').execute()).toEqual([]);
    await settle('later');
    await testApp.send(createView, { module: 'rmaCheckBill', name: 'mine', state: {} }, { as: 'later' });
    const then = await rowOf('admin_user', 'userId', 'later');
    expect(await post('adminUser/modifyById', { ...then, userId: 'latest' })).toMatchObject({
      msg: "The audit log has what was done under later, so it can't be renamed; make a new account and switch this one off",
      data: { problems: [{ key: 'userIdStays', field: 'userId' }] },
    });
  });
});

describe('a role', () => {
  beforeEach(async () => {
    await testApp.db.deleteFrom('admin_role').where('roleId', 'in', ['crew', 'gang']).execute();
    await testApp.db.deleteFrom('role_right').where('roleId', 'in', ['crew', 'gang']).execute();
  });
  const make = (roleId: string) => post('adminRole/create', { roleId, name: roleId, nameEn: roleId, allSites: '0' });
  const rightsOf = async (roleId: string) =>
    (await testApp.db.selectFrom('role_right').select('right').where('roleId', '=', roleId).execute()).map(
      (it) => it.right,
    );

  it('that accounts have stays, and they are counted', async () => {
    const { id } = await rowOf('admin_role', 'roleId', 'tech');
    const n = (
      await testApp.db
        .selectFrom('admin_user')
        .select('id')
        .where(sql<boolean>`'tech' = ANY (string_to_array("roleIds", '|'))`)
        .execute()
    ).length;
    expect((await post('adminRole/deleteById', { id })).msg).toBe(
      `Role tech is used by ${n} rows of "Users" and can't be deleted; change what uses it first`,
    );
    expect((await post('adminRole/deleteById', { id }, 'admin', 'zh')).msg).toBe(
      `角色 tech 正被“用户”中的 ${n} 条记录使用，不能删除；请先修改使用它的记录`,
    );
  });

  it('that is made anew gives nothing to accounts of an earlier one, which are told', async () => {
    await testApp.db.updateTable('admin_user').set({ roleIds: 'viewer|crew' }).where('userId', '=', 'viewer').execute();
    expect(await make('crew')).toMatchObject({
      msg: 'Role crew was deleted and still stands at 1 account(s), which would have its rights; take it from them first, or choose another code',
      data: { problems: [{ key: 'roleNamed', field: 'roleId' }] },
    });
    await testApp.db.updateTable('admin_user').set({ roleIds: 'viewer' }).where('userId', '=', 'viewer').execute();
    await testApp.db.insertInto('role_right').values({ roleId: 'crew', right: '*:*' }).execute();
    expect(await make('crew')).toMatchObject({ code: '000000' });
    expect(await rightsOf('crew')).toEqual([]);
  });

  it.each(['tech|office', '|', '*', '__proto__', 'a:b', 'a,b'])(
    'has a code that can stand in a list: not %s',
    async (code) => {
      expect(await make(code)).toMatchObject({
        code: '100023',
        data: { problems: [{ key: 'roleCode', field: 'roleId' }] },
      });
    },
  );

  it('that is called otherwise keeps its rights, and leaves none behind', async () => {
    await make('crew');
    await testApp.db.insertInto('role_right').values({ roleId: 'crew', right: 'rmaCheckBill:list' }).execute();
    const role = await rowOf('admin_role', 'roleId', 'crew');
    expect(await post('adminRole/modifyById', { ...role, roleId: 'gang' })).toMatchObject({ code: '000000' });
    expect([await rightsOf('crew'), await rightsOf('gang')]).toEqual([[], ['rmaCheckBill:list']]);
  });
});
