import type { Definition, Field } from '#domain/definition/grammar.ts';
import type { Problem } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import { selectChoices, type Choice } from '#server/engine/describe.ts';
import { isEmpty, parseValue } from '#server/engine/values.ts';
import { readableNames, readRow, type Row } from '#server/engine/rows.ts';

export interface FormItem {
  name: string;
  queryName: string;
  type: string;
  required: boolean;
  readOnly: boolean;
  value: unknown;
  options?: Choice[];
  min?: number;
  max?: number;
  minLength?: number;
  maxLength?: number;
  format?: string;
  requiredWhen?: Record<string, string | string[]>;
}

/** The fields that a form sends: what the definition's form names and the server does not write itself. */
export const sentFields = (definition: Definition): [string, Field][] =>
  (definition.form ?? [])
    .flat()
    .map((name): [string, Field | undefined] => [name, definition.fields[name]])
    .filter((it): it is [string, Field] => it[1] !== undefined && !it[1].readOnly);

/** What an empty form shows. */
export async function toAdd(definition: Definition, ctx: Context) {
  return { items: await itemsOf(definition, {}, ctx), rows: definition.form ?? [] };
}

/** What a form shows of a row that is to be changed; a password is never sent back. */
export async function toModify(definition: Definition, query: Row, ctx: Context) {
  const item = await readRow(definition, query['id'], readableNames(definition), ctx);
  return { items: await itemsOf(definition, item, ctx), rows: definition.form ?? [], item };
}

function itemsOf(definition: Definition, row: Row, ctx: Context): Promise<FormItem[]> {
  const isNew = Object.keys(row).length === 0;
  return Promise.all(
    (definition.form ?? []).flat().map(async (name): Promise<FormItem> => {
      const field = definition.fields[name] as Field;
      const { min, max, minLength, maxLength, format, requiredWhen } = field;
      return {
        name: field.label[ctx.lang],
        queryName: name,
        type: field.type,
        required: isRequired(field, isNew),
        readOnly: field.readOnly ?? false,
        value: isNew ? (field.default ?? null) : (row[name] ?? null),
        ...(field.type === 'select' && { options: await selectChoices(field, ctx) }),
        ...(min !== undefined && { min }),
        ...(max !== undefined && { max }),
        ...(minLength !== undefined && { minLength }),
        ...(maxLength !== undefined && { maxLength }),
        ...(format !== undefined && { format }),
        ...(requiredWhen && { requiredWhen }),
      };
    }),
  );
}

/** A password is asked for once; left empty later, the old one stays. */
const isRequired = (field: Field, isNew: boolean) => (field.required ?? false) && (isNew || field.type !== 'password');

/**
 * The values of a form as the database takes them, and everything that is wrong with them: unknown fields by name,
 * required ones that are empty, types, bounds, and options that do not exist. `before` is the row that is changed.
 */
export function checkForm(
  definition: Definition,
  sent: Row,
  before: Row | null,
  ctx: Context,
): { values: Row; problems: Problem[] } {
  const fields = new Map(sentFields(definition));
  const values: Row = {};
  const problems: Problem[] = [];
  for (const [name, raw] of Object.entries(sent)) {
    const field = fields.get(name);
    if (!field) {
      problems.push({ key: 'unknownField', field: name, args: { field: name } });
      continue;
    }
    if (isEmpty(raw)) {
      if (field.type !== 'password') values[name] = null;
      continue;
    }
    const parsed = parseValue(field, name, raw, ctx.config.timeZone);
    if ('problem' in parsed) problems.push(parsed.problem);
    else values[name] = parsed.value;
    const options = field.options && ctx.model.options[field.options];
    if (options && !options.some((it) => it.value === String(raw))) {
      problems.push({ key: 'format', field: name, args: { field: field.label } });
    }
  }
  for (const [name, field] of fields) {
    if (before === null && !(name in sent) && field.default !== undefined) values[name] = field.default;
  }
  return { values, problems: [...missingOf(fields, sent, values, before), ...problems] };
}

/** What is empty and must not be; a value that is wrong is not missing. */
function missingOf(fields: Map<string, Field>, sent: Row, values: Row, before: Row | null): Problem[] {
  const after = { ...before, ...values };
  const missing = [...fields].filter(([name, field]) => {
    if (!isEmpty(after[name]) || !isEmpty(sent[name])) return false;
    if (isRequired(field, before === null)) return true;
    const when = Object.entries(field.requiredWhen ?? {});
    return when.length > 0 && when.every(([other, wanted]) => [wanted].flat().includes(String(after[other] ?? '')));
  });
  if (missing.length === 0) return [];
  return missing.map(([name]) => ({
    key: 'required' as const,
    field: name,
    args: { fields: missing.map(([, field]) => field.label) },
  }));
}
