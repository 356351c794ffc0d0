import { useEffect, useMemo } from 'react';
import { type Query, useQueryClient } from '@tanstack/react-query';
import { definitionVersion, watchDefinitions } from '#domain/definitionVersion.ts';
import { readEvents } from '#app/eventStream.ts';
import { publishTellers, toldPublish } from '#app/publishNews.ts';
import { readAnew } from '#app/queryClient.ts';
import { send } from '#app/send.ts';
import { currentUser, useUser } from '#app/session.ts';
import { loadMenu, loadUser } from '#app/sessionCalls.ts';
import { createPublishes } from '#app/shell/publishes.ts';
import { isInSight, useFollowedStream } from '#app/useFollowedStream.ts';

/** Windows hear of a publish at the same moment, and read within this time. */
const SPREAD_MS = 1_000;

/**
 * Follows what is published while the page is open: menu, rights, lists, buttons and open forms are read anew; what is
 * typed or scanned stays as it is. A window that nobody sees hears of it when it is seen. Rule: definitions#publishing.
 */
export function usePublishes(): void {
  const client = useQueryClient();
  const publishes = useMemo(
    () =>
      createPublishes({
        watch: (onEvent, signal) => readEvents(watchDefinitions, {}, onEvent, signal),
        ask: async () => (await send(definitionVersion, {}, { background: true, quiet: true })).last,
        drawnBy: () => currentUser.get()?.lastPublish,
        read: async () => {
          await Promise.all([loadMenu(), loadUser()]);
          await readAnew(client, { predicate: isFollowing });
        },
        isReachable: () => navigator.onLine,
        isWatched: () => isInSight() && publishTellers.get() === 0,
        spread: () => Math.random() * SPREAD_MS,
      }),
    [client],
  );
  // Who must change the password first is told nothing else.
  useFollowedStream(publishes, useUser()?.mustChangePassword !== true);
  useEffect(() => {
    const unfollow = [
      publishTellers.subscribe(publishes.wake),
      toldPublish.subscribe(() => publishes.tell(toldPublish.get() as number)),
    ];
    return () => unfollow.forEach((it) => it());
  }, [publishes]);
}

/** The session's own were just read. */
const isFollowing = ({ queryKey: [first] }: Query): boolean => first !== 'session';
