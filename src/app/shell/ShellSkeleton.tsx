import Box from '@mui/material/Box';
import { useDelay } from '#app/shell/useDelay.ts';

/** The frame's own shape while the first answers are on their way; nothing for the first 200 ms. */
export function ShellSkeleton() {
  const isLate = useDelay(200);
  return (
    <Box
      aria-busy="true"
      sx={{
        display: 'flex',
        height: '100dvh',
        visibility: isLate ? 'visible' : 'hidden',
        bgcolor: 'background.default',
      }}
    >
      <Box sx={{ width: 200, borderRight: 1, borderColor: 'divider', bgcolor: 'background.paper' }} />
      <Box sx={{ flex: 1 }}>
        <Box sx={{ height: 48, borderBottom: 1, borderColor: 'divider', bgcolor: 'background.paper' }} />
        <Box sx={{ height: 36, borderBottom: 1, borderColor: 'divider', bgcolor: 'background.paper' }} />
      </Box>
    </Box>
  );
}
