import type { Definition, Field } from '#domain/definition/grammar.ts';
import type { Language } from '#domain/words.ts';
import { sentFields } from '#server/engine/form.ts';
import { answeredNames } from '#server/engine/rows.ts';

export type Schema = Record<string, unknown>;

/** How a field travels: moments and days as epoch ms, decimals and selects as text. Rule: wire#days. */
const kinds: Record<Field['type'], Schema> = {
  String: { type: 'string' },
  LongString: { type: 'string' },
  password: { type: 'string', format: 'password' },
  select: { type: 'string' },
  Month: { type: 'string', pattern: '^\\d{4}-\\d{2}$' },
  Number: { type: 'number' },
  Integer: { type: 'integer' },
  Long: { type: 'integer', format: 'int64' },
  BigDecimal: { type: 'string', format: 'decimal' },
  date: { type: 'integer', format: 'epoch-ms of the day’s midnight' },
  dateTime: { type: 'integer', format: 'epoch-ms' },
  List: { type: 'array' },
};
const itemKinds = { String: { type: 'string' }, Integer: { type: 'integer' } } as const;

/** One field with its label and the bounds that its definition gives. */
function fieldSchema(field: Field, options: readonly string[] | undefined, lang: Language): Schema {
  const isText = kinds[field.type]['type'] === 'string';
  return {
    ...kinds[field.type],
    description: field.label[lang],
    ...(field.items && {
      items: {
        type: 'object',
        properties: Object.fromEntries(Object.entries(field.items).map(([name, it]) => [name, itemKinds[it]])),
      },
    }),
    ...(options && { enum: options }),
    ...(isText && field.maxLength !== undefined && { maxLength: field.maxLength }),
    ...(isText && field.minLength !== undefined && { minLength: field.minLength }),
    ...(!isText && field.min !== undefined && { minimum: field.min }),
    ...(!isText && field.max !== undefined && { maximum: field.max }),
  };
}

/** A module's row as lists and details answer it: neither a password nor what stands nowhere is among it. */
export function rowSchema(
  definition: Definition,
  optionsOf: (field: Field) => readonly string[] | undefined,
  lang: Language,
): Schema {
  const answered = new Set(answeredNames(definition));
  const fields = Object.entries(definition.fields).filter(([name]) => answered.has(name));
  return {
    type: 'object',
    description: definition.label[lang],
    properties: {
      id: { type: 'integer', format: 'int64' },
      version: { type: 'integer', description: 'Sent back by modifyById; a stale one is 100025.' },
      ...Object.fromEntries(fields.map(([name, it]) => [name, nullable(fieldSchema(it, optionsOf(it), lang))])),
      ...Object.fromEntries(
        Object.entries(definition.names ?? {}).map(([name, of]) => [
          name,
          { type: ['string', 'null'], description: `The name of what ${of} says.` },
        ]),
      ),
    },
  };
}

/** What a form of the module sends. */
export function formSchema(
  definition: Definition,
  optionsOf: (field: Field) => readonly string[] | undefined,
  lang: Language,
): Schema {
  const fields = sentFields(definition);
  const required = fields.filter(([, it]) => it.required).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, it]) => [name, nullable(fieldSchema(it, optionsOf(it), lang))])),
    ...(required.length > 0 && { required }),
  };
}

const nullable = ({ type, enum: values, ...rest }: Schema): Schema => ({
  ...rest,
  type: [type, 'null'],
  ...(Array.isArray(values) && { enum: [...(values as string[]), null] }),
});
