import type { ReactNode } from 'react';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useTranslate } from 'ra-core';
import { EmptyState } from '#app/parts/EmptyState.tsx';

interface Props {
  /** What could not be read. */
  text: string;
  reason: string;
  onAgain: () => void;
  children?: ReactNode;
}

/** In place of what could not be read: why, and another try. */
export function ReadFailure({ text, reason, onAgain, children }: Props) {
  const translate = useTranslate();
  return (
    <EmptyState isAlert text={text} more={reason}>
      <Box sx={{ display: 'flex', gap: 2 }}>
        <Button variant="outlined" onClick={onAgain}>
          {translate('shell.list.again')}
        </Button>
        {children}
      </Box>
    </EmptyState>
  );
}
