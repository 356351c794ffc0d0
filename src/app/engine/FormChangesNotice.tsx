import { useTranslate } from 'ra-core';
import Alert from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';
import Box from '@mui/material/Box';
import type { FormChanges } from '#app/engine/formChanges.ts';
import { listed } from '#app/fields/format.ts';

const KINDS = ['lost', 'added', 'required', 'removed'] as const;

/** Says what somebody published of a form while it was open. */
export function FormChangesNotice({ changes, onClose }: { changes: FormChanges | null; onClose: () => void }) {
  const translate = useTranslate();
  if (!changes) return null;
  return (
    <Alert
      severity={changes.lost.length > 0 ? 'warning' : 'info'}
      variant="outlined"
      role="status"
      sx={{ mb: 3 }}
      onClose={onClose}
      slotProps={{ closeButton: { 'aria-label': translate('shell.notice.close') } }}
    >
      <AlertTitle>{translate('shell.form.changed.title')}</AlertTitle>
      {KINDS.filter((it) => changes[it].length > 0).map((it) => (
        <Box key={it}>{translate(`shell.form.changed.${it}`, { fields: listed(changes[it]) })}</Box>
      ))}
    </Alert>
  );
}
