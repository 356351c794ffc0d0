import type { InputHTMLAttributes, KeyboardEvent, Ref } from 'react';
import type { AutocompleteRenderInputParams } from '@mui/material/Autocomplete';
import InputAdornment from '@mui/material/InputAdornment';
import TextField from '@mui/material/TextField';
import type { LabelPlace } from '#app/parts/choiceProps.ts';
import { cutSx } from '#app/theme.ts';

export const heights: Record<LabelPlace, number> = { above: 38, inside: 32, unseen: 32 };
export const unseen = {
  position: 'absolute',
  width: '1px',
  height: '1px',
  m: 0,
  overflow: 'hidden',
  clipPath: 'inset(50%)',
} as const;

interface Props {
  id?: string;
  /** What the Autocomplete gives its field. */
  params: AutocompleteRenderInputParams;
  label: string;
  /** The field's name in a form that leads from one field to the next. */
  name?: string | undefined;
  required?: boolean | undefined;
  problem: string | undefined;
  hasRoom?: boolean;
  place?: LabelPlace | undefined;
  autoFocus?: boolean | undefined;
  inputRef?: Ref<HTMLInputElement> | undefined;
  onKeyDown?: (event: KeyboardEvent) => void;
  htmlInput?: InputHTMLAttributes<HTMLInputElement> & { 'data-scan'?: string };
}

/** The field over a list to choose from; what is wrong with it stands below, in a line that is always there. */
export function ChoiceInput({
  id = '',
  params,
  label,
  name,
  required,
  problem,
  hasRoom = true,
  place = 'above',
  autoFocus = false,
  inputRef,
  onKeyDown,
  htmlInput,
}: Props) {
  const { InputProps, InputLabelProps, inputProps, ...rest } = params;
  return (
    <TextField
      {...rest}
      label={place === 'inside' ? undefined : label}
      required={required}
      error={problem !== undefined}
      helperText={problem ?? (hasRoom ? ' ' : undefined)}
      onKeyDown={onKeyDown}
      autoFocus={autoFocus}
      inputRef={inputRef}
      slotProps={{
        input: {
          ...InputProps,
          ...(place === 'inside' && {
            startAdornment: (
              <>
                <InsideLabel id={id} isFilled={Boolean(inputProps.value)} end={72}>
                  {label}
                </InsideLabel>
                {InputProps.startAdornment}
              </>
            ),
          }),
          ...(place !== 'above' && {
            sx: {
              fontSize: 13,
              '&&.MuiInputBase-root': { minHeight: heights[place], pl: '14px' },
              '&&& .MuiAutocomplete-input': { height: heights[place] - 2, pl: 0 },
            },
          }),
        },
        inputLabel: { ...(place === 'unseen' && { sx: unseen }) },
        htmlInput: { ...inputProps, ...htmlInput, ...(name !== undefined && { 'data-field': name }) },
      }}
    />
  );
}

interface InsideLabelProps {
  id: string;
  children: string;
  isFilled: boolean;
  /** What stands at the other end of the box, in px. */
  end?: number;
}

/** A label before its value. Where both have no room it is the label that is cut, once there is a value or somebody types. */
export const InsideLabel = ({ id, children, isFilled, end = 0 }: InsideLabelProps) => (
  <InputAdornment
    position="start"
    sx={{
      flex: 'none',
      maxWidth: isFilled ? besideValue : `calc(100% - ${end}px)`,
      ':focus-within:has(> input) > &': { maxWidth: besideValue },
      '& label': { ...cutSx, fontSize: 13, color: 'text.secondary' },
    }}
  >
    <label htmlFor={id} id={`${id}-label`} title={children}>
      {children}
    </label>
  </InputAdornment>
);
const besideValue = 'max(32px, 100% - 136px)';
