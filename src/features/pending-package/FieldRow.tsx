import type { ReactNode } from 'react';
import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import type { PackageDraft } from './rules.draft.ts';
import { lengthOf } from './rules.ts';

/** What the pieces of the form are given. */
export interface PartProps {
  draft: PackageDraft;
  problems: Readonly<Record<string, string>>;
  onChange: (part: Partial<PackageDraft>) => void;
}

/** Fields beside each other where there is room, below each other where there is not. */
export function FieldRow({ children }: { children: ReactNode }) {
  return (
    <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: { xs: '1fr', sm: 'repeat(2, minmax(0, 1fr))' } }}>
      {children}
    </Box>
  );
}

interface TextProps extends PartProps {
  name: 'userName' | 'mobile' | 'phone' | 'fax' | 'stateName' | 'cityName' | 'street' | 'zipcode';
  label: string;
  required?: boolean;
  inputMode?: 'tel' | 'email';
}

/** A text of the parcel, as long as its column allows. */
export function PackageText({ name, label, required = false, inputMode, draft, problems, onChange }: TextProps) {
  return (
    <TextField
      fullWidth
      label={label}
      value={draft[name]}
      required={required}
      error={problems[name] !== undefined}
      helperText={problems[name] ?? ' '}
      onChange={(it) => onChange({ [name]: it.target.value })}
      slotProps={{ htmlInput: { maxLength: lengthOf(name), autoComplete: 'off', inputMode } }}
    />
  );
}
