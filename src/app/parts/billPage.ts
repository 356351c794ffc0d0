import { findEntry, leavesOf } from '#app/engine/module.ts';
import { useMenu, type MenuEntry } from '#app/session.ts';

/** A bill's number: what kind it is, its day and its count on that day. */
const NUMBER = /^([A-Z]{3})\d{13,}$/;

export const isBillNumber = (text: string): boolean => NUMBER.test(text);

/** Where a bill's detail is, by its number; nothing for those whose menu does not have its list. */
export function useBillAddress(menuNo: string, id: string): string | undefined {
  const menu = useMenu();
  const isOpen = menu !== null && findEntry(menuNo, menu) !== undefined;
  return isOpen ? addressOfBill(menuNo, id) : undefined;
}

/** The same of a number that says by its own letters which bill it is. */
export function useNumberAddress(no: string): string | undefined {
  const menu = useMenu();
  const prefix = NUMBER.exec(no)?.[1];
  const menuNo = menu && prefix ? listsByPrefix(menu).get(prefix) : undefined;
  return menuNo && addressOfBill(menuNo, no);
}

export const addressOfBill = (menuNo: string, id: string): string => `/${menuNo}/detail/${encodeURIComponent(id)}`;

const known = new WeakMap<readonly MenuEntry[], ReadonlyMap<string, string>>();
function listsByPrefix(menu: readonly MenuEntry[]): ReadonlyMap<string, string> {
  const lists =
    known.get(menu) ?? new Map(leavesOf(menu).flatMap((it) => (it.prefix ? [[it.prefix, it.menuNo] as const] : [])));
  known.set(menu, lists);
  return lists;
}
