import { seenByWhen, whenSites } from '#domain/definition/fieldSites.ts';
import type { Definition, Model } from '#domain/definition/grammar.ts';

/** A problem of definitions that lead to each other. */
interface Circle {
  kind: 'CircularReference' | 'ForbiddenChange';
  rule?: string;
  where: string;
  what: string;
  path: string;
  name: string;
}

/**
 * What goes round in a circle has no end: references that every row needs, so that none could be the first, and modules
 * through which rows are seen, so that nobody could say whether one is.
 */
export function findCircles(definitions: Model['definitions']): Circle[] {
  const needed = ({ fields }: Definition): string[] =>
    Object.values(fields).flatMap(({ ref, required, visibleWhen }) =>
      ref && required === true && !visibleWhen ? [ref.module] : [],
    );
  const seenThrough = (it: Definition): string[] => seenBy(it, definitions);
  return [
    ...circlesBy(definitions, needed, { path: 'fields' }),
    ...circlesBy(definitions, seenThrough, { path: 'site', rule: 'seenInCircle' }),
    ...findLongWays(definitions),
  ];
}

/** The modules by whose rows it is decided which of a module's are seen. */
const seenBy = (definition: Definition, definitions: Model['definitions']): string[] => [
  ...(definition.rowsOf ? [definition.rowsOf.module, ...seenByWhen(definition, { definitions })] : []),
  ...throughOf(definition),
];

const throughOf = ({ site }: Definition): string[] =>
  typeof site === 'object' && 'through' in site ? [site.through] : [];

/** Each is one more question within every query of the list. */
const MOST_THROUGH = 8;

/**
 * Rows that are seen through too many: by their site, and by the values that a list of another's rows asks for. Each field by
 * which one leads to another asks on its own, with all that the other asks in turn.
 */
function findLongWays(definitions: Model['definitions']): Circle[] {
  const known = new Map<string, number>();
  const through = (module: string): number => 1 + count(module);
  const count = (module: string): number => {
    const definition = definitions.get(module);
    const there = known.get(module);
    if (!definition || there !== undefined) return there ?? 0;
    // What leads in a circle is told as one.
    known.set(module, 0);
    const { rowsOf } = definition;
    const asked = whenSites(definition, { definitions }).map((it) => it.through);
    const own = [...asked, ...(rowsOf ? [] : throughOf(definition))].map(through);
    const all = own.reduce((sum, it) => sum + it, rowsOf ? count(rowsOf.module) : 0);
    known.set(module, all);
    return all;
  };
  return [...definitions.values()].flatMap((definition): Circle[] => {
    const { module: where } = definition;
    const all = count(where);
    // What is seen through this one is told by it.
    if (all <= MOST_THROUGH || seenBy(definition, definitions).some((it) => count(it) > MOST_THROUGH)) return [];
    const what = `rows are seen through ${all} modules`;
    return [{ kind: 'ForbiddenChange', rule: 'seenTooFar', where, what, path: 'site', name: String(MOST_THROUGH) }];
  });
}

function circlesBy(
  definitions: Model['definitions'],
  next: (definition: Definition) => string[],
  told: Pick<Circle, 'path' | 'rule'>,
): Circle[] {
  const problems: Circle[] = [];
  const done = new Set<string>();
  const visit = (module: string, trail: readonly string[]) => {
    if (trail.includes(module)) {
      const circle = [...trail.slice(trail.indexOf(module)), module].join(' → ');
      const what = `${circle} refer to each other`;
      problems.push({ kind: 'CircularReference', where: module, what, name: circle, ...told });
      return;
    }
    if (done.has(module)) return;
    const definition = definitions.get(module);
    for (const it of definition ? next(definition) : []) visit(it, [...trail, module]);
    done.add(module);
  };
  for (const module of definitions.keys()) visit(module, []);
  return problems;
}
