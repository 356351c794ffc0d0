import { type ReactNode, useEffect, useRef } from 'react';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { hasOpenDialog } from '#app/parts/scan/editable.ts';
import { StationTitle } from '#app/parts/scan/StationTitle.tsx';
import type { Primary } from '#app/parts/scan/BottomBar.tsx';

interface Props {
  menuNo: string;
  title: string;
  primary: Primary;
  /** Why the last submit was refused; the room for it is kept. */
  problem: string;
  aside?: ReactNode;
  more?: ReactNode;
  wide?: boolean;
  children: ReactNode;
}

/** The frame of a page with a form and one deed: fields on the left, facts on the right, Ctrl+Enter submits. */
export function FormFrame({ menuNo, title, primary, problem, aside, more, wide = false, children }: Props) {
  useSubmitKeys(primary);
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', minHeight: '100%' }}>
      <StationTitle menuNo={menuNo} title={title} />
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
        <Box sx={{ display: 'flex', flexDirection: 'column', gap: 2, minWidth: 0, maxWidth: wide ? undefined : 640 }}>
          <Box role="alert" sx={{ minHeight: 44 }}>
            {problem && (
              <Alert severity="error" sx={{ py: 0 }}>
                {problem}
              </Alert>
            )}
          </Box>
          {children}
        </Box>
        {aside && <Box component="aside">{aside}</Box>}
      </Box>
      <Box
        component="footer"
        sx={{
          position: 'sticky',
          bottom: 0,
          zIndex: 2,
          display: 'flex',
          justifyContent: 'flex-end',
          gap: 2,
          mt: 'auto',
          py: 2,
          px: 4,
          borderTop: 1,
          borderColor: 'divider',
          bgcolor: 'background.paper',
        }}
      >
        {more}
        <Button
          variant="contained"
          size="medium"
          title="Ctrl+Enter"
          disabled={primary.disabled}
          onClick={primary.press}
          sx={{ minWidth: 160, width: { xs: 1, sm: 'auto' } }}
        >
          {primary.label}
        </Button>
      </Box>
    </Box>
  );
}

/** Ctrl+Enter from wherever the focus is, and Enter in a field that says `data-enter="submit"`. */
function useSubmitKeys(primary: Primary): void {
  const latest = useRef(primary);
  useEffect(() => {
    latest.current = primary;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || event.defaultPrevented || hasOpenDialog()) return;
      const isField = event.target instanceof HTMLElement && event.target.dataset.enter === 'submit';
      if (!event.ctrlKey && !event.metaKey && !isField) return;
      event.preventDefault();
      if (!latest.current.disabled) latest.current.press();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}
