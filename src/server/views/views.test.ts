import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createView,
  deleteView,
  saveListSetting,
  MAX_VIEWS,
  readViews,
  updateView,
  type ListView,
  type ViewState,
} from '#domain/listView.ts';
import { newKey, startTestApp, type TestApp } from '#tests/support/app.ts';
import { allAtOnce } from '#tests/support/heldTable.ts';
import { addProbe } from '#tests/support/probe.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
  await addProbe(testApp);
});
afterAll(() => testApp.close());
beforeEach(async () => {
  await testApp.db.deleteFrom('list_view').execute();
  await testApp.db.deleteFrom('list_setting').execute();
});

const module = 'rmaCheckBill';
const save = (name: string, as = 'tech', more: { state?: ViewState; roleId?: string; module?: string } = {}) =>
  testApp.send(createView, { module, name, state: {}, ...more }, { as });
const saved = async (...asked: Parameters<typeof save>): Promise<ListView> => {
  const { code, msg, data } = await save(...asked);
  expect([code, msg]).toEqual(['000000', '']);
  return data;
};
const seenBy = async (as: string, of = module) => (await testApp.send(readViews, { module: of }, { as })).data;
const namesSeenBy = async (as: string) => (await seenBy(as)).items.map((it) => it.name);
const no = (answer: { code: string; msg: string }) => `${answer.code} ${answer.msg}`;

describe('a saved view', () => {
  it('is for who is signed in and may open the list, and no other', async () => {
    const calls = [
      () => testApp.send(readViews, { module }),
      () => testApp.send(createView, { module, name: 'x', state: {} }),
      () => testApp.send(updateView, { id: 1, version: 1, name: 'x' }),
      () => testApp.send(deleteView, { id: 1 }),
      () => testApp.send(saveListSetting, { module, columns: [] }),
    ];
    for (const call of calls) expect((await call()).status).toBe(401);
    expect(await testApp.send(readViews, { module: 'adminUser' }, { as: 'tech' })).toMatchObject({ status: 403 });
    expect(await save('x', 'tech', { module: 'adminUser' })).toMatchObject({ status: 403, code: '100013' });
    expect(await testApp.send(saveListSetting, { module: 'adminUser' }, { as: 'tech' })).toMatchObject({ status: 403 });
    expect(no(await testApp.send(readViews, { module: 'nothing' }, { as: 'tech' }))).toBe(
      '100015 module does not meet the rules',
    );
  });

  it('is refused without a name, with one that is too long or taken, whatever its case', async () => {
    expect(no(await save('   '))).toBe('100001 The required fields must not be empty (Name)');
    expect((await save('x'.repeat(61))).code).toBe('100015');
    await saved('Mine  today');
    expect(no(await save(' mine TODAY '))).toBe('100007 View mine TODAY already exists; choose another one');
    await saved('Mine today', 'office');
    const { id, version } = await saved('Other');
    expect((await testApp.send(updateView, { id, version, name: 'MINE TODAY' }, { as: 'tech' })).code).toBe('100007');
  });

  it('is refused with a search, an order or a size that the list itself would refuse', async () => {
    const refusalText = async (state: object) => no(await save('x', 'tech', { state: state }));
    expect(await refusalText({ filter: [{ name: 'strange', value: '1' }] })).toBe(
      '100015 Unknown field strange; leave it out and try again',
    );
    expect(await refusalText({ condition: { rules: [{ column: 'strange', relation: 'EQUAL_TO', value: '1' }] } })).toBe(
      '100015 Unknown field strange; leave it out and try again',
    );
    expect(await refusalText({ sortBy: 'strange' })).toBe('100015 Unknown field strange; leave it out and try again');
    expect(await refusalText({ columns: [{ name: 'count', width: 5 }] })).toMatch(/^100015/);
    expect(await refusalText({ strange: 1 })).toMatch(/^100015/);
    const rules = Array.from({ length: 2 }, () => ({ column: 'createBy', relation: 'IN', value: 'x'.repeat(15_000) }));
    expect(await refusalText({ condition: { rules } })).toBe('100015 state is too long: at most 20000 characters');
    expect(await refusalText({ condition: { connector: 'XOR', rules: [] } })).toMatch(/^100015/);
    expect((await seenBy('tech')).items).toEqual([]);
  });

  it('comes back as it was kept: search, order, columns, page size, density', async () => {
    const condition: ViewState['condition'] = {
      connector: 'AND',
      rules: [{ connector: 'AND', column: 'count', relation: 'GREATER_THAN', value: '3' }],
      groups: [],
    };
    const state: ViewState = {
      filter: [{ name: 'title', value: 'row' }],
      condition,
      sortBy: 'count',
      order: 'desc',
      columns: [
        { name: 'count', width: 120 },
        { name: 'title', hidden: true },
      ],
      pageSize: 50,
      density: 'compact',
    };
    await saved('Full', 'prober', { module: 'probe', state });
    const [view] = (await seenBy('prober', 'probe')).items;
    expect(view).toMatchObject({ name: 'Full', isOwn: true, roleId: null, dropped: [], state });
  });

  it('is changed and taken away by its owner alone, from the version that was read', async () => {
    const { id, version } = await saved('Mine');
    expect(await testApp.send(updateView, { id, version, name: 'Theirs' }, { as: 'office' })).toMatchObject({
      code: '100002',
    });
    expect((await testApp.send(deleteView, { id }, { as: 'office' })).code).toBe('100002');
    const changed = await testApp.send(updateView, { id, version, state: { pageSize: 100 } }, { as: 'tech' });
    expect(changed.data).toMatchObject({ name: 'Mine', version: version + 1, state: { pageSize: 100 } });
    const stale = await testApp.send(updateView, { id, version, name: 'Late' }, { as: 'tech' });
    expect(stale).toMatchObject({ code: '100025', data: { version: version + 1, name: 'Mine' } });
    expect((await testApp.send(deleteView, { id }, { as: 'tech' })).code).toBe('000000');
    expect(no(await testApp.send(deleteView, { id }, { as: 'tech' }))).toBe(`100002 View ${id} does not exist`);
  });

  it('is changed and taken away under one key, as two submits of one path', async () => {
    const { id, version } = await saved('Mine');
    const asking = { as: 'tech', key: newKey() };
    const change = () => testApp.send(updateView, { id, version, name: 'Ours' }, asking);
    const changed = await change();
    expect(changed).toMatchObject({ code: '000000', data: { name: 'Ours' } });
    expect(await change()).toEqual(changed);
    expect((await testApp.send(deleteView, { id }, asking)).code).toBe('000000');
    expect(await namesSeenBy('tech')).toEqual([]);
    expect((await testApp.send(deleteView, { id }, asking)).code).toBe('000000');
  });

  it('is one of at most fifty of a list and user, also when many are kept at once', async () => {
    const row = { module, userId: 'tech', roleId: null, state: '{}' };
    const before = Array.from({ length: MAX_VIEWS - 4 }, (_, i) => ({ ...row, name: `old ${i}` }));
    await testApp.db.insertInto('list_view').values(before).execute();
    const calls = Array.from({ length: 8 }, (_, i) => () => save(`view ${i}`));
    const all = await allAtOnce(testApp.db, 'list_view', calls);
    expect(all.filter((it) => it.code === '000000')).toHaveLength(4);
    expect(new Set(all.filter((it) => it.code !== '000000').map(no))).toEqual(
      new Set(['100019 At most 50 views of a list can be kept; delete one first']),
    );
    await saved('elsewhere', 'tech', { module: 'rmaRepairBill' });
    await saved('of another', 'office');
  });
});

