import { useTranslate } from 'ra-core';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useReasonOf } from '#app/notify.ts';
import { useObservable } from '#app/observable.ts';
import { shownFailures } from '#app/parts/ReadFailure.tsx';
import { useFailedReads } from '#app/parts/useFailedReads.ts';

/**
 * Says that something of what is shown could not be read, and reads it anew: choices, names, counts, whatever has no
 * room of its own to say so. Where a ReadFailure stands in place of it, that one does both. Rule: screens#reads.
 */
export function FailedReads() {
  const translate = useTranslate();
  const reasonOf = useReasonOf();
  const { failed, readAgain } = useFailedReads();
  const isToldElsewhere = useObservable(shownFailures) > 0;
  const [first] = failed;
  if (!first || isToldElsewhere) return null;
  return (
    <Alert
      severity="warning"
      square
      role="status"
      action={
        <Button
          color="inherit"
          size="small"
          loading={failed.some((it) => it.state.fetchStatus === 'fetching')}
          onClick={readAgain}
        >
          {translate('shell.list.again')}
        </Button>
      }
      sx={{ flex: 'none', py: 0, px: 4, alignItems: 'center', overflowWrap: 'anywhere' }}
    >
      {translate('shell.call.partUnread')} {reasonOf(first.state.error)}
    </Alert>
  );
}
