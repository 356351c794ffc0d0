import { type ReactNode, useEffect } from 'react';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useTranslate } from 'ra-core';
import { createObservable } from '#app/observable.ts';
import { EmptyState } from '#app/parts/EmptyState.tsx';
import { useFailedReads } from '#app/parts/useFailedReads.ts';

interface Props {
  /** What could not be read. */
  text: string;
  reason: string;
  onAgain: () => void;
  children?: ReactNode;
}

/** How many of these are shown: what else could not be read is told by them as well. */
export const shownFailures = createObservable(0);

/** In place of what could not be read: why, and another try, of all that is shown and failed. */
export function ReadFailure({ text, reason, onAgain, children }: Props) {
  const translate = useTranslate();
  const { readAgain } = useFailedReads();
  useEffect(() => {
    shownFailures.set(shownFailures.get() + 1);
    return () => shownFailures.set(shownFailures.get() - 1);
  }, []);
  const tryAgain = () => {
    onAgain();
    readAgain();
  };
  return (
    <EmptyState isAlert text={text} more={reason}>
      <Box sx={{ display: 'flex', gap: 2 }}>
        <Button variant="outlined" onClick={tryAgain}>
          {translate('shell.list.again')}
        </Button>
        {children}
      </Box>
    </EmptyState>
  );
}
