import { ADVANCED } from '#app/engine/filterNames.ts';
import { findEntry } from '#app/engine/module.ts';
import type { SearchGroup } from '#app/engine/wire.ts';
import { useMenu } from '#app/session.ts';

/** Where a list is that shows just these rows. */
export const addressOfList = (menuNo: string, filter: Record<string, unknown>): string =>
  `/${menuNo}?${new URLSearchParams({ filter: JSON.stringify(filter) })}`;

/** Where a module's list is that shows what a nested search finds; nothing for those whose menu does not have it. */
export function useSearchAddress(): (module: string, search: SearchGroup) => string | undefined {
  const menu = useMenu();
  return (module, search) => {
    const menuNo = `${module}List`;
    const isOpen = menu !== null && findEntry(menuNo, menu) !== undefined;
    return isOpen ? addressOfList(menuNo, { [ADVANCED]: JSON.stringify(search) }) : undefined;
  };
}
