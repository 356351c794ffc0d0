import type { Definition, Field } from '#domain/definition/grammar.ts';
import type { Expression } from '#domain/definition/expression.ts';
import { boundsOf, isMeasured } from '#domain/definition/fieldBounds.ts';
import {
  findFaults,
  findUnpayable,
  isBlank,
  isSame,
  resolveFields,
  type RuledField,
} from '#domain/definition/fieldRules.ts';
import { parseExpression } from '#domain/definition/parseExpression.ts';
import { asRuled, formRows, isSwitch } from '#domain/definition/switches.ts';
import { labelWithUnit } from '#domain/definition/unit.ts';
import { CURRENCY } from '#domain/money.ts';
import type { Problem } from '#domain/refusal.ts';
import { mayDo } from '#domain/rights.ts';
import { withoutMeant } from '#domain/roleIds.ts';
import type { Words } from '#domain/words.ts';
import type { Context } from '#server/context.ts';
import { choicesOf, readValueLabels, columnInfo, isChosen, valuesOf, withNames } from '#server/engine/describe.ts';
import { refuseUnallowed, refuseUnwritten } from '#server/engine/allowed.ts';
import { offeredChoices, type Choice } from '#server/engine/choices.ts';
import { parseValue, toProblem } from '#server/engine/values.ts';
import { asAnswered, namesOfRows, readableNames, readRow, type Row } from '#server/engine/rows.ts';

interface FormItem extends RuledField {
  name: string;
  queryName: string;
  required: boolean;
  readOnly: boolean;
  value: unknown;
  isMeasured?: true;
  isSwitch?: true;
  /** What the form shows of it while somebody types. */
  computed?: Expression;
  options?: Choice[];
  /** The field of this form that says which of them are offered. */
  within?: string;
  /** There are more choices than a select list brings: the rest is asked for by `options.json`. */
  more?: true;
}

/** The fields that a form sends: what the definition's form names and the server does not write itself. */
export const sentFields = (definition: Definition): [string, Field][] =>
  formFields(definition).filter(([, field]) => !field.readOnly);

const formFields = (definition: Definition): [string, Field][] =>
  formRows(definition)
    .flat()
    .flatMap((name): [string, Field][] => {
      const field = definition.fields[name];
      return field ? [[name, asRuled(definition, name, field)]] : [];
    });

/** What an empty form shows. */
export async function toAdd(definition: Definition, ctx: Context) {
  return { items: await readFormItems(definition, {}, ctx), rows: formRows(definition) };
}

/**
 * What a form shows of a row that is to be changed, and the rest of the row to whoever may list it; a password is never
 * sent back.
 */
export async function toModify(definition: Definition, query: Row, ctx: Context) {
  refuseUnwritten(definition, { script: 'modify' });
  const item = await readRow(definition, query['id'], readableNames(definition), ctx);
  refuseUnallowed(definition, { script: 'modify' }, item, ctx);
  const [whole = item] = await withNames(definition, [asAnswered(definition, item)], ctx);
  const isTold = (name: string) => ['id', 'version'].includes(name) || formRows(definition).flat().includes(name);
  const told = mayDo(ctx.currentUser.rights, `${definition.module}:list`)
    ? whole
    : Object.fromEntries(Object.entries(whole).filter(([name]) => isTold(name)));
  return { items: await readFormItems(definition, item, ctx), rows: formRows(definition), item: told };
}

