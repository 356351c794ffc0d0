import { sql, type RawBuilder } from 'kysely';
import type { Definition, Field, FieldType } from '#domain/definition/grammar.ts';
import { Refusal } from '#domain/refusal.ts';
import { MAX_RULES, MAX_VALUE, MAX_VALUES, valuesIn } from '#domain/searchBounds.ts';
import type { Words } from '#domain/words.ts';
import type { Context } from '#server/context.ts';
import { clockText } from '#server/db/days.ts';
import { readableField } from '#server/engine/describe.ts';
import { asSought, contains, holdsRole, orFormerly, searchableNames, type Condition } from '#server/engine/filters.ts';
import { compareMoment, spanOf } from '#server/engine/moments.ts';
import { isEmpty, parseValue } from '#server/engine/values.ts';

/** The relations of the advanced search and their labels. Rule: lists#advanced-search. */
export const relations: Record<string, Words> = {
  EQUAL_TO: { zh: '等于', en: 'equals' },
  NOT_EQUAL_TO: { zh: '不等于', en: 'does not equal' },
  GREATER_THAN: { zh: '大于', en: 'is greater than' },
  GREATER_THAN_OR_EQUAL_TO: { zh: '大于等于', en: 'is at least' },
  LESS_THAN: { zh: '小于', en: 'is less than' },
  LESS_THAN_OR_EQUAL_TO: { zh: '小于等于', en: 'is at most' },
  LIKE: { zh: '包含', en: 'contains' },
  NOT_LIKE: { zh: '不包含', en: 'does not contain' },
  IN: { zh: '属于', en: 'is one of' },
  IS_NULL: { zh: '为空', en: 'is empty' },
  IS_NOT_NULL: { zh: '不为空', en: 'is not empty' },
};

const compared = [
  'EQUAL_TO',
  'NOT_EQUAL_TO',
  'GREATER_THAN',
  'GREATER_THAN_OR_EQUAL_TO',
  'LESS_THAN',
  'LESS_THAN_OR_EQUAL_TO',
];
const known = ['IS_NULL', 'IS_NOT_NULL'];

/** The relations that make sense for a column; each of the others is still answered where somebody asks for it. */
export function relationsFor(type: FieldType, format?: string): string[] {
  if (format === 'images') return known;
  if (format === 'roles') return ['LIKE', 'NOT_LIKE', ...known];
  switch (type) {
    case 'List':
      return known;
    case 'String':
    case 'LongString':
      return ['EQUAL_TO', 'NOT_EQUAL_TO', 'LIKE', 'NOT_LIKE', ...(type === 'String' ? ['IN'] : []), ...known];
    case 'select':
      return ['EQUAL_TO', 'NOT_EQUAL_TO', 'IN', ...known];
    case 'Number':
    case 'Integer':
    case 'Long':
      return [...compared, 'IN', ...known];
    default:
      return [...compared, ...known];
  }
}

const operators: Record<string, ReturnType<typeof sql>> = {
  EQUAL_TO: sql`=`,
  NOT_EQUAL_TO: sql`IS DISTINCT FROM`,
  GREATER_THAN: sql`>`,
  GREATER_THAN_OR_EQUAL_TO: sql`>=`,
  LESS_THAN: sql`<`,
  LESS_THAN_OR_EQUAL_TO: sql`<=`,
};

const MAX_DEPTH = 3;
/** Between two values of a list: a comma, a line's end and some space. */
const MAX_BETWEEN = 10;

/**
 * The condition that a tree of rules and groups stands for, or null for an empty one. Read from left to right: a rule's
 * connector joins it to what stands before it, a group's connector joins the group. Columns and relations are looked
 * up; an unknown one, a fourth level, a 51st rule is refused by its name. Rule: lists#advanced-search.
 */
export function createCondition(definition: Definition, group: unknown, ctx: Context): Condition | null {
  const count = { rules: 0 };
  return createGroupCondition(definition, group, ctx, 1, count);
}

function createGroupCondition(
  definition: Definition,
  group: unknown,
  ctx: Context,
  depth: number,
  count: { rules: number },
): Condition | null {
  const { rules, groups } = parseGroup(group, depth);
  let all: Condition | null = null;
  const join = (connector: unknown, next: Condition | null) => {
    if (!next) return;
    if (connector !== 'AND' && connector !== 'OR') throw unknownName('connector', connector);
    if (!all) all = next;
    else all = connector === 'OR' ? sql`(${all} OR ${next})` : sql`(${all} AND ${next})`;
  };
  for (const rule of rules) {
    count.rules += 1;
    if (count.rules > MAX_RULES) throw new Refusal({ key: 'searchRules', field: 'rules', args: { max: MAX_RULES } });
    join(rule['connector'] ?? 'AND', createRuleCondition(definition, rule, ctx));
  }
  for (const it of groups) {
    join(it['connector'] ?? 'AND', createGroupCondition(definition, it, ctx, depth + 1, count));
  }
  return all;
}

type Tree = Record<string, unknown>;

