import { isOpenTo } from '#app/shell/Guard.tsx';
import { useUser } from '#app/session.ts';

const RIGHT = 'rmaInventory:viewHistory';

/** Where the page of an SN is: wherever an SN is shown, scanned or typed, it leads there. */
export const addressOfSn = (sn: string): string => `/rmaInventoryList/viewHistory/${encodeURIComponent(sn)}`;

/** Whether this user may open it. */
export const useSeesSns = (): boolean => isOpenTo([RIGHT], useUser()?.access ?? []);
