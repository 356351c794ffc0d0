import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { addProbe, putRows } from '#tests/support/probe.ts';

interface Offered {
  options: { value: string; optionName: string }[];
  more?: boolean;
}
let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
  await addProbe(testApp);
  await testApp.db
    .insertInto('ubs_shipment')
    .values(Array.from({ length: 130 }, (_, i) => ({ shipId: `C${i}`, name: `Carrier ${String(i).padStart(3, '0')}` })))
    .execute();
  await putRows(testApp, 'probe', [
    { probeId: 'PBE2026010100001', title: 'ours', siteId: 'SZ' },
    { probeId: 'PBE2026010100002', title: 'theirs', siteId: 'NB' },
  ]);
});
afterAll(() => testApp.close());

const options = (query: object, as: string | undefined = 'prober', module = 'probe') =>
  testApp.ask<Offered>('GET', `/api/${module}/options.json`, query, as ? { as } : {});

describe('the choices of a select with many rows', () => {
  it('need a session, the right of the list, a field, and a select', async () => {
    expect(await testApp.ask('GET', '/api/probe/options.json', { field: 'shipId' })).toMatchObject({
      status: 401,
      code: '401',
    });
    expect(await options({ field: 'shipId' }, 'tech')).toMatchObject({ status: 403, code: '100013' });
    expect(await options({})).toMatchObject({ code: '100001' });
    for (const field of ['title', 'secret', 'colour', 'constructor', 'cost', 'shipId" OR 1=1 --']) {
      expect(await options({ field }), field).toMatchObject({ status: 200, code: '100015' });
    }
    expect(await options({ field: 'shipId', search: 'x'.repeat(201) })).toMatchObject({ code: '100015' });
    expect(await options({ field: 'shipId', page: '2' })).toMatchObject({ code: '100015' });
  });

  it('need the right of the form for a field that only the form shows', async () => {
    const probe = testApp.model.definitions.get('probe');
    expect(await options({ field: 'motherId' })).toMatchObject({ code: '000000' });
    await testApp.db.insertInto('role_right').values({ roleId: 'prober', right: 'probe:list' }).execute();
    await testApp.db.deleteFrom('role_right').where('right', '=', 'probe:*').execute();
    const token = await (async () => testApp.openToken('proberNB'))();
    const asked = (field: string) => testApp.ask('GET', '/api/probe/options.json', { field }, { token });
    expect(await asked('shipId')).toMatchObject({ code: '000000' });
    expect(await asked('motherId')).toMatchObject({ code: '100015' });
    await testApp.db.insertInto('role_right').values({ roleId: 'prober', right: 'probe:*' }).execute();
    expect(probe?.list?.columns).not.toContain('motherId');
  });

  it('are said to be more than the first 100, and found by a part of their label or their value', async () => {
    const form = await testApp.ask<{ items: { queryName: string; options?: unknown[]; more?: boolean }[] }>(
      'GET',
      '/api/probe/toAdd.json',
      {},
      { as: 'admin' },
    );
    const of = (name: string) => form.data.items.find((it) => it.queryName === name);
    expect(of('shipId')).toMatchObject({ more: true });
    expect(of('shipId')?.options).toHaveLength(100);
    expect(of('siteId')).not.toHaveProperty('more');
    const found = await options({ field: 'shipId', search: 'carrier 12' }, 'admin');
    expect(found.data.options.map((it) => it.value)).toEqual(Array.from({ length: 10 }, (_, i) => `C12${i}`));
    expect((await options({ field: 'shipId', search: 'C129' }, 'admin')).data.options).toEqual([
      { value: 'C129', optionName: 'Carrier 129' },
    ]);
    expect((await options({ field: 'shipId', value: 'C129' }, 'admin')).data.options).toHaveLength(1);
    expect((await options({ field: 'shipId', search: '%' }, 'admin')).data.options).toEqual([]);
    expect((await options({ field: 'shipId' }, 'admin')).data).toMatchObject({ more: true });
    expect((await options({ field: 'status', search: 'fin' }, 'admin')).data.options).toEqual([
      { value: '2', optionName: 'Finished', tone: 'done' },
    ]);
  });

  it('hold the row’s own, wherever it stands among them', async () => {
    const [id] = await putRows(testApp, 'probe', [{ title: 'x', siteId: 'SZ', status: '0', shipId: 'C129' }]);
    const form = await testApp.ask<{ items: { queryName: string; options?: object[] }[] }>(
      'GET',
      '/api/probe/toModify.json',
      { id },
      { as: 'admin' },
    );
    const ship = form.data.items.find((it) => it.queryName === 'shipId');
    expect(ship?.options?.[0]).toEqual({ value: 'C129', optionName: 'Carrier 129' });
    expect(ship?.options).toHaveLength(101);
  });

  it('are rows of the asker’s sites alone, and so is what a form takes', async () => {
    const token = await testApp.openToken('prober');
    const asked = await testApp.ask<Offered>('GET', '/api/probe/options.json', { field: 'motherId' }, { token });
    expect(asked.data.options.map((it) => it.optionName)).toEqual(['ours']);
    const post = (motherId: string) =>
      testApp.ask('POST', '/api/probe/create.json', { title: 'x', motherId }, { as: 'prober' });
    expect(await post('PBE2026010100002')).toMatchObject({ code: '100002' });
    expect(await post('PBE2026010100001')).toMatchObject({ code: '000000' });
  });
});

