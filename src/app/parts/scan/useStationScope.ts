import { useMemo } from 'react';
import { useUser } from '#app/session.ts';
import type { StationScope } from '#app/parts/scan/scanDatabase.ts';

/** Where this user scans: at a station of this site, on a bill where it works bill by bill. */
export function useStationScope(station: string, bill: string): StationScope {
  const user = useUser();
  const { userId = '', userName = '', siteId = '' } = user ?? {};
  return useMemo(() => ({ userId, userName, siteId, station, bill }), [userId, userName, siteId, station, bill]);
}
