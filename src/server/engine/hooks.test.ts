import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { BulkAnswer } from '#domain/bulk.ts';
import type { Definition } from '#domain/definition/grammar.ts';
import type { StandardColumns } from '#server/db/tables.ts';
import { readModel } from '#server/definitions/read.ts';
import { planTables } from '#server/definitions/schema.ts';
import type { Hooks } from '#server/engine/hooks.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { features, registers } from '#tests/support/features.ts';
import { expectRefused, readLedger } from '#tests/support/guard.ts';
import { addProbe, countRows } from '#tests/support/probe.ts';
import { sendFile, workbook } from '#tests/support/workbooks.ts';

/** A bill that the product does not have: something is lent, and once it has come back it has. */
const loan: Definition = {
  module: 'loan',
  label: { zh: '借条', en: 'Loans' },
  table: 'loan',
  site: ['siteId'],
  writes: 'all',
  fields: {
    item: { type: 'String', label: { zh: '物品', en: 'Item' }, required: true, maxLength: 20 },
    returned: { type: 'select', label: { zh: '已归还', en: 'Returned' }, options: 'yesNo', default: '0' },
    due: { type: 'date', label: { zh: '归还日', en: 'Due' } },
    secret: { type: 'password', label: { zh: '密码', en: 'Secret' } },
    siteId: { type: 'String', label: { zh: '站点', en: 'Site' }, readOnly: true },
  },
  list: { columns: ['item', 'returned'] },
  form: [['item', 'returned', 'due', 'secret']],
  detail: ['siteId'],
  buttons: [
    { btnNo: 'add', script: 'create', label: { zh: '新增', en: 'Add' } },
    { btnNo: 'edit', script: 'modify', label: { zh: '修改', en: 'Modify' }, rows: 1 },
    { btnNo: 'drop', script: 'deleteById', label: { zh: '删除', en: 'Delete' }, rows: 1 },
    { btnNo: 'dropAll', script: 'deleteAll', label: { zh: '批量删除', en: 'Delete selected' }, rows: 'many' },
    { btnNo: 'bulk', script: 'bulk', label: { zh: '批量', en: 'Many' }, rows: 'many' },
    { btnNo: 'bring', script: 'upload', label: { zh: '导入', en: 'Import' } },
  ],
};

interface Loan extends StandardColumns {
  item: string | null;
  returned: string | null;
}

const returned = { field: { zh: '已归还', en: 'Returned' } };
const loanHooks: Hooks<Loan> = {
  check: (row, before) =>
    before?.returned === '1' && row.returned !== '1' ? [{ key: 'fixed', field: 'returned', args: returned }] : [],
};

const hook = (it: Hooks<Loan>) => Object.assign(features.hooks, { loan: it });

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp({ exportWaitMs: 120_000 }, { worksJobs: true });
  await addProbe(testApp);
  (testApp.model.definitions as Map<string, Definition>).set('loan', loan);
  const client = new pg.Client({ connectionString: testApp.url });
  await client.connect();
  for (const statement of (await planTables(client, [loan])).statements) await client.query(statement);
  await client.end();
  await testApp.db.insertInto('role_right').values({ roleId: 'prober', right: 'loan:*' }).execute();
});
afterEach(() => void hook({}));
afterAll(() => testApp.close());

const post = <Data = { id: number; version: number }>(action: string, body: object) =>
  testApp.ask<Data>('POST', `/api/loan/${action}.json`, body, { as: 'prober' });
const lend = async (more: object = {}) => (await post('create', { item: 'drill', ...more })).data.id;
const newest = async () =>
  (await sql<Record<string, unknown>>`SELECT * FROM loan ORDER BY id DESC LIMIT 1`.execute(testApp.db)).rows[0];
const readRow = async (id: number) =>
  (await testApp.ask<Record<string, unknown>>('GET', '/api/loan/queryById.json', { id }, { as: 'prober' })).data;

