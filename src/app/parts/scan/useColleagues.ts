import { useLayoutEffect, useMemo, useRef } from 'react';
import { announceScans, type ColleagueNews, isShared, watchScans } from '#domain/colleagues.ts';
import { readEvents } from '#app/eventStream.ts';
import { readWithPublishes } from '#app/publishNews.ts';
import { send } from '#app/send.ts';
import { type Colleagues, createColleagues } from '#app/parts/scan/colleagues.ts';
import type { StationScope } from '#app/parts/scan/scanDatabase.ts';
import { isInSight, useFollowedStream } from '#app/useFollowedStream.ts';

/** Not all stations come back at once where a server was away. */
const SPREAD_MS = 1_000;

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
            ? readWithPublishes((tell) => {
                const onEvent = (news: ColleagueNews) => {
                  tell(news.last);
                  onNews(news);
                };
                return readEvents(watchScans(station), { bill }, onEvent, signal);
              })
            : Promise.resolve(),
        submitted: () => latest.current?.(),
        isReachable: () => navigator.onLine,
        isWatched: isInSight,
        spread: () => Math.random() * SPREAD_MS,
      }),
    [station, bill],
  );
  useFollowedStream(colleagues, isShared(station) && !isAlone);
  return colleagues;
}