function readFormItems(definition: Definition, row: Row, ctx: Context): Promise<FormItem[]> {
  const isNew = Object.keys(row).length === 0;
  return Promise.all(
    formFields(definition).map(async ([name, field]): Promise<FormItem> => {
      const { format, upperCase, pattern, requiredWhen, visibleWhen, readOnlyWhen, minField, maxField } = field;
      const value = isNew ? (field.default ?? null) : (row[name] ?? null);
      return {
        name: labelWithUnit(field)[ctx.lang],
        queryName: name,
        type: field.type,
        required: isRequired(field, isNew),
        readOnly: field.readOnly ?? false,
        value,
        ...(isChosen(field, ctx) && (await choicesWith(definition, name, field, value, ctx))),
        ...(isMeasured(field) && { isMeasured: true as const }),
        ...(isSwitch(definition, name) && { isSwitch: true as const }),
        ...defined({ computed: expressionOf(field, definition) }),
        ...defined({ ...boundsOf(field), format, upperCase, pattern, within: field.ref?.within?.of }),
        ...defined({ requiredWhen, visibleWhen, readOnlyWhen, minField, maxField }),
      };
    }),
  );
}

function expressionOf(field: Field, { fields }: Definition): Expression | undefined {
  const parsed = field.computed === undefined ? undefined : parseExpression(field.computed, field, fields);
  return parsed && 'expression' in parsed ? parsed.expression : undefined;
}

/** The choices of a select, the row's own among them even where it is not one of the first. */
export async function choicesWith(definition: Definition, name: string, field: Field, value: unknown, ctx: Context) {
  const { options, more } = await offeredChoices(field, ctx);
  const own = valuesOf(field, String(value ?? '')).filter(
    (it) => it !== '' && !options.some(({ value: known }) => known === it),
  );
  if (field.options)
    return { options: [...choicesOf(field.options, ctx).filter((it) => own.includes(it.value)), ...options] };
  // A value from before its kind was asked for is still called by its name.
  if (!(more || field.ref?.only) || own.length === 0) return { options, ...(more && { more }) };
  const labels = await readValueLabels(definition, [columnInfo(definition, name, ctx)], [{ [name]: value }], ctx);
  return {
    options: [...own.map((it) => ({ value: it, optionName: labels[name]?.[it] ?? it })), ...options],
    ...(more && { more }),
  };
}

const defined = <T extends object>(values: T): Partial<T> =>
  Object.fromEntries(Object.entries(values).filter(([, it]) => it !== undefined)) as Partial<T>;

/** A password is asked for once; left empty later, the old one stays. */
const isRequired = (field: Field, isNew: boolean) => (field.required ?? false) && (isNew || field.type !== 'password');

/**
 * The values of a form as the database takes them, and everything that is wrong with them: unknown fields by name, what
 * the shared rules of fields find (`src/domain/definition/fieldRules.ts`), options that do not exist, and values for
 * fields that the form does not have or does not let change as it stands. `before` is the row that is changed; what a
 * field held that the form no longer has is cleared. A new row has its fields' defaults, whether the form asks for them or not. What a list gave with the row may come back as it stands.
 */