describe('sharing', () => {
  it('needs the right to share and a role that exists', async () => {
    expect(await save('x', 'tech', { roleId: 'tech' })).toMatchObject({ status: 403, code: '100013' });
    const { id, version } = await saved('mine');
    expect(await testApp.send(updateView, { id, version, roleId: 'tech' }, { as: 'tech' })).toMatchObject({
      status: 403,
    });
    expect(no(await save('x', 'supervisor', { roleId: 'nobody' }))).toBe('100002 Role nobody does not exist');
    expect((await seenBy('tech')).roles).toEqual([]);
    expect((await seenBy('supervisor')).roles).toContainEqual({
      roleId: 'tech',
      id: expect.any(Number) as number,
      name: 'Technician',
    });
  });

  it('is with the role that was chosen, not with one that has its code since', async () => {
    const { id, version } = await saved('mine', 'supervisor');
    const made = () =>
      testApp.db
        .insertInto('admin_role')
        .values({ roleId: 'crew', name: 'x', nameEn: 'x', allSites: '0' })
        .returning('id')
        .executeTakeFirstOrThrow();
    const { id: role } = await made();
    await testApp.db.deleteFrom('admin_role').where('id', '=', role).execute();
    const { id: other } = await made();
    const asking = { as: 'supervisor' };
    const state = {};
    for (const share of [
      (it: number) => testApp.send(createView, { module, name: 'x', state, roleId: 'crew', role: it }, asking),
      (it: number) => testApp.send(updateView, { id, version, roleId: 'crew', role: it }, asking),
    ]) {
      const refused = await share(role);
      expect([refused.code, refused.msg]).toEqual([
        '100025',
        '“crew” is another role now than the one that was chosen; take it off and choose anew',
      ]);
      expect((await seenBy('supervisor')).items.filter((it) => it.roleId === 'crew')).toEqual([]);
    }
    expect(await testApp.send(updateView, { id, version, roleId: 'crew', role: other }, asking)).toMatchObject({
      data: { roleId: 'crew' },
    });
    await testApp.db.deleteFrom('admin_role').where('id', '=', other).execute();
  });

  it('shows a view to the holders of the role, who use it and change nothing', async () => {
    const { id, version } = await saved('Shared', 'supervisor', { roleId: 'tech' });
    await saved('Private', 'supervisor');
    expect(await namesSeenBy('tech')).toEqual(['Shared']);
    expect(await namesSeenBy('warehouse')).toEqual([]);
    expect((await seenBy('tech')).items[0]).toMatchObject({ isOwn: false, roleName: 'Technician' });
    expect(await testApp.send(updateView, { id, version, name: 'x' }, { as: 'tech' })).toMatchObject({ status: 403 });
    expect(await testApp.send(deleteView, { id }, { as: 'tech' })).toMatchObject({ status: 403 });
    await testApp.send(updateView, { id, version, roleId: null }, { as: 'supervisor' });
    expect(await namesSeenBy('tech')).toEqual([]);
  });

  it('is ended by an administrator where its owner is gone', async () => {
    const { id } = await saved('Shared', 'supervisor', { roleId: 'tech' });
    const { id: privateId } = await saved('Private', 'supervisor');
    expect(await namesSeenBy('admin')).toEqual(['Shared']);
    expect((await testApp.send(deleteView, { id: privateId }, { as: 'admin' })).code).toBe('100002');
    expect((await testApp.send(deleteView, { id }, { as: 'admin' })).code).toBe('000000');
  });
});