describe('people and roles', () => {
  const search = async (module: string, as: string) =>
    (
      await testApp.ask<{ columns: { name: string; options?: object[]; relations: string[] }[] }>(
        'GET',
        `/api/${module}/toAdvancedSearch.json`,
        {},
        { as },
      )
    ).data.columns;
  const count = async (query: object, as = 'admin', module = 'adminRole') =>
    (await testApp.ask<{ itemTotal: number }>('GET', `/api/${module}/pager.json`, query, { as })).data.itemTotal;

  it('of a select that another field narrows down tell what it has to hold, and a search finds those alone', async () => {
    await testApp.db
      .insertInto('icop_store')
      .values([
        { btmId: 'NARROW1', name: 'Narrow one', siteId: 'SZ' },
        { btmId: 'NARROW2', name: 'Narrow two', siteId: 'NB' },
      ])
      .execute();
    const form = await testApp.ask<{ items: { queryName: string; within?: string; options?: object[] }[] }>(
      'GET',
      '/api/icopWaferWorkOrder/toAdd.json',
      {},
      { as: 'planner' },
    );
    const store = form.data.items.find((it) => it.queryName === 'inventoryOrg');
    expect(store?.within).toBe('btmSiteId');
    expect(store?.options).toEqual(
      expect.arrayContaining([
        { value: 'NARROW1', optionName: 'Narrow one', within: 'SZ' },
        { value: 'NARROW2', optionName: 'Narrow two', within: 'NB' },
      ]),
    );
    const found = async (query: object) =>
      (await options({ field: 'inventoryOrg', ...query }, 'planner', 'icopWaferWorkOrder')).data.options.map(
        (it) => it.value,
      );
    expect(await found({ search: 'narrow' })).toEqual(['NARROW1', 'NARROW2']);
    expect(await found({ search: 'narrow', within: 'NB' })).toEqual(['NARROW2']);
    expect(await found({ search: 'narrow', within: 'US' })).toEqual([]);
  });

  it('of a kind are offered alone by a form, while a search finds rows of every kind, however many there are', async () => {
    const suppliers = Array.from({ length: 101 }, (_, i) => ({ supplierId: `FOUNDRY${i}`, supplierType: '1' }));
    const other = { supplierId: 'SOUGHTOSAT', supplierType: '4' };
    await testApp.db
      .insertInto('icop_supplier')
      .values([...suppliers, other].map((it) => ({ ...it, supplierName: it.supplierId.toLowerCase(), status: '1' })))
      .execute();
    const found = async (query: object) =>
      (
        await options({ field: 'supplierId', search: 'soughtosat', ...query }, 'planner', 'icopWaferWorkOrder')
      ).data.options.map((it) => it.value);
    expect(await found({})).toEqual([]);
    expect(await found({ all: 'true' })).toEqual(['SOUGHTOSAT']);
    expect(await options({ field: 'supplierId', all: 'yes' }, 'planner', 'icopWaferWorkOrder')).toMatchObject({
      code: '100015',
    });
    await testApp.db.deleteFrom('icop_supplier').where('supplierId', 'like', 'FOUNDRY%').execute();
    const column = (await search('icopWaferWorkOrder', 'planner')).find((it) => it.name === 'supplierId');
    expect(column?.options).toContainEqual({ value: 'SOUGHTOSAT', optionName: 'soughtosat' });
  });

  it('are chosen by name in a search, and sought as they are', async () => {
    const by = (await search('adminRole', 'admin')).find((it) => it.name === 'createBy');
    expect(by?.options).toContainEqual({ value: 'admin', optionName: expect.any(String) as string });
    // An account may be gone since: a part of its login still finds what it did.
    expect(by?.relations).toEqual(['EQUAL_TO', 'NOT_EQUAL_TO', 'LIKE', 'NOT_LIKE', 'IN', 'IS_NULL', 'IS_NOT_NULL']);
    expect((await options({ field: 'createBy', value: 'admin' }, 'admin', 'adminRole')).data.options).toHaveLength(1);
    await testApp.db.updateTable('admin_role').set({ createBy: 'admin2' }).where('roleId', '=', 'tech').execute();
    await testApp.db.updateTable('admin_role').set({ createBy: 'admin' }).where('roleId', '=', 'office').execute();
    expect(await count({ createBy: 'admin2' })).toBe(1);
    expect(await count({ createBy: 'admin', roleId: 'tech' })).toBe(0);
    expect(await count({ createBy: 'admin', roleId: 'office' })).toBe(1);
  });

  it('who may not list the accounts types a login or a name, is offered none, and finds the same', async () => {
    await testApp.db.insertInto('role_right').values({ roleId: 'prober', right: 'adminRole:list' }).execute();
    const by = (await search('adminRole', 'prober')).find((it) => it.name === 'createBy');
    expect(by).not.toHaveProperty('options');
    expect(by?.relations).toContain('LIKE');
    expect(await options({ field: 'createBy' }, 'prober', 'adminRole')).toMatchObject({ code: '100015' });
    await testApp.db.updateTable('admin_role').set({ createBy: 'admin' }).where('roleId', '=', 'office').execute();
    const { userName } = await testApp.db
      .selectFrom('admin_user')
      .select('userName')
      .where('userId', '=', 'admin')
      .executeTakeFirstOrThrow();
    for (const as of ['admin', 'prober']) {
      expect(await count({ createBy: 'admin', roleId: 'office' }, as)).toBe(1);
      expect(await count({ createBy: userName ?? '', roleId: 'office' }, as)).toBe(1);
      expect(await count({ createBy: 'dmin', roleId: 'office' }, as)).toBe(0);
    }
  });

  it('stand in the form of an account by name, and are searched one by one', async () => {
    const form = await testApp.ask<{
      items: { queryName: string; type: string; format?: string; options?: object[] }[];
    }>('GET', '/api/adminUser/toAdd.json', {}, { as: 'admin' });
    const roles = form.data.items.find((it) => it.queryName === 'roleIds');
    expect(roles).toMatchObject({ type: 'String', format: 'roles' });
    expect(roles?.options).toContainEqual({
      value: 'tech',
      optionName: expect.any(String) as string,
      id: expect.any(Number) as number,
    });
    await testApp.db
      .updateTable('admin_user')
      .set({ roleIds: 'office|tech' })
      .where('userId', '=', 'planner')
      .execute();
    const list = await testApp.ask<{ items: object[]; labels: Record<string, Record<string, string>> }>(
      'GET',
      '/api/adminUser/pager.json',
      { userId: 'planner', roleIds: 'tech' },
      { as: 'admin' },
    );
    expect(list.data.items).toHaveLength(1);
    expect(Object.keys(list.data.labels['roleIds'] ?? {}).toSorted()).toEqual(['office', 'tech']);
    expect(await count({ userId: 'planner', roleIds: 'tec' }, 'admin', 'adminUser')).toBe(0);
    const tree = { connector: 'AND', rules: [{ column: 'roleIds', relation: 'LIKE', value: 'tech' }], groups: [] };
    const found = await testApp.ask<{ items: { userId: string }[] }>(
      'POST',
      '/api/adminUser/advancedSearch.json',
      { adminAdvancedSearchGroup: tree },
      { as: 'admin' },
    );
    expect(found.data.items.map((it) => it.userId)).toContain('planner');
  });
});
