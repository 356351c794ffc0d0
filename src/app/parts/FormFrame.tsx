import { type ReactNode, useEffect, useRef } from 'react';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { hasOpenDialog } from '#app/parts/scan/editable.ts';
import { StationTitle } from '#app/parts/scan/StationTitle.tsx';
import { WorkFooter, WorkFrame } from '#app/parts/WorkFrame.tsx';
import type { Primary } from '#app/parts/scan/BottomBar.tsx';

interface Props {
  menuNo: string;
  title: string;
  primary: Primary;
  /** Why the last submit was refused. */
  problem: string;
  aside?: ReactNode;
  /** Above everything: which tab, which bill. */
  before?: ReactNode;
  /** Other deeds of this page, quieter. */
  more?: ReactNode;
  wide?: boolean;
  children: ReactNode;
}

/** The frame of a page with a form and one deed: fields on the left, facts on the right, Ctrl+Enter submits. */
export function FormFrame({ menuNo, title, primary, problem, aside, before, more, wide = false, children }: Props) {
  useSubmitKeys(primary);
  const alert = useRef<HTMLElement>(null);
  // Who submits at the end of a long page sees why it was refused.
  useEffect(() => {
    if (problem !== '') alert.current?.scrollIntoView({ block: 'center' });
  }, [problem]);
  return (
    <WorkFrame
      title={<StationTitle menuNo={menuNo} title={title} />}
      aside={aside}
      footer={
        <WorkFooter>
          <Box sx={{ flex: 1 }} />
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
        </WorkFooter>
      }
    >
      <Box sx={{ display: 'flex', flexDirection: 'column', gap: 3, minWidth: 0, maxWidth: wide ? undefined : 640 }}>
        {before}
        <Box ref={alert} role="alert" sx={{ '&:empty': { mb: -3 } }}>
          {problem && (
            <Alert severity="error" sx={{ py: 0 }}>
              {problem}
            </Alert>
          )}
        </Box>
        {children}
      </Box>
    </WorkFrame>
  );
}

/** Ctrl+Enter from wherever the focus is, and Enter in a field that says `data-enter="submit"`. */
function useSubmitKeys(primary: Primary): void {
  const latest = useRef(primary);
  useEffect(() => {
    latest.current = primary;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || event.defaultPrevented || hasOpenDialog()) return;
      event.preventDefault();
      event.stopPropagation();
      if (!latest.current.disabled) latest.current.press();
    };
    // Before the field that has the focus, as a choice would open.
    const onChord = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey) press(event);
    };
    const onField = (event: KeyboardEvent) => {
      if (event.target instanceof HTMLElement && event.target.dataset.enter === 'submit') press(event);
    };
    window.addEventListener('keydown', onChord, true);
    window.addEventListener('keydown', onField);
    return () => {
      window.removeEventListener('keydown', onChord, true);
      window.removeEventListener('keydown', onField);
    };
  }, []);
}