describe('a rule of a module’s own', () => {
  it('such as "Returned can’t be unset" is five lines', async () => {
    hook(loanHooks);
    const id = await lend();
    expect(await post('modifyById', { id, version: 1, returned: '1' })).toMatchObject({ code: '000000' });
    const answer = await expectRefused(testApp, '100015', () => post('modifyById', { id, version: 2, returned: '0' }));
    expect(answer.msg).toBe("Returned can't be changed now");
    expect(await post('modifyById', { id, version: 2, item: 'big drill' })).toMatchObject({ code: '000000' });
    expect(await readRow(id)).toMatchObject({ item: 'big drill', returned: '1', version: 3 });
  });

  it('holds for each row of a bulk run', async () => {
    const ids = [await lend({ returned: '1' }), await lend({ due: Date.UTC(2026, 10, 20, 4) })];
    hook(loanHooks);
    const { data } = await post<BulkAnswer>('bulk', { action: 'modify', ids, values: { returned: '0', due: null } });
    expect(data.results.map((it) => it.done)).toEqual([false, true]);
    expect(data.results[0]?.code).toBe('100015');
  });

  it('sees what was not said as nothing, and is told beside what is wrong with the fields', async () => {
    const seen: unknown[] = [];
    hook({
      check: async (row, before) => {
        seen.push([row, before]);
        return [{ key: 'inPast', field: 'due', args: { field: 'due' } }];
      },
    });
    const { data } = await expectRefused(testApp, '100001', () => post('create', {}));
    expect(data).toMatchObject({ problems: [{ field: 'item' }, { field: 'due' }] });
    const empty = { item: null, returned: '0', due: null, secret: null, siteId: null };
    expect(seen).toEqual([[empty, undefined]]);
  });

  it('judges the rows of a workbook, each by its number', async () => {
    hook({ check: ({ item }) => (item === 'saw' ? [{ key: 'stale', field: 'item' }] : []) });
    const sheet = await workbook([['Item'], ['drill'], ['saw']]);
    const { data } = await sendFile<{ bad: number; problems: { row: number }[] }>(
      testApp,
      '/api/loan/upload.json',
      [sheet],
      { as: 'prober' },
    );
    expect(data).toMatchObject({ bad: 1, problems: [{ row: 3 }] });
  });
});

describe('what a module makes of the values before they are written', () => {
  const upper: Hooks<Loan> = {
    beforeWrite: (values) => ({ ...values, ...(values.item && { item: values.item.toUpperCase() }) }),
  };

  it('is what stands in the row and in the ledger', async () => {
    hook(upper);
    const id = await lend();
    expect(await readRow(id)).toMatchObject({ item: 'DRILL', siteId: 'SZ', createBy: 'prober' });
    await post('modifyById', { id, version: 1, item: 'saw' });
    expect(await readRow(id)).toMatchObject({ item: 'SAW' });
    const entries = (await readLedger(testApp, String(id))).filter((it) => it.module === 'loan');
    expect(entries.map((it) => it.after)).toMatchObject([{ item: 'DRILL' }, { item: 'SAW' }]);
  });

  it('holds for the rows of a workbook', async () => {
    hook(upper);
    const sheet = await workbook([['Item'], ['plane']]);
    const answer = await sendFile(testApp, '/api/loan/upload.json', [sheet], { as: 'prober' });
    expect(answer).toMatchObject({ data: { imported: 1 } });
    expect(await newest()).toMatchObject({ item: 'PLANE', siteId: 'SZ' });
  });

  it('leaves no password as it was sent', async () => {
    const ways: Hooks<Loan>[] = [{}, { beforeWrite: (values) => values }, { beforeWrite: (values) => ({ ...values }) }];
    for (const it of ways) {
      hook(it);
      await lend({ secret: 'Grinder#2026' });
      expect((await newest())?.['secret']).toMatch(/^\$argon2id/);
    }
  });
});

describe('what follows a write', () => {
  it('sees the row before and after, and comes last in its transaction', async () => {
    const seen: unknown[] = [];
    hook({
      async afterWrite(row, before, ctx) {
        const { what } = await ctx.db
          .selectFrom('ledger')
          .select('what')
          .orderBy('id', 'desc')
          .limit(1)
          .executeTakeFirstOrThrow();
        seen.push([what, before?.item, row?.item, row?.version]);
      },
    });
    const id = await lend();
    await post('modifyById', { id, version: 1, item: 'saw' });
    await post('deleteById', { id });
    await sendFile(testApp, '/api/loan/upload.json', [await workbook([['Item'], ['plane']])], { as: 'prober' });
    expect(seen).toEqual([
      ['create', undefined, 'drill', 1],
      ['modifyById', 'drill', 'saw', 2],
      ['deleteById', 'saw', undefined, undefined],
      ['upload', undefined, 'plane', 1],
    ]);
  });

  it('takes the write back where it fails', async () => {
    hook({ afterWrite: () => Promise.reject(new Error('no')) });
    const before = await countRows(testApp, 'loan');
    expect(await post('create', { item: 'drill' })).toMatchObject({ code: '000500' });
    expect(await countRows(testApp, 'loan')).toBe(before);
  });
});

it('a hook for a module that has no definition stops the start', () => {
  const slip = { ...registers, hooks: new Set(['rmaPriceBil']) };
  expect(() => readModel(slip)).toThrow('UnknownModule: hooks → "rmaPriceBil"; did you mean "rmaPriceBill"?');
});
