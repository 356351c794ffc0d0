import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import { useTranslate } from 'ra-core';

/** A record that is not yet read, in the shape of what comes: its facts, then its lines. Rule: screens#first-frame. */
export function Reading() {
  const translate = useTranslate();
  return (
    <Box
      role="status"
      aria-busy="true"
      aria-label={translate('shell.detail.reading')}
      sx={{ display: 'flex', flexDirection: 'column', gap: 4, minWidth: 0 }}
    >
      <Box sx={{ ...frameSx, display: 'flex', flexWrap: 'wrap', gap: '12px 40px' }}>
        {facts.map((it) => (
          <Box key={it} sx={{ flex: '1 1 120px' }}>
            <Skeleton width={64} height={16} />
            <Skeleton width={120} height={20} />
          </Box>
        ))}
      </Box>
      <Box sx={{ ...frameSx, display: 'grid', gap: 3 }}>
        <Skeleton width={160} height={20} />
        {rows.map((it) => (
          <Skeleton key={it} height={20} />
        ))}
      </Box>
    </Box>
  );
}

const facts = [1, 2, 3, 4, 5];
const rows = [1, 2, 3, 4, 5, 6];

const frameSx = { border: 1, borderColor: 'divider', borderRadius: 1, bgcolor: 'background.paper', p: 4 } as const;
