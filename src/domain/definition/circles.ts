import { seenByWhen } from '#domain/definition/fieldSites.ts';
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
  const seenThrough = (definition: Definition): string[] => {
    const { site, rowsOf } = definition;
    return [
      ...(rowsOf ? [rowsOf.module, ...seenByWhen(definition, { definitions })] : []),
      ...(typeof site === 'object' && 'through' in site ? [site.through] : []),
    ];
  };
  return [
    ...circlesBy(definitions, needed, { path: 'fields' }),
    ...circlesBy(definitions, seenThrough, { path: 'site', rule: 'seenInCircle' }),
    ...findLongWays(definitions),
  ];
}

/** Each is one more question within every query of the list. */
const MOST_THROUGH = 8;

function findLongWays(definitions: Model['definitions']): Circle[] {
  const parentOf = ({ site }: Definition) =>
    typeof site === 'object' && 'through' in site ? definitions.get(site.through) : undefined;
  return [...definitions.values()].flatMap((definition): Circle[] => {
    const way = new Set([definition]);
    for (const it of way) {
      const parent = parentOf(it);
      if (parent) way.add(parent);
    }
    // What is seen through this one is told by it.
    if (way.size !== MOST_THROUGH + 2) return [];
    const { module: where } = definition;
    const what = `rows are seen through ${way.size - 1} modules`;
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