function parseGroup(group: unknown, depth: number): { rules: Tree[]; groups: Tree[] } {
  if (depth > MAX_DEPTH) throw new Refusal({ key: 'searchDepth', field: 'groups', args: { max: MAX_DEPTH } });
  if (!isTree(group)) throw misshapen('adminAdvancedSearchGroup');
  for (const name of Object.keys(group)) {
    if (!['connector', 'rules', 'groups'].includes(name)) throw unknownName(name, name);
  }
  const list = (name: string) => {
    const it = group[name] ?? [];
    if (!Array.isArray(it) || !it.every(isTree)) throw misshapen(name);
    if (it.length > MAX_RULES) throw new Refusal({ key: 'searchRules', field: name, args: { max: MAX_RULES } });
    return it;
  };
  return { rules: list('rules'), groups: list('groups') };
}

function createRuleCondition(definition: Definition, rule: Tree, ctx: Context): Condition | null {
  for (const part of Object.keys(rule)) {
    if (!['connector', 'column', 'relation', 'value'].includes(part)) throw unknownName(part, part);
  }
  const { column: name, relation } = rule;
  const field =
    typeof name === 'string' && searchableNames(definition, ctx.model).has(name)
      ? readableField(definition, name)
      : undefined;
  if (!field || typeof name !== 'string') throw unknownName('column', name);
  if (typeof relation !== 'string' || !Object.hasOwn(relations, relation)) throw unknownName('relation', relation);

  const column = sql.ref(`t.${name}`);
  const isText = ['String', 'LongString', 'Month', 'select'].includes(field.type);
  if (relation === 'IS_NULL') return isText ? sql`coalesce(${column}, '') = ''` : sql`${column} IS NULL`;
  if (relation === 'IS_NOT_NULL') return isText ? sql`coalesce(${column}, '') <> ''` : sql`${column} IS NOT NULL`;
  const { value: raw } = rule;
  if (isEmpty(raw)) return null;
  if (relation === 'IN') return isOneOf(field, name, raw, ctx);
  if (typeof raw === 'object') throw new Refusal({ key: 'format', field: name, args: { field: field.label } });
  if (String(raw).length > MAX_VALUE) {
    throw new Refusal({ key: 'tooLong', field: name, args: { field: field.label, max: MAX_VALUE } });
  }
  const isSoughtInText = relation === 'LIKE' || relation === 'NOT_LIKE';
  if (field.type === 'dateTime' && !isSoughtInText) {
    return compareMoment(column, relation, spanOf(field, name, raw, ctx.config.timeZone));
  }
  const sought = isSoughtInText ? ({ type: 'String', label: field.label } as const) : field;
  const parsed = parseValue(asSought(sought), name, isSoughtInText ? String(raw) : raw, ctx.config.timeZone);
  if ('problem' in parsed) throw new Refusal(parsed.problem);
  if (isSoughtInText) {
    const text = String(parsed.value);
    const found =
      field.format === 'roles'
        ? holdsRole(column, text)
        : orFormerly(field, isText ? column : asText(field, column, ctx), (it) => contains(it, text));
    return relation === 'NOT_LIKE' ? sql`(${found}) IS NOT TRUE` : found;
  }
  const equals = orFormerly(field, column, (it) => sql`${it} = ${parsed.value}`);
  if (relation === 'EQUAL_TO') return equals;
  // A unit is the one that was called so or another one, never both.
  if (relation === 'NOT_EQUAL_TO' && field.sn) return sql`(${equals}) IS NOT TRUE`;
  return sql`${column} ${operators[relation]} ${parsed.value}`;
}

/** A list of values, between commas or on lines of their own, as they are pasted. */
function isOneOf(field: Field, name: string, raw: unknown, ctx: Context): Condition | null {
  if (typeof raw === 'object') throw new Refusal({ key: 'format', field: name, args: { field: field.label } });
  const text = String(raw);
  // Longer than that it is not even taken apart.
  const texts = text.length > MAX_VALUES * (MAX_VALUE + MAX_BETWEEN) ? undefined : valuesIn(text);
  if (!texts || texts.length > MAX_VALUES)
    throw new Refusal({ key: 'searchValues', field: name, args: { max: MAX_VALUES } });
  if (texts.length === 0) return null;
  const { timeZone } = ctx.config;
  const column = sql.ref(`t.${name}`);
  if (field.type === 'dateTime') {
    const each = texts.map((it) => compareMoment(column, 'EQUAL_TO', spanOf(field, name, it, timeZone)));
    return sql`(${sql.join(each, sql` OR `)})`;
  }
  const values = texts.map((text) => {
    const parsed = parseValue(asSought(field), name, text, timeZone);
    if ('problem' in parsed) throw new Refusal(parsed.problem);
    return parsed.value;
  });
  return orFormerly(field, column, (it) => sql`${it} IN (${sql.join(values)})`);
}

/** What a part is sought in: a moment as lists show it, another value as the database writes it. */
const asText = ({ type }: Field, column: RawBuilder<unknown>, { config }: Context): RawBuilder<unknown> =>
  type === 'dateTime' ? clockText(column, config.timeZone, 'YYYY-MM-DD HH24:MI:SS') : sql`${column}::text`;

const isTree = (it: unknown): it is Tree => typeof it === 'object' && it !== null && !Array.isArray(it);

const misshapen = (field: string) => new Refusal({ key: 'format', field, args: { field } });

const unknownName = (field: string, value: unknown) =>
  new Refusal({
    key: 'unknownField',
    field,
    args: { field: typeof value === 'object' ? field : String(value ?? field) },
  });
