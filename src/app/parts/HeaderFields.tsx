import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { isRequired, resolveFields } from '#domain/definition/fieldRules.ts';
import { isNumeric, ruledOf } from '#app/engine/formRules.ts';
import type { FormAnswer, FormField } from '#app/engine/wire.ts';
import { Choice } from '#app/parts/Choice.tsx';
import { toOptions } from '#app/parts/toOptions.ts';
import { NumberField } from '#app/parts/NumberField.tsx';

interface Props {
  form: FormAnswer | undefined;
  values: Readonly<Record<string, string>>;
  problems: Readonly<Record<string, string>>;
  onChange: (values: Record<string, string>) => void;
  /** The first field is what the page is opened for. */
  autoFocus?: boolean;
}

/** The fields of a bill's header in the rows that its definition gives them, as far as the form has them as it stands. */
export function HeaderFields({ form, values, problems, onChange, autoFocus = false }: Props) {
  const items = form?.items ?? [];
  const entered = Object.fromEntries(items.map((it) => [it.queryName, values[it.queryName] ?? it.value]));
  const { hidden, fixed, values: counted } = resolveFields(ruledOf(items), entered);
  const fields = items
    .filter(({ queryName }) => !hidden.has(queryName) && !fixed.has(queryName))
    .map((it) => ({ ...it, required: isRequired(it, counted) }));
  const rows = (form?.rows ?? fields.map((it) => [it.queryName]))
    .map((row) => row.filter((name) => fields.some((it) => it.queryName === name)))
    .filter((row) => row.length > 0);
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', gap: 1 }}>
      {rows.map((row) => (
        <Box
          key={row.join()}
          sx={{
            display: 'grid',
            gap: 3,
            gridTemplateColumns: { xs: '1fr', sm: `repeat(${row.length}, minmax(0, 1fr))` },
          }}
        >
          {row.flatMap((name) => {
            const field = fields.find((it) => it.queryName === name);
            if (!field) return [];
            const value = values[name] ?? (field.value == null ? '' : String(field.value));
            const first = autoFocus && name === rows[0]?.[0];
            const input = { field, value, problem: problems[name], autoFocus: first };
            return [<HeaderField key={name} {...input} onChange={(it) => onChange({ [name]: it })} />];
          })}
        </Box>
      ))}
    </Box>
  );
}

interface FieldProps {
  field: FormField;
  value: string;
  problem: string | undefined;
  autoFocus: boolean;
  onChange: (value: string) => void;
}

function HeaderField({ field, value, problem, autoFocus, onChange }: FieldProps) {
  if (field.options) {
    return (
      <Choice
        hasRoom
        minWidth={0}
        autoFocus={autoFocus}
        label={field.name}
        value={value}
        error={problem}
        required={field.required}
        options={toOptions(field.options)}
        onChange={onChange}
      />
    );
  }
  if (isNumeric(field)) {
    return (
      <NumberField
        kind={field.type === 'BigDecimal' ? 'money' : field.type === 'Number' ? 'decimal' : 'whole'}
        autoFocus={autoFocus}
        label={field.name}
        value={value}
        required={field.required}
        problem={problem}
        onChange={onChange}
      />
    );
  }
  return (
    <TextField
      autoFocus={autoFocus}
      label={field.name}
      value={value}
      required={field.required}
      error={problem !== undefined}
      helperText={problem ?? ' '}
      multiline={field.type === 'LongString'}
      minRows={field.type === 'LongString' ? 2 : undefined}
      onChange={(it) => onChange(it.target.value)}
      slotProps={{ htmlInput: { maxLength: field.maxLength } }}
    />
  );
}
