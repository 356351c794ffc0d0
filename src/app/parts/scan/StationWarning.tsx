import Box from '@mui/material/Box';
import { PassingWarning } from '#app/parts/scan/PassingWarning.tsx';
import { codeSx } from '#app/theme.ts';
import { isLiving, type Scan } from '#app/parts/scan/scanQueue.ts';
import { withoutSn } from '#app/parts/scan/words.ts';

/** The newest warning of a lookup; its row keeps it as well. */
export function StationWarning({ scans }: { scans: readonly Scan[] }) {
  const warned = scans.findLast((it) => it.warning && isLiving(it));
  if (!warned) return null;
  return (
    <PassingWarning id={warned.key}>
      <Box component="span" sx={{ ...codeSx, fontWeight: 600, mr: 2 }}>
        {warned.sn}
      </Box>
      {withoutSn(warned.warning ?? '', warned.sn)}
    </PassingWarning>
  );
}
