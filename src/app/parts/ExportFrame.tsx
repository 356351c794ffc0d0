import { useId, type FormEvent, type ReactNode } from 'react';
import { useTranslate } from 'ra-core';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { DownloadHint } from '#app/parts/DownloadHint.tsx';

interface ExportFrameProps {
  title: string;
  about?: string;
  /** What is wrong with what was entered; the room for it is kept. */
  problem: string;
  action: string;
  busy: boolean;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}

/**
 * The frame of every export dialog: its inputs, the hint where long exports end up, and one action.
 * Rule: reports#dialogs.
 */
export function ExportFrame({ title, about, problem, action, busy, onSubmit, onClose, children }: ExportFrameProps) {
  const translate = useTranslate();
  const id = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!busy) onSubmit();
  };
  return (
    <Dialog
      open
      onClose={busy ? undefined : onClose}
      maxWidth={false}
      slotProps={{ paper: { sx: { width: 800, maxWidth: 'calc(100% - 32px)' } } }}
      aria-labelledby={id}
    >
      <form noValidate onSubmit={submit}>
        <DialogTitle id={id}>{title}</DialogTitle>
        <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 3 }}>
          {about && <Box sx={{ fontSize: 13, color: 'text.secondary' }}>{about}</Box>}
          {children}
          <Box role="alert" sx={{ minHeight: 40 }}>
            {problem && (
              <Alert severity="error" role="presentation" sx={{ py: 0 }}>
                {problem}
              </Alert>
            )}
          </Box>
          <DownloadHint />
        </DialogContent>
        <DialogActions>
          <Button variant="outlined" color="inherit" onClick={onClose} disabled={busy}>
            {translate('reports.cancel')}
          </Button>
          <Button type="submit" variant="contained" disabled={busy} sx={{ minWidth: 112 }}>
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
