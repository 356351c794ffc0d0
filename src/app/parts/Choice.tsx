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
  error?: string | undefined;
  minWidth?: number;
  /** Keeps the room of a message below, where other fields of the row have it. */
  hasRoom?: boolean;
  /** After a choice the next thing is a scan, not the next field. */
  thenScan?: boolean;
  /** It is what the page is opened for. */
  autoFocus?: boolean;
}

/** One of a few. */
export function Choice({
  label,
  value,
  options,
  onChange,
  required,
  error,
  minWidth = 160,
  hasRoom,
  thenScan = false,
  autoFocus = false,
}: Props) {
  const known = options.some((it) => it.value === value);
  return (
    <TextField
      select
      autoFocus={autoFocus}
      label={label}
      value={known ? value : ''}
      required={required}
      error={error !== undefined}
      helperText={error ?? (hasRoom ? ' ' : undefined)}
      onChange={(it) => onChange(it.target.value)}
      // As a block, so that what is too long for its place ends in dots before the arrow; stronger than the theme.
      sx={{ minWidth, '&&& .MuiSelect-select': { display: 'block', height: 38, lineHeight: '38px', minHeight: 0 } }}
      slotProps={{
        select: { MenuProps: { disableRestoreFocus: thenScan } },
        inputLabel: { shrink: known ? true : undefined },
      }}
    >
      {options.map((it) => (
        <MenuItem key={it.value} value={it.value}>
          {it.label}
        </MenuItem>
      ))}
    </TextField>
  );
}
