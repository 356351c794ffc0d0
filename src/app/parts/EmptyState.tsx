import type { ReactNode } from 'react';
import Box from '@mui/material/Box';

interface Props {
  text: string;
  /** Why, and what to do next. */
  more?: string | undefined;
  /** It is a failure, and said at once to who cannot see it. */
  isAlert?: boolean;
  /** Among other things of a page, rather than in its place. */
  isSmall?: boolean;
  children?: ReactNode;
}

/** In place of what is not there: nothing yet, nothing that matches, or what could not be read. */
export function EmptyState({ text, more, isAlert = false, isSmall = false, children }: Props) {
  return (
    <Box
      role={isAlert ? 'alert' : 'status'}
      sx={{
        position: 'sticky',
        left: 0,
        py: isSmall ? 6 : 12,
        px: 4,
        display: 'flex',
        flexDirection: 'column',
        alignItems: 'center',
        textAlign: 'center',
        gap: 2,
        color: 'text.secondary',
      }}
    >
      <Box sx={isSmall ? {} : { color: 'text.primary', fontWeight: 600 }}>{text}</Box>
      {more && <Box sx={{ fontSize: 13 }}>{more}</Box>}
      {children}
    </Box>
  );
}
