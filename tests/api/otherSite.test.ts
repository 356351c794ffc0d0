import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Envelope } from '#domain/call.ts';
import { fieldSites } from '#domain/definition/fieldSites.ts';
import type { Definition } from '#domain/definition/grammar.ts';
import { Node, nodes } from '#domain/nodes.ts';
import { readModel } from '#server/definitions/read.ts';
import { offeredChoices } from '#server/engine/choices.ts';
import { relations } from '#server/engine/conditions.ts';
import { columnInfos, readValueLabels } from '#server/engine/describe.ts';
import { hiddenFields } from '#server/engine/scope.ts';
import { modifyById } from '#server/engine/writing.ts';
import { createPlan } from '#server/exports/listExport.ts';
import { inputSchema } from '#server/input.ts';
import { alwaysOf, insertRow } from '#tests/support/always.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { unitOnBill, type UnitOnBill } from '#tests/support/factories.ts';
import { fixedRoutes, genericActions, registers } from '#tests/support/features.ts';
import { contextFor } from '#tests/support/jobs.ts';
import { createSample } from '#tests/support/hostile.ts';
import { takeSnapshot } from '#tests/support/snapshot.ts';

const shipNo = 'SFNB0001';

/** Stands in every text of the other site's rows: one byte of it in an answer is a leak. */
const CANARY = 'zqCANARYqz';

let testApp: TestApp;
/** May do everything, at SZ; and the same at NB, whose the rows are. */
let token: string;
let owner: string;
const rowIds = new Map<string, number>();
beforeAll(async () => {
  testApp = await startTestApp();
  await testApp.db
    .insertInto('admin_role')
    .values({ roleId: 'all', name: 'all', nameEn: 'all', allSites: '0' })
    .execute();
  await testApp.db.insertInto('role_right').values({ roleId: 'all', right: '*:*' }).execute();
  await testApp.db
    .updateTable('admin_user')
    .set({ roleIds: 'all' })
    .where('userId', 'in', ['office', 'whNB'])
    .execute();
  token = await testApp.openToken('office');
  owner = await testApp.openToken('whNB');
  for (const it of scoped) rowIds.set(it.module, await addForeignRow(it));
});
afterAll(() => testApp?.close());

const { definitions } = readModel(registers);
const scoped = [...definitions.values()].filter((it) => it.site !== 'all');

/** A row of NB, with the bill, or the line and its bill, through which it is seen. */
async function addForeignRow(definition: Definition, own: Record<string, string> = {}): Promise<number> {
  const { site, rowsOf } = definition;
  const when = Object.entries(rowsOf?.when ?? {}).map(([name, it]) => [name, [it].flat()[0] ?? '']);
  const values = { ...siteOf(definition), ...(Object.fromEntries(when) as Record<string, string>), ...own };
  if (site === 'all' || Array.isArray(site)) return addWith(definition, values);
  const key = `ZZZ20261121${String(keys++).padStart(5, '0')}`;
  const parent = definitions.get(site.through);
  if (parent) await addForeignRow(parent, { [site.as ?? site.by]: key });
  return addWith(definition, { ...values, [site.by]: key });
}
let keys = 0;
const siteOf = ({ site }: Definition) => (Array.isArray(site) ? Object.fromEntries(site.map((it) => [it, 'NB'])) : {});

async function addWith(definition: Definition, own: Record<string, string>): Promise<number> {
  const texts = Object.entries(definition.fields)
    .filter(([name, field]) => kindsOf(definition).includes(field.type) && !(name in own))
    .map(([name]) => [name, `${CANARY}${Math.random()}`]);
  // A view is written through its table, which has texts of its own alone.
  const [table = definition.table] = definition.viewOf ?? [];
  const columns = definition.viewOf && (await readTexts(table));
  const values: Record<string, string | number> = Object.fromEntries(
    [
      ...Object.entries(alwaysOf(definition, definitions)),
      ...texts,
      ...Object.entries(own),
      ['createBy', CANARY],
    ].filter(([name = '']) => columns?.has(name) ?? true),
  );
  return (await insertRow(testApp.db, { ...definition, table }, values, definitions, 'NB'))?.id ?? 0;
}

