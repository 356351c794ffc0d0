import { useEffect } from 'react';
import { useQueryClient, type Query } from '@tanstack/react-query';
import { definitionVersion } from '#domain/definitionVersion.ts';
import { send } from '#app/send.ts';
import { loadMenu, loadUser } from '#app/sessionCalls.ts';
import { readAnew } from '#app/queryClient.ts';

const EVERY_MS = 1_200;

/**
 * Follows what is published while the page is open: menu, rights, lists, buttons and open forms are read anew; what is
 * typed or scanned stays as it is. A window that nobody sees asks when it is seen. Rule: definitions#publishing.
 */
export function usePublishes(): void {
  const client = useQueryClient();
  useEffect(() => {
    let known: number | undefined;
    let isAsking = false;
    const ask = async () => {
      if (document.hidden || isAsking) return;
      isAsking = true;
      try {
        const { last } = await send(definitionVersion, {}, { background: true, quiet: true });
        const isNews = known !== undefined && known !== last;
        if (isNews) {
          await Promise.all([loadMenu(), loadUser()]);
          await readAnew(client, { predicate: isFollowing });
        }
        known = last;
      } catch {
        // Without an answer nothing is known to be new, or what is new is not yet read: it is asked again.
      } finally {
        isAsking = false;
      }
    };
    const timer = setInterval(() => void ask(), EVERY_MS);
    const onSeen = () => void ask();
    document.addEventListener('visibilitychange', onSeen);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', onSeen);
    };
  }, [client]);
}

/** The session's own were just read. */
const isFollowing = ({ queryKey: [first] }: Query): boolean => first !== 'session';
