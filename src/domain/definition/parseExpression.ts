import { Environment, ParseError, type ASTNode } from '@marcbachmann/cel-js';
import type { Field } from '#domain/definition/grammar.ts';
import { computedTypes, kindInExpression, type Kind } from '#domain/definition/computable.ts';
import type { Expression, Operator } from '#domain/definition/expression.ts';
import { isStorable } from '#domain/exact.ts';
import { nearest } from '#domain/nearest.ts';

/** Why an expression can't be: which rule, at which name of it. */
interface ExpressionFault {
  rule:
    | 'expressionLong'
    | 'expressionSyntax'
    | 'expressionPart'
    | 'expressionField'
    | 'expressionFieldType'
    | 'expressionTypes'
    | 'expressionResult';
  name: string;
  suggestion?: string | undefined;
}
type Fields = Readonly<Record<string, Pick<Field, 'type' | 'computed'>>>;

const MOST_CHARACTERS = 300;
const language = new Environment({ limits: { maxAstNodes: 60, maxDepth: 20 } });

/**
 * The expression of a computed field, typed. Its grammar is that of CEL (the Common Expression Language), of which it has
 * what a row needs: numbers, which are decimals and exact, texts, days, comparisons, `&&`, `||`, `!`, `? :`, and the
 * functions `round`, `abs`, `days`, `string` and `ifEmpty`. There is nothing in it that repeats. Rule:
 * definitions#computed-fields.
 */
export function parseExpression(
  source: string,
  field: Pick<Field, 'type'>,
  fields: Fields,
): { expression: Expression } | { fault: ExpressionFault } {
  try {
    if (source.length > MOST_CHARACTERS) refuse('expressionLong', String(MOST_CHARACTERS));
    const expression = typed(parse(source), fields);
    if (expression.kind !== computedTypes[field.type]) refuse('expressionResult', expression.kind);
    return { expression };
  } catch (error) {
    if (error instanceof Fault) return { fault: error.fault };
    throw error;
  }
}

class Fault extends Error {
  constructor(readonly fault: ExpressionFault) {
    super(fault.rule);
  }
}

function refuse(rule: ExpressionFault['rule'], name: string, suggestion?: string): never {
  throw new Fault({ rule, name, suggestion });
}

function parse(source: string): ASTNode {
  try {
    return language.parse(source).ast;
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    if (error.code === 'limit_exceeded') refuse('expressionLong', String(MOST_CHARACTERS));
    const { start, end } = error.range ?? { start: 0, end: 0 };
    return refuse('expressionSyntax', source.slice(start, Math.max(end, start + 1)) || endOf(source));
  }
}

/** The last word and what follows it. */
const endOf = (source: string): string => /\w*\W*$/.exec(source)?.[0].trim() ?? '';

const said = (node: ASTNode): string => node.input.slice(node.range.start, node.range.end);

function typed(node: ASTNode, fields: Fields): Expression {
  const args = (of: readonly ASTNode[]) => of.map((it) => typed(it, fields));
  switch (node.op) {
    case 'value':
      return literal(node);
    case 'id':
      return fieldOf(node.args, fields);
    case '-_': {
      const [of] = args([node.args]) as [Expression];
      return made('negate', node, [of], ['number'], 'number');
    }
    case '!_':
      return made('not', node, args([node.args]), ['truth'], 'truth');
    case '&&':
      return made('and', node, args(node.args), ['truth', 'truth'], 'truth');
    case '||':
      return made('or', node, args(node.args), ['truth', 'truth'], 'truth');
    case '+': {
      const both = args(node.args);
      return both[0]?.kind === 'text'
        ? made('join', node, both, ['text', 'text'], 'text')
        : made('+', node, both, ['number', 'number'], 'number');
    }
    case '-':
    case '*':
    case '/':
      return made(node.op, node, args(node.args), ['number', 'number'], 'number');
    case '==':
    case '!=': {
      const both = args(node.args);
      const kind = both[0]?.kind ?? 'text';
      return made(node.op, node, both, [kind, kind], 'truth');
    }
    case '<':
    case '<=':
    case '>':
    case '>=': {
      const both = args(node.args);
      // Texts have an order in each language.
      const kind = both[0]?.kind === 'day' ? 'day' : 'number';
      return made(node.op, node, both, [kind, kind], 'truth');
    }
    case '?:': {
      const all = args(node.args);
      const kind = all[1]?.kind ?? 'text';
      return made('choose', node, all, ['truth', kind, kind], kind);
    }
    case 'call':
      return call(node, node.args[0], args(node.args[1]));
    default:
      return refuse('expressionPart', said(node));
  }
}

const functions: Record<string, { op: Operator; takes: Kind[]; gives: Kind }> = {
  round: { op: 'round', takes: ['number', 'number'], gives: 'number' },
  abs: { op: 'abs', takes: ['number'], gives: 'number' },
  days: { op: 'days', takes: ['day', 'day'], gives: 'number' },
  string: { op: 'string', takes: ['number'], gives: 'text' },
};

function call(node: ASTNode, name: string, args: Expression[]): Expression {
  const [first, second] = args;
  if (name === 'ifEmpty') {
    if (first?.op !== 'field' || args.length !== 2) return refuse('expressionTypes', said(node));
    return made('ifEmpty', node, args, [first.kind, first.kind], first.kind);
  }
  const known = Object.hasOwn(functions, name) ? functions[name] : undefined;
  if (!known) return refuse('expressionPart', name, nearest(name, [...Object.keys(functions), 'ifEmpty']));
  const isDigits = second?.op === 'value' && /^[0-6]$/.test(second.value);
  if (known.op === 'round' && !isDigits) refuse('expressionTypes', said(node));
  return made(known.op, node, args, known.takes, known.gives);
}

function made(op: Operator, node: ASTNode, args: Expression[], takes: readonly Kind[], kind: Kind): Expression {
  const fits = args.length === takes.length && args.every((it, i) => it.kind === takes[i]);
  return fits ? { op, kind, args } : refuse('expressionTypes', said(node));
}

function literal(node: ASTNode): Expression {
  const { args } = node as { args: unknown };
  if (typeof args === 'string' && isStorable(args)) return { op: 'value', kind: 'text', value: args };
  const digits = said(node);
  // As it is written: a number of JavaScript would have lost digits already.
  return /^\d{1,15}(\.\d{1,6})?$/.test(digits)
    ? { op: 'value', kind: 'number', value: digits }
    : refuse('expressionPart', digits);
}

function fieldOf(name: string, fields: Fields): Expression {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (!field) return refuse('expressionField', name, nearest(name, Object.keys(fields)));
  const kind = kindInExpression(field);
  return kind ? { op: 'field', kind, name } : refuse('expressionFieldType', name);
}
