import { useId, useState } from 'react';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import FormControl from '@mui/material/FormControl';
import FormHelperText from '@mui/material/FormHelperText';
import InputAdornment from '@mui/material/InputAdornment';
import MenuItem from '@mui/material/MenuItem';
import OutlinedInput from '@mui/material/OutlinedInput';
import Select from '@mui/material/Select';
import { boundsOf, isNumeric, isPercent } from '#app/engine/formRules.ts';
import { RemoteChoice } from '#app/engine/RemoteChoice.tsx';
import type { FormField } from '#app/engine/wire.ts';
import { snInput } from '#app/parts/scan/labels.ts';
import { fromInput, groupedDecimal, toInput } from '#app/fields/format.ts';
import { monospace, tabularSx } from '#app/theme.ts';

interface FieldInputProps {
  field: FormField;
  /** Whose field it is, for a select that has more choices than it was sent. */
  module?: string;
  value: unknown;
  required: boolean;
  error?: string;
  inputRef?: React.Ref<HTMLInputElement>;
  autoFocus?: boolean;
  onChange: (value: unknown) => void;
  onBlur?: () => void;
}

/** The input that fits a field's type: label above, what is wrong below, room kept for it. Rule: lists#forms. */
export function FieldInput(props: FieldInputProps) {
  const { field, required, error, value } = props;
  const id = useId();
  return (
    <FormControl fullWidth error={!!error} disabled={field.readOnly}>
      <Box
        component="label"
        id={`${id}-label`}
        htmlFor={id}
        sx={{ fontSize: 13, lineHeight: '18px', fontWeight: 600, mb: 1 }}
      >
        {field.name}
        {required && (
          <Box component="span" aria-hidden sx={{ color: 'error.main', ml: 1 }}>
            *
          </Box>
        )}
      </Box>
      {field.type === 'select' ? <Choice id={id} {...props} /> : <Text id={id} {...props} />}
      <FormHelperText id={`${id}-help`} sx={{ mx: 0, minHeight: 20, display: 'flex', gap: 2 }}>
        <span>{error}</span>
        {field.type === 'LongString' && <Counter field={field} value={value} />}
      </FormHelperText>
    </FormControl>
  );
}

/** How much of a long text's room is used. */
function Counter({ field, value }: Pick<FieldInputProps, 'field' | 'value'>) {
  const { maxLength } = boundsOf(field);
  return (
    <Box component="span" sx={{ ml: 'auto', color: 'text.secondary', ...tabularSx }}>
      {`${String(value ?? '').length} / ${maxLength}`}
    </Box>
  );
}

function Choice({
  id,
  field,
  module,
  value,
  required,
  inputRef,
  autoFocus,
  onChange,
  onBlur,
}: FieldInputProps & { id: string }) {
  const translate = useTranslate();
  const text = String(value ?? '');
  const isOffered = text === '' || field.options?.some((it) => it.value === text);
  if (field.more && module) {
    return (
      <RemoteChoice
        id={id}
        module={module}
        field={field.queryName}
        options={field.options ?? []}
        value={text}
        required={required}
        disabled={field.readOnly}
        labelledBy={`${id}-label`}
        describedBy={`${id}-help`}
        inputRef={inputRef}
        autoFocus={autoFocus}
        onChange={onChange}
        onBlur={onBlur}
      />
    );
  }
  return (
    <Select
      displayEmpty
      id={id}
      labelId={`${id}-label`}
      value={text}
      inputRef={inputRef}
      autoFocus={autoFocus}
      onChange={(event) => onChange(event.target.value)}
      onBlur={onBlur}
      inputProps={{ 'aria-required': required, 'aria-describedby': `${id}-help` }}
      sx={{ height: 40 }}
      MenuProps={{ slotProps: { paper: { sx: { maxHeight: 360 } } } }}
    >
      <MenuItem value="">{translate(required ? 'shell.form.choose' : 'shell.form.none')}</MenuItem>
      {!isOffered && <MenuItem value={text}>{text}</MenuItem>}
      {field.options?.map((it) => (
        <MenuItem key={it.value} value={it.value}>
          {it.optionName}
        </MenuItem>
      ))}
    </Select>
  );
}

function Text({ id, field, value, required, inputRef, autoFocus, onChange, onBlur }: FieldInputProps & { id: string }) {
  const [isFocused, setIsFocused] = useState(false);
  const { type, shown, read } = nativeOf(field, value);
  const { min, max, maxLength } = boundsOf(field);
  const isMoney = field.type === 'BigDecimal' && !isPercent(field);
  return (
    <OutlinedInput
      id={id}
      type={type}
      value={isMoney && !isFocused ? grouped(shown) : shown}
      inputRef={inputRef}
      autoFocus={autoFocus}
      readOnly={field.readOnly}
      multiline={field.type === 'LongString'}
      minRows={field.type === 'LongString' ? 3 : undefined}
      maxRows={field.type === 'LongString' ? 12 : undefined}
      onChange={(event) => onChange(read(event.target.value))}
      onFocus={() => setIsFocused(true)}
      onBlur={() => {
        setIsFocused(false);
        onBlur?.();
      }}
      startAdornment={isMoney && <InputAdornment position="start">$</InputAdornment>}
      endAdornment={isPercent(field) && <InputAdornment position="end">%</InputAdornment>}
      inputProps={{
        'aria-required': required,
        'aria-describedby': `${id}-help`,
        autoComplete: field.type === 'password' ? 'new-password' : 'off',
        maxLength: isNumeric(field) ? NUMBER_LENGTH : maxLength,
        ...(field.sn && snInput),
        ...lastOf(type),
        ...(isNumeric(field) && { inputMode: 'decimal', 'data-min': min, 'data-max': max }),
      }}
      sx={{
        minHeight: 40,
        ...(field.type !== 'LongString' && { height: 40 }),
        '& input': {
          fontFamily: field.format === 'code' || field.sn ? monospace : undefined,
          ...(isNumeric(field) && { textAlign: 'right', ...tabularSx }),
        },
      }}
    />
  );
}

/** Wider than any bound, so that a number is told what is wrong with it instead of being cut. */
const NUMBER_LENGTH = 24;

/** A year has four digits. */
function lastOf(type: string): object {
  if (type === 'date') return { max: '9999-12-31' };
  if (type === 'month') return { max: '9999-12', placeholder: 'yyyy-MM' };
  return type === 'datetime-local' ? { step: 1, max: '9999-12-31T23:59:59' } : {};
}

/** Money with its separators while nobody types in it. */
const grouped = (digits: string): string => (/^\d+(\.\d*)?$/.test(digits) ? groupedDecimal(digits) : digits);

interface Native {
  type: string;
  shown: string;
  read: (text: string) => unknown;
}

function nativeOf(field: FormField, value: unknown): Native {
  switch (field.type) {
    case 'date':
      return { type: 'date', shown: toInput.date(value), read: fromInput.date };
    case 'dateTime':
      return { type: 'datetime-local', shown: toInput.dateTime(value), read: fromInput.dateTime };
    case 'Month':
      return { type: 'month', shown: String(value ?? ''), read: (it) => it };
    case 'password':
      return { type: 'password', shown: String(value ?? ''), read: (it) => it };
    default:
      return { type: 'text', shown: String(value ?? ''), read: isNumeric(field) ? digitsOf(field) : (it) => it };
  }
}

/** A sign or a letter cannot be entered in a number; whole numbers have no point. */
const digitsOf = (field: FormField) => (text: string) => {
  const wanted = field.type === 'Integer' || field.type === 'Long' ? /[^0-9]/g : /[^0-9.]/g;
  return text.replace(wanted, '');
};
