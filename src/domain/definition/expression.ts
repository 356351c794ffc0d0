import Big from 'big.js';
import type { Kind } from '#domain/definition/computable.ts';
import { isBlank } from '#domain/definition/fieldRules.ts';
import type { Field } from '#domain/definition/grammar.ts';
import { exactDecimal } from '#domain/exact.ts';
import { trimmedDecimal } from '#domain/money.ts';

/**
 * An expression whose names and types have been looked up (`parseExpression.ts`). The browser's form evaluates it, the
 * database takes it as SQL (`src/server/definitions/computedColumn.ts`): both give the same, which a test holds.
 */
export type Expression =
  | { op: 'value'; kind: 'number' | 'text'; value: string }
  | { op: 'field'; kind: Exclude<Kind, 'truth'>; name: string }
  | { op: Operator; kind: Kind; args: Expression[] };

export type Operator =
  | '+'
  | '-'
  | '*'
  | '/'
  | 'negate'
  | 'abs'
  | 'round'
  | 'join'
  | 'string'
  | 'days'
  | 'ifEmpty'
  | '=='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>='
  | 'and'
  | 'or'
  | 'not'
  | 'choose';

/** All fields that it names. */
export const namedFields = (it: Expression): string[] =>
  it.op === 'field' ? [it.name] : it.op === 'value' ? [] : [...new Set(it.args.flatMap(namedFields))];

/** The fields without which there is no value: all that it names, but those for whose emptiness it provides. */
export function neededFields(it: Expression): string[] {
  if (it.op === 'field') return [it.name];
  if (it.op === 'value') return [];
  const args = it.op === 'ifEmpty' ? it.args.slice(1) : it.args;
  return [...new Set(args.flatMap(neededFields))];
}

/** A quotient is cut after so many digits: enough to round it to any that a field keeps. */
export const QUOTIENT_DIGITS = 12;
/** Below it a decimal fits its column. */
export const DECIMAL_LIMIT = '1000000000000';
export const INTEGER_LIMIT = '2147483647';
export const DECIMAL_DIGITS = 6;

const Decimal = Big();
Decimal.DP = QUOTIENT_DIGITS;
Decimal.RM = Big.roundDown;

type Value = Big | string | number | boolean | null;

/**
 * What a computed field holds for these values of its row, as the wire says them: a decimal as its digits, a whole number,
 * a text. Null where a field that it needs is empty, where it divides by nothing, and where the column can't hold it. Rule:
 * definitions#computed-fields.
 */
export function evaluate(
  type: Field['type'],
  expression: Expression,
  row: Record<string, unknown>,
): string | number | null {
  if (neededFields(expression).some((it) => isBlank(row[it]))) return null;
  const value = valueOf(expression, row);
  if (!(value instanceof Decimal)) return typeof value === 'string' && value !== '' ? value : null;
  const isWhole = type === 'Integer';
  const rounded = value.round(isWhole ? 0 : DECIMAL_DIGITS, Big.roundHalfUp);
  if (isWhole) return rounded.abs().lte(INTEGER_LIMIT) ? Number(rounded) + 0 : null;
  return rounded.abs().lt(DECIMAL_LIMIT) ? digitsOf(rounded) : null;
}

function valueOf(it: Expression, row: Record<string, unknown>): Value {
  if (it.op === 'value') return it.kind === 'number' ? new Decimal(it.value) : it.value;
  if (it.op === 'field') return readField(it.kind, row[it.name]);
  const [a, b, c] = it.args as [Expression, Expression, Expression];
  const value = (of: Expression) => valueOf(of, row);
  switch (it.op) {
    case 'ifEmpty':
      return value(a) ?? value(b);
    case 'choose':
      return value(a) === true ? value(b) : value(c);
    case 'and':
      return both(value(a), value(b), false);
    case 'or':
      return both(value(a), value(b), true);
    default: {
      const known = it.args.map(value);
      return known.includes(null) ? null : applied(it.op, known as Exclude<Value, null>[]);
    }
  }
}

function readField(kind: Kind, raw: unknown): Value {
  if (isBlank(raw)) return null;
  if (kind === 'number') {
    const digits = exactDecimal(typeof raw === 'string' ? raw.trim() : raw);
    return digits === null ? null : new Decimal(digits);
  }
  return kind === 'day' ? Number(raw) : String(raw);
}

/** As SQL has it: what is not known decides nothing, and is overruled by what does. */
function both(a: Value, b: Value, decisive: boolean): boolean | null {
  if (a === decisive || b === decisive) return decisive;
  return a === null || b === null ? null : !decisive;
}

const DAY = 86_400_000;

function applied(op: Exclude<Operator, 'ifEmpty' | 'choose' | 'and' | 'or'>, [x, y]: Exclude<Value, null>[]): Value {
  const [a, b] = [x as Big, y as Big];
  switch (op) {
    case '+':
      return a.plus(b);
    case '-':
      return a.minus(b);
    case '*':
      return a.times(b);
    case '/':
      return b.eq(0) ? null : a.div(b);
    case 'negate':
      return a.times(-1);
    case 'abs':
      return a.abs();
    case 'round':
      return a.round(Number(b), Big.roundHalfUp);
    case 'join':
      return String(x) + String(y);
    case 'string':
      return digitsOf(a);
    case 'days':
      // A day is an hour shorter or longer where the clocks change.
      return new Decimal(Math.round((Number(y) - Number(x)) / DAY));
    case 'not':
      return x !== true;
    default:
      return compared(op, x as Big | string | number, y as Big | string | number);
  }
}

function compared(
  op: '==' | '!=' | '<' | '<=' | '>' | '>=',
  x: Big | string | number,
  y: Big | string | number,
): boolean {
  const order = x instanceof Decimal ? x.cmp(y) : x < (y as typeof x) ? -1 : x > (y as typeof x) ? 1 : 0;
  switch (op) {
    case '==':
      return order === 0;
    case '!=':
      return order !== 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
  }
}

const digitsOf = (it: Big): string => (it.eq(0) ? '0' : trimmedDecimal(it.toFixed()));
