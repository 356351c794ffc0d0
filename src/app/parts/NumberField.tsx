import type { InputHTMLAttributes, KeyboardEvent, Ref } from 'react';
import InputAdornment from '@mui/material/InputAdornment';
import TextField from '@mui/material/TextField';
import { currencySignOf, groupedAmount } from '#domain/money.ts';
import { putNumber } from '#app/fields/putNumber.ts';
import type { NumberKind } from '#app/fields/typedNumber.ts';
import { useTypedNumber } from '#app/fields/useTypedNumber.ts';
import { unseen } from '#app/parts/ChoiceInput.tsx';
import { tabularSx } from '#app/theme.ts';

interface Props {
  label: string;
  value: string;
  kind?: NumberKind;
  /** Of an amount: its sign stands before it. */
  currency?: string;
  /** It may be less than nothing. */
  isSigned?: boolean;
  /** Why it can't stay as it is. */
  problem?: string | undefined;
  /** Below it, while nothing is wrong. */
  hint?: string;
  required?: boolean | undefined;
  disabled?: boolean;
  autoFocus?: boolean;
  width?: number | string;
  /** Nothing stands below it, and no room is kept for it. */
  isBare?: boolean;
  /** In a row of a table what stands around it says what it is; then it is as low as the row. */
  place?: 'above' | 'unseen';
  inputRef?: Ref<HTMLInputElement> | undefined;
  htmlInput?: InputHTMLAttributes<HTMLInputElement> & Record<`data-${string}`, string>;
  onChange: (value: string) => void;
  onKeyDown?: (event: KeyboardEvent) => void;
}

/** A number, its digits under those of the next one; an amount has the sign of its currency. Rule: screens#numbers. */
export function NumberField({
  label,
  value,
  kind = 'whole',
  currency,
  isSigned,
  problem,
  hint = ' ',
  required = false,
  disabled = false,
  autoFocus = false,
  width,
  isBare = false,
  place = 'above',
  inputRef,
  htmlInput,
  onChange,
  onKeyDown,
}: Props) {
  const typed = useTypedNumber(kind, value, { currency, isSigned });
  const told = typed.problem ?? problem;
  const isMoney = kind === 'money';
  return (
    <TextField
      label={label}
      value={isMoney && !typed.isTyping ? groupedAmount(typed.shown, currency) : typed.shown}
      required={required}
      disabled={disabled}
      autoFocus={autoFocus}
      inputRef={inputRef}
      error={told !== undefined}
      helperText={told ?? (isBare || place === 'unseen' ? undefined : hint)}
      onChange={(it) => onChange(typed.read(it.target.value))}
      {...typed.handlers}
      onKeyDown={onKeyDown}
      slotProps={{
        input: {
          ...(isMoney && {
            startAdornment: <InputAdornment position="start">{currencySignOf(currency)}</InputAdornment>,
          }),
          ...(place === 'unseen' && { sx: { height: 28, fontSize: 13 } }),
        },
        inputLabel: place === 'unseen' ? { sx: unseen } : {},
        htmlInput: {
          inputMode: kind === 'whole' ? 'numeric' : 'decimal',
          autoComplete: 'off',
          ...putNumber,
          ...htmlInput,
        },
      }}
      sx={{ width, '& input': { textAlign: 'right', ...tabularSx } }}
    />
  );
}
