import TextField from '@mui/material/TextField';
import { REMARK_LENGTH } from '#domain/enums.ts';

interface Props {
  label: string;
  value: string;
  problem?: string | undefined;
  required?: boolean;
  minRows?: number;
  onChange: (value: string) => void;
}

/** A few sentences. Rule: screens#remarks. */
export function RemarkField({ label, value, problem, required = false, minRows = 3, onChange }: Props) {
  return (
    <TextField
      multiline
      fullWidth
      minRows={minRows}
      maxRows={8}
      label={label}
      value={value}
      required={required}
      error={problem !== undefined}
      helperText={problem ?? ' '}
      onChange={(it) => onChange(it.target.value)}
      slotProps={{ htmlInput: { maxLength: REMARK_LENGTH } }}
    />
  );
}
