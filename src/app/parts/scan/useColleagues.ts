import { useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { announceScans, BEAT_MS, isShared, watchScans } from '#domain/colleagues.ts';
import { readEvents } from '#app/eventStream.ts';
import { send } from '#app/send.ts';
import { type Colleagues, createColleagues } from '#app/parts/scan/colleagues.ts';
import type { StationScope } from '#app/parts/scan/scanDatabase.ts';

// Two beats that did not come, and some time on the way.
const SILENCE = 2.5 * BEAT_MS;

/** Who else works at this place, as long as its page is in front; nobody where `isAlone`, such as before a bill is loaded. */
export function useColleagues({ station, bill }: StationScope, isAlone: boolean, submitted?: () => void): Colleagues {
  const latest = useRef(submitted);
  useLayoutEffect(() => void (latest.current = submitted));
  const colleagues = useMemo(
    () =>
      createColleagues({
        announce: (snList, hasSubmitted) =>
          isShared(station)
            ? send(
                announceScans(station),
                { bill, snList: [...snList], ...(hasSubmitted && { submitted: true }) },
                { background: true, quiet: true },
              )
            : Promise.resolve(),
        watch: (onNews, signal) =>
          isShared(station)
            ? readEvents(watchScans(station), { bill }, onNews, { signal, silence: SILENCE })
            : Promise.resolve(),
        submitted: () => latest.current?.(),
        isReachable: () => navigator.onLine,
        // A browser has few connections to one address: windows that nobody sees leave them to those in front.
        isWatched: () => document.visibilityState !== 'hidden',
      }),
    [station, bill],
  );
  const isOn = isShared(station) && !isAlone;
  useEffect(() => {
    if (!isOn) return undefined;
    const { start, wake, stop } = colleagues;
    start();
    window.addEventListener('online', wake);
    window.addEventListener('offline', wake);
    document.addEventListener('visibilitychange', wake);
    return () => {
      window.removeEventListener('online', wake);
      window.removeEventListener('offline', wake);
      document.removeEventListener('visibilitychange', wake);
      stop();
    };
  }, [colleagues, isOn]);
  return colleagues;
}
