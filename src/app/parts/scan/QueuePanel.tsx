import Box from '@mui/material/Box';
import { useTranslate } from 'ra-core';
import { Panel } from '#app/parts/Facts.tsx';
import { isWaiting, type Scan } from '#app/parts/scan/scanQueue.ts';
import { codeSx, tabularSx } from '#app/theme.ts';

/** More are told by their number alone. */
const SHOWN = 3;

/** What was scanned and has no verdict yet, in a place of its own that is as high when nothing waits. */
export function QueuePanel({ scans }: { scans: readonly Scan[] }) {
  const translate = useTranslate();
  const waiting = scans.filter(isWaiting);
  return (
    <Panel title={translate('stations.queue')}>
      <Box sx={{ display: 'flex', gap: 4, height: 64, overflow: 'hidden' }}>
        <Box
          sx={{
            ...tabularSx,
            fontSize: 48,
            lineHeight: '60px',
            fontWeight: 600,
            color: waiting.length > 0 ? 'info.main' : 'text.secondary',
          }}
        >
          {waiting.length}
        </Box>
        <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', alignSelf: 'center', minWidth: 0 }}>
          {waiting.slice(0, SHOWN).map((it) => (
            <Box component="li" key={it.key} sx={{ ...codeSx, lineHeight: '20px' }}>
              {it.sn}
            </Box>
          ))}
        </Box>
      </Box>
    </Panel>
  );
}
