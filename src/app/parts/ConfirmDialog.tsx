import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogContentText from '@mui/material/DialogContentText';
import DialogTitle from '@mui/material/DialogTitle';
import { useTranslate } from 'ra-core';

interface Props {
  open: boolean;
  title: string;
  text: string;
  /** The verb of the action. */
  confirm: string;
  onClose: () => void;
  onConfirm: () => void;
}

/** Asks before something that can't be taken back. */
export function ConfirmDialog({ open, title, text, confirm, onClose, onConfirm }: Props) {
  const translate = useTranslate();
  return (
    <Dialog open={open} onClose={onClose} maxWidth="xs" disableRestoreFocus>
      <DialogTitle>{title}</DialogTitle>
      <DialogContent>
        <DialogContentText>{text}</DialogContentText>
      </DialogContent>
      <DialogActions>
        <Button variant="outlined" color="inherit" onClick={onClose}>
          {translate('stations.cancel')}
        </Button>
        <Button variant="contained" color="warning" onClick={onConfirm}>
          {confirm}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
