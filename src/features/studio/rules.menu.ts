import { dequal } from 'dequal/lite';
import type { MenuNode } from '#domain/definition/grammar.ts';
import { MENU_LEVELS } from '#domain/definition/validateChange.ts';
import { movedBy } from './rules.ts';

/** The menu edited as a tree; what can't be done leaves it as it is. Rule: definitions#published-changes. */

type Tree = readonly MenuNode[];
export type MenuMove = 'up' | 'down' | 'in' | 'out';

/** The menu with a node one place on among its own, at the end of the group before it, or behind the group that holds it. */
export function movedInMenu(tree: Tree, menuNo: string, to: MenuMove): MenuNode[] {
  const moved = movedAmong(tree, menuNo, to);
  return levelsOf(moved) <= MENU_LEVELS ? moved : [...tree];
}

function movedAmong(tree: Tree, menuNo: string, to: MenuMove): MenuNode[] {
  const at = tree.findIndex((it) => it.menuNo === menuNo);
  if (at < 0) return tree.flatMap((it) => movedWithin(it, menuNo, to));
  if (to === 'up' || to === 'down') return movedBy(tree, at, to === 'up' ? -1 : 1);
  const group = tree[at - 1];
  return to === 'in' && group?.children ? placedInMenu(tree, menuNo, { into: group.menuNo }) : [...tree];
}

function movedWithin(group: MenuNode, menuNo: string, to: MenuMove): MenuNode[] {
  const { children } = group;
  if (!children) return [group];
  const node = children.find((it) => it.menuNo === menuNo);
  if (!node || to !== 'out') return [{ ...group, children: movedAmong(children, menuNo, to) }];
  return [{ ...group, children: children.filter((it) => it !== node) }, node];
}

/** The menu with a node before another one, or at the end of a group: dropped there. */
export function placedInMenu(tree: Tree, menuNo: string, at: { before: string } | { into: string }): MenuNode[] {
  const node = findInMenu(tree, menuNo);
  const target = 'before' in at ? at.before : at.into;
  const there = findInMenu(tree, target);
  const isPlace = there && ('before' in at || there.children);
  if (!node || !isPlace || target === menuNo || findInMenu(node.children ?? [], target)) return [...tree];
  const rest = withoutNode(tree, menuNo);
  const place = (nodes: Tree): MenuNode[] =>
    nodes.flatMap((it) => {
      const next = it.children ? { ...it, children: place(it.children) } : it;
      if (it.menuNo !== target) return [next];
      if ('before' in at) return [node, next];
      return [next.children ? { ...next, children: [...next.children, node] } : next];
    });
  const placed = place(rest);
  return levelsOf(placed) <= MENU_LEVELS ? placed : [...tree];
}

/** The menu with something else said of one node; null says nothing of it any more. */
export const alteredInMenu = (
  tree: Tree,
  menuNo: string,
  altered: { label?: MenuNode['label']; icon?: string | null; hidden?: true | null },
): MenuNode[] =>
  tree.map((it) => {
    const children = it.children && alteredInMenu(it.children, menuNo, altered);
    const node = it.menuNo === menuNo ? { ...it, ...altered } : it;
    const said = Object.entries({ ...node, ...(children && { children }) }).filter(([, value]) => value !== null);
    return Object.fromEntries(said) as unknown as MenuNode;
  });

export const withoutNode = (tree: Tree, menuNo: string): MenuNode[] =>
  tree
    .filter((it) => it.menuNo !== menuNo)
    .map((it) => (it.children ? { ...it, children: withoutNode(it.children, menuNo) } : it));

function findInMenu(tree: Tree, menuNo: string): MenuNode | undefined {
  for (const it of tree) {
    const found = it.menuNo === menuNo ? it : findInMenu(it.children ?? [], menuNo);
    if (found) return found;
  }
  return undefined;
}

export const namesInMenu = (tree: Tree): string[] =>
  tree.flatMap((it) => [it.menuNo, ...namesInMenu(it.children ?? [])]);

/** How deep a tree is; an empty group has room for an entry. */
function levelsOf(tree: Tree): number {
  return Math.max(0, ...tree.map((it) => 1 + (it.children ? Math.max(1, levelsOf(it.children)) : 0)));
}

export interface Difference {
  /** Its place, as `fields.phone.maxLength`. */
  path: string;
  from: unknown;
  to: unknown;
}

/** What a change does to the menu: which group holds what, and what is said otherwise of a node. */
export function menuDifferences(before: Tree, after: Tree): Difference[] {
  const [was, is] = [groupsIn(before), groupsIn(after)];
  const held = [...is].flatMap(([group, to]): Difference[] => {
    const from = was.get(group);
    return from?.join() === to.join() ? [] : [{ path: group === '' ? 'menu' : `menu.${group}`, from, to }];
  });
  const said = namesInMenu(after).flatMap((name) => {
    const [from, to] = [findInMenu(before, name), findInMenu(after, name)];
    return (['label', 'icon', 'hidden'] as const)
      .filter((it) => !dequal(from?.[it], to?.[it]))
      .map((it) => ({ path: `menu.${name}.${it}`, from: from?.[it], to: to?.[it] }));
  });
  return [...held, ...said];
}

/** By group what it holds, in its order; the top of the tree has no name. */
function groupsIn(tree: Tree, group = ''): Map<string, string[]> {
  const found = new Map([[group, tree.map((it) => it.menuNo)]]);
  for (const { menuNo, children } of tree) {
    if (children) for (const [name, held] of groupsIn(children, menuNo)) found.set(name, held);
  }
  return found;
}
