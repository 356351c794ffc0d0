import { memo } from 'react';
import Box from '@mui/material/Box';
import { useTranslate } from 'ra-core';
import { codeSx, tabularSx } from '#app/theme.ts';

export interface Progress {
  id: string;
  code: string;
  name: string;
  done: number;
  expected: number;
}

/** More than anybody reads beside a scanner; of a longer bill what is still open comes first. */
const SHOWN = 50;

/** What is there and what is missing, line by line. */
export function LineProgress({ lines }: { lines: readonly Progress[] }) {
  const translate = useTranslate();
  const shown = lines.length > SHOWN ? openFirst(lines).slice(0, SHOWN) : lines;
  return (
    <Box sx={{ mt: 3, maxHeight: 500, overflow: 'auto' }}>
      {shown.map(({ id, ...it }) => (
        <Line key={id} {...it} />
      ))}
      {lines.length > SHOWN && (
        <Box sx={{ py: 2, borderTop: 1, borderColor: 'divider', typography: 'caption', color: 'text.secondary' }}>
          {translate('stations.openFirst', { shown: SHOWN, total: lines.length })}
        </Box>
      )}
    </Box>
  );
}

const openFirst = (lines: readonly Progress[]): Progress[] => [
  ...lines.filter((it) => it.done !== it.expected),
  ...lines.filter((it) => it.done === it.expected),
];

// Drawn anew only when its numbers change: each scan changes one line of a bill that may have hundreds.
const Line = memo(function Line({ code, name, done, expected }: Omit<Progress, 'id'>) {
  return (
    <Box sx={{ display: 'flex', gap: 2, py: 1.5, borderTop: 1, borderColor: 'divider' }}>
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Box sx={codeSx}>{code}</Box>
        <Box sx={{ fontSize: 12, color: 'text.secondary' }}>{name}</Box>
      </Box>
      <Box
        sx={{
          ...tabularSx,
          fontSize: 20,
          fontWeight: 600,
          whiteSpace: 'nowrap',
          color: done > expected ? 'warning.main' : done === expected && done > 0 ? 'success.main' : 'text.primary',
        }}
      >
        {done} / {expected}
      </Box>
    </Box>
  );
});
