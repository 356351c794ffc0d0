import type { ReactNode } from 'react';
import { useTranslate } from 'ra-core';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';

interface ConfirmProps {
  open: boolean;
  title: string;
  children?: ReactNode;
  /** The verb on the button that does it. */
  action: string;
  danger?: boolean;
  busy?: boolean;
  /** Over a station: the next thing is a scan, not the button that asked. */
  thenScan?: boolean;
  onConfirm: () => void;
  onCancel: () => void;
}

/** Asks before something that cannot be taken back; cancel has the focus. */
export function Confirm({
  open,
  title,
  children,
  action,
  danger,
  busy,
  thenScan = false,
  onConfirm,
  onCancel,
}: ConfirmProps) {
  const translate = useTranslate();
  return (
    <Dialog open={open} onClose={busy ? undefined : onCancel} maxWidth="xs" disableRestoreFocus={thenScan}>
      <DialogTitle>{title}</DialogTitle>
      {children && <DialogContent>{children}</DialogContent>}
      <DialogActions>
        <Button onClick={onCancel} variant="outlined" color="inherit" autoFocus disabled={busy}>
          {translate('ra.action.cancel')}
        </Button>
        <Button onClick={onConfirm} variant="contained" color={danger ? 'error' : 'primary'} loading={busy}>
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
