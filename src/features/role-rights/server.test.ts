import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodesOf, type RightNode } from '#domain/rightTree.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { expectNo, expectRefused, readLedger } from '#tests/support/guard.ts';
import { rightModify, toRightModify } from './contract.ts';
import { parted } from './rules.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
  for (const it of ['admin', 'office', 'viewer']) await testApp.openToken(it);
});
afterAll(() => testApp.close());

const admin = { as: 'admin' };
const read = async (roleId: string, lang: 'zh' | 'en' = 'en') =>
  (await testApp.send(toRightModify, { roleId }, { ...admin, lang })).data;
const readRights = async (roleId: string) =>
  (await testApp.db.selectFrom('role_right').select('right').where('roleId', '=', roleId).execute()).map(
    (it) => it.right,
  );
const save = (roleId: string, rightIds: string, asking: object = admin) =>
  testApp.send(rightModify, { roleId, rightIds }, asking);

describe('the rights of a role', () => {
  it('are not for whoever may not set them', async () => {
    await expectNo('401', () => testApp.send(toRightModify, { roleId: 'tech' }));
    await expectNo('100013', () => testApp.send(toRightModify, { roleId: 'tech' }, { as: 'office' }));
    await expectRefused(testApp, '401', () => save('tech', '', {}));
    await expectRefused(testApp, '100013', () => save('tech', '', { as: 'office' }));
  });

  it('of an unknown role, and unknown rights, are refused by name', async () => {
    await expectNo('100002', () => testApp.send(toRightModify, { roleId: 'nobody' }, admin));
    await expectRefused(testApp, '100002', () => save('nobody', 'rmaCheckBill:list'));
    const answer = await expectRefused(testApp, '100015', () => save('tech', 'rmaCheckBill:list|rmaCheckBill:fly'));
    expect(answer.msg).toContain('rmaCheckBill:fly');
    await expectRefused(testApp, '100015', () => save('tech', '*:*'));
  });

  it('are set of the role whose tree was shown, not of one that has its code since', async () => {
    const roleOf = (roleId: string) =>
      testApp.db
        .selectFrom('admin_role')
        .select(['id', 'version'])
        .where('roleId', '=', roleId)
        .executeTakeFirstOrThrow();
    const post = async (action: string, body: object) =>
      expect(await testApp.ask('POST', `/api/adminRole/${action}.json`, body, admin)).toMatchObject({ code: '000000' });
    const make = (name: string) => post('create', { roleId: 'deck', name, nameEn: `Deck ${name}`, allSites: '0' });
    await make('甲板');
    const { id } = await roleOf('deck');
    await post('modifyById', { ...(await roleOf('deck')), roleId: 'bridge' });
    await make('舱面');
    const rightIds = 'rmaCheckBill:list';
    await expectNo('100025', () => testApp.send(toRightModify, { roleId: 'deck', id }, admin));
    await expectRefused(testApp, '100025', () => testApp.send(rightModify, { roleId: 'deck', id, rightIds }, admin));
    expect(await readRights('deck')).toEqual([]);
    expect((await testApp.send(rightModify, { roleId: 'bridge', id, rightIds }, admin)).code).toBe('000000');
    expect(await readRights('bridge')).toEqual([rightIds]);
  });

  it('are set over those that were shown: of two who set them at once the second one is told, whoever set the first', async () => {
    const { id } = await testApp.db
      .selectFrom('admin_role')
      .select('id')
      .where('roleId', '=', 'bridge')
      .executeTakeFirstOrThrow();
    const shown = (await read('bridge')).rightIds;
    const set = (rightIds: string, seen = shown) =>
      testApp.send(rightModify, { roleId: 'bridge', id, shown: seen, rightIds }, admin);
    const mine = 'rmaCheckBill:list|rmaRepairBill:list';
    expect((await set(mine)).code).toBe('000000');
    await expectRefused(testApp, '100025', () => set('rmaCheckBill:list|ubsSite:list'));
    expect((await readRights('bridge')).sort()).toEqual(mine.split('|'));
    const again = (await read('bridge')).rightIds;
    // A publish gives rights as well.
    await testApp.db.insertInto('role_right').values({ roleId: 'bridge', right: 'ubsCountry:list' }).execute();
    await expectRefused(testApp, '100025', () => set('', again));
    // One that took a button away meanwhile is told as that, and not as a right that nobody knows.
    await expectRefused(testApp, '100025', () => set('rmaCheckBill:gone', `${again}|rmaCheckBill:gone`));
    expect((await set('rmaCheckBill:list', (await read('bridge')).rightIds)).code).toBe('000000');
    expect(await readRights('bridge')).toEqual(['rmaCheckBill:list']);
  });

  it('open as a tree of the menu’s levels with the buttons below, in the asker’s language, checked as they are [P-RGT-01] [S-RGT-01]', async () => {
    const { items, rightIds } = await read('tech');
    const tree = items as RightNode[];
    const stock = tree.find((it) => it.id === 'inventory')?.children.find((it) => it.id === 'stock');
    const list = stock?.children.find((it) => it.id === 'rmaInventory:list');
    expect(list?.children.map((it) => it.id)).toContain('rmaInventory:viewHistory');
    expect([stock?.name, list?.name]).toEqual(['Inventory', 'Inventory']);
    expect(((await read('tech', 'zh')).items as RightNode[])[0]?.name).toBe('维修受理');
    const checked = parted(rightIds);
    expect(checked).toEqual(expect.arrayContaining(['workflow', 'rmaCheckBill:list', 'rmaCheckBill:check']));
    expect(checked).not.toContain('rmaReceiveBill:receive');
    expect(checked).not.toContain('system');
  });

  it('have an id of their own each, and every button that a definition has', async () => {
    const ids = nodesOf((await read('admin')).items as RightNode[]).map((it) => it.id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { module, buttons } of testApp.model.definitions.values()) {
      for (const it of ['list', ...(buttons ?? []).map((button) => button.btnNo)])
        expect(ids).toContain(`${module}:${it}`);
    }
  });

  it('are saved as a form with the ids joined by |, kill the sessions of the role’s users, and are written down [P-RGT-01, P-RGT-02] [S-RGT-04]', async () => {
    const viewer = await testApp.openToken('viewer');
    const office = await testApp.openToken('office');
    const body = new URLSearchParams({
      roleId: 'viewer',
      rightIds: 'workflow|rmaCheckBill:list|rmaPriceBill:detail',
    }).toString();
    const reply = await testApp.app.inject({
      method: 'POST',
      url: '/api/adminRole/rightModify.json',
      payload: body,
      headers: { token: await testApp.openToken('admin'), 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(reply.json()).toMatchObject({ code: '000000', data: { roleId: 'viewer', count: 3 } });
    // A button brings its list.
    expect((await readRights('viewer')).sort()).toEqual([
      'rmaCheckBill:list',
      'rmaPriceBill:detail',
      'rmaPriceBill:list',
    ]);
    expect((await readLedger(testApp, 'viewer')).map((it) => it.what)).toEqual(['rightModify']);
    await expectNo('401', () => testApp.ask('GET', '/api/userInfo.json', {}, { token: viewer }));
    expect((await testApp.ask('GET', '/api/userInfo.json', {}, { token: office })).code).toBe('000000');
  });

  it('stay whole where everything is checked: what comes later belongs to it as well', async () => {
    const { rightIds } = await read('admin');
    expect((await save('admin', rightIds)).code).toBe('000000');
    expect(await readRights('admin')).toEqual(['*:*']);
  });
});

describe('the right to set rights', () => {
  const without = (rightIds: string) =>
    parted(rightIds)
      .filter((it) => it !== 'adminRole:modifyRight')
      .join('|');
  // Whoever's own role was saved signs in anew.
  const anew = async () => {
    await testApp.db.deleteFrom('session').execute();
    const { openSession } = await import('#server/session/sessions.ts');
    return openSession(testApp.db, { userId: 'admin', began: 'password', ip: '127.0.0.1', days: 1 });
  };

  it('stays with somebody, whether an account or its role goes, is switched off or is given other roles', async () => {
    const token = await anew();
    const readRow = (table: 'admin_user' | 'admin_role', column: 'userId' | 'roleId') =>
      testApp.db
        .selectFrom(table)
        .select(['id', 'version'])
        .where(sql.ref(column), '=', 'admin')
        .executeTakeFirstOrThrow();
    const account = await readRow('admin_user', 'userId');
    const role = await readRow('admin_role', 'roleId');
    const modify = (values: object) =>
      testApp.ask('POST', '/api/adminUser/modifyById.json', { ...account, ...values }, { token });
    const drop = (module: string, id: number) =>
      testApp.ask('POST', `/api/${module}/deleteById.json`, { id }, { token });
    for (const [field, ask] of [
      ['status', () => modify({ status: '0' })],
      ['roleIds', () => modify({ roleIds: 'tech' })],
      ['id', () => drop('adminUser', account.id)],
    ] as const) {
      const { data } = await expectRefused(testApp, '100023', ask);
      expect(data).toMatchObject({ problems: [{ key: 'lastRightEditor', field }] });
    }
    // A role that an account has stays in any case.
    const { data } = await expectRefused(testApp, '100023', () => drop('adminRole', role.id));
    expect(data).toMatchObject({ problems: [{ key: 'inUse' }] });
    expect((await modify({ userName: 'Chen' })).code).toBe('000000');
  });

  it('is not taken from the last who have it, nor left to a user who is switched off', async () => {
    let token = await anew();
    const { rightIds } = (await testApp.send(toRightModify, { roleId: 'admin' }, { token })).data;
    const answer = await expectRefused(testApp, '100023', () => save('admin', without(rightIds), { token }));
    expect(answer.msg).toBe(
      'Somebody who can sign in must be able to set rights; give that right to another role first',
    );
    expect((await save('planner', 'adminRole:modifyRight', { token })).code).toBe('000000');
    await testApp.db.updateTable('admin_user').set({ status: '0' }).where('userId', '=', 'planner').execute();
    await expectRefused(testApp, '100023', () => save('admin', without(rightIds), { token }));
    await testApp.db.updateTable('admin_user').set({ status: '1' }).where('userId', '=', 'planner').execute();
    expect((await save('admin', without(rightIds), { token })).code).toBe('000000');
    expect(await readRights('admin')).not.toContain('*:*');
    token = await anew();
    await expectNo('100013', () => testApp.send(toRightModify, { roleId: 'admin' }, { token }));
  });
});
