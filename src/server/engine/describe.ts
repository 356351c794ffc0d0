import { sql, type RawBuilder } from 'kysely';
import { standardNames } from '#domain/definition/columns.ts';
import type { Definition, Field, FieldType, Option, Tone } from '#domain/definition/grammar.ts';
import { isMeasured } from '#domain/definition/fieldBounds.ts';
import { isQuantity } from '#domain/definition/isQuantity.ts';
import { offeredOptions } from '#domain/definition/options.ts';
import { standingFields } from '#domain/definition/standingFields.ts';
import { labelWithUnit } from '#domain/definition/unit.ts';
import { Flag } from '#domain/enums.ts';
import { ISSUE_CODE_MODULE } from '#domain/issueCode.ts';
import { splitRoles } from '#domain/roleIds.ts';
import { mayDo } from '#domain/rights.ts';
import type { Language } from '#domain/words.ts';
import type { Context } from '#server/context.ts';
import { standardFields } from '#server/definitions/read.ts';
import { readCached } from '#server/engine/readCached.ts';
import { createScopeCondition, rowsSeen } from '#server/engine/scope.ts';
import { roleNames, userNames } from '#server/session/userNames.ts';

export interface Choice {
  value: string;
  optionName: string;
  /** What it means to its reader, in colour. */
  tone?: Tone;
  /** What another field of the form has to hold for it to be offered. Rule: lists#selects. */
  within?: string | null;
  /** Of a role: which one it is, as another may have its code by the time it is saved. Rule: rights#giving. */
  id?: number;
}

/** What a screen must know of a column to draw it. */
export interface ColumnInfo {
  name: string;
  label: string;
  type: FieldType;
  format?: string;
  /** Of a list: how one of its entries reads. */
  each?: string;
  /** A number of some unit: no amount of money. */
  isMeasured?: true;
  options?: Choice[];
  align?: 'right';
  /** Another column that stands in small under it. */
  under?: string;
}

const standard = standardFields();

/** A field of the module, the engine's own columns included; a password is none that anybody may read. */
export function readableField(definition: Definition, name: string): Field | undefined {
  const own = Object.hasOwn(definition.fields, name) ? definition.fields[name] : undefined;
  if (own) return own.type === 'password' ? undefined : own;
  return (standardNames as string[]).includes(name) ? standard[name] : undefined;
}

export function columnInfo(definition: Definition, name: string, ctx: Context): ColumnInfo {
  const field = readableField(definition, name);
  if (!field) return { name, label: name, type: 'String' };
  return {
    name,
    label: labelWithUnit(field)[ctx.lang],
    type: field.type,
    ...(field.format && { format: field.format }),
    ...(field.each && { each: field.each }),
    ...(isMeasured(field) && { isMeasured: true as const }),
    ...(field.options && { options: choicesOf(field.options, ctx) }),
    ...(isQuantity({ name, type: field.type }) && { align: 'right' as const }),
  };
}

/** The columns of a list, those that are shown at first before the others; each with what stands under it. */
export function listColumns(definition: Definition, ctx: Context): { shown: ColumnInfo[]; others: ColumnInfo[] } {
  const { columns = Object.keys(definition.fields), shown = columns, under = {} } = definition.list ?? {};
  const infos = (names: readonly string[]) =>
    columnInfos(definition, names, ctx).map((it) => ({ ...it, ...(under[it.name] && { under: under[it.name] }) }));
  return { shown: infos(shown), others: infos(columns.filter((it) => !shown.includes(it))) };
}

export const columnInfos = (definition: Definition, names: readonly string[], ctx: Context): ColumnInfo[] =>
  names.filter((it) => readableField(definition, it)).map((it) => columnInfo(definition, it, ctx));

/** column → label, in the order of the columns. */
export const titleOf = (columns: ColumnInfo[]): Record<string, string> =>
  Object.fromEntries(columns.map((it) => [it.name, it.label]));

/** A named list in the user's language, with what is retired: rows hold it still. */
export const choicesOf = (list: string, ctx: Context): Choice[] =>
  (ctx.model.options[list] ?? []).map((it) => toChoice(it, ctx));

/** Of a named list what may be chosen now. */
export const offeredOf = (list: string, ctx: Context): Choice[] =>
  offeredOptions(ctx.model.options, list).map((it) => toChoice(it, ctx));

const toChoice = ({ value, label, tone }: Option, { lang }: Context): Choice => ({
  value,
  optionName: label[lang],
  ...(tone && { tone }),
});

/**
 * The labels of the values that these rows hold, by field: one query a referring field, never one a row.
 * `{ siteId: { SZ: '深圳' } }`
 */
export async function readValueLabels(
  definition: Definition,
  columns: readonly ColumnInfo[],
  rows: readonly Record<string, unknown>[],
  ctx: Context,
): Promise<Record<string, Record<string, string>>> {
  const labels: Record<string, Record<string, string>> = {};
  for (const { name } of columns) {
    const field = readableField(definition, name);
    const target = field && (refTarget(field, ctx) ?? passingCodes(field, ctx));
    if (!target) continue;
    const texts = rows.map((it) => it[name]).filter((it) => it != null && it !== '');
    const values = [...new Set(texts.flatMap((it) => valuesOf(field, String(it))))];
    if (values.length === 0) continue;
    const known = await knownLabels(target, values, ctx);
    labels[name] = Object.fromEntries(values.flatMap((it) => (known.has(it) ? [[it, known.get(it) as string]] : [])));
  }
  return labels;
}

