import {
  type Fault,
  findFaults,
  type FormValues,
  isBlank,
  isSame,
  type RuledFields,
  resolveFields,
} from '#domain/definition/fieldRules.ts';
import { isNumeric } from '#domain/definition/isNumeric.ts';
import { trimmedDecimal } from '#domain/money.ts';
import { normaliseSn } from '#domain/sn.ts';
import type { FormField } from '#app/engine/wire.ts';

export { isNumeric } from '#domain/definition/isNumeric.ts';
export { boundsOf, isAmount, isPercent } from '#domain/definition/fieldBounds.ts';
export { type Fault, type FormValues, isBlank, isRequired, isSame } from '#domain/definition/fieldRules.ts';

/** What a form holds, by query name: text as it is typed, days and moments as epoch ms. */
export const ruledOf = (fields: readonly FormField[]): RuledFields => new Map(fields.map((it) => [it.queryName, it]));

/** What is wrong with a field, as the server will see it; null when nothing is. `row` has what no field of the form holds. */
export const validateField = (
  field: FormField,
  fields: readonly FormField[],
  values: FormValues,
  row?: FormValues,
): Fault | null => findFaults(ruledOf(fields), { ...row, ...values }, row).get(field.queryName) ?? null;

/**
 * What is sent: only fields that are there and may be changed, numbers as numbers, money as the digits that were typed,
 * a password only if filled, an SN as all of them are written.
 */
export function toRequestValues(fields: readonly FormField[], values: FormValues, row: FormValues = {}): FormValues {
  const { hidden, fixed } = resolveFields(ruledOf(fields), { ...row, ...values });
  const sent: FormValues = {};
  for (const field of fields) {
    const { queryName } = field;
    if (hidden.has(queryName) || fixed.has(queryName)) continue;
    const value = values[queryName];
    if (field.type === 'password' && isBlank(value)) continue;
    if (isBlank(value)) sent[queryName] = null;
    else if (field.type === 'BigDecimal') sent[queryName] = String(value).trim();
    else if (isNumeric(field)) sent[queryName] = Number(value);
    else sent[queryName] = field.sn ? normaliseSn(String(value)) : value;
  }
  return sent;
}

/** What a form starts with: the record's values, else the field's own; a password never. Decimals without the zeros that they are stored with. */
export const toInitialValues = (fields: readonly FormField[], item: FormValues = {}): FormValues =>
  Object.fromEntries(
    fields.map((it) => {
      const value = it.type === 'password' ? '' : (item[it.queryName] ?? it.value ?? '');
      return [it.queryName, isNumeric(it) && typeof value === 'string' ? trimmedDecimal(value) : value];
    }),
  );

/** What was entered and differs from what the form started with. Passwords are nothing that is kept anywhere. */
export const changesOf = (fields: readonly FormField[], start: FormValues, values: FormValues): FormValues =>
  Object.fromEntries(
    fields
      .filter((it) => it.type !== 'password' && !it.readOnly)
      .filter((it) => !isSame(it, start[it.queryName], values[it.queryName]))
      .map((it) => [it.queryName, values[it.queryName]]),
  );
