import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { MAX_ROWS, type BulkAnswer } from '#domain/bulk.ts';
import type { Definition } from '#domain/definition/grammar.ts';
import { reviewStep } from '#domain/review.ts';
import { Node } from '#domain/nodes.ts';
import { submitStoreBill } from '#features/store/contract.ts';
import { newKey, startTestApp, type Asking, type TestApp } from '#tests/support/app.ts';
import { alwaysOf, insertRow } from '#tests/support/always.ts';
import { manyActions } from '#tests/support/manyActions.ts';
import { randomFrom } from '#tests/support/stations.ts';
import { deciders, type Decider } from '#tests/support/decisions.ts';
import { unitOnBill } from '#tests/support/factories.ts';
import { expectRefused, readLedger } from '#tests/support/guard.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { untilWaiting } from '#tests/support/locks.ts';
import { takeSnapshot } from '#tests/support/snapshot.ts';

let testApp: TestApp;
beforeAll(async () => void (testApp = await startTestApp()));
afterAll(async () => {
  // A connection on which `fetch` has asked nothing yet is no idle one.
  testApp.app.server.closeAllConnections();
  await testApp.close();
});

const admin = { as: 'admin' };
const bulk = (module: string, body: object, asking: Asking = admin) =>
  testApp.ask<BulkAnswer>('POST', `/api/${module}/bulk.json`, body, asking);

let made = 0;
/** Issue codes that nothing uses, and whose names begin alike. */
async function codes(count: number, prefix?: string): Promise<number[]> {
  made += 1;
  const name = prefix ?? `BK${String(made).padStart(2, '0')}`;
  const rows = await testApp.db
    .insertInto('ubs_issue_code')
    .values(
      Array.from({ length: count }, (_, i) => ({
        codeId: 1000 + made * 1000 + i,
        code: `${name}${i}`,
        name: `${name} ${i}`,
        nameEn: `${name} ${i}`,
        billType: '2',
        disposition: 'repair',
      })),
    )
    .returning('id')
    .execute();
  return rows.map((it) => Number(it.id));
}
/** Rows of a module that nothing uses. */
async function rowsOf(module: string, count: number): Promise<number[]> {
  const { definitions } = testApp.model;
  const definition = definitions.get(module) as Definition;
  const ids: number[] = [];
  for (let i = 0; i < count; i++) {
    const row = await insertRow(testApp.db, definition, alwaysOf(definition, definitions), definitions);
    ids.push(Number(row?.id));
  }
  return ids;
}

/** A text of its form, a unique one where there is one. */
function textOf({ fields, form = [] }: Definition): string {
  const texts = form.flat().filter((it) => fields[it]?.type === 'String');
  return texts.find((it) => fields[it]?.unique) ?? texts[0] ?? '';
}

/** Somebody else holds a row. */
async function holdRow(table: string, id: number) {
  const client = new pg.Client({ connectionString: testApp.url });
  await client.connect();
  await client.query('BEGIN');
  await client.query(`SELECT 1 FROM ${table} WHERE id = $1 FOR NO KEY UPDATE`, [id]);
  return { release: () => client.end() };
}

const isFree = async (table: string, id: number): Promise<boolean> => {
  const free = sql`SELECT 1 FROM ${sql.table(table)} WHERE id = ${id} FOR NO KEY UPDATE SKIP LOCKED`;
  return (await free.execute(testApp.db)).rows.length > 0;
};
const codeRow = (id: number) =>
  testApp.db.selectFrom('ubs_issue_code').selectAll().where('id', '=', id).executeTakeFirst();

/** Stock-up bills of one site, each with one stored unit. */
async function stockups(count: number): Promise<{ id: number; skbId: string }[]> {
  const found: { id: number; skbId: string }[] = [];
  for (let i = 0; i < count; i++) {
    const { sn } = await unitOnBill(testApp.db, { node: Node.AwaitingStorage });
    const { data } = await testApp.send(
      submitStoreBill,
      { rmaStoreBillLineList: [{ sn }], packageCount: 20 },
      { as: 'warehouse' },
    );
    const skbId = data.skbIdList[0] as string;
    const row = await testApp.db
      .selectFrom('rma_stockup_bill')
      .select('id')
      .where('skbId', '=', skbId)
      .executeTakeFirstOrThrow();
    found.push({ id: row.id, skbId });
  }
  return found;
}