/**
 * These rows with the names that their module answers beside ids, in the user's language. Rule: definitions#names-beside-ids.
 */
export async function withNames<R extends Record<string, unknown>>(
  definition: Definition,
  rows: readonly R[],
  ctx: Context,
): Promise<R[]> {
  const names = Object.entries(definition.names ?? {});
  if (names.length === 0) return [...rows];
  const referring = columnInfos(definition, Object.values(definition.names ?? {}), ctx);
  const labels = await readValueLabels(definition, referring, rows, ctx);
  const nameOf = (row: R, of: string) => labels[of]?.[String(row[of] ?? '')] ?? null;
  return rows.map((row) => ({ ...row, ...Object.fromEntries(names.map(([name, of]) => [name, nameOf(row, of)])) }));
}

type Target = NonNullable<ReturnType<typeof refTarget>>;

/** A passing code is no issue: it is read by its name, all others as they are. Rule: testing#stations. */
function passingCodes({ format }: Field, ctx: Context): Target | undefined {
  const definition = format === 'issueCodes' ? ctx.model.definitions.get(ISSUE_CODE_MODULE) : undefined;
  if (!definition) return undefined;
  const label = sql<string>`CASE WHEN "passFlag" = ${Flag.Yes} THEN ${nameIn(ctx.lang, 'name')} ELSE code END`;
  return { definition, table: definition.table, value: 'code', label };
}

/** Tables up to this size, as sites and shipments are, are kept whole while they are unchanged. */
const KEPT_SIZE = 500;

async function knownLabels(
  target: Target,
  values: readonly string[],
  ctx: Context,
): Promise<ReadonlyMap<string, string>> {
  const give = (rows: Choice[]) => new Map(rows.map((it) => [String(it.value), it.optionName]));
  const all =
    ctx.cache &&
    (await readCached('labels', labelsSql(target, sql`true`, ctx), target.definition, ctx, (rows) =>
      rows.length > KEPT_SIZE ? null : give(rows),
    ));
  if (all) return all;
  const asked = labelsSql(target, sql`${sql.ref(`t.${target.value}`)}::text = ANY(${values})`, ctx);
  return give((await asked.execute(ctx.db)).rows);
}

/** Of rows that the user may see: a value leads to no row of another site. */
const labelsSql = ({ definition, value, label }: Target, where: RawBuilder<unknown>, ctx: Context) =>
  sql<Choice>`
    SELECT ${sql.ref(`t.${value}`)} AS value, ${label} AS "optionName" FROM ${rowsSeen(definition, ctx)} AS t
     WHERE ${createScopeCondition(definition, ctx.currentUser, ctx.model)} AND ${where} LIMIT ${KEPT_SIZE + 1}`;

const namesByFormat: Partial<Record<string, typeof userNames | typeof roleNames>> = {
  user: userNames,
  roles: roleNames,
};

/** Its values are chosen by name. Who may not see the accounts types a login or a name, and is offered none. */
export const isChosen = (field: Field, ctx: Context): boolean =>
  field.type === 'select' ||
  field.format === 'roles' ||
  (field.format === 'user' && mayDo(ctx.currentUser.rights, `${userNames.module}:list`));

/** The values that a field's text holds: several between bars, or the one. */
export const valuesOf = ({ format }: Pick<Field, 'format'>, text: string): string[] =>
  format === 'roles' ? splitRoles(text) : [text];

/** The field, where it stands somewhere: what stands nowhere is told by no reference either. Rule: lists#answered-fields. */
const toldField = (definition: Definition, name: string): Field | undefined =>
  standingFields(definition).has(name) ? readableField(definition, name) : undefined;

/** The rows whose values a field refers to: their table, and which of its columns are stored and shown. */
export function refTarget(field: Field, ctx: Context) {
  const ref = field.ref ?? namesByFormat[field.format ?? ''];
  const target = ref && ctx.model.definitions.get(ref.module);
  const asked = [ref?.value, ref?.label, field.ref?.within?.field, field.ref?.only?.field].filter(
    (it) => it !== undefined,
  );
  if (!ref || !target || asked.some((it) => !toldField(target, it))) return undefined;
  const inEnglish = toldField(target, `${ref.label}En`);
  const isText = (it: Field | undefined) => it?.type === 'String' || it?.type === 'LongString';
  const label =
    isText(inEnglish) && isText(target.fields[ref.label])
      ? nameIn(ctx.lang, ref.label)
      : sql<string>`${sql.ref(ref.label)}::text`;
  return { definition: target, table: target.table, value: ref.value, label };
}

/** A name in the user's language: `siteName`, or in English what `siteNameEn` says where it says something. */
export const nameIn = (lang: Language, column: string): RawBuilder<string> =>
  lang === 'en'
    ? sql<string>`coalesce(nullif(${sql.ref(`${column}En`)}, ''), ${sql.ref(column)})`
    : sql<string>`${sql.ref(column)}`;
