import { useId } from 'react';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import FormControl from '@mui/material/FormControl';
import FormHelperText from '@mui/material/FormHelperText';
import InputAdornment from '@mui/material/InputAdornment';
import OutlinedInput from '@mui/material/OutlinedInput';
import { currencySignOf, groupedAmount } from '#domain/money.ts';
import { joinMeant, splitRoles } from '#domain/roleIds.ts';
import { boundsOf, isAmount, isNumeric, isPercent } from '#app/engine/formRules.ts';
import type { FormField, WireOption } from '#app/engine/wire.ts';
import { Choice } from '#app/parts/Choice.tsx';
import { ManyChoice } from '#app/parts/ManyChoice.tsx';
import { toOptions } from '#app/parts/toOptions.ts';
import { snInput } from '#app/parts/scan/labels.ts';
import { DateInput } from '#app/fields/DateInput.tsx';
import { dateKindOf, fromDateText, toDateText } from '#app/fields/format.ts';
import type { DateKind } from '#app/fields/typedDate.ts';
import { putNumber } from '#app/fields/putNumber.ts';
import { numberKindOf } from '#app/fields/typedNumber.ts';
import { useTypedNumber } from '#app/fields/useTypedNumber.ts';
import { cutSx, monospace, tabularSx } from '#app/theme.ts';

interface FieldInputProps {
  field: FormField;
  /** Of a select whose choices another field narrows down: what that one holds. */
  within?: string;
  /** Whose field it is, for a select that has more choices than it was sent. */
  module?: string;
  value: unknown;
  required: boolean;
  error?: string;
  /** Of the form's amounts, where it names one. */
  currency?: unknown;
  inputRef?: React.Ref<HTMLInputElement>;
  autoFocus?: boolean;
  onChange: (value: unknown) => void;
  onBlur?: () => void;
}

/** The input that fits a field's type: label above, what is wrong below, room kept for it. Rule: lists#forms. */
export function FieldInput(props: FieldInputProps) {
  const { field, required, value } = props;
  const id = useId();
  const isSigned = (boundsOf(field).min ?? 0) < 0;
  const typed = useTypedNumber(numberKindOf(field), String(value ?? ''), { currency: props.currency, isSigned });
  if (field.options || field.type === 'select') return <Selected {...props} />;
  const error = (isNumeric(field) && typed.problem) || props.error;
  return (
    <FormControl fullWidth error={!!error} disabled={field.readOnly}>
      <Box
        component="label"
        id={`${id}-label`}
        htmlFor={id}
        sx={{ ...cutSx, fontSize: 13, lineHeight: '18px', fontWeight: 600, mb: 1 }}
      >
        {field.name}
        {required && (
          <Box component="span" aria-hidden sx={{ color: 'error.main', ml: 1 }}>
            *
          </Box>
        )}
      </Box>
      <Input id={id} {...props} typed={typed} />
      <FormHelperText id={`${id}-help`} sx={{ mx: 0, minHeight: 16, display: 'flex', gap: 2 }}>
        <span>{error}</span>
        {field.type === 'LongString' && <Counter field={field} value={value} />}
      </FormHelperText>
    </FormControl>
  );
}

type InputProps = FieldInputProps & { id: string; typed: ReturnType<typeof useTypedNumber> };

function Input(props: InputProps) {
  const kind = dateKindOf(props.field.type);
  return kind ? <Day kind={kind} {...props} /> : <Text {...props} />;
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

function Selected({
  field,
  within,
  module,
  value,
  required,
  error,
  inputRef,
  autoFocus,
  onChange,
  onBlur,
}: Omit<FieldInputProps, 'currency'>) {
  const translate = useTranslate();
  const text = String(value ?? '');
  // What is chosen stays to be seen; a server that does not take it says so.
  const isOffered = (it: WireOption) => !within || it.within === within || it.value === text;
  const options = toOptions(field.options?.filter(isOffered));
  const asked = field.more && module ? { module, field: field.queryName, ...(within && { within }) } : undefined;
  const input = { label: field.name, required, error, disabled: field.readOnly, inputRef, autoFocus, onBlur };
  if (field.format === 'roles') {
    const values = splitRoles(text);
    return (
      <ManyChoice
        {...input}
        values={values}
        options={options}
        asked={asked}
        onChange={(it) => onChange(joinMeant(it, text, (code) => field.options?.find((one) => one.value === code)?.id))}
      />
    );
  }
  return (
    <Choice
      hasRoom
      {...input}
      value={text}
      options={options}
      asked={asked}
      none={translate(required ? 'shell.form.choose' : 'shell.form.none')}
      onChange={onChange}
    />
  );
}

/** What is no date yet stays as it was typed, so that it is told what is wrong with it instead of being lost. */
function Day({ id, kind, field, value, required, inputRef, autoFocus, onChange, onBlur }: DayProps) {
  return (
    <DateInput
      id={id}
      kind={kind}
      value={toDateText(kind, value)}
      inputRef={inputRef}
      autoFocus={autoFocus}
      readOnly={field.readOnly}
      disabled={field.readOnly}
      onChange={(text, typed) => onChange(text === '' ? typed : fromDateText(kind, text))}
      onBlur={onBlur}
      inputProps={{ 'aria-required': required, 'aria-describedby': `${id}-help` }}
    />
  );
}
type DayProps = FieldInputProps & { id: string; kind: DateKind };

function Text({ id, field, value, required, currency, inputRef, autoFocus, typed, onChange, onBlur }: InputProps) {
  const shown = isNumeric(field) ? typed.shown : String(value ?? '');
  const { min, max, maxLength } = boundsOf(field);
  const isMoney = isAmount(field);
  return (
    <OutlinedInput
      id={id}
      type={field.type === 'password' ? 'password' : 'text'}
      value={isMoney && !typed.isTyping ? groupedAmount(shown, currency) : shown}
      inputRef={inputRef}
      autoFocus={autoFocus}
      readOnly={field.readOnly}
      multiline={field.type === 'LongString'}
      minRows={field.type === 'LongString' ? 3 : undefined}
      maxRows={field.type === 'LongString' ? 12 : undefined}
      onChange={({ target }) => onChange(isNumeric(field) ? typed.read(target.value) : target.value)}
      {...typed.handlers}
      onBlur={() => {
        typed.handlers.onBlur();
        onBlur?.();
      }}
      startAdornment={isMoney && <InputAdornment position="start">{currencySignOf(currency)}</InputAdornment>}
      endAdornment={isPercent(field) && <InputAdornment position="end">%</InputAdornment>}
      inputProps={{
        'aria-required': required,
        'aria-describedby': `${id}-help`,
        autoComplete: field.type === 'password' ? 'new-password' : 'off',
        maxLength,
        ...(field.sn && snInput),
        ...(isNumeric(field) && { inputMode: 'decimal', 'data-min': min, 'data-max': max, ...putNumber }),
      }}
      sx={{
        '& input': {
          fontFamily: field.format === 'code' || field.sn ? monospace : undefined,
          ...(isNumeric(field) && { textAlign: 'right', ...tabularSx }),
        },
      }}
    />
  );
}