export function checkForm(
  definition: Definition,
  body: Row,
  before: Row | null,
  ctx: Context,
): { values: Row; problems: Problem[] } {
  const fields = new Map(sentFields(definition));
  const isOfRoles = (name: string, value: unknown): value is string =>
    fields.get(name)?.format === 'roles' && typeof value === 'string';
  const sent: Row = Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, isOfRoles(name, value) ? withoutMeant(value) : value]),
  );
  const misshapen = Object.keys(sent).filter((name) => typeof sent[name] === 'object' && sent[name] !== null);
  if (misshapen.length > 0) {
    const labelOf = (name: string) => fields.get(name)?.label ?? name;
    return {
      values: {},
      problems: misshapen.map((field) => ({ key: 'format', field, args: { field: labelOf(field) } })),
    };
  }
  const ruled = new Map<string, RuledField>(
    [...fields].map(([name, field]) => [
      name,
      { ...field, required: isRequired(field, before === null), isSwitch: isSwitch(definition, name) },
    ]),
  );
  const given = before ?? defaultsOf(fields);
  const { hidden, fixed } = resolveFields(ruled, { ...given, ...sent });
  const problems: Problem[] = [];
  const values: Row = {};
  for (const [name, raw] of Object.entries(sent)) {
    const field = fields.get(name);
    if (!field) {
      const isAsListed = before && namesOfRows(definition).has(name) && isAsItStands(definition, name, raw, before);
      if (!isAsListed) problems.push({ key: 'unknownField', field: name, args: { field: name } });
    } else if (hidden.has(name)) {
      if (!isBlank(raw)) problems.push({ key: 'notAsked', field: name, args: { field: field.label } });
    } else if (fixed.has(name)) {
      if (!isSame(field, raw, given[name])) problems.push({ key: 'fixed', field: name, args: { field: field.label } });
    } else if (!isBlank(raw)) {
      problems.push(...validateOption(name, field, raw, given[name], ctx));
      const parsed = parseValue(field, name, raw, ctx.config.timeZone);
      if ('value' in parsed) values[name] = parsed.value;
    } else if (field.type !== 'password') values[name] = null;
  }
  for (const [name, field] of fields) {
    if (hidden.has(name)) {
      if (before && field.type !== 'password' && !isBlank(before[name])) values[name] = null;
    }
  }
  for (const [name, field] of before === null ? Object.entries(definition.fields) : []) {
    if (name in sent || hidden.has(name) || field.readOnly || field.default === undefined) continue;
    const parsed = parseValue(field, name, field.default, ctx.config.timeZone);
    if ('value' in parsed) values[name] = parsed.value;
    else problems.push(parsed.problem);
  }
  return {
    values,
    problems: [...validateFieldRules(fields, ruled, { before, after: { ...given, ...sent }, sent }), ...problems],
  };
}

/** A value of its list; one that is retired only where it stood already. */
function validateOption(name: string, field: Field, raw: unknown, before: unknown, { model }: Context): Problem[] {
  const options = field.options && model.options[field.options];
  if (!options) return [];
  const option = options.find((it) => it.value === String(raw));
  if (!option) return [{ key: 'format', field: name, args: { field: field.label } }];
  if (!option.retired || isSame(field, raw, before)) return [];
  return [{ key: 'retired', field: name, args: { field: field.label, value: option.label } }];
}

const isAsItStands = ({ fields }: Definition, name: string, raw: unknown, row: Row): boolean =>
  isSame(fields[name] ?? { type: 'String' }, raw, row[name]);

/**
 * What is missing first and together, then each wrong value that was sent; what stood there before is not judged again, but for
 * the digits of its amounts in another currency.
 */
function validateFieldRules(
  fields: Map<string, Field>,
  ruled: Map<string, RuledField>,
  { before, after, sent }: { before: Row | null; after: Row; sent: Row },
): Problem[] {
  const labelOf = (name: string): Words => fields.get(name)?.label ?? { zh: name, en: name };
  const faults = [...findFaults(ruled, after, before ?? undefined)];
  const missing = faults.filter(([, it]) => it.key === 'required').map(([name]) => name);
  const currency = fields.get(CURRENCY);
  const isOtherMoney = currency && CURRENCY in sent && !isSame(currency, sent[CURRENCY], before?.[CURRENCY]);
  const isUnpayable = (name: string) =>
    isOtherMoney && findUnpayable(ruled.get(name) as RuledField, after[name], sent[CURRENCY]) !== null;
  const wrong = faults.filter(
    ([name, it]) => it.key !== 'required' && (name in sent || it.args?.other !== undefined || isUnpayable(name)),
  );
  return [
    ...missing.map((name) => ({ key: 'required' as const, field: name, args: { fields: missing.map(labelOf) } })),
    ...wrong.map(([name, it]) =>
      toProblem(name, labelOf(name), it, it.args?.other === undefined ? undefined : labelOf(it.args.other)),
    ),
  ];
}

const defaultsOf = (fields: Map<string, Field>): Row =>
  Object.fromEntries([...fields].flatMap(([name, it]) => (it.default === undefined ? [] : [[name, it.default]])));
