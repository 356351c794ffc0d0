import { useEffect, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useTranslate } from 'ra-core';
import Alert from '@mui/material/Alert';
import { readHealth, stopsWork, type Trouble, troubles } from '#domain/health.ts';
import { followed } from '#app/queryClient.ts';
import { CallError, send } from '#app/send.ts';
import { useUser } from '#app/session.ts';

const EVERY_MS = 60_000;
/** While something is amiss, so that it is seen when it is mended. */
const AGAIN_MS = 10_000;
/** The first look waits until the page stands, and the jobs have been started with the server. */
const FIRST_LOOK_MS = 5_000;

/** Tells an administrator, on every page, what the server misses or soon will. What was closed stays so until something else comes. */
export function HealthBanner() {
  const translate = useTranslate();
  const maySee = useUser()?.access.includes(readHealth.right) === true;
  const found = useTroubles(maySee);
  const [closed, setClosed] = useState('');
  const names = found.map((it) => it.key).join();
  if (names === '' || names === closed) return null;
  return (
    <Alert
      severity={found.some(stopsWork) ? 'error' : 'warning'}
      square
      role="status"
      onClose={() => setClosed(names)}
      closeText={translate('shell.health.close')}
      sx={{ flex: 'none', py: 0, px: 4, alignItems: 'center', overflowWrap: 'anywhere' }}
    >
      {found.map(({ key, args }) => (
        <div key={key}>{translate(`shell.health.${key}`, args)}</div>
      ))}
    </Alert>
  );
}

function useTroubles(maySee: boolean): readonly Trouble[] {
  const [isOn, setOn] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOn(true), FIRST_LOOK_MS);
    return () => clearTimeout(timer);
  }, []);
  const { data, error } = useQuery({
    queryKey: ['health'],
    queryFn: () => send(readHealth, {}, { background: true, quiet: true }),
    enabled: maySee && isOn,
    refetchInterval: ({ state }) => (state.error || state.data?.troubles.length ? AGAIN_MS : EVERY_MS),
    ...followed,
  });
  if (!error) return data?.troubles ?? [];
  // Without its database the server does not know who asks either: what it misses is all there is to tell.
  return troubles.filter((it) => error instanceof CallError && error.key === it).map((key) => ({ key, args: {} }));
}
