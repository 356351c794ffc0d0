import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Definition, Field } from '#domain/definition/grammar.ts';
import { Refusal } from '#domain/refusal.ts';
import { mayDo } from '#domain/rights.ts';
import type { Context } from '#server/context.ts';
import { type Choice, choicesOf, isChosen, offeredOf, readableField, refTarget } from '#server/engine/describe.ts';
import { asSought, contains, searchableNames } from '#server/engine/filters.ts';
import type { Row } from '#server/engine/rows.ts';
import { createScopeCondition, rowsSeen } from '#server/engine/scope.ts';
import { isEmpty, parseValue } from '#server/engine/values.ts';

export type { Choice };

/** Select lists fetch 100. Rule: lists#selects. */
const SELECT_SIZE = 100;
const FOUND_SIZE = 50;

interface Offered {
  options: Choice[];
  /** There are more: the rest is asked for by a search. */
  more?: true;
}

/**
 * The choices of a field that is chosen by name: its named list, or the first rows of the module that it refers to, of
 * the user's sites.
 */
export const offeredChoices = (field: Field, ctx: Context): Promise<Offered> =>
  field.options ? Promise.resolve({ options: offeredOf(field.options, ctx) }) : firstRows(field, ctx);

async function firstRows(field: Field, ctx: Context): Promise<Offered> {
  const found = await rowsAsChoices(field, null, SELECT_SIZE + 1, ctx);
  if (found.length <= SELECT_SIZE) return { options: found };
  return { options: found.slice(0, SELECT_SIZE), more: true };
}

/** The same to search by: rows from before hold what is offered no more. */
export const soughtChoices = (field: Field, ctx: Context): Promise<Offered> =>
  field.options ? Promise.resolve({ options: choicesOf(field.options, ctx) }) : firstRows(withAll(field), ctx);

/** The field, with all rows of the module that it refers to. */
const withAll = (field: Field): Field => (field.ref ? { ...field, ref: { ...field.ref, only: undefined } } : field);

/**
 * The choices of one field that a search finds, or the one of a value: for selects that have more than a list brings. A form
 * asks for those that it takes, a filter for `all`: rows from before hold what is offered no more.
 * Whoever may see the list may ask for the fields that it is searched by or shows; for the other fields of a form it
 * takes the right of the form. Only rows of the user's sites, and of what another field holds where that narrows them down.
 */
export async function searchChoices(definition: Definition, query: Row, ctx: Context): Promise<Offered> {
  const asked = fieldAsked(definition, query['field'], ctx);
  const field = parseFlag(query['all'], 'all') ? withAll(asked) : asked;
  const search = parseText(query['search'], 'search');
  const value = parseText(query['value'], 'value');
  if (field.options) {
    const isFound = (it: Choice) => it.optionName.toLowerCase().includes(search.toLowerCase());
    return { options: choicesOf(field.options, ctx).filter((it) => (value ? it.value === value : isFound(it))) };
  }
  const within = parseText(query['within'], 'within');
  const found = await rowsAsChoices(field, { search, value, within }, FOUND_SIZE + 1, ctx);
  return { options: found.slice(0, FOUND_SIZE), ...(found.length > FOUND_SIZE && { more: true as const }) };
}

function fieldAsked(definition: Definition, name: unknown, ctx: Context): Field {
  const field = typeof name === 'string' ? readableField(definition, name) : undefined;
  const mayAsk =
    typeof name === 'string' && (searchableNames(definition, ctx.model).has(name) || isInForm(definition, name, ctx));
  if (isEmpty(name)) throw new Refusal({ key: 'required', field: 'field', args: { fields: 'field' } });
  if (!field || !isChosen(field, ctx) || !mayAsk) {
    throw new Refusal({ key: 'unknownField', field: 'field', args: { field: String(name) } });
  }
  return field;
}

const isInForm = (definition: Definition, name: string, ctx: Context): boolean =>
  (definition.form ?? []).flat().includes(name) &&
  (definition.buttons ?? []).some(
    (it) =>
      ['create', 'modify'].includes(it.script) && mayDo(ctx.currentUser.rights, `${definition.module}:${it.btnNo}`),
  );

function parseText(raw: unknown, name: string): string {
  if (isEmpty(raw)) return '';
  const label = { zh: name, en: name };
  const parsed = parseValue(asSought({ type: 'String', label }), name, raw, 'UTC');
  if ('problem' in parsed) throw new Refusal(parsed.problem);
  return String(parsed.value);
}

function parseFlag(raw: unknown, name: string): boolean {
  if (isEmpty(raw)) return false;
  const label = { zh: name, en: name };
  if (raw !== 'true' && raw !== 'false') throw new Refusal({ key: 'format', field: name, args: { field: label } });
  return raw === 'true';
}

async function rowsAsChoices(
  field: Field,
  asked: { search: string; value: string; within: string } | null,
  limit: number,
  ctx: Context,
): Promise<Choice[]> {
  const target = refTarget(field, ctx);
  if (!target) return [];
  const value = sql.ref(`t.${target.value}`);
  const narrowing = field.ref?.within && sql.ref(`t.${field.ref.within.field}`);
  const scope = createScopeCondition(target.definition, ctx.currentUser, ctx.model);
  const conditions: RawBuilder<SqlBool>[] = [scope, sql<SqlBool>`${value} IS NOT NULL`];
  if (asked?.value) conditions.push(sql<SqlBool>`${value}::text = ${asked.value}`);
  else if (asked?.search) {
    conditions.push(
      sql<SqlBool>`(${contains(target.label, asked.search)} OR ${contains(sql`${value}::text`, asked.search)})`,
    );
  }
  const { only } = field.ref ?? {};
  // What stands somewhere already is told whatever is offered by now.
  if (only && !asked?.value) conditions.push(sql<SqlBool>`${sql.ref(`t.${only.field}`)} = ANY(${only.values})`);
  if (asked?.within && narrowing) conditions.push(sql<SqlBool>`${narrowing}::text = ${asked.within}`);
  const isRole = field.format === 'roles';
  const { rows } = await sql<Choice>`
    SELECT ${value}::text AS value, ${target.label} AS "optionName" ${isRole ? sql`, t.id::float8 AS id` : sql``} ${narrowing ? sql`, ${narrowing}::text AS within` : sql``} FROM ${rowsSeen(target.definition, ctx)} AS t
     WHERE ${sql.join(conditions, sql` AND `)} ORDER BY 2, 1 LIMIT ${limit}`.execute(ctx.db);
  return rows.map((it) => ({ ...it, optionName: it.optionName ?? it.value }));
}
