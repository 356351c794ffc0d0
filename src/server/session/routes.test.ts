import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { takeModel } from '#server/definitions/follow.ts';
import type { ButtonItem, MenuItem } from '#server/session/menu.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp?.close());

const readMenu = async (as: string, lang: 'zh' | 'en' = 'en') =>
  (await testApp.ask<{ items: MenuItem[] }>('GET', '/api/sysMenu/queryTree.json', {}, { as, lang })).data.items;
const toolbar = (as: string, menuNo: string, lang: 'zh' | 'en' = 'en') =>
  testApp.ask<{ items: ButtonItem[] }>('GET', '/api/sysBtn/queryByMenuNo.json', { menuNo }, { as, lang });
const pagesOf = (items: MenuItem[]): MenuItem[] =>
  items.flatMap((it) => (it.children.length > 0 ? pagesOf(it.children) : [it]));
const readMenuNos = async (as: string) => pagesOf(await readMenu(as)).map((it) => it.menuNo);

describe('nobody without a session is told anything', () => {
  it.each([
    '/api/userInfo.json',
    '/api/sysMenu/queryTree.json',
    '/api/sysBtn/queryByMenuNo.json?menuNo=rmaCheckBillList',
    '/api/dashBoard.json',
  ])('%s', async (path) => {
    const answer = await testApp.ask('GET', path, {});
    expect(answer).toMatchObject({ status: 401, code: '401', data: { problems: [{ key: 'noSession' }] } });
  });
});

describe('user info', () => {
  it('is userId, orgId, siteId and access of the session [P-SES-04]', async () => {
    const { code, data } = await testApp.ask<{ access: string[] }>('GET', '/api/userInfo.json', {}, { as: 'techNB' });
    expect(code).toBe('000000');
    expect(data).toMatchObject({
      userId: 'techNB',
      orgId: 'NB',
      siteId: 'NB',
      siteName: '宁波维修中心',
      roleIds: ['tech'],
    });
    expect(data.access).toEqual(
      expect.arrayContaining(['rmaCheckBillList', 'rmaCheckBill:list', 'rmaCheckBill:check']),
    );
    expect(data.access).not.toContain('rmaStoreBill:store');
    expect(data.access).not.toContain('adminUserList');
    expect(JSON.stringify({ ...data, began: '' })).not.toMatch(/password|argon2/i);
    expect(data).toMatchObject({ began: 'password', logoutUrl: '/login', errorLogIcon: true, labelPrinters: [] });
  });

  it('says by which publish it is, so that the page knows what it has missed', async () => {
    const read = async () => (await testApp.ask('GET', '/api/userInfo.json', {}, { as: 'tech' })).data['lastPublish'];
    expect(await read()).toBe(0);
    takeModel(testApp.holder, { ...testApp.model }, 3);
    expect(await read()).toBe(3);
  });

  it('refuses a parameter that nobody knows, and is of the session whoever else is named', async () => {
    const answer = await testApp.ask('GET', '/api/userInfo.json', { user: 'admin' }, { as: 'tech' });
    expect(answer).toMatchObject({ code: '100015', msg: 'Unknown field user; leave it out and try again' });
    const named = await testApp.ask('GET', '/api/userInfo.json', { userId: 'admin', siteId: 'NB' }, { as: 'tech' });
    expect(named).toMatchObject({ code: '000000', data: { userId: 'tech', siteId: 'SZ' } });
  });
});

