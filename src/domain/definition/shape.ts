import type { TLocalizedValidationError } from 'typebox/error';
import { MOST_IN_NAME } from '#domain/definition/grammar.ts';

/** What is wrong with a shape: which rule of the schema is broken, where, and at which name or bound. */
interface ShapeProblem {
  kind: 'BadShape';
  rule: string;
  where: string;
  what: string;
  path: string;
  name: string;
}

/** What must stand at a place that takes one type alone. */
const typeRules: Record<string, string> = {
  string: 'shapeText',
  number: 'shapeNumber',
  integer: 'shapeWhole',
  boolean: 'shapeTruth',
  array: 'shapeList',
  object: 'shapeParts',
};
/** Names of which each has its own letters. */
const patternRules: Record<string, string> = {
  '^[a-z][A-Za-z0-9]*$': 'badName',
  '^[a-z][a-z0-9_]*$': 'shapeTable',
  '^[A-Z]{3}$': 'shapePrefix',
  '^[A-Za-z][A-Za-z0-9]*$': 'shapeName',
};
/** What says that a value is of none of the kinds that may stand at its place. */
const ofKind: ReadonlySet<string> = new Set(['type', 'const', 'enum']);
const SHOWN = 40;

/**
 * What the schema finds, as problems of which each has a sentence of its own: of a place where several kinds may stand
 * only what is wrong with the kind that is meant there, else that none is.
 */
export function problemsOfShape(
  errors: readonly TLocalizedValidationError[],
  value: unknown,
  where: string,
): ShapeProblem[] {
  const told = errors.filter((it) => it.keyword !== 'anyOf' && it.keyword !== 'additionalProperties');
  const others = told.filter((it) => !ofKind.has(it.keyword));
  const isWithin = (path: string, at: string) => path === at || path.startsWith(`${at}/`);
  const isDeeper = (path: string, at: string) => path !== at && isWithin(path, at);
  const problems = new Map<string, ShapeProblem>();
  for (const it of told) {
    const at = it.instancePath;
    const isMeant =
      others.some((other) => isWithin(other.instancePath, at)) ||
      told.some((other) => isDeeper(other.instancePath, at));
    if (ofKind.has(it.keyword) && isMeant) continue;
    const same = told.filter((other) => other.instancePath === at && ofKind.has(other.keyword));
    for (const [rule, name] of ofKind.has(it.keyword) ? [[ruleOfKind(same), ''] as const] : rulesOf(it, value)) {
      const path = at.slice(1).replaceAll('/', '.');
      const what = `${at || '/'} ${it.keyword === 'boolean' ? 'is no part of it' : it.message}`;
      problems.set(`${at} ${rule} ${name}`, { kind: 'BadShape', rule, where, what, path, name });
    }
  }
  return [...problems.values()];
}

/** Null stands for nothing, and is not what somebody meant who wrote something else. */
function ruleOfKind(errors: readonly TLocalizedValidationError[]): string {
  const types = errors.flatMap((it) => (it.keyword === 'type' ? [it.params.type].flat() : ['one of several']));
  const [only = '', ...more] = new Set(types.filter((it) => it !== 'null'));
  return more.length === 0 ? (typeRules[only] ?? 'shapeChoice') : 'shapeChoice';
}

function rulesOf(it: TLocalizedValidationError, value: unknown): [rule: string, name: string][] {
  const last = it.instancePath.split('/').at(-1) ?? '';
  switch (it.keyword) {
    case 'required':
      return it.params.requiredProperties.map((name) => ['shapeNeeds', name]);
    case 'boolean':
      return [['shapeUnknown', last.slice(0, SHOWN)]];
    case 'minLength':
      return [['shapeEmpty', '']];
    case 'maxLength':
      return [['shapeLong', String(it.params.limit)]];
    case 'minItems':
    case 'minProperties':
      return [['shapeFew', String(it.params.limit)]];
    case 'maxItems':
    case 'maxProperties':
      return [['shapeMany', String(it.params.limit)]];
    case 'minimum':
      return [['shapeLeast', String(it.params.limit)]];
    case 'maximum':
      return [['shapeMost', String(it.params.limit)]];
    case 'pattern':
      return [[patternRules[String(it.params.pattern)] ?? 'shapeChoice', valueAt(value, it.instancePath)]];
    default:
      return [['shapeChoice', '']];
  }
}

function valueAt(value: unknown, path: string): string {
  const names = path.slice(1).split('/');
  const at = names.reduce<unknown>((it, name) => (it as Record<string, unknown> | undefined)?.[name], value);
  return String(at).slice(0, SHOWN);
}

/** What bears a longer name than any that is looked up: no part of the schema says how long it may be. */
export function problemsOfNames(value: unknown, where: string, path = ''): ShapeProblem[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, it]) => {
    if (name.length <= MOST_IN_NAME) return problemsOfNames(it, where, path === '' ? name : `${path}.${name}`);
    const what = `a name at ${path || '/'} is longer than ${MOST_IN_NAME}`;
    return [{ kind: 'BadShape', rule: 'shapeLong', where, what, path, name: String(MOST_IN_NAME) }];
  });
}
