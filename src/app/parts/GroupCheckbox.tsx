import Checkbox, { type CheckboxProps } from '@mui/material/Checkbox';

interface Props extends Pick<CheckboxProps, 'disabled' | 'onChange' | 'sx'> {
  label: string;
  /** How many of how many boxes below it are checked. */
  count: number;
  of: number;
}

/** A box over others: checked with all of them, half with some, to a screen reader as well. */
export function GroupCheckbox({ label, count, of, ...props }: Props) {
  const isHalf = count > 0 && count < of;
  const input = {
    'aria-label': label,
    // The box itself has to be half as well: only then what is said of it is what it is.
    ref: (it: HTMLInputElement | null) => {
      if (it) it.indeterminate = isHalf;
    },
  };
  return (
    <Checkbox size="small" checked={of > 0 && count === of} indeterminate={isHalf} slotProps={{ input }} {...props} />
  );
}
