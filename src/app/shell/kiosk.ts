import { Flag } from '#domain/enums.ts';
import { useLocation } from 'react-router-dom';
import { createObservable, useObservable } from '#app/observable.ts';

export const KIOSK = 'kiosk';

/** Only a station can stand alone: it has the way out of it. */
export const hasStation = createObservable(false);

/** Whether the station in front stands alone: no menu, no bars. Rule: scanning#kiosk. */
export function useIsKiosk(): boolean {
  const { search } = useLocation();
  return useObservable(hasStation) && new URLSearchParams(search).get(KIOSK) === Flag.Yes;
}
