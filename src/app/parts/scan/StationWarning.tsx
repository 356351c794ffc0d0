import { useEffect, useState } from 'react';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { codeSx } from '#app/theme.ts';
import { isLiving, type Scan } from '#app/parts/scan/scanQueue.ts';
import { withoutSn } from '#app/parts/scan/words.ts';

/** Spec 2 §8: what an SN lookup warns of is shown for 30 seconds. */
export const WARNING_LASTS = 30_000;

/** The newest warning of a lookup, beside the list and not over it; its row keeps it as well. */
export function StationWarning({ scans }: { scans: readonly Scan[] }) {
  const warned = scans.findLast((it) => it.warning && isLiving(it));
  const [gone, setGone] = useState('');
  const key = warned?.key ?? '';
  useEffect(() => {
    if (key === '') return undefined;
    const timer = setTimeout(() => setGone(key), WARNING_LASTS);
    return () => clearTimeout(timer);
  }, [key]);
  if (!warned || gone === key) return null;
  return (
    <Alert severity="warning" onClose={() => setGone(key)}>
      <Box component="span" sx={{ ...codeSx, fontWeight: 600, mr: 2 }}>
        {warned.sn}
      </Box>
      {withoutSn(warned.warning ?? '', warned.sn)}
    </Alert>
  );
}
