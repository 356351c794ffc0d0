import type { Definition, Field } from '#domain/definition/grammar.ts';
import {
  DECIMAL_DIGITS,
  DECIMAL_LIMIT,
  INTEGER_LIMIT,
  neededFields,
  QUOTIENT_DIGITS,
  type Expression,
} from '#domain/definition/expression.ts';
import { parseExpression } from '#domain/definition/parseExpression.ts';
import { literal, quoted } from '#server/db/quoted.ts';

/** A generated column that takes no room and is right whoever writes: PostgreSQL has it from this version on. */
export const COMPUTES_FROM = 180_000;

/**
 * What a computed field is computed as, as the database takes it. It is evaluated whenever a row is read, so nothing in it
 * may fail: what can't be reckoned or held is empty, as all is of an expression that a draft has not finished. Rule:
 * definitions#computed-fields.
 */
export function computedSql({ fields }: Definition, name: string): string {
  const field = fields[name];
  const parsed = field?.computed === undefined ? undefined : parseExpression(field.computed, field, fields);
  if (!field || !parsed || 'fault' in parsed) return 'NULL';
  const { expression } = parsed;
  const value = held(field, sqlOf(expression));
  const needed = neededFields(expression);
  return needed.length === 0
    ? value
    : `CASE WHEN ${needed.map((it) => `${quoted(it)} IS NOT NULL`).join(' AND ')} THEN ${value} END`;
}

/** As far as the column can hold it. */
function held({ type }: Field, sql: string): string {
  if (type === 'String') return `nullif(${sql}, '')`;
  return type === 'Integer'
    ? `CASE WHEN abs(round(${sql})) <= ${INTEGER_LIMIT} THEN round(${sql})::integer END`
    : `CASE WHEN abs(round(${sql}, ${DECIMAL_DIGITS})) < ${DECIMAL_LIMIT} THEN round(${sql}, ${DECIMAL_DIGITS}) END`;
}

function sqlOf(it: Expression): string {
  if (it.op === 'value') return it.kind === 'number' ? `${it.value}::numeric` : `${literal(it.value)}::text`;
  if (it.op === 'field') return it.kind === 'number' ? `${quoted(it.name)}::numeric` : quoted(it.name);
  const [a = '', b = '', c = ''] = it.args.map(sqlOf);
  switch (it.op) {
    case '/':
      // The database chooses a quotient's digits by its size; of whole numbers it gives all.
      return `(div(${a} * 1e${QUOTIENT_DIGITS}, nullif(${b}, 0)) * 1e-${QUOTIENT_DIGITS})`;
    case 'negate':
      return `(- ${a})`;
    case 'abs':
      return `abs(${a})`;
    case 'round':
      return `round(${a}, ${digitsOf(it.args[1])})`;
    case 'join':
      return `(${a} || ${b})`;
    case 'string':
      return `trim_scale(${a})::text`;
    case 'days':
      return `(${b} - ${a})::numeric`;
    case 'ifEmpty':
      return `coalesce(${a}, ${b})`;
    case 'choose':
      return `CASE WHEN ${a} THEN ${b} ELSE ${c} END`;
    case 'and':
    case 'or':
      return `(${a} ${it.op.toUpperCase()} ${b})`;
    case 'not':
      return `(NOT ${a})`;
    case '==':
      return `(${a} = ${b})`;
    case '!=':
      return `(${a} <> ${b})`;
    default:
      return `(${a} ${it.op} ${b})`;
  }
}

const digitsOf = (it: Expression | undefined): string => (it?.op === 'value' ? it.value : '0');
