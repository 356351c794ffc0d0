import type { ReactNode } from 'react';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';

/** Over the fields of a page's footer: that what was decided about has changed since, or else why it was refused. */
export function RefusedNotice({ notice, problem }: { notice: ReactNode; problem: string }) {
  if (!notice && !problem) return null;
  return (
    <Box sx={{ mb: 2 }}>
      {notice ?? (
        <Alert severity="error" role="alert">
          {problem}
        </Alert>
      )}
    </Box>
  );
}
