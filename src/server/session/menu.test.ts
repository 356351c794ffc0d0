import { describe, expect, it } from 'vitest';
import type { Definition, Model } from '#domain/definition/grammar.ts';
import { accessOf, buttonsFor, findDefinition, menuFor } from '#server/session/menu.ts';

const definition = (module: string, zh: string, en: string): Definition => ({
  module,
  label: { zh, en },
  table: module.toLowerCase(),
  site: 'all',
  fields: {},
  buttons: [
    { btnNo: 'check', script: 'check', label: { zh: '初检', en: 'Check' } },
    { btnNo: 'delete', script: 'deleteById', label: { zh: '删除', en: 'Delete' }, rows: 1, tone: 'danger' },
  ],
});
const definitions = [definition('checkBill', '初检单', 'Check bills'), definition('site', '站点', 'Sites')];
const model: Model = {
  definitions: new Map(definitions.map((it) => [it.module, it])),
  options: {},
  menu: [
    {
      menuNo: 'work',
      label: { zh: '作业', en: 'Work' },
      icon: 'work',
      children: [{ menuNo: 'bills', label: { zh: '单据', en: 'Bills' }, children: [{ menuNo: 'checkBillList' }] }],
    },
    { menuNo: 'base', label: { zh: '基础资料', en: 'Base data' }, children: [{ menuNo: 'siteList' }] },
  ],
  roles: [],
};
const rights = (...them: string[]) => new Set(them);

describe('the menu', () => {
  it('holds the pages whose list may be opened, within their groups, in the language asked for', () => {
    expect(menuFor(model, rights('checkBill:list'), 'en')).toEqual([
      {
        menuNo: 'work',
        menuName: 'Work',
        otherName: '作业',
        icon: 'work',
        children: [
          {
            menuNo: 'bills',
            menuName: 'Bills',
            otherName: '单据',
            children: [
              {
                menuNo: 'checkBillList',
                menuName: 'Check bills',
                otherName: '初检单',
                module: 'checkBill',
                children: [],
              },
            ],
          },
        ],
      },
    ]);
    expect(menuFor(model, rights('site:list'), 'zh').map((it) => it.menuName)).toEqual(['基础资料']);
  });

  it('says what the views are called that buttons of the rights open', () => {
    const viewsOf = (lang: 'zh' | 'en', ...them: string[]) =>
      menuFor(model, rights('checkBill:list', ...them), lang)[0]?.children[0]?.children[0]?.views;
    expect(viewsOf('en', 'checkBill:*')).toEqual({ check: 'Check' });
    expect(viewsOf('zh', 'checkBill:check')).toEqual({ check: '初检' });
    expect(viewsOf('en', 'checkBill:delete')).toBeUndefined();
  });

  it('says what the toolbar of a page does without a row, in both languages, for who may press it', () => {
    const actionsOf = (lang: 'zh' | 'en', ...them: string[]) =>
      menuFor(model, rights('checkBill:list', ...them), lang)[0]?.children[0]?.children[0]?.actions;
    expect(actionsOf('en', 'checkBill:check')).toEqual({ check: ['Check', '初检'] });
    expect(actionsOf('zh', 'checkBill:*')).toEqual({ check: ['初检', 'Check'] });
    expect(actionsOf('en')).toBeUndefined();
  });

  it('is empty for who may open nothing; a button alone opens no page', () => {
    expect(menuFor(model, rights(), 'zh')).toEqual([]);
    expect(menuFor(model, rights('checkBill:check'), 'zh')).toEqual([]);
  });

  it('is whole for who may do everything', () => {
    expect(menuFor(model, rights('*:*'), 'zh').map((it) => it.menuNo)).toEqual(['work', 'base']);
  });
});

describe('the toolbar', () => {
  const [checkBill] = definitions as [Definition];

  it('has the buttons of the rights, and no other [W-PRM-02]', () => {
    expect(buttonsFor(checkBill, rights('checkBill:list', 'checkBill:check'), 'zh')).toEqual([
      { id: 'checkBill:check', btnNo: 'check', btnName: '初检', btnScript: 'check' },
    ]);
    expect(buttonsFor(checkBill, rights('checkBill:*'), 'en').map((it) => it.btnName)).toEqual(['Check', 'Delete']);
    expect(buttonsFor(checkBill, rights('site:*'), 'en')).toEqual([]);
  });

  it('belongs to a menu number that ends in List', () => {
    expect(findDefinition(model, 'checkBillList')).toBe(checkBill);
    for (const menuNo of ['checkBill', 'List', '', 'toStringList', '__proto__List']) {
      expect(findDefinition(model, menuNo)).toBe(undefined);
    }
  });
});

it('access names the open menu numbers and every right, stars written out, those of the house’s own pages too', () => {
  expect(accessOf(model, rights('*:list', 'site:delete', 'gone:list'))).toEqual([
    'checkBillList',
    'checkBill:list',
    'siteList',
    'site:list',
    'site:delete',
    'gone:list',
    'errorLog:list',
  ]);
  expect(accessOf(model, rights())).toEqual([]);
});
