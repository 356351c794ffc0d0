import { findEntry } from '#app/engine/module.ts';
import { useMenu } from '#app/session.ts';

/** The bills that others of the workshop belong to, by the field of their number: all definitions name it alike. */
const lists: Record<string, string> = { mtbId: 'rmaMaintainBillList', skbId: 'rmaStockupBillList' };

/** The list of the bill that a field of this module names; nothing for any other field, and for the bill's own. */
export function billListOf(field: string, module: string): string | undefined {
  const list = lists[field];
  return list === `${module}List` ? undefined : list;
}

/** Where a bill's detail is, by its number; nothing for those whose menu does not have its list. */
export function useBillAddress(menuNo: string, id: string): string | undefined {
  const menu = useMenu();
  const isOpen = menu !== null && findEntry(menuNo, menu) !== undefined;
  return isOpen ? `/${menuNo}/detail/${encodeURIComponent(id)}` : undefined;
}
