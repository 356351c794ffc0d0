import TextField from '@mui/material/TextField';
import { snInput } from '#app/parts/scan/labels.ts';

interface Props {
  label: string;
  value: string;
  onChange: (sn: string) => void;
  /** Why it can't stay as it is. */
  problem?: string | undefined;
  autoFocus?: boolean;
  /** What is known of it. */
  hint?: string | undefined;
  onBlur?: () => void;
}

/** The SN that a dialog asks for, typed or scanned. */
export function SnField({ label, value, onChange, problem, autoFocus = true, hint, onBlur }: Props) {
  return (
    <TextField
      required
      fullWidth
      autoFocus={autoFocus}
      label={label}
      value={value}
      error={problem !== undefined}
      helperText={problem ?? hint ?? ' '}
      onBlur={onBlur}
      onChange={(it) => onChange(it.target.value)}
      slotProps={{ htmlInput: { ...snInput, 'data-scan': 'sn', autoComplete: 'off', spellCheck: false } }}
    />
  );
}
