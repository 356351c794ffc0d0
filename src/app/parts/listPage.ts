import { ADVANCED } from '#app/engine/filterNames.ts';
import { findEntry } from '#app/engine/module.ts';
import { useMenu } from '#app/session.ts';
import { searchOf } from '#domain/drill.ts';
import type { Drill } from '#domain/wire.ts';

/** Where a list is that shows just these rows. */
const addressOfList = (menuNo: string, filter: Record<string, unknown>): string =>
  `/${menuNo}?${new URLSearchParams({ filter: JSON.stringify(filter) })}`;

/** Where the rows are that a figure counts; nothing for those whose menu does not have their list. Rule: reports#drill. */
export function useDrillAddress(): (drill: Drill | undefined) => string | undefined {
  const menu = useMenu();
  return (drill) => {
    const menuNo = `${drill?.module}List`;
    const isOpen = drill && menu !== null && findEntry(menuNo, menu) !== undefined;
    return isOpen ? addressOfList(menuNo, { [ADVANCED]: JSON.stringify(searchOf(drill)) }) : undefined;
  };
}
