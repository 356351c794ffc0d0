import type { ReactNode } from 'react';
import { useTranslate } from 'ra-core';
import Alert from '@mui/material/Alert';
import { useReasonOf } from '#app/notify.ts';
import { DetailLayout } from '#app/parts/DetailLayout.tsx';
import { ReadFailure } from '#app/parts/ReadFailure.tsx';

interface Props {
  head: ReactNode;
  isReading: boolean;
  /** Why it could not be read. */
  reason: unknown;
  /** Why there is nothing to enter. */
  told: string | undefined;
  onAgain: () => void;
}

/** A page of corrections without its lines: they are being read, could not be, or nothing is corrected here. */
export function NotHere({ head, isReading, reason, told, onAgain }: Props) {
  const translate = useTranslate();
  const reasonOf = useReasonOf();
  return (
    <DetailLayout head={head} isReading={isReading}>
      {reason ? (
        <ReadFailure
          text={translate('shell.notice.failed', { action: translate('shell.detail.failed') })}
          reason={typeof reason === 'string' ? reason : reasonOf(reason)}
          onAgain={onAgain}
        />
      ) : (
        told && <Alert severity="info">{told}</Alert>
      )}
    </DetailLayout>
  );
}
