import { useTranslate } from 'ra-core';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { momentOf } from '#app/fields/format.ts';

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

/** `14:02` today, `11-20 14:02` before. */
function timeOf(at: number): string {
  const [day = '', time = ''] = momentOf(at).split(' ');
  const [today] = momentOf(Date.now()).split(' ');
  return day === today ? time.slice(0, 5) : `${day.slice(5)} ${time.slice(0, 5)}`;
}