describe('a deed on many rows is refused', () => {
  it('without a token, without the right to bulk, without the right of the deed', async () => {
    const ids = await codes(2);
    await expectRefused(testApp, '401', () => bulk('ubsIssueCode', { action: 'deleteAll', ids }, {}));
    await expectRefused(testApp, '100013', () => bulk('ubsIssueCode', { action: 'deleteAll', ids }, { as: 'office' }));
    await testApp.db.insertInto('role_right').values({ roleId: 'tech', right: 'ubsIssueCode:bulk' }).execute();
    await expectRefused(testApp, '100013', () => bulk('ubsIssueCode', { action: 'deleteAll', ids }, { as: 'tech' }));
  });

  it('without the right of the call itself, whatever button of the list makes it', async () => {
    const definitions = testApp.model.definitions as Map<string, Definition>;
    const shipped = definitions.get('rmaStockupBill') as Definition;
    const { buttons = [] } = shipped;
    const more = { btnNo: 'more', script: 'stopStockupBill', label: { zh: '新', en: 'New' }, bulk: true };
    const rights = ['bulk', 'more'].map((it) => ({ roleId: 'tech', right: `rmaStockupBill:${it}` }));
    await testApp.db.insertInto('role_right').values(rights).execute();
    const ids = (await stockups(1)).map((it) => it.id);
    definitions.set('rmaStockupBill', { ...shipped, buttons: [more, ...buttons] });
    try {
      await expectRefused(testApp, '100013', () =>
        bulk('rmaStockupBill', { action: 'stopStockupBill', ids }, { as: 'tech' }),
      );
    } finally {
      definitions.set('rmaStockupBill', shipped);
    }
  });

  it('in a list that offers none, and for a deed that this list takes for one row only', async () => {
    const ids = await codes(1);
    expect(await bulk('rmaMaintainBill', { action: 'modify', ids })).toMatchObject({ status: 404, code: '100050' });
    for (const action of ['create', 'detail', 'nothing', 'modifyById', '../x']) {
      await expectRefused(testApp, '100015', () => bulk('ubsIssueCode', { action, ids }));
    }
    await expectRefused(testApp, '100015', () => bulk('rmaStockupBill', { action: 'finishBill', ids }));
  });

  it('that says neither what nor which, or says something nobody knows', async () => {
    const [id] = await codes(1);
    await expectRefused(testApp, '100001', () => bulk('ubsIssueCode', { ids: [id] }));
    const neither = await expectRefused(testApp, '100015', () => bulk('ubsIssueCode', { action: 'deleteAll' }));
    expect(neither.msg).toMatch(/ids.*matching.*(one|之一)/);
    await expectRefused(testApp, '100015', () => bulk('ubsIssueCode', { action: 'deleteAll', matching: [] }));
    await expectRefused(testApp, '100001', () => bulk('ubsIssueCode', { action: 'deleteAll', ids: [] }));
    await expectRefused(testApp, '100001', () => bulk('ubsIssueCode', { action: 'modify', ids: [id] }));
    await expectRefused(testApp, '100015', () => bulk('ubsIssueCode', { action: 'deleteAll', ids: ["1' OR 1=1"] }));
    await expectRefused(testApp, '100015', () => bulk('ubsIssueCode', { action: 'deleteAll', ids: [id], x: 1 }));
    await expectRefused(testApp, '100015', () =>
      bulk('ubsIssueCode', { action: 'deleteAll', matching: { query: { password: 'x' } } }),
    );
    await expectRefused(testApp, '100015', () =>
      bulk('ubsIssueCode', { action: 'deleteAll', matching: { where: '1=1' } }),
    );
    await expectRefused(testApp, '100015', () =>
      bulk('rmaStockupBill', { action: 'stopStockupBill', ids: [1], values: { x: 1 } }),
    );
  });

  it('for more rows than one run takes, with the word to narrow the filter', async () => {
    const ids = Array.from({ length: MAX_ROWS + 1 }, (_, i) => i + 1);
    const answer = await expectRefused(testApp, '100015', () => bulk('ubsIssueCode', { action: 'deleteAll', ids }));
    expect(answer.msg).toBe('10001 rows match; at most 10000 are done at once, please narrow the filter');
    const versions = Object.fromEntries(ids.map((id) => [id, 1]));
    const run = await expectRefused(testApp, '100015', () =>
      bulk('ubsIssueCode', { action: 'deleteAll', ids, versions }),
    );
    expect(run.msg).toMatch(/no call takes more than 10000 rows at once/);
  });

  it.each([2001, MAX_ROWS])('but not for %i rows, with the version of each', async (count) => {
    const ids = Array.from({ length: count }, (_, i) => i + 1);
    const versions = Object.fromEntries(ids.map((id) => [id, 1]));
    // That it is taken is seen without doing it: what else is wrong in it is told.
    const answer = await bulk('ubsIssueCode', { action: 'deleteAll', ids, versions, dryRun: 'no' });
    expect(answer.data).toMatchObject({ problems: [{ key: 'format', field: 'dryRun' }] });
  });
});

