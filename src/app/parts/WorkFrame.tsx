import type { FormEventHandler, ReactNode, Ref } from 'react';
import Box from '@mui/material/Box';

interface Props {
  title: ReactNode;
  /** The work itself, one element. */
  children: ReactNode;
  /** The right third; without it the work has the whole width. */
  aside?: ReactNode;
  footer: ReactNode;
  /** Over both columns, as wide as the window. */
  lead?: ReactNode;
  ref?: Ref<HTMLDivElement>;
  onInput?: FormEventHandler;
}

/** The frame of a page on which something is done: its title, the work, the facts beside it, what to press below. */
export function WorkFrame({ title, children, aside, footer, lead, ref, onInput }: Props) {
  return (
    <Box ref={ref} onInput={onInput} sx={{ display: 'flex', flexDirection: 'column', minHeight: '100%' }}>
      {title}
      <Box
        sx={{
          flex: 1,
          p: 4,
          pt: 2,
          display: 'grid',
          gap: 4,
          alignContent: 'start',
          gridTemplateColumns: aside ? { xs: 'minmax(0, 1fr)', md: 'minmax(0, 2fr) minmax(0, 1fr)' } : 'minmax(0, 1fr)',
        }}
      >
        {lead && <Box sx={{ gridColumn: '1 / -1', minWidth: 0 }}>{lead}</Box>}
        {children}
        {aside && (
          <Box component="aside" sx={{ display: 'flex', flexDirection: 'column', gap: 3, minWidth: 0 }}>
            {aside}
          </Box>
        )}
      </Box>
      {footer}
    </Box>
  );
}

/** Stays in sight at the lower edge, however long the work above it is. */
export const WorkFooter = ({ children }: { children: ReactNode }) => (
  <Box
    component="footer"
    sx={{
      position: 'sticky',
      bottom: 0,
      zIndex: 2,
      display: 'flex',
      flexWrap: 'wrap',
      alignItems: 'center',
      gap: 2,
      py: 2,
      px: 4,
      mt: 'auto',
      minHeight: 56,
      borderTop: 1,
      borderColor: 'divider',
      bgcolor: 'background.paper',
    }}
  >
    {children}
  </Box>
);
