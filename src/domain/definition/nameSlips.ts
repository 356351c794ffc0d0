import type { Definition } from '#domain/definition/grammar.ts';
import type { DefinitionProblem } from '#domain/definition/problems.ts';

/**
 * Fields that a module names where nobody can mean it: twice in one place, or a password where values are read, sorted or
 * searched, or told from each other. Rule: definitions#slips.
 */
export function validateNamePlaces(definition: Definition): DefinitionProblem[] {
  const { module: where, fields, form = [], list, buttons = [] } = definition;
  const slip = (rule: string, path: string, name: string): DefinitionProblem => ({
    ...{ kind: 'Slip', rule, where, what: `${rule} at ${path}: "${name}"`, path, name },
  });
  const isSecret = (name: string) => Object.hasOwn(fields, name) && fields[name]?.type === 'password';
  const read = placesRead(definition);
  const asked: Place[] = [
    ['list.sort', [list?.sort?.replace(/^-/, '') ?? '']],
    ...buttons.map((it): Place => [`buttons.${it.btnNo}.when`, Object.keys(it.when ?? {})]),
    ...Object.keys(fields).flatMap((it): Place[] => (fields[it]?.unique ? [[`fields.${it}.unique`, [it]]] : [])),
  ];
  const typed: Place = ['form', form.flat()];
  return [
    ...[...read, typed].flatMap(([path, names]) => repeatedIn(names).map((it) => slip('nameTwice', path, it))),
    ...[...read, ...asked].flatMap(([path, names]) =>
      names.filter(isSecret).map((it) => slip('secretField', path, it)),
    ),
  ];
}

type Place = readonly [path: string, names: readonly string[]];

const placesRead = ({ search = [], list, detail = [], indexes = [] }: Definition): Place[] => [
  ['search', search],
  ['list.columns', list?.columns ?? []],
  ['list.shown', list?.shown ?? []],
  ['list.totals', list?.totals ?? []],
  ['detail', detail],
  ...indexes.map((it): Place => ['indexes', it]),
];

/** The names that stand there more than once, each told once. */
export const repeatedIn = (names: readonly string[]): string[] => [
  ...new Set(names.filter((it, i) => names.indexOf(it) !== i)),
];
