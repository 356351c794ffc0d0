import type { ReactNode } from 'react';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';

interface Props {
  /** What its button says before it is open, what it is called, and what the button does at its end. */
  label: string;
  isOpen: boolean;
  onOpen: () => void;
  onSubmit: () => void;
  onCancel: () => void;
  children: ReactNode;
}

/** A few fields for one thing more, in the place of the button that asks for them. */
export function InlineForm({ label, isOpen, onOpen, onSubmit, onCancel, children }: Props) {
  const translate = useTranslate();
  if (!isOpen) {
    return (
      <Button variant="outlined" sx={{ alignSelf: 'flex-start' }} onClick={onOpen}>
        {label}
      </Button>
    );
  }
  return (
    <Box
      component="form"
      noValidate
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
      sx={{
        display: 'flex',
        flexDirection: 'column',
        gap: 3,
        p: 3,
        border: 1,
        borderColor: 'divider',
        borderRadius: 1,
      }}
    >
      {children}
      <Box sx={{ display: 'flex', gap: 2, justifyContent: 'flex-end' }}>
        <Button variant="outlined" color="inherit" onClick={onCancel}>
          {translate('ra.action.cancel')}
        </Button>
        <Button type="submit" variant="contained">
          {label}
        </Button>
      </Box>
    </Box>
  );
}
