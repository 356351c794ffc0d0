import { useId, type ReactNode } from 'react';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useTranslate } from 'ra-core';
import { FailedReads } from '#app/parts/FailedReads.tsx';

/** How wide a modal is: normally, for one question, with charts, with wafers. Rule: screens#dialogs. */
export const modalWidths = { normal: 800, question: 444, charts: 1200, wafers: 1000 } as const;

interface ModalProps {
  title: string;
  width?: keyof typeof modalWidths;
  /** What it shows is still asked for where it is not open. */
  open?: boolean;
  /** Left out while it may not be left. */
  onClose?: (() => void) | undefined;
  children: ReactNode;
}

/** What stands over a page: its title above, and what it holds. */
export function Modal({ title, width = 'normal', open = true, onClose, children }: ModalProps) {
  const id = useId();
  return (
    <Dialog
      open={open}
      onClose={onClose}
      maxWidth={false}
      aria-labelledby={id}
      slotProps={{ paper: { sx: { maxWidth: modalWidths[width] } } }}
    >
      <DialogTitle id={id}>{title}</DialogTitle>
      <FailedReads />
      {children}
    </Dialog>
  );
}

interface ReadModalProps extends ModalProps {
  onClose: () => void;
  /** Why what it is about could not be read. */
  problem?: string;
}

/** Something to read, and one way out of it. */
export function ReadModal({ problem, children, ...modal }: ReadModalProps) {
  const translate = useTranslate();
  return (
    <Modal {...modal}>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 3 }}>
        {problem && (
          <Alert severity="error" role="alert">
            {problem}
          </Alert>
        )}
        {children}
      </DialogContent>
      <DialogActions>
        <Button variant="outlined" color="inherit" onClick={modal.onClose}>
          {translate('ra.action.close')}
        </Button>
      </DialogActions>
    </Modal>
  );
}
