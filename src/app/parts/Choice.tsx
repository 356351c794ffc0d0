import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';

export interface Option {
  value: string;
  label: string;
}

interface Props {
  label: string;
  value: string;
  options: readonly Option[];
  onChange: (value: string) => void;
  required?: boolean;
  error?: string;
  minWidth?: number;
}

/** One of a few. */
export function Choice({ label, value, options, onChange, required, error, minWidth = 160 }: Props) {
  const known = options.some((it) => it.value === value);
  return (
    <TextField
      select
      label={label}
      value={known ? value : ''}
      required={required}
      error={error !== undefined}
      helperText={error}
      onChange={(it) => onChange(it.target.value)}
      sx={{ minWidth, '& .MuiSelect-select': { height: 38, lineHeight: '38px', minHeight: 0 } }}
      slotProps={{ inputLabel: { shrink: known ? true : undefined } }}
    >
      {options.map((it) => (
        <MenuItem key={it.value} value={it.value}>
          {it.label}
        </MenuItem>
      ))}
    </TextField>
  );
}