/** A view says nothing of its own, so that all texts of its table have to be filled. */
const kindsOf = ({ viewOf }: Definition): string[] => ['String', 'LongString', ...(viewOf ? ['select'] : [])];

async function readTexts(table: string): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`
    SELECT column_name AS name FROM information_schema.columns
     WHERE table_schema = current_schema() AND table_name = ${table} AND data_type = 'text'`.execute(testApp.db);
  return new Set(rows.map((it) => it.name));
}

interface Asked {
  method: 'GET' | 'POST';
  path: string;
  query?: object;
  body?: unknown;
}

async function ask({ method, path, query = {}, body }: Asked, by = token) {
  const reply = await testApp.app.inject({
    method,
    url: path,
    query: { lang: 'en', ...(query as Record<string, string>) },
    ...(method === 'POST' && { payload: body ?? {} }),
    headers: { token: by },
  });
  return {
    status: reply.statusCode,
    text: reply.body,
    ...reply.json<Envelope<{ items?: unknown[]; itemTotal?: number }>>(),
  };
}

const NEVER = 987_654_321;
const isThere = (definition: Definition, name: string) =>
  genericActions.find((it) => it.name === name)?.rightOf(definition) !== undefined &&
  !fixedRoutes.some((it) => it.call.path === `/api/${definition.module}/${name}.json`);

describe("another site's row answers as if it did not exist", () => {
  it.each(scoped.map((it) => [it.module, it] as const))('%s', async (module, definition) => {
    const before = await takeSnapshot(testApp.db);
    const foreign = rowIds.get(module) ?? 0;
    const requests = (id: number): [name: string, Asked][] => [
      ['queryById', { method: 'GET', path: 'queryById', query: { id } }],
      ['toModify', { method: 'GET', path: 'toModify', query: { id } }],
      ['modifyById', { method: 'POST', path: 'modifyById', body: { id, version: 1 } }],
      ['deleteById', { method: 'POST', path: 'deleteById', body: { id } }],
      ['deleteAll', { method: 'POST', path: 'deleteAll', body: { ids: [id] } }],
    ];
    const never = new Map(requests(NEVER));
    for (const [name, asked] of requests(foreign)) {
      if (!isThere(definition, name)) continue;
      const full = (it: Asked) => ask({ ...it, path: `/api/${module}/${name}.json` });
      const [theirs, nobodys] = [await full(asked), await full(never.get(name) as Asked)];
      expect([name, theirs.status, theirs.code]).toEqual([name, 200, '100002']);
      expect(theirs.text.replaceAll(` ${foreign} `, ' # ')).toBe(nobodys.text.replaceAll(` ${NEVER} `, ' # '));
    }
    expect(await takeSnapshot(testApp.db)).toEqual(before);
  });
});

describe("another site's rows are in no list and in no total", () => {
  it.each(scoped.map((it) => [it.module, it] as const))('%s', async (module, definition) => {
    const column = definition.list?.columns[0] ?? 'id';
    const rule = { connector: 'OR', column, relation: 'IS_NOT_NULL', value: '' };
    const all = { ...rule, relation: 'IS_NULL' };
    const tree = { connector: 'OR', rules: [rule, all], groups: [{ connector: 'OR', rules: [rule, all], groups: [] }] };
    const lists: Asked[] = [
      { method: 'GET', path: `/api/${module}/pager.json` },
      { method: 'GET', path: `/api/${module}/pager.json`, query: { id: rowIds.get(module) } },
      { method: 'POST', path: `/api/${module}/advancedSearch.json`, body: { adminAdvancedSearchGroup: tree } },
      { method: 'GET', path: `/api/${module}/searchItems.json` },
      { method: 'GET', path: `/api/${module}/toAdvancedSearch.json` },
    ];
    for (const asked of lists) {
      const { code, data, text } = await ask(asked);
      expect([asked.path, code]).toEqual([asked.path, '000000']);
      expect(text).not.toContain(CANARY);
      if (data.itemTotal !== undefined) expect([data.items, data.itemTotal]).toEqual([[], 0]);
    }
    expect((await ask(lists[0] as Asked, owner)).text, 'its own site sees it').toContain(CANARY);
  });

  it('nor counted on the dashboard', async () => {
    const { text } = await ask({ method: 'GET', path: '/api/dashBoard.json' });
    expect(text).toContain('"cards":[]');
  });

  it('nor in a queue of work', async () => {
    const { code, text } = await ask({ method: 'GET', path: '/api/workQueue.json' });
    expect(code).toBe('000000');
    expect(text).not.toContain(CANARY);
  });
});

