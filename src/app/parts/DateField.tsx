import TextField from '@mui/material/TextField';
import { type DateInputOptions, useDateInput } from '#app/fields/useDateInput.tsx';

interface Props extends Omit<DateInputOptions, 'onBlur'> {
  label: string;
  /** Why it can't stay as it is. */
  problem?: string | undefined;
  /** Below it, while nothing is wrong. */
  hint?: string;
  required?: boolean;
  autoFocus?: boolean;
  maxWidth?: number;
  /** Nothing stands below it, and no room is kept for it. */
  isBare?: boolean;
}

/** A day, a moment or a month, typed or picked. Rule: screens#dates. */
export function DateField({
  label,
  problem,
  hint = ' ',
  required = false,
  autoFocus = false,
  maxWidth,
  isBare = false,
  ...options
}: Props) {
  const { problem: unread, input, html } = useDateInput(options);
  const { endAdornment, ...handlers } = input;
  const wrong = problem ?? unread;
  return (
    <TextField
      fullWidth
      label={label}
      required={required}
      autoFocus={autoFocus}
      disabled={options.disabled ?? false}
      error={wrong !== undefined}
      helperText={wrong ?? (isBare ? undefined : hint)}
      {...handlers}
      slotProps={{ inputLabel: { shrink: true }, input: { endAdornment }, htmlInput: html }}
      sx={{ maxWidth }}
    />
  );
}