describe('a deed on many rows', () => {
  it('is foreseen without anything being kept, and its verdicts are those of the run [P-LST-16]', async () => {
    const ids = await codes(3);
    await testApp.db
      .updateTable('ubs_issue_code')
      .set({ code: 'NTF2' })
      .where('id', '=', ids[0] as number)
      .execute();
    const before = await takeSnapshot(testApp.db);
    const dry = await bulk('ubsIssueCode', { action: 'deleteAll', ids: [...ids, 987654], dryRun: true });
    expect(dry.data).toMatchObject({ dryRun: true, total: 4, doneCount: 3, refusedCount: 1 });
    expect(await takeSnapshot(testApp.db)).toEqual(before);
    const run = await bulk('ubsIssueCode', { action: 'deleteAll', ids: [...ids, 987654] });
    expect(run.data.results.map(({ id, done, code }) => [id, done, code])).toEqual([
      ...ids.map((id) => [id, true, '000000']),
      [987654, false, '100002'],
    ]);
    for (const id of ids) expect(await codeRow(id)).toBeUndefined();
    for (const id of ids) expect((await readLedger(testApp, String(id))).map((it) => it.what)).toEqual(['deleteAll']);
  });

  it('stops at no row that is refused: the others are done, and each refusal says why', async () => {
    await testApp.db
      .insertInto('ubs_country')
      .values([
        { countryId: '901', name: 'A-land' },
        { countryId: '902', name: 'B-land' },
      ])
      .execute();
    await testApp.db.insertInto('ubs_state').values({ stateId: '90101', countryId: '901', name: 'A-state' }).execute();
    const rows = await testApp.db
      .selectFrom('ubs_country')
      .select('id')
      .where('countryId', 'in', ['901', '902'])
      .orderBy('countryId')
      .execute();
    const { data } = await bulk('ubsCountry', { action: 'deleteAll', ids: rows.map((it) => it.id) });
    expect(data).toMatchObject({ doneCount: 1, refusedCount: 1 });
    expect(data.results[0]).toMatchObject({ done: false, code: '100023' });
    expect(data.results[0]?.msg).toContain("can't be deleted");
    expect(data.results[1]).toMatchObject({ done: true });
  });

  it('sets the chosen fields in all rows that match, and leaves the others of each row as they are', async () => {
    const ids = await codes(3, 'SETX');
    const apart = await codes(1, 'APRT');
    const matching = { query: { code: 'SETX' } };
    const wrong = await bulk('ubsIssueCode', { action: 'modify', matching, values: { disposition: 'nothing' } });
    expect(wrong.data).toMatchObject({ total: 3, doneCount: 0, refusedCount: 3 });
    const strange = await bulk('ubsIssueCode', { action: 'modify', matching, values: { version: 7 } });
    expect(strange).toMatchObject({ code: '100015' });
    const { data } = await bulk('ubsIssueCode', { action: 'modify', matching, values: { disposition: 'scrap' } });
    expect(data).toMatchObject({ total: 3, doneCount: 3 });
    expect(data.results.map((it) => it.name)).toEqual(['SETX0', 'SETX1', 'SETX2']);
    for (const [i, id] of ids.entries()) {
      expect(await codeRow(id)).toMatchObject({ disposition: 'scrap', name: `SETX ${i}`, billType: '2' });
    }
    expect(await codeRow(apart[0] as number)).toMatchObject({ disposition: 'repair' });
    const adminAdvancedSearchGroup = {
      connector: 'AND',
      rules: [{ connector: 'AND', column: 'code', relation: 'EQUAL_TO', value: 'SETX1' }],
      groups: [],
    };
    const nested = await bulk('ubsIssueCode', {
      action: 'deleteAll',
      matching: { adminAdvancedSearchGroup },
      dryRun: true,
    });
    expect(nested.data).toMatchObject({ results: [{ name: 'SETX1' }] });
  });

  it('makes the call of a row action for each row, by the rules of the call', async () => {
    const bills = await stockups(3);
    const ids = bills.map((it) => it.id);
    const as = { as: 'warehouse' };
    await testApp.ask('GET', '/api/rmaStockupBill/stopStockupBill.json', { id: ids[1] }, as);
    const { data } = await bulk('rmaStockupBill', { action: 'stopStockupBill', ids }, as);
    expect(data.results.map((it) => [it.name, it.done, it.code])).toEqual([
      [bills[0]?.skbId, true, '000000'],
      [bills[1]?.skbId, false, '100025'],
      [bills[2]?.skbId, true, '000000'],
    ]);
    const matching = { query: { status: '3', skbId: 'SKB' } };
    const reset = await bulk('rmaStockupBill', { action: 'resetStockupBill', matching }, as);
    expect(reset.data).toMatchObject({ total: 3, doneCount: 3 });
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('reaches no row of another site: it is not there', async () => {
    const [bill] = await stockups(1);
    const others = await bulk(
      'rmaStockupBill',
      { action: 'stopStockupBill', matching: { query: {}, all: true } },
      { as: 'whNB' },
    );
    expect(others.data).toMatchObject({ total: 0, results: [] });
    const { data } = await bulk('rmaStockupBill', { action: 'stopStockupBill', ids: [bill?.id] }, { as: 'whNB' });
    expect(data.results).toMatchObject([{ done: false, code: '100002', name: String(bill?.id) }]);
  });

  it('takes each row as it was foreseen: one that was changed since, or was never shown, is refused', async () => {
    for (const more of [{ action: 'deleteAll' }, { action: 'modify', values: { nameEn: 'New' } }]) {
      const ids = (await codes(3)) as [number, number, number];
      const { data } = await bulk('ubsIssueCode', { ...more, ids, dryRun: true });
      await testApp.db
        .updateTable('ubs_issue_code')
        .set((row) => ({ nameEn: 'Theirs', version: row('version', '+', 1) }))
        .where('id', '=', ids[0])
        .execute();
      const versions = Object.fromEntries(data.results.slice(0, 2).map((it) => [it.id, it.version]));
      const run = await bulk('ubsIssueCode', { ...more, ids, versions });
      expect(run.data.results.map(({ done, key }) => [done, key])).toEqual([
        [false, 'stale'],
        [true, undefined],
        [false, 'required'],
      ]);
      expect(await codeRow(ids[0])).toMatchObject({ nameEn: 'Theirs' });
      const [was, is] = [data.results[0]?.row, run.data.results[0]?.row];
      expect(was).toMatchObject({ nameEn: expect.stringMatching(/ 0$/) as string });
      expect(is).toEqual({ ...was, nameEn: 'Theirs' });
      expect(run.data.results.slice(1).map((it) => it.row)).toEqual([undefined, undefined]);
    }
    const [id] = await codes(1);
    await expectRefused(testApp, '100001', () =>
      bulk('ubsIssueCode', { action: 'deleteAll', ids: [id], versions: undefined }),
    );
    for (const version of ['1', 0, 1.5, null])
      await expectRefused(testApp, '100015', () =>
        bulk('ubsIssueCode', { action: 'deleteAll', ids: [id], versions: { [String(id)]: version } }),
      );
  });

  it('takes rows by name or by a condition, and not by both', async () => {
    const [id] = await codes(1);
    const both = { action: 'deleteAll', ids: [id], matching: { query: { code: 'NONE' } } };
    for (const dryRun of [true, false]) {
      const refused = await expectRefused(testApp, '100015', () => bulk('ubsIssueCode', { ...both, dryRun }));
      expect(refused.msg).toContain('send one of both');
    }
    expect(await codeRow(Number(id))).toBeDefined();
  });

  it('foresees rows together: those that would clash with each other are refused, in the words of the fields', async () => {
    const ids = (await codes(3)) as [number, number, number];
    const wanted = { action: 'modify', ids, values: { code: 'CLASH' } };
    const before = await takeSnapshot(testApp.db);
    const dry = await bulk('ubsIssueCode', { ...wanted, dryRun: true }, { ...admin, lang: 'en' });
    expect(dry.data).toMatchObject({ doneCount: 1, refusedCount: 2 });
    expect(dry.data.results.map(({ done, key, msg }) => [done, key, msg])).toEqual([
      [true, undefined, ''],
      [false, 'alreadyExists', 'Issue code, Category CLASH, 2 already exists; choose another one'],
      [false, 'alreadyExists', 'Issue code, Category CLASH, 2 already exists; choose another one'],
    ]);
    expect(await takeSnapshot(testApp.db)).toEqual(before);
    const run = await bulk('ubsIssueCode', wanted);
    expect(run.data.results.map((it) => it.done)).toEqual(dry.data.results.map((it) => it.done));
  });

  it('refuses one row alone that would take what another one has, in the words of the fields', async () => {
    const [id] = await codes(1);
    await codes(1, 'HELD');
    const wanted = { action: 'modify', ids: [id], values: { code: 'HELD0' } };
    for (const dryRun of [true, false]) {
      const { data } = await bulk('ubsIssueCode', { ...wanted, dryRun }, { ...admin, lang: 'en' });
      expect(data.results.map(({ done, key, msg }) => [done, key, msg])).toEqual([
        [false, 'alreadyExists', 'Issue code, Category HELD0, 2 already exists; choose another one'],
      ]);
    }
  });

  it('takes a day that is part of what is unique as the workshop’s, wherever the server stands', async () => {
    const definitions = testApp.model.definitions as Map<string, Definition>;
    const shipped = definitions.get('ubsIssueCode') as Definition;
    const day = { type: 'date', label: { zh: '日', en: 'Day' } } as const;
    await sql`ALTER TABLE ubs_issue_code ADD COLUMN day date`.execute(testApp.db);
    definitions.set('ubsIssueCode', {
      ...shipped,
      fields: { ...shipped.fields, day },
      unique: [['nameEn', 'day']],
    });
    const zoneBefore = process.env['TZ'];
    try {
      const ids = await codes(3);
      for (const [i, value] of ['2026-11-02', '2026-11-03', '2026-11-01'].entries())
        await sql`UPDATE ubs_issue_code SET day = ${value} WHERE id = ${ids[i]}`.execute(testApp.db);
      await sql`UPDATE ubs_issue_code SET "nameEn" = 'DAILY' WHERE id = ${ids[2]}`.execute(testApp.db);
      for (const zone of ['UTC', 'America/Los_Angeles', 'Pacific/Auckland']) {
        process.env['TZ'] = zone;
        const { data } = await bulk('ubsIssueCode', {
          ...{ action: 'modify', ids: ids.slice(0, 2), values: { nameEn: 'DAILY' } },
          dryRun: true,
        });
        expect([zone, data.results.map((it) => it.key ?? 'done')]).toEqual([zone, ['done', 'done']]);
      }
    } finally {
      if (zoneBefore === undefined) delete process.env['TZ'];
      else process.env['TZ'] = zoneBefore;
      definitions.set('ubsIssueCode', shipped);
      await sql`ALTER TABLE ubs_issue_code DROP COLUMN day`.execute(testApp.db);
    }
  });

  it('foresees rows one after the other where the database alone knows what keeps them apart', async () => {
    await sql`CREATE UNIQUE INDEX apart ON ubs_issue_code ("nameEn") WHERE "nameEn" = 'APART'`.execute(testApp.db);
    try {
      const wanted = { action: 'modify', ids: await codes(3), values: { nameEn: 'APART' } };
      const dry = await bulk('ubsIssueCode', { ...wanted, dryRun: true });
      const keys = dry.data.results.map((it) => it.key ?? 'done');
      expect(keys).toEqual(['done', 'alreadyExists', 'alreadyExists']);
      const run = await bulk('ubsIssueCode', wanted);
      expect(run.data.results.map((it) => it.key ?? 'done')).toEqual(keys);
    } finally {
      await sql`DROP INDEX apart`.execute(testApp.db);
    }
  });

  it('leaves a row that has it already as it is: no version more, nothing in the ledger', async () => {
    const ids = (await codes(3)) as [number, number, number];
    await testApp.db.updateTable('ubs_issue_code').set({ disposition: 'scrap' }).where('id', '=', ids[1]).execute();
    const version = (await codeRow(ids[1]))?.version;
    const wanted = { action: 'modify', ids, values: { disposition: 'scrap' } };
    for (const dryRun of [true, false]) {
      const { data } = await bulk('ubsIssueCode', { ...wanted, ...(dryRun && { dryRun }) });
      expect(data).toMatchObject({ total: 3, doneCount: 2, unchangedCount: 1, refusedCount: 0 });
      expect(data.results[1]).toMatchObject({ done: false, unchanged: true });
    }
    expect((await codeRow(ids[1]))?.version).toBe(version);
    expect(await readLedger(testApp, String(ids[1]))).toEqual([]);
    expect(await readLedger(testApp, String(ids[0]))).toHaveLength(1);
  });

  it('empties a field that may be empty, and takes the whole list only where that is said', async () => {
    const ids = (await codes(2, 'EMPT')) as [number, number];
    await testApp.db.updateTable('ubs_issue_code').set({ imageRequired: '1' }).where('id', 'in', ids).execute();
    const { data } = await bulk('ubsIssueCode', { action: 'modify', ids, values: { imageRequired: null } });
    expect(data).toMatchObject({ doneCount: 2 });
    expect(await codeRow(ids[0])).toMatchObject({ imageRequired: null });
    const all = (matching: object) => bulk('ubsIssueCode', { action: 'deleteAll', matching, dryRun: true });
    for (const matching of [{}, { query: {} }, { query: { code: '' } }, { query: {}, all: 'yes' }]) {
      const answer = await all(matching);
      expect(answer).toMatchObject({ code: '100015', data: { problems: [{ key: 'allRows' }] } });
    }
    expect((await all({ all: true })).data.total).toBeGreaterThan(2);
    expect((await all({ query: { code: 'EMPT' } })).data.total).toBe(2);
  });

  it('asks the database as often for many rows as for few, whichever module and whatever comes of them', async () => {
    const asked = vi.spyOn(pg.Client.prototype, 'query');
    expect(manyActions).toHaveLength(21);
    const counts: Record<string, number[]> = {};
    for (const { module, script } of manyActions) {
      const name = textOf(testApp.model.definitions.get(module) as Definition);
      const decider = deciders.find((it) => it.path === `/api/${module}/${script}.json`);
      const asking = { as: decider?.as ?? 'admin' };
      for (const count of [2, 20]) {
        const ids = decider ? [] : await rowsOf(module, count);
        for (let i = 0; decider && i < count; i++) ids.push((await decider.make(testApp.db)).id);
        const body = {
          ...{ action: script, ids },
          // One takes what is unique, and all others are refused.
          ...(script === 'modify' && { values: { [name]: `ALIKE${count}` } }),
          ...(reviewStep(module, script) && { values: { result: '2' } }),
        };
        const shown = await bulk(module, { ...body, dryRun: true }, asking);
        const versions = Object.fromEntries(shown.data.results.map((it) => [it.id, it.version]));
        for (const more of [{ dryRun: true }, { versions }]) {
          const before = asked.mock.calls.length;
          const { data } = await bulk(module, { ...body, ...more }, asking);
          expect([data.total, data.doneCount]).toEqual([count, shown.data.doneCount]);
          (counts[`${module}:${script} ${Object.keys(more).join()}`] ??= []).push(asked.mock.calls.length - before);
        }
      }
    }
    for (const [action, [few, many]] of Object.entries(counts)) expect([action, many]).toEqual([action, few]);
  });

  it('tells no value of a row to whoever may not list it, and takes no condition from them, whichever action they may do', async () => {
    const role = { roleId: 'doer', name: '经办', nameEn: 'Doer', allSites: '1' };
    await testApp.db.insertInto('admin_role').values(role).execute();
    const user = { userId: 'doer', userName: 'doer', roleIds: 'doer', siteId: 'SZ', allSites: '1', status: '1' };
    await testApp.db.insertInto('admin_user').values(user).execute();
    for (const { module, script } of manyActions) {
      const definition = testApp.model.definitions.get(module) as Definition;
      const { btnNo } = definition.buttons?.find((it) => it.script === script) as { btnNo: string };
      const rights = [...new Set(['bulk', btnNo])].map((it) => ({ roleId: 'doer', right: `${module}:${it}` }));
      await testApp.db.insertInto('role_right').values(rights).execute();
      const ids = await rowsOf(module, 2);
      const action = {
        action: script,
        dryRun: true,
        ...(script === 'modify' && { values: { [textOf(definition)]: 'x' } }),
      };
      const asked = { ...action, ...(reviewStep(module, script) && { values: { result: '2' } }) };
      const by = (as: string, which: object) => bulk(module, { ...asked, ...which }, { as });
      const { results, ...rest } = (await by('doer', { ids })).data as BulkAnswer & {
        fields: unknown;
        labels: unknown;
      };
      expect([module, rest.fields, rest.labels]).toEqual([module, [], {}]);
      for (const it of results) {
        expect([module, it.name, it.amount, it.row ?? {}]).toEqual([module, String(it.id), null, {}]);
      }
      expect(await by('doer', { matching: { all: true } })).toMatchObject({ code: '100013' });
      const { fields } = (await by('admin', { ids })).data as unknown as { fields: unknown[] };
      expect([module, fields]).not.toEqual([module, []]);
      await testApp.db.deleteFrom('role_right').where('roleId', '=', 'doer').execute();
    }
    expect(manyActions.length).toBeGreaterThan(15);
  });

  it('tells how far its dry run is to who asks for events, and at last what it answers otherwise', async () => {
    const ids = await codes(3);
    const asking = { method: 'POST', url: '/api/ubsIssueCode/bulk.json?lang=en' } as const;
    const headers = { token: await testApp.openToken('admin'), accept: 'text/event-stream, application/json' };
    const payload = { action: 'deleteAll', ids, dryRun: true };
    const reply = await testApp.app.inject({ ...asking, headers, payload });
    expect(reply.headers['content-type']).toContain('text/event-stream');
    const events = reply.body.split('\n\n').filter(Boolean);
    const told = events.map((it) => JSON.parse(it.replace(/^data: /, '')) as Record<string, unknown>);
    expect(told[0]).toEqual({ done: 0, total: 3 });
    const plain = await testApp.app.inject({ ...asking, headers: { ...headers, accept: '*/*' }, payload });
    expect(told.at(-1)).toEqual(plain.json());
    // What is refused before it has begun is refused as ever.
    const refused = await testApp.app.inject({ ...asking, headers, payload: { ...payload, action: 'nothing' } });
    expect(refused.headers['content-type']).toContain('application/json');
    expect(refused.json()).toMatchObject({ code: '100015' });
  });

  it('ends a dry run that nobody waits for any more, and lets its rows go', async () => {
    // More than go together: those behind are not come to.
    const ids = await codes(501);
    const [first = 0, second = 0] = ids;
    const last = ids.at(-1) ?? 0;
    const headers = {
      token: await testApp.openToken('admin'),
      accept: 'text/event-stream',
      'content-type': 'application/json',
    };
    const base = await testApp.app.listen({ port: 0, host: '127.0.0.1' });
    const [lock, further] = [await holdRow('ubs_issue_code', second), await holdRow('ubs_issue_code', last)];
    const leaving = new AbortController();
    const reply = await fetch(`${base}/api/ubsIssueCode/bulk.json`, {
      ...{ method: 'POST', headers, signal: leaving.signal },
      body: JSON.stringify({ action: 'deleteAll', ids, dryRun: true }),
    });
    // It has begun, and waits for the second row.
    await untilWaiting(testApp.db);
    leaving.abort();
    await expect(reply.text()).rejects.toThrow();
    await lock.release();
    // It does not come to the last row.
    await expect.poll(() => isFree('ubs_issue_code', first)).toBe(true);
    await further.release();
    expect(await codeRow(last)).toBeDefined();
    expect(await codeRow(second)).toBeDefined();
  });

  it('waits for rows in the order of their ids, in whatever order they are named', async () => {
    const ids = (await stockups(2)).map((it) => it.id).toSorted((a, b) => a - b) as [number, number];
    const lock = await holdRow('rma_stockup_bill', ids[0]);
    const asked = bulk('rmaStockupBill', { action: 'stopStockupBill', ids: ids.toReversed() }, { as: 'warehouse' });
    await untilWaiting(testApp.db);
    expect(await isFree('rma_stockup_bill', ids[1])).toBe(true);
    await lock.release();
    expect((await asked).data).toMatchObject({ doneCount: 2 });
  });

  it('of two people on the same rows does each row once, whoever comes first', async () => {
    for (const [module, action, make] of [
      ['ubsIssueCode', { action: 'modify', values: { disposition: 'scrap' } }, () => codes(12)],
      ['rmaStockupBill', { action: 'stopStockupBill' }, async () => (await stockups(4)).map((it) => it.id)],
    ] as const) {
      const ids = await make();
      const shown = (await bulk(module, { ...action, ids, dryRun: true })).data.results;
      const versions = Object.fromEntries(shown.map((it) => [it.id, it.version]));
      const both = await Promise.all(
        [ids, ids.toReversed()].map((it) =>
          bulk(module, { ...action, ids: it, versions }, { ...admin, key: newKey() }),
        ),
      );
      const done = both.flatMap((it) => it.data.results.filter((row) => row.done).map((row) => row.id));
      expect(done.toSorted((a, b) => a - b)).toEqual(ids.toSorted((a, b) => a - b));
    }
  });

  it('does of rows of two sites those that are the user’s, by name and by condition', async () => {
    const bills = await stockups(3);
    const ids = bills.map((it) => it.id);
    const [other = 0] = ids;
    const sites = { siteId: 'NB', deliverSiteId: 'NB' };
    await testApp.db.updateTable('rma_stockup_bill').set(sites).where('id', '=', other).execute();
    const as = { as: 'warehouse' };
    const matching = { query: { skbId: 'SKB', status: '0' } };
    const found = await bulk('rmaStockupBill', { action: 'stopStockupBill', matching, dryRun: true }, as);
    expect(found.data.results.map((it) => it.id)).not.toContain(other);
    const { data } = await bulk('rmaStockupBill', { action: 'stopStockupBill', ids }, as);
    expect(Object.fromEntries(data.results.map((it) => [it.id, it.key ?? 'done']))).toEqual(
      Object.fromEntries(ids.map((it) => [it, it === other ? 'notFound' : 'done'])),
    );
  });

  it('that is cut off in the middle has done nothing, and goes on under its key: each row once', async () => {
    const ids = (await stockups(3)).map((it) => it.id).toSorted((a, b) => a - b);
    const lock = await holdRow('rma_stockup_bill', ids.at(-1) as number);
    const run = { as: 'warehouse', key: newKey() };
    const asked = bulk('rmaStockupBill', { action: 'stopStockupBill', ids }, run);
    await untilWaiting(testApp.db);
    await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
               WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(testApp.db);
    expect((await asked).code).not.toBe('000000');
    await lock.release();
    const entries = async () =>
      (await testApp.db.selectFrom('ledger').select('recordId').where('what', '=', 'stopStockupBill').execute()).length;
    const before = await entries();
    const { data } = await bulk('rmaStockupBill', { action: 'stopStockupBill', ids }, run);
    expect(data).toMatchObject({ doneCount: 3, refusedCount: 0 });
    expect((await bulk('rmaStockupBill', { action: 'stopStockupBill', ids }, run)).data.doneCount).toBe(3);
    expect(await entries()).toBe(before + 3);
  });

  it('is done once under one key', async () => {
    const ids = await codes(2);
    const once = { ...admin, key: newKey() };
    const first = await bulk('ubsIssueCode', { action: 'deleteAll', ids }, once);
    const again = await bulk('ubsIssueCode', { action: 'deleteAll', ids }, once);
    expect(first.data.doneCount).toBe(2);
    expect(again.data).toEqual(first.data);
  });
});

describe('rows that touch each other are judged in their order', () => {
  const keysOf = ({ data }: { data: BulkAnswer }) => data.results.map((it) => it.key ?? 'done');
  /** Foreseen, then done as it was foreseen: both say the same of each row. */
  async function bothOf(module: string, body: object, as: string) {
    const shown = await bulk(module, { ...body, dryRun: true }, { as, lang: 'en' });
    const { results } = shown.data;
    const versions = Object.fromEntries(results.map((it) => [it.id, it.version]));
    const foreseen = Object.fromEntries(results.flatMap((it) => (it.foreseen ? [[it.id, it.foreseen]] : [])));
    const run = await bulk(module, { ...body, versions, foreseen }, { as, lang: 'en', key: newKey() });
    // What a row was is told by its preview alone.
    expect(run.data.results).toEqual(results.map(({ row: _, ...it }) => it));
    return shown;
  }
  const deciderOf = (path: string) => deciders.find((it) => it.path === `/api/${path}.json`) as Decider;

  it('prices for the same work: one ends that which passed before it, and is refused beside one of the same day', async () => {
    const { make } = deciderOf('rmaPriceBill/financialReview');
    const ids: number[] = [];
    const prices = testApp.db
      .selectFrom('rma_price_bill')
      .select(['supplierName', 'repairProject', 'machineType', 'currency', 'warranty', 'repairType']);
    for (const from of ['2039-01-01', '2039-01-01', '2039-07-01']) {
      const { id } = await make(testApp.db);
      ids.push(id);
      const first = await prices.where('id', '=', ids[0] ?? id).executeTakeFirstOrThrow();
      const days = { effectiveDate: sql<number>`${from}::date`, expirationDate: sql<number>`'2039-12-31'::date` };
      const set = { ...first, ...days };
      await testApp.db.updateTable('rma_price_bill').set(set).where('id', '=', id).execute();
    }
    const body = { action: 'financialReview', ids, values: { result: '2' } };
    const shown = await bothOf('rmaPriceBill', body, 'finance');
    expect(keysOf(shown)).toEqual(['done', 'priceOverlaps', 'done']);
    const [first, , last] = shown.data.results;
    expect(first?.notes).toBeUndefined();
    expect(last?.notes).toEqual([expect.stringMatching(/on 2039-06-30 instead of 2039-12-31/)]);
  });

  it('prices for the same work: together they come to what they come to one by one, in whatever order they begin', async () => {
    const { make } = deciderOf('rmaPriceBill/financialReview');
    const random = randomFrom(39);
    const days = (n: number) => sql<number>`'2041-01-01'::date + ${sql.lit(n)}`;
    const names = ['supplierName', 'repairProject', 'machineType', 'currency', 'warranty', 'repairType'] as const;
    const read = (ids: readonly number[]) =>
      testApp.db.selectFrom('rma_price_bill').selectAll().where('id', 'in', ids).orderBy('id').execute();
    const [many, single]: [number[], number[]] = [[], []];
    // Two suppliers, so that prices clash; some have passed before.
    for (let i = 0; i < 24; i++) {
      const [from, length] = [Math.floor(random() * 40), Math.floor(random() * 20)];
      const set = {
        effectiveDate: days(from),
        expirationDate: days(from + length),
        billStatus: i < 6 ? '2' : '0',
        currency: random() < 0.5 ? 'CNY' : 'USD',
      };
      for (const ids of [many, single]) {
        const { id } = await make(testApp.db);
        ids.push(id);
        const [first] = await read(ids.slice(0, 1));
        const work = Object.fromEntries(names.map((it) => [it, first?.[it]]));
        await testApp.db
          .updateTable('rma_price_bill')
          .set({ ...work, ...set })
          .where('id', '=', id)
          .execute();
      }
    }
    // What passed before holds as if it had passed by a review.
    for (const ids of [many, single])
      await testApp.db.deleteFrom('rma_price_bill').where('id', 'in', ids.slice(1, 6)).execute();
    const waiting = (ids: readonly number[]) => ids.slice(6);
    const body = { action: 'financialReview', values: { result: '2' } };
    const together = await bothOf('rmaPriceBill', { ...body, ids: waiting(many) }, 'finance');
    const alone: BulkAnswer['results'] = [];
    for (const id of waiting(single))
      alone.push(...(await bothOf('rmaPriceBill', { ...body, ids: [id] }, 'finance')).data.results);
    const nth = (ids: readonly number[], prbIds: ReadonlyMap<string, number>) => (text: string) =>
      [...prbIds].reduce((it, [prbId, id]) => it.replaceAll(prbId, `the ${ids.indexOf(id)}.`), text);
    const told = async (ids: readonly number[], results: BulkAnswer['results']) => {
      const prices = await read(ids);
      const plain = nth(ids, new Map(prices.map((it) => [String(it.prbId), Number(it.id)])));
      return {
        verdicts: results.map((it) => [it.key ?? 'done', (it.notes ?? [it.msg]).map(plain)]),
        stands: prices.map((it) => [
          ids.indexOf(Number(it.id)),
          it.billStatus,
          it.effectiveDate,
          it.expirationDate,
          it.agreedUntil,
        ]),
      };
    };
    const found = await told(many, together.data.results);
    expect(found).toEqual(await told(single, alone));
    const keys = found.verdicts.map(([key]) => key);
    expect([keys.includes('done'), keys.includes('priceOverlaps')]).toEqual([true, true]);
    expect(JSON.stringify(found.verdicts)).toMatch(/instead of.*holds for the same work/);
  });

  it('corrections of one line: what is rejected is told beside none that comes after it', async () => {
    const { make, beside } = deciderOf('rmaCorrectionBill/financialReview');
    for (const [values, told] of [
      [{ result: '2' }, [1, 1]],
      [{ result: '1', remark: 'no papers' }, [1, 0]],
    ] as const) {
      const { id } = await make(testApp.db);
      await beside?.change(testApp.db, id);
      const { rfbId } = await testApp.db
        .selectFrom('rma_correction_bill')
        .select('rfbId')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      const both = await testApp.db.selectFrom('rma_correction_bill').select('id').where('rfbId', '=', rfbId).execute();
      const body = { action: 'financialReview', ids: both.map((it) => it.id), values };
      const shown = await bothOf('rmaCorrectionBill', body, 'finance');
      expect(keysOf(shown)).toEqual(['done', 'done']);
      expect(shown.data.results.map((it) => it.notes?.length ?? 0)).toEqual(told);
    }
  });

  it('cancelled stock-up bills of one item: the first has it back, the other has nothing to come back to', async () => {
    const [own] = await stockups(1);
    await bulk('rmaStockupBill', { action: 'cancelStockupBill', ids: [own?.id] }, { as: 'warehouse', key: newKey() });
    const other = `${own?.skbId}9`;
    for (const [table, numbers] of [
      ['rma_stockup_bill', { skbId: other }],
      ['rma_stockup_bill_line', { skbId: other, skblId: `${other}L` }],
    ] as const)
      await sql`
        INSERT INTO ${sql.table(table)}
        SELECT (jsonb_populate_record(it, ${JSON.stringify({ ...numbers, id: 1_000_000 + made })}::jsonb)).*
          FROM ${sql.table(table)} AS it WHERE it."skbId" = ${own?.skbId}`.execute(testApp.db);
    const body = { action: 'resetStockupBill', ids: [own?.id, 1_000_000 + made] };
    expect(keysOf(await bothOf('rmaStockupBill', body, 'warehouse'))).toEqual(['done', 'completeDelivery']);
  });
});
