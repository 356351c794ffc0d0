import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodesOf, type RightNode } from '#domain/rightTree.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { expectRefused } from '#tests/support/guard.ts';
import { rightModify, toRightModify } from './contract.ts';

/** Somebody at SZ who keeps accounts and roles and may look at checks, and an account that may do as much. */
const CLERK = [
  ...['list', 'add', 'modify', 'delete'].map((it) => `adminUser:${it}`),
  ...['list', 'add', 'modify', 'delete', 'modifyRight'].map((it) => `adminRole:${it}`),
  'rmaCheckBill:list',
];

type Answered = { id?: number; version?: number; problems?: { key: string; field?: string }[] };
let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
  const { db } = testApp;
  const role = { nameEn: 'x', name: 'x', allSites: '0', createBy: 'system' };
  const roles = ['clerk', 'looks', 'looksEverywhere', 'reviews', 'lists', 'spare', 'spareReviews'];
  await db
    .insertInto('admin_role')
    .values(roles.map((roleId) => ({ ...role, roleId, allSites: roleId === 'looksEverywhere' ? '1' : '0' })))
    .execute();
  await db
    .insertInto('role_right')
    .values([
      ...CLERK.map((right) => ({ roleId: 'clerk', right })),
      ...['looks', 'looksEverywhere', 'spare'].map((roleId) => ({ roleId, right: 'rmaCheckBill:list' })),
      ...['reviews', 'spareReviews'].map((roleId) => ({ roleId, right: 'rmaPriceBill:list' })),
      { roleId: 'lists', right: '*:list' },
    ])
    .execute();
  const account = { password: 'x', siteId: 'SZ', allSites: '0', status: '1', createBy: 'system' };
  await db
    .insertInto('admin_user')
    .values([
      { ...account, userId: 'clerk', userName: 'Clerk', roleIds: 'clerk' },
      { ...account, userId: 'looker', userName: 'Looker', roleIds: 'looks' },
      { ...account, userId: 'farlooker', userName: 'Farlooker', roleIds: 'looks', siteId: 'NB' },
      { ...account, userId: 'alllooker', userName: 'Alllooker', roleIds: 'looks', allSites: '1' },
      { ...account, userId: 'rolelooker', userName: 'Rolelooker', roleIds: 'looksEverywhere' },
      { ...account, userId: 'reviewer', userName: 'Reviewer', roleIds: 'reviews' },
    ])
    .execute();
  for (const it of ['admin', 'clerk']) await testApp.openToken(it);
});
afterAll(() => testApp.close());

const post = (path: string, body: object, as = 'clerk') =>
  testApp.ask<Answered>('POST', `/api/${path}.json`, body, { as });
const problemsOf = ({ data }: { data: unknown }) => (data as Answered).problems?.map((it) => [it.key, it.field]);
let made = 0;
const add = (more: object, as?: string) =>
  post('adminUser/create', { ...named(), roleIds: 'looks', siteId: 'SZ', password: 'Pink7#elephant', ...more }, as);
const named = () => ({ userId: `person-${(made += 1)}`, userName: 'Neu' });
const accountOf = (userId: string) =>
  testApp.db.selectFrom('admin_user').select(['id', 'version']).where('userId', '=', userId).executeTakeFirstOrThrow();
const roleOf = (roleId: string) =>
  testApp.db.selectFrom('admin_role').select(['id', 'version']).where('roleId', '=', roleId).executeTakeFirstOrThrow();

