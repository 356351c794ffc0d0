import Box from '@mui/material/Box';
import { codeSx, tabularSx } from '#app/theme.ts';

export interface Progress {
  id: string;
  code: string;
  name: string;
  done: number;
  expected: number;
}

/** What is there and what is missing, line by line. */
export function LineProgress({ lines }: { lines: readonly Progress[] }) {
  return (
    <Box sx={{ mt: 3, maxHeight: 500, overflow: 'auto' }}>
      {lines.map(({ id, code, name, done, expected }) => (
        <Box key={id} sx={{ display: 'flex', gap: 2, py: 1.5, borderTop: 1, borderColor: 'divider' }}>
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
              color: done === expected ? 'success.main' : done > expected ? 'warning.main' : 'text.primary',
            }}
          >
            {done} / {expected}
          </Box>
        </Box>
      ))}
    </Box>
  );
}
