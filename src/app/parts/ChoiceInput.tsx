import type { InputHTMLAttributes, KeyboardEvent } from 'react';
import type { AutocompleteRenderInputParams } from '@mui/material/Autocomplete';
import TextField from '@mui/material/TextField';

interface Props {
  /** What the Autocomplete gives its field. */
  params: AutocompleteRenderInputParams;
  label: string;
  /** The field's name in a form that leads from one field to the next. */
  name: string;
  required?: boolean | undefined;
  problem: string | undefined;
  onKeyDown?: (event: KeyboardEvent) => void;
  htmlInput?: InputHTMLAttributes<HTMLInputElement> & { 'data-scan'?: string };
}

/** The field over a list to choose from; what is wrong with it stands below, in a line that is always there. */
export function ChoiceInput({ params, label, name, required, problem, onKeyDown, htmlInput }: Props) {
  const { InputProps, InputLabelProps, inputProps, ...rest } = params;
  return (
    <TextField
      {...rest}
      label={label}
      required={required}
      error={problem !== undefined}
      helperText={problem ?? ' '}
      onKeyDown={onKeyDown}
      slotProps={{
        input: InputProps,
        inputLabel: InputLabelProps,
        htmlInput: { ...inputProps, ...htmlInput, 'data-field': name },
      }}
    />
  );
}