describe('under a changed definition', () => {
  it('columns that are gone go quietly, conditions that are gone are named', async () => {
    const rule = (column: string) => ({ connector: 'AND', column, relation: 'EQUAL_TO', value: '1' });
    const state = {
      filter: [
        { name: 'title', value: 'row' },
        { name: 'gone', value: 'x' },
      ],
      condition: {
        connector: 'AND',
        rules: [rule('count'), rule('gone')],
        groups: [{ connector: 'OR', rules: [rule('lost')], groups: [] }],
      },
      sortBy: 'gone',
      order: 'asc',
      columns: [{ name: 'gone' }, { name: 'count' }, { name: 'count' }],
    };
    await testApp.db
      .insertInto('list_view')
      .values({ module: 'probe', name: 'Old', userId: 'prober', roleId: null, state: JSON.stringify(state) })
      .execute();
    const [view] = (await seenBy('prober', 'probe')).items;
    expect(view?.state).toEqual({
      filter: [{ name: 'title', value: 'row' }],
      condition: { connector: 'AND', rules: [rule('count')], groups: [] },
      columns: [{ name: 'count' }],
    });
    expect(view?.dropped).toEqual(['gone', 'lost']);
  });
});

describe("a user's own columns", () => {
  const readColumns = async (as: string) => (await seenBy(as, 'probe')).columns;
  const set = (input: object, as = 'prober') => testApp.send(saveListSetting, { module: 'probe', ...input }, { as });

  it('are kept for the user alone, without columns that the list does not have', async () => {
    await set({ columns: [{ name: 'count', width: 90 }, { name: 'gone' }, { name: 'title', hidden: true }] });
    const wanted = [
      { name: 'count', width: 90 },
      { name: 'title', hidden: true },
    ];
    expect(await readColumns('prober')).toEqual(wanted);
    expect(await readColumns('admin')).toEqual([]);
    await set({ defaultId: null });
    expect(await readColumns('prober')).toEqual(wanted);
    await set({ columns: [] });
    expect(await readColumns('prober')).toEqual([]);
  });

  it('stand beside the view that the list opens with: one that the user can see, of this list', async () => {
    const { id } = await saved('Mine', 'prober', { module: 'probe' });
    const { id: elsewhere } = await saved('Other', 'admin', { module: 'ubsSite' });
    expect((await set({ defaultId: elsewhere })).code).toBe('100002');
    expect((await set({ defaultId: elsewhere }, 'admin')).code).toBe('100002');
    expect((await set({ defaultId: id })).code).toBe('000000');
    expect((await seenBy('prober', 'probe')).defaultId).toBe(id);
    await testApp.send(deleteView, { id }, { as: 'prober' });
    expect((await seenBy('prober', 'probe')).defaultId).toBeNull();
  });
});
