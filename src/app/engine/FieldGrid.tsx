import { Controller, type Control } from 'react-hook-form';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import { resolveFields } from '#domain/definition/fieldRules.ts';
import { FieldInput } from '#app/engine/FieldInput.tsx';
import { validateField, type FormValues, isRequired, ruledOf } from '#app/engine/formRules.ts';
import { useComputed } from '#app/engine/useComputed.ts';
import { moduleOf } from '#app/engine/module.ts';
import type { FormAnswer, FormField } from '#app/engine/wire.ts';

interface Props {
  menuNo: string;
  form: FormAnswer;
  /** The record that is changed; rules may look at more of it than the form shows. */
  row: FormValues | undefined;
  control: Control<FormValues>;
  values: FormValues;
}

/**
 * The fields that the form has as it stands, in the rows of its definition, each with its rules. All rows have the same
 * six columns, so that the edges of two and of three fields stand under each other.
 */
export function FieldGrid({ menuNo, form, row, control, values }: Props) {
  const translate = useTranslate();
  const fields = form.items;
  const { hidden, fixed, values: counted } = resolveFields(ruledOf(fields), { ...row, ...values });
  const computed = useComputed(fields, counted);
  const firstOpen = fields.find((it) => !hidden.has(it.queryName) && !fixed.has(it.queryName));
  const rulesOf = (field: FormField) => {
    const validateKind = (isKind: (key: string) => boolean) => (_: unknown, entered: FormValues) => {
      const fault = validateField(field, fields, entered, row);
      if (fault === null || !isKind(fault.key)) return true;
      const other = fields.find((it) => it.queryName === fault.args?.other)?.name ?? fault.args?.other;
      return translate(`shell.form.${fault.key}`, { ...fault.args, other });
    };
    // Named by kind, so that an empty required field can be told from a wrong one.
    return { required: validateKind((it) => it === 'required'), bounds: validateKind((it) => it !== 'required') };
  };

  return rowsOf(form)
    .map((row) => ({ key: row[0]?.queryName, shown: row.filter((field) => !hidden.has(field.queryName)) }))
    .filter(({ shown }) => shown.length > 0)
    .map(({ key, shown: it }) => (
      // Named by its first field: who types into another keeps the focus when one beside it comes or goes.
      <Box
        key={key}
        sx={{
          display: 'grid',
          columnGap: 4,
          rowGap: 2,
          mb: 2,
          gridTemplateColumns: { xs: '1fr', sm: 'repeat(6, minmax(0, 1fr))' },
          '& > *': { gridColumn: { sm: `span ${6 / Math.min(it.length, 3)}` } },
        }}
      >
        {it.map((field) => (
          <Controller
            key={field.queryName}
            name={field.queryName}
            control={control}
            rules={{ validate: rulesOf(field) }}
            render={({ field: { ref, value, onChange, onBlur }, fieldState }) => (
              <FieldInput
                field={fixed.has(field.queryName) && !field.readOnly ? { ...field, readOnly: true } : field}
                within={field.within && String(counted[field.within] ?? '')}
                module={moduleOf(menuNo)}
                value={field.computed ? computed[field.queryName] : value}
                required={!fixed.has(field.queryName) && isRequired(field, counted)}
                error={fieldState.error?.message}
                currency={values['currency'] ?? row?.['currency']}
                inputRef={ref}
                autoFocus={field === firstOpen}
                onChange={onChange}
                onBlur={onBlur}
              />
            )}
          />
        ))}
      </Box>
    ));
}

/** Fields of one row of the definition stand side by side; what no row names follows, one by one. */
function rowsOf({ items, rows }: FormAnswer): FormField[][] {
  const byName = new Map(items.map((it) => [it.queryName, it]));
  const named = (rows ?? []).map((row) => row.flatMap((it) => byName.get(it) ?? [])).filter((it) => it.length > 0);
  const placed = new Set(named.flat());
  return [...named, ...items.filter((it) => !placed.has(it)).map((it) => [it])];
}
