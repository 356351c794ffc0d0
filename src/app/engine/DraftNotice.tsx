import { useTranslate } from 'ra-core';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { momentOf, shortMomentOf } from '#app/fields/format.ts';

interface Props {
  at: number;
  /** The record has been changed since: a save will compare both. */
  isOlder: boolean;
  onDiscard: () => void;
  onClose: () => void;
}

/** Says that the form holds what was typed before a reload or a sign-out, and offers to throw it away. */
export function DraftNotice({ at, isOlder, onDiscard, onClose }: Props) {
  const translate = useTranslate();
  return (
    <Alert
      severity="info"
      variant="outlined"
      role="status"
      sx={{ mb: 3, py: 0, alignItems: 'center' }}
      onClose={onClose}
      slotProps={{ closeButton: { 'aria-label': translate('shell.notice.close') } }}
    >
      {translate(isOlder ? 'shell.form.draft.older' : 'shell.form.draft.restored', { time: timeOf(at) })}
      <Button variant="text" size="small" onClick={onDiscard} sx={{ ml: 1 }}>
        {translate('shell.form.draft.discard')}
      </Button>
    </Alert>
  );
}

/** `14:02` today, before it the day as well. */
function timeOf(at: number): string {
  const dayOf = (it: number) => momentOf(it).split(' ')[0];
  const text = shortMomentOf(at);
  return dayOf(at) === dayOf(Date.now()) ? text.slice(-'14:02'.length) : text;
}
