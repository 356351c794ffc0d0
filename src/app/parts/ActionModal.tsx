import { useEffect, useRef, type ReactNode } from 'react';
import { useTranslate } from 'ra-core';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import { Modal, type modalWidths } from '#app/parts/Modal.tsx';

interface Props {
  title: string;
  /** The verb on the button that does it. */
  action: string;
  /** What it means to leave it, where that is more than nothing done; null where the verb itself leaves. */
  leave?: string | null;
  children: ReactNode;
  width?: keyof typeof modalWidths;
  danger?: boolean;
  sending?: boolean;
  /** What is on its way can be stopped: leaving it does so then. */
  onStop?: () => void;
  disabled?: boolean;
  /** Why it was refused, said where it happened. */
  problem?: string;
  /** Another action, quieter than the verb. */
  more?: ReactNode;
  onSubmit: () => void;
  onClose: () => void;
}

/** A few fields and a verb, over a list. Enter in a field submits, Esc closes while nothing is on its way, and stops what can be stopped. */
export function ActionModal({ title, width = 'normal', ...form }: Props) {
  return (
    <Modal title={title} width={width} onClose={form.sending ? form.onStop : form.onClose}>
      <ActionForm {...form} />
    </Modal>
  );
}

/** The same within a modal that also shows something else. */
export function ActionForm({
  action,
  leave,
  children,
  danger,
  sending,
  onStop,
  disabled,
  problem,
  more,
  onSubmit,
  onClose,
}: Omit<Props, 'title' | 'width'>) {
  const translate = useTranslate();
  const content = useRef<HTMLDivElement>(null);
  const isStoppable = sending === true && onStop !== undefined;
  // A button that is off hears no keys: Esc is heard from here. What is asked next is not said by an Enter that is held down.
  useEffect(() => {
    if (isStoppable) content.current?.focus();
  }, [isStoppable]);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!sending && !disabled) onSubmit();
      }}
    >
      <DialogContent ref={content} tabIndex={-1} sx={{ outline: 'none' }}>
        <Box sx={{ display: 'flex', flexDirection: 'column', gap: 4, pt: 1 }}>
          {problem && (
            <Alert severity="error" role="alert">
              {problem}
            </Alert>
          )}
          {children}
        </Box>
      </DialogContent>
      <DialogActions>
        {leave !== null && (
          <Button
            onClick={sending ? onStop : onClose}
            variant="outlined"
            color="inherit"
            disabled={sending === true && !isStoppable}
          >
            {leave ?? translate('ra.action.cancel')}
          </Button>
        )}
        {more}
        <Button
          type="submit"
          variant="contained"
          color={danger ? 'error' : 'primary'}
          loading={sending}
          disabled={disabled}
        >
          {action}
        </Button>
      </DialogActions>
    </form>
  );
}
