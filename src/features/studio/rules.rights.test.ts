import { describe, expect, it } from 'vitest';
import type { Definition } from '#domain/definition/grammar.ts';
import { isHalf, nodesOf, toggled } from '#domain/rightTree.ts';
import { checkedFor, roleTree, withChecked, type Role } from './rules.rights.ts';

const words = (en: string) => ({ zh: en, en });
const laid: Definition = {
  ...{ module: 'loan', label: words('Loans'), table: 'loan', site: 'all', fields: {} },
  buttons: [
    { btnNo: 'create', script: 'create', label: words('New') },
    { btnNo: 'modify', script: 'modify', label: words('Modify') },
  ],
};
const role = (roleId: string, ...rights: string[]): Role => ({ roleId, label: words(roleId), rights, mayMore: false });
const roles = [role('clerk'), role('office', 'list', 'create'), role('admin', '*')];
const menu = [
  {
    menuNo: 'base',
    label: words('Base'),
    children: [{ menuNo: 'items', label: words('Items'), children: [{ menuNo: 'loanList' }] }],
  },
];
const treeOf = (change = {}) =>
  roleTree(
    laid,
    { roles, menu, change },
    { lang: 'en', list: 'List', nameOf: (it, count, all) => `${it.roleId} ${count}/${all}` },
  );
const tree = treeOf();
const press = (id: string, change = {}) => {
  const checked = toggled(treeOf(change), checkedFor(treeOf(change), roles, change), id);
  return withChecked(change, roles, treeOf(change), checked, id);
};
const nodeOf = (name: string, at: number) =>
  nodesOf([tree[at] ?? { id: '', name: '', children: [] }]).find((it) => it.name === name)?.id ?? '';

describe('the rights of a draft', () => {
  it('stand for each role under the groups of the menu, half checked where it has some', () => {
    expect(nodesOf(tree.slice(1, 2)).map((it) => it.name)).toEqual([
      'office 2/3',
      'Base',
      'Items',
      'List',
      'New',
      'Modify',
    ]);
    const checked = checkedFor(tree, roles, {});
    const half = nodesOf(tree).filter((it) => isHalf(it, checked));
    expect(half.map((it) => it.name)).toEqual(['office 2/3', 'Base', 'Items', 'List']);
    expect(tree.map((it) => it.disabled)).toEqual([false, false, true]);
    expect(nodesOf(tree.slice(2)).every((it) => checked.has(it.id))).toBe(true);
  });

  it('bring the list with a button, and take all of it with a group [S-RGT-02] [S-RGT-03]', () => {
    const given = press(nodeOf('Modify', 0));
    expect(given.rights).toEqual({ clerk: ['list', 'modify'] });
    expect(press(nodeOf('Base', 0), given).rights).toEqual({ clerk: ['create', 'list', 'modify'] });
    expect(press('1', { rights: { office: ['create', 'list', 'modify'] } }).rights).toEqual({ office: [] });
  });

  it('leave a role that may more as it is', () => {
    const stronger = roleTree(
      laid,
      { roles: roles.map((it) => ({ ...it, mayMore: it.roleId === 'office' })), menu, change: {} },
      { lang: 'en', list: 'List', nameOf: (it, count, all) => `${it.roleId} ${count}/${all}` },
    );
    expect(stronger.map((it) => [it.name, it.disabled])).toEqual([
      ['clerk 0/3', false],
      ['office 2/3', true],
      ['admin 3/3', true],
    ]);
  });

  it('say nothing of a role that nobody has pressed', () => {
    expect(press(nodeOf('List', 0)).rights).toEqual({ clerk: ['create', 'list', 'modify'] });
    expect(press('nothing', { label: words('x') })).toEqual({ label: words('x') });
  });
});
