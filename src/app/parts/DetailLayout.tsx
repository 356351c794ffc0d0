import type { ReactNode } from 'react';
import Box from '@mui/material/Box';
import { Reading } from '#app/parts/Reading.tsx';

interface Props {
  /** What it is called, how it stands, what can be done. */
  head: ReactNode;
  children?: ReactNode;
  /** What belongs to it, beside it where there is room. */
  aside?: ReactNode;
  /** What is decided or done at the end; stays in sight. */
  footer?: ReactNode;
  /** The record is not yet read: its shape stands in place of what it holds. */
  isReading?: boolean;
}

/** The page of one record: its head over the whole width, then what it holds. */
export function DetailLayout({ head, children, aside, footer, isReading = false }: Props) {
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', minHeight: '100%' }}>
      <Box
        sx={{
          flex: 1,
          p: 4,
          pt: 3,
          display: 'grid',
          gap: 4,
          alignContent: 'start',
          alignItems: 'start',
          gridTemplateColumns: aside
            ? { xs: 'minmax(0, 1fr)', md: 'minmax(0, 2fr) minmax(280px, 1fr)' }
            : 'minmax(0, 1fr)',
        }}
      >
        <Box sx={{ gridColumn: '1 / -1', minWidth: 0 }}>{head}</Box>
        <Box sx={columnSx}>{isReading ? <Reading /> : children}</Box>
        {aside && (
          <Box component="aside" sx={columnSx}>
            {aside}
          </Box>
        )}
      </Box>
      {footer}
    </Box>
  );
}

const columnSx = { display: 'flex', flexDirection: 'column', gap: 4, minWidth: 0 } as const;

/** Where a record is decided upon: at the lower edge, whatever is scrolled. */
export function DetailFooter({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Box component="footer" aria-label={label} sx={footerSx}>
      {children}
    </Box>
  );
}

const footerSx = {
  position: 'sticky',
  bottom: 0,
  zIndex: 3,
  px: 4,
  py: 2,
  borderTop: 1,
  borderColor: 'divider',
  bgcolor: 'background.paper',
} as const;

/** A part of such a page with its name, where its contents have a frame of their own. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Box component="section" aria-label={title}>
      <Box component="h2" sx={{ m: 0, mb: 2, fontSize: 15, lineHeight: '22px', fontWeight: 600 }}>
        {title}
      </Box>
      {children}
    </Box>
  );
}
