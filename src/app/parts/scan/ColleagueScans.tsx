import Box from '@mui/material/Box';
import { useTranslate } from 'ra-core';
import type { Colleague } from '#domain/colleagues.ts';
import { listed } from '#app/fields/format.ts';
import { codeSx } from '#app/theme.ts';

/** Enough to see what they are at. */
const SHOWN = 5;

/** A quiet line for each person who has scans on a list here that are not submitted yet; the newest are named. */
export function ColleagueScans({ colleagues }: { colleagues: readonly Colleague[] }) {
  const translate = useTranslate();
  if (colleagues.length === 0) return null;
  return (
    <Box sx={{ color: 'text.secondary', fontSize: 13, display: 'flex', flexDirection: 'column', gap: 1 }}>
      {colleagues.map(({ userId, userName, snList }) => (
        <Box key={userId} data-colleague={userId} sx={{ overflowWrap: 'anywhere' }}>
          {translate('stations.colleagueScanned', { name: userName, smart_count: snList.length })}{' '}
          <Box component="span" sx={codeSx}>
            {listed(snList.slice(-SHOWN).toReversed())}
            {snList.length > SHOWN && ' …'}
          </Box>
        </Box>
      ))}
    </Box>
  );
}
