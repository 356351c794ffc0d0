import { type ReactNode, useEffect, useState } from 'react';
import Alert from '@mui/material/Alert';

/** What an SN lookup warns of is shown for 30 seconds. Rule: scanning#warnings. */
const WARNING_LASTS = 30_000;

/** A warning beside the work and not over it, until its time is over or somebody closes it; another `id` is another one. */
export function PassingWarning({ id, children }: { id: string; children: ReactNode }) {
  const [gone, setGone] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setGone(id), WARNING_LASTS);
    return () => clearTimeout(timer);
  }, [id]);
  if (gone === id) return null;
  return (
    <Alert severity="warning" onClose={() => setGone(id)}>
      {children}
    </Alert>
  );
}
