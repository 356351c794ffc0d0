import { useMemo } from 'react';
import { useUser } from '#app/session.ts';
import type { Place } from '#app/parts/scan/scanDatabase.ts';

/** Where this user scans: at a station of this site, on a bill where it works bill by bill. */
export function usePlace(station: string, bill: string): Place {
  const user = useUser();
  const { userId = '', userName = '', siteId = '' } = user ?? {};
  return useMemo(() => ({ userId, userName, siteId, station, bill }), [userId, userName, siteId, station, bill]);
}
