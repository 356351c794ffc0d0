import type { KeyboardEvent, ReactNode } from 'react';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
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
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== 'Enter' || event.defaultPrevented) return;
    const target = event.target as HTMLElement;
    if (!event.ctrlKey && !event.metaKey && target.dataset.enter !== 'submit') return;
    event.preventDefault();
    if (!primary.disabled) primary.press();
  };
  return (
    <Box onKeyDown={onKeyDown} sx={{ display: 'flex', flexDirection: 'column', minHeight: '100%' }}>
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