describe("a value that belongs to another site's row is empty in a list that all sites see", () => {
  const HIDDEN = 'Zqhidden';
  const sns = { theirs: 'ARCH-NB', ours: 'ARCH-SZ', nobodys: 'ARCH-NONE' };
  const customers = { theirs: HIDDEN, ours: 'Own customer', nobodys: 'Zz nobody' };
  const archive = definitions.get('ubsItemObject') as Definition;
  const path = (action: string) => `/api/ubsItemObject/${action}.json`;
  const found = ({ data }: Awaited<ReturnType<typeof ask>>) => (data.items as { sn: string }[]).map((it) => it.sn);
  let id: Record<string, number>;
  beforeAll(async () => {
    const { db } = testApp;
    await unitOnBill(db, { sn: sns.theirs, siteId: 'NB', node: Node.AwaitingCheck });
    await unitOnBill(db, { sn: sns.ours, siteId: 'SZ', node: Node.AwaitingCheck });
    const rows = await db
      .insertInto('ubs_item_object')
      .values(
        (['theirs', 'ours', 'nobodys'] as const).map((it, i) => ({
          // None that a sample names.
          id: 900_000 + i,
          sn: sns[it],
          type: '0',
          origin: '1',
          customer: customers[it],
          itemId: 1,
          salesCode: 'RX19',
          itemName: 'RX19 104T',
        })),
      )
      .returning(['sn', 'id'])
      .execute();
    id = Object.fromEntries(rows.map((it) => [it.sn, Number(it.id)]));
  });
  const customersOf = async () => {
    const { rows } = await sql<{ customer: string }>`
      SELECT customer FROM ubs_item_object WHERE sn = ANY(${Object.values(sns)}) ORDER BY customer`.execute(testApp.db);
    return rows.map((it) => it.customer);
  };

  it('of the fields that say so, what is computed of them included', () => {
    const withSites = [...definitions.values()].filter((it) => fieldSites(it).size > 0);
    expect(withSites.map((it) => [it.module, [...fieldSites(it).keys()]])).toEqual([['ubsItemObject', ['customer']]]);
    const label = { zh: 'x', en: 'x' };
    const shout = { type: 'String', label, readOnly: true, computed: 'customer + "!"' } as const;
    expect([...fieldSites({ ...archive, fields: { ...archive.fields, shout } }).keys()]).toEqual(['customer', 'shout']);
  });

  it('whatever is asked of the list, which still has the row', async () => {
    const group = (relation: string, value = HIDDEN) => ({
      adminAdvancedSearchGroup: { rules: [{ connector: 'AND', column: 'customer', relation, value }], groups: [] },
    });
    const all = Object.values(sns).sort();
    expect(
      found(await ask({ method: 'GET', path: path('pager'), query: { sn: 'ARCH-', sortBy: 'sn', order: 'asc' } })),
    ).toEqual(all);
    const exact = await ask({ method: 'GET', path: path('pager'), query: { sn: sns.theirs } });
    expect(exact.data.itemTotal).toBe(1);
    for (const order of ['asc', 'desc']) {
      const sorted = await ask({
        method: 'GET',
        path: path('pager'),
        query: { sn: 'ARCH-', sortBy: 'customer', order },
      });
      expect(found(sorted).at(-1), order).toBe(sns.theirs);
    }
    for (const customer of [HIDDEN, 'zq', 'idde']) {
      expect((await ask({ method: 'GET', path: path('pager'), query: { customer } })).data).toMatchObject({
        items: [],
        itemTotal: 0,
      });
      const tabs = await ask({ method: 'POST', path: path('tabCounts'), query: { customer } });
      expect(tabs.text).not.toContain(sns.theirs);
    }
    for (const relation of Object.keys(relations)) {
      const value = relation.endsWith('NULL') ? '' : HIDDEN;
      const answer = await ask({
        method: 'POST',
        path: path('advancedSearch'),
        query: { sn: 'ARCH-' },
        body: group(relation, value),
      });
      expect([relation, answer.code]).toEqual([relation, '000000']);
      expect(answer.text, relation).not.toContain(HIDDEN);
      // As of any row without a customer: nothing that is asked of the hidden one is answered.
      const isFound = ['NOT_EQUAL_TO', 'NOT_LIKE', 'IS_NULL'].includes(relation);
      expect([relation, found(answer).includes(sns.theirs)]).toEqual([relation, isFound]);
    }
    for (const action of ['queryById', 'toModify', 'toExportDirectOne']) {
      const answer = await ask({ method: 'GET', path: path(action), query: { id: id[sns.theirs] } });
      expect(answer.text, action).not.toContain(HIDDEN);
    }
    expect((await ask({ method: 'GET', path: path('queryById'), query: { id: id[sns.ours] } })).text).toContain(
      customers.ours,
    );
    expect((await ask({ method: 'GET', path: path('queryById'), query: { id: id[sns.nobodys] } })).text).toContain(
      customers.nobodys,
    );
    expect(
      (await ask({ method: 'GET', path: path('queryById'), query: { id: id[sns.theirs] } }, owner)).text,
    ).toContain(HIDDEN);
    expect(
      (await ask({ method: 'GET', path: path('pager'), query: { customer: HIDDEN } }, await testApp.openToken('admin')))
        .text,
    ).toContain(HIDDEN);
  });

  it('in its export, its history, and where another list refers to it', async () => {
    const ctx = await contextFor(testApp, 'office');
    const { rows } = await createPlan(
      { module: archive.module, query: { sn: 'ARCH-' }, columns: [] },
      archive,
      ctx,
    ).rows.execute(testApp.db);
    expect(rows.map((it) => it['sn']).sort()).toEqual(Object.values(sns).sort());
    expect(JSON.stringify(rows)).not.toContain(HIDDEN);
    await testApp.db
      .insertInto('rma_transaction')
      .values({
        sn: sns.theirs,
        siteId: 'SZ',
        step: 'check',
        operateStatus: 'Normal',
        userId: 'office',
        eventTime: new Date(),
      })
      .execute();
    const history = await ask({
      method: 'GET',
      path: '/api/rmaMaintainBill/viewHistory.json',
      query: { sn: sns.theirs },
    });
    expect(history.code).toBe('000000');
    expect(history.text).toContain('"archive":{');
    expect(history.text).not.toContain(HIDDEN);
    const sold = {
      type: 'select',
      label: { zh: 'x', en: 'x' },
      ref: { module: archive.module, value: 'sn', label: 'customer' },
    } as const;
    const referring = { ...archive, module: 'referring', fields: { sold } };
    const labels = await readValueLabels(
      referring,
      columnInfos(referring, ['sold'], ctx),
      Object.values(sns).map((it) => ({ sold: it })),
      ctx,
    );
    expect(Object.values(labels['sold'] ?? {})).not.toContain(HIDDEN);
    expect(JSON.stringify(await offeredChoices(sold, ctx))).not.toContain(HIDDEN);
    const listed = { ...archive, module: 'listed', rowsOf: { module: archive.module, when: {} } };
    expect([...hiddenFields(listed, ctx).keys()]).toEqual(['customer']);
  });

  it('and stays as it is when its row is changed', async () => {
    const ctx = await contextFor(testApp, 'office');
    const change = (sn: string, values: object) =>
      testApp.db.transaction().execute(async (db) => {
        const { version } = await db
          .selectFrom('ubs_item_object')
          .select('version')
          .where('sn', '=', sn)
          .executeTakeFirstOrThrow();
        return modifyById({ ...archive, writes: 'all' }, { id: id[sn], version, ...values }, { ...ctx, db });
      });
    await change(sns.theirs, { customer: null, itemName: 'Renamed' });
    await expect(change(sns.theirs, { customer: 'Mine' })).rejects.toMatchObject({
      problems: [{ key: 'fixed', field: 'customer' }],
    });
    await change(sns.ours, { customer: 'Other customer' });
    expect(await customersOf()).toEqual(['Other customer', HIDDEN, customers.nobodys]);
  });
});

