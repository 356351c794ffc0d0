import { Activity, type ReactNode, useEffect, useState } from 'react';
import { type Query, type QueryClient, QueryObserver, useQueryClient } from '@tanstack/react-query';

interface Props {
  isShown: boolean;
  children: ReactNode;
}

/**
 * What is in it rests while it is not shown, and what it had read stays as long: nobody looks at it then, and after a
 * while the cache would let go of it, and what is mounted by it would be gone with all that was typed. Rule: screens#shell.
 */
export function Resting({ isShown, children }: Props) {
  const client = useQueryClient();
  const [reads] = useState(() => createReads(client));
  // After what is in it went to rest, and after it looks at its reads itself again.
  useEffect(() => (isShown ? undefined : reads.hold()), [isShown, reads]);
  return (
    <Activity mode={isShown ? 'visible' : 'hidden'}>
      <AtRest then={reads.gather} />
      {children}
      <AtRest then={reads.gathered} />
    </Activity>
  );
}

/** Calls it when what it stands in goes to rest: in the order in which it stands there. */
function AtRest({ then }: { then: () => void }) {
  useEffect(() => then, [then]);
  return null;
}

interface Reads {
  gather: () => void;
  gathered: () => void;
  /** Looks at what was gathered, without asking for it; returns how to stop. */
  hold: () => () => void;
}

function createReads(client: QueryClient): Reads {
  const left = new Set<Query>();
  let stop = (): void => undefined;
  return {
    gather: () => {
      left.clear();
      stop = client.getQueryCache().subscribe((it) => void (it.type === 'observerRemoved' && left.add(it.query)));
    },
    gathered: () => stop(),
    hold: () => {
      const held = [...left].map((it) =>
        new QueryObserver(client, { ...it.options, queryKey: it.queryKey, enabled: false }).subscribe(() => undefined),
      );
      return () => held.forEach((release) => release());
    },
  };
}
