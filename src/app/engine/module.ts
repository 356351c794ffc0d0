import { currentMenu, type MenuEntry } from '#app/session.ts';

/**
 * The module whose calls a list makes: what its menu entry names, else its menu number without `List`, the first
 * letter small. Rule: lists#generic-calls.
 */
export function moduleOf(menuNo: string, menu: MenuEntry[] | null = currentMenu.get()): string {
  const named = findEntry(menuNo, menu ?? [])?.module;
  if (named) return named;
  const stem = menuNo.endsWith('List') ? menuNo.slice(0, -'List'.length) : menuNo;
  return stem.charAt(0).toLowerCase() + stem.slice(1);
}

/** The entry with this number, wherever in the tree. */
export function findEntry(menuNo: string, menu: readonly MenuEntry[]): MenuEntry | undefined {
  return findTrail(menuNo, menu).at(-1);
}

/** The way from the top of the menu to an entry, itself last; empty when the menu does not have it. */
export function findTrail(menuNo: string, menu: readonly MenuEntry[]): MenuEntry[] {
  for (const entry of menu) {
    if (entry.menuNo === menuNo) return [entry];
    const below = findTrail(menuNo, entry.children ?? []);
    if (below.length > 0) return [entry, ...below];
  }
  return [];
}

/** The entries that open a page: those without children, down to the third level. */
export function leavesOf(menu: readonly MenuEntry[], level = 1): MenuEntry[] {
  return menu.flatMap((it) => {
    if (!it.children?.length) return [it];
    return level < 3 ? leavesOf(it.children, level + 1) : [];
  });
}