describe('a station refuses a unit and a bill of another site, and writes nothing', () => {
  const units = new Map<Node, UnitOnBill>();
  beforeAll(async () => {
    for (const node of nodes) {
      units.set(node, await unitOnBill(testApp.db, { node, siteId: 'NB', unit: { itemName: CANARY } }));
    }
    await addWith(definitions.get('rmaStockupBill') as Definition, {
      skbId: 'SKB2026112199999',
      siteId: 'NB',
      status: '0',
    });
    await testApp.db
      .updateTable('rma_maintain_bill')
      .set({ userName: CANARY, street: CANARY })
      .where('siteId', '=', 'NB')
      .execute();
    await testApp.db.updateTable('rma_maintain_bill_line').set({ itemName: CANARY, productName: CANARY }).execute();
    await testApp.db
      .updateTable('rma_maintain_bill')
      .set({ receiveShipNo: shipNo, billStatus: '0' })
      .where('mtbId', '=', units.get(Node.AwaitingCheck)?.mtbId ?? '')
      .execute();
  });

  /** A parcel is signed for where it arrives, and a customer's bill is made where somebody makes it. */
  const ownSite = [
    // The catalogue is no site's: what an item is called is so everywhere.
    '/api/ubsItem/syncCode.json',
    '/api/rmaArrivalBill/signFor.json',
    '/api/rmaMaintainBill/create.json',
  ];
  const calls = fixedRoutes
    .map((it) => it.call)
    .filter((it) => it.method !== 'DELETE' && it.right.includes(':') && !ownSite.includes(it.path))
    // A report is a job and its answer a file, of which its preview is the beginning; what is in it is proven beside the reports, site by site.
    .filter((it) => !it.path.startsWith('/api/rmaReport/export'))
    // The same table as `findMany`, which is asked.
    .filter((it) => it.path !== '/api/rmaInventory/exportMany.json');
  const month = (ms: number) => `${new Date(ms).toISOString().slice(0, 7)}-01`;
  const ofReports = { startDate: month(Date.now()), endDate: month(Date.now() + 31 * 86_400_000), reportType: '1' };

  function askedOf(call: (typeof calls)[number], { sn, mtbId, mtblId, mtbliId, itemId }: UnitOnBill): Asked {
    const named = {
      ...{ sn, SN: sn, receiveSn: sn, sns: [sn], mtbId, mtblId, mtbliId, itemId, maintainBillId: mtbId },
      ...{ id: rowIds.get('rmaArrivalBill'), skbId: 'SKB2026112199999', ckbId: 'CKB2026112199999' },
      ...{ receiveShipNo: shipNo, siteId: 'NB' },
      ...(call.path.startsWith('/api/rmaReport/') && ofReports),
    };
    const method = call.method === 'GET' ? 'GET' : 'POST';
    const input = createSample(inputSchema(call.input, method === 'GET'), named);
    return { method, path: call.path, ...(method === 'GET' ? { query: input as object } : { body: input }) };
  }

  it.each(calls.map((call) => [call.path, call] as const))('%s', async (path, call) => {
    const before = await takeSnapshot(testApp.db);
    for (const unit of units.values()) {
      const { status, code, msg, text } = await ask(askedOf(call, unit));
      expect([path, status], msg).toEqual([path, 200]);
      expect(text, path).not.toContain(CANARY);
      if (call.writes) expect([path, code], msg).not.toEqual([path, '000000']);
    }
    expect(await takeSnapshot(testApp.db)).toEqual(before);
  });

  it('while its own site is answered: the questions are real ones', async () => {
    const answered: string[] = [];
    for (const call of calls.filter((it) => !it.writes)) {
      for (const unit of units.values()) {
        if ((await ask(askedOf(call, unit), owner)).text.includes(CANARY)) answered.push(call.path);
      }
    }
    expect([...new Set(answered)].length).toBeGreaterThan(5);
  });
});