describe('the menu', () => {
  it('comes as items of menuNo, menuName and children, three levels deep at most [P-MNU-02]', async () => {
    const items = await readMenu('admin');
    const levelsOf = (nodes: MenuItem[]): number =>
      1 + Math.max(0, ...nodes.map((it) => it.children.length && levelsOf(it.children)));
    expect(levelsOf(items)).toBe(3);
    for (const page of pagesOf(items)) {
      expect(page.menuNo).toBe(`${page.module}List`);
      expect(page.menuName).not.toBe(page.menuNo);
    }
  });

  it('holds for each user the pages of the rights, no group without one, and for nobody more [P-MNU-03]', async () => {
    expect(await readMenuNos('tech')).toEqual(expect.arrayContaining(['rmaCheckBillList', 'rmaRepairBillList']));
    for (const user of ['tech', 'supplier', 'viewer', 'office'])
      expect(await readMenuNos(user)).not.toContain('adminUserList');
    expect(await readMenuNos('admin')).toContain('adminUserList');
    for (const page of pagesOf(await readMenu('supplier'))) expect(page.module).toBeDefined();
  });

  it('says its names in the language asked for', async () => {
    const namesIn = async (lang: 'zh' | 'en') => pagesOf(await readMenu('admin', lang)).map((it) => it.menuName);
    for (const name of await namesIn('zh')) expect(name).toMatch(/[\u4e00-\u9fff]/);
    for (const name of await namesIn('en')) expect(name).not.toMatch(/[\u4e00-\u9fff]/);
  });

  it('opens only what may be opened: every page of it answers its list', async () => {
    for (const page of pagesOf(await readMenu('viewer'))) {
      const answer = await testApp.ask('GET', `/api/${page.module}/searchItems.json`, {}, { as: 'viewer' });
      expect([page.menuNo, answer.code]).toEqual([page.menuNo, '000000']);
    }
  });
});

describe('the toolbar', () => {
  it('of an unknown menu number is not found', async () => {
    for (const menuNo of ['nothingList', 'rmaCheckBill', 'toStringList', '__proto__List']) {
      expect(await toolbar('admin', menuNo)).toMatchObject({ status: 404, code: '100050' });
    }
    expect(await toolbar('admin', '')).toMatchObject({ status: 200, code: '100001' });
  });

  it('of a list that the user may not open is refused', async () => {
    expect(await toolbar('tech', 'adminUserList')).toMatchObject({
      status: 403,
      code: '100013',
      msg: 'You have no permission for this operation',
    });
  });

  it('has buttons of id, btnNo, btnName and btnScript, named in both languages [P-BTN-01]', async () => {
    const [zh, en] = [await toolbar('tech', 'rmaCheckBillList', 'zh'), await toolbar('tech', 'rmaCheckBillList', 'en')];
    expect(en.data.items[0]).toMatchObject({ btnNo: 'check', btnScript: 'check', id: 'rmaCheckBill:check' });
    expect(zh.data.items[0]?.btnName).toMatch(/[\u4e00-\u9fff]/);
    expect(en.data.items[0]?.btnName).toMatch(/^[A-Z][a-z ]+$/);
  });

  it('belongs to the menu number that was asked for [P-BTN-02]', async () => {
    const readButtonNumbers = async (menuNo: string) =>
      (await toolbar('warehouse', menuNo)).data.items.map((it) => it.btnNo);
    expect(await readButtonNumbers('rmaStoreBillList')).toContain('store');
    expect(await readButtonNumbers('rmaReceiveBillList')).toContain('receive');
    expect(await readButtonNumbers('rmaReceiveBillList')).not.toContain('store');
  });

  it('differs by user: who may only look gets no button that does something [P-BTN-04]', async () => {
    const all = (await toolbar('admin', 'rmaCheckBillList')).data.items.map((it) => it.btnNo);
    expect(all).toContain('check');
    expect((await toolbar('tech', 'rmaCheckBillList')).data.items.map((it) => it.btnNo)).toContain('check');
    expect((await toolbar('warehouse', 'rmaCheckBillList')).data.items.map((it) => it.btnNo)).not.toContain('check');
    expect((await toolbar('viewer', 'rmaCheckBillList')).data.items).toEqual([]);
  });
});

describe('the login page', () => {
  it('names no user and no password where there is no demonstration', async () => {
    const { data } = await testApp.ask('GET', '/api/captcha.json');
    expect(data).toEqual({ captcha: '', uuid: '', off: true, demo: false });
  });
});
