import OutlinedInput, { type OutlinedInputProps } from '@mui/material/OutlinedInput';
import { type DateInputOptions, useDateInput } from '#app/fields/useDateInput.tsx';

type Props = DateInputOptions & Omit<OutlinedInputProps, keyof DateInputOptions>;

/** A date in a line of other inputs, where its label stands elsewhere; what is wrong with it is said by a tip. */
export function DateInput({ kind, value, edge, disabled, onChange, onBlur, inputProps, ...rest }: Props) {
  const { problem, input, html } = useDateInput({ kind, value, edge, disabled, onChange, onBlur });
  return (
    <OutlinedInput
      size="small"
      {...rest}
      {...input}
      disabled={disabled}
      error={problem !== undefined || rest.error}
      title={problem}
      inputProps={{ ...html, ...inputProps }}
    />
  );
}
