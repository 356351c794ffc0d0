import { useCallback, useContext, useRef, useSyncExternalStore } from 'react';
import { notifyManager, type Query, QueryClientContext } from '@tanstack/react-query';
import { isFailedRead, readFailedAgain } from '#app/queryClient.ts';

interface FailedReads {
  failed: readonly Query[];
  readAgain: () => void;
}

const none: readonly Query[] = [];

/** What of all that is shown now could not be read, and the way to read it anew. */
export function useFailedReads(): FailedReads {
  // A part that asks for nothing itself may stand where nobody asks.
  const client = useContext(QueryClientContext);
  const last = useRef<{ name: string; queries: readonly Query[] }>({ name: '', queries: none });
  const read = useCallback(() => {
    const queries = client?.getQueryCache().getAll().filter(isFailedRead) ?? none;
    const name = queries.map((it) => `${it.queryHash} ${it.state.fetchStatus} ${it.state.errorUpdatedAt}`).join('\n');
    if (name !== last.current.name) last.current = { name, queries };
    return last.current.queries;
  }, [client]);
  const subscribe = useCallback(
    // After the rendering in which somebody asks for something.
    (listener: () => void) =>
      client?.getQueryCache().subscribe(notifyManager.batchCalls(listener)) ?? (() => undefined),
    [client],
  );
  const failed = useSyncExternalStore(subscribe, read);
  return { failed, readAgain: () => void (client && readFailedAgain(client)) };
}