describe('whoever keeps accounts', () => {
  it.each([
    ['a role that may do everything', { roleIds: 'admin' }, 'roleBeyond', 'roleIds'],
    ['one more right than he has', { roleIds: 'looks|reviews' }, 'roleBeyond', 'roleIds'],
    ['every list, while he has one', { roleIds: 'lists' }, 'roleBeyond', 'roleIds'],
    ['a role that sees all sites', { roleIds: 'looksEverywhere' }, 'sitesBeyond', 'roleIds'],
    ['all sites', { allSites: '1' }, 'sitesBeyond', 'allSites'],
    ['another site', { siteId: 'NB' }, 'sitesBeyond', 'siteId'],
  ])('gives nobody %s, himself among them', async (_, values, key, field) => {
    const answer = await expectRefused(testApp, '100013', () => add(values));
    expect(problemsOf(answer)).toEqual([[key, field]]);
    for (const userId of ['looker', 'clerk']) {
      const own = await accountOf(userId);
      const changed = await expectRefused(testApp, '100013', () => post('adminUser/modifyById', { ...own, ...values }));
      expect(problemsOf(changed)).toEqual([[key, field]]);
    }
  });

  it('gives what is his, and changes and deletes accounts that may do as much', async () => {
    const { code, data } = await add({ roleIds: 'clerk|looks' });
    expect(code).toBe('000000');
    const change = { id: data.id, version: 1, password: 'Blue7#elephant', status: '0' };
    expect((await post('adminUser/modifyById', change)).code).toBe('000000');
    expect((await post('adminUser/deleteById', { id: data.id })).code).toBe('000000');
  });

  it.each([
    ['admin', 'accountBeyond'],
    ['reviewer', 'accountBeyond'],
    ['farlooker', 'accountSeesMore'],
    ['alllooker', 'accountSeesMore'],
    ['rolelooker', 'accountSeesMore'],
  ])('does not touch the account of %s, who may do or see more', async (userId, key) => {
    const account = await accountOf(userId);
    for (const values of [{ password: 'Pink7#elephant' }, { status: '0' }, { mobile: '1' }, { roleIds: 'looks' }]) {
      const answer = await expectRefused(testApp, '100013', () =>
        post('adminUser/modifyById', { ...account, ...values }),
      );
      expect(problemsOf(answer)).toEqual([[key, 'userId']]);
    }
    await expectRefused(testApp, '100013', () => post('adminUser/deleteById', { id: account.id }));
  });

  it('reads in words what he lacks', async () => {
    const { msg } = await post('adminUser/modifyById', { ...(await accountOf('reviewer')), mobile: '1' });
    expect(msg).toBe(
      'The account reviewer may do what you may not (Price bills: list), so you can’t change it. Ask somebody who may.',
    );
  });
});

describe('whoever keeps roles', () => {
  const rightsOf = async (roleId: string) =>
    (await testApp.db.selectFrom('role_right').select('right').where('roleId', '=', roleId).execute())
      .map((it) => it.right)
      .sort();
  const save = (roleId: string, rightIds: string) => testApp.send(rightModify, { roleId, rightIds }, { as: 'clerk' });

  it('gives no right that he lacks, to his own role either', async () => {
    for (const roleId of ['spare', 'clerk']) {
      const answer = await expectRefused(testApp, '100013', () =>
        save(roleId, 'rmaCheckBill:list|adminUser:list|rmaPriceBill:list'),
      );
      expect(problemsOf(answer)).toEqual([['notYours', 'rightIds']]);
    }
    expect((await save('spare', 'rmaCheckBill:list|adminUser:modify')).code).toBe('000000');
    expect(await rightsOf('spare')).toEqual(['adminUser:list', 'adminUser:modify', 'rmaCheckBill:list']);
  });

  it.each(['admin', 'spareReviews', 'lists', 'looksEverywhere'])(
    'leaves the role %s as it is, which may do or see more',
    async (roleId) => {
      const row = await roleOf(roleId);
      const before = await rightsOf(roleId);
      await expectRefused(testApp, '100013', () => save(roleId, 'rmaCheckBill:list'));
      for (const values of [{ name: 'other' }, { roleId: 'other' }, { allSites: '0' }])
        await expectRefused(testApp, '100013', () => post('adminRole/modifyById', { ...row, ...values }));
      if (roleId.startsWith('spare'))
        await expectRefused(testApp, '100013', () => post('adminRole/deleteById', { id: row.id }));
      expect(await rightsOf(roleId)).toEqual(before);
    },
  );

  it('makes none that sees all sites, while he does not', async () => {
    const role = { roleId: 'wide', name: '全部', nameEn: 'Wide', allSites: '1' };
    const answer = await expectRefused(testApp, '100013', () => post('adminRole/create', role));
    expect(problemsOf(answer)).toEqual([['sitesBeyond', 'allSites']]);
    const row = await roleOf('looks');
    await expectRefused(testApp, '100013', () => post('adminRole/modifyById', { ...row, allSites: '1' }));
    expect((await post('adminRole/modifyById', { ...row, name: 'y' })).code).toBe('000000');
  });

  it('is offered no box for what he may not give', async () => {
    const { items } = (await testApp.send(toRightModify, { roleId: 'spare' }, { as: 'clerk' })).data;
    const open = nodesOf(items as RightNode[]).filter((it) => it.id.includes(':') && !it.disabled);
    expect(open.map((it) => it.id).sort()).toEqual([...CLERK].sort());
    const all = (await testApp.send(toRightModify, { roleId: 'spare' }, { as: 'admin' })).data;
    expect(nodesOf(all.items as RightNode[]).filter((it) => it.disabled)).toEqual([]);
  });

  it('gives a right that nobody has who can sign in: it would be lost otherwise', async () => {
    const others = () => testApp.db.updateTable('admin_user').where('userId', 'not in', ['clerk', 'reviewer']);
    await others().set({ status: '0' }).execute();
    expect((await save('spare', 'rmaCheckBill:list|ubsItem:list')).code).toBe('000000');
    await expectRefused(testApp, '100013', () => save('spare', 'rmaPriceBill:list'));
    await others().set({ status: '1' }).execute();
  });
});
