import { indexesOf, isUnique } from '#domain/definition/columns.ts';
import { forbiddenIn } from '#domain/definition/forbidden.ts';
import type { Definition, Model } from '#domain/definition/grammar.ts';
import type { DefinitionProblem } from '#domain/definition/problems.ts';
import { rowsAre } from '#domain/definition/rowsOf.ts';

/** Through which row something is seen, and where a definition says so. */
interface Through {
  path: string;
  /** The module of that row, and its field. */
  module: string;
  key: string;
}

function throughOf({ site, rowsOf, fields }: Definition): Through[] {
  // In a list of another's rows that one's sites count.
  if (rowsOf) return [];
  const ofRows =
    typeof site === 'object' && 'through' in site
      ? [{ path: 'site', module: site.through, key: site.as ?? site.by }]
      : [];
  const ofValues = Object.entries(fields).flatMap(([name, { site: of }]) =>
    of ? [{ path: `fields.${name}.site`, module: of.through, key: of.by }] : [],
  );
  return [...ofRows, ...ofValues];
}

/** The module whose rows a module has: its own, or those of which it is a list. */
const rowsIn = (module: string, model: Model): Definition | undefined => {
  const definition = model.definitions.get(module);
  return definition && rowsAre(definition, model);
};

/**
 * What would tell of rows and values to who does not see them: rows that are seen through others by a value that these may
 * share, as whoever makes one of them sees what belongs to another; and values of some sites that no two rows may share, as
 * whoever enters one again is told of it. What is in force already is not asked again. Rule: definitions#keys.
 * @param before the model that is in force
 * @param after the same with the change laid over it
 */
export function validateKeys(before: Model, after: Model, changed: Iterable<string>): DefinitionProblem[] {
  const modules = new Set(changed);
  const keyOf = ({ where, rule, path, name }: DefinitionProblem) => `${where} ${rule} ${path} ${name}`;
  const known = new Set(problemsIn(before, modules).map(keyOf));
  return problemsIn(after, modules).filter((it) => !known.has(keyOf(it)));
}

function problemsIn(model: Model, changed: ReadonlySet<string>): DefinitionProblem[] {
  const isShared = ({ module, key }: Through) => {
    const rows = rowsIn(module, model);
    return rows !== undefined && !isUnique(rows, key);
  };
  const problems = [...changed].flatMap((where) => {
    const definition = model.definitions.get(where);
    if (!definition) return [];
    const no = forbiddenIn(where);
    return [
      ...throughOf(definition)
        .filter(isShared)
        .map(({ path, module, key }) => no('throughShared', `rows of ${module} may share "${key}"`, path, key)),
      ...keysOf(definition).flatMap(({ path, columns }) =>
        columns
          .filter((it) => definition.fields[it]?.site)
          .map((it) => no('uniqueOfSites', `"${it}" is unique and not shown to all`, path, it)),
      ),
    ];
  });
  // Of those that stay as they are, whether a changed module's rows may share by now what they are seen by.
  const others = [...model.definitions.values()].filter((it) => !changed.has(it.module)).flatMap(throughOf);
  const above = others.flatMap((it) => {
    const where = rowsIn(it.module, model)?.module ?? '';
    const no = forbiddenIn(where);
    const what = `rows are seen through "${it.key}", which others may share`;
    return changed.has(where) && isShared(it) ? [no('throughShared', what, `fields.${it.key}.unique`, it.key)] : [];
  });
  return [...problems, ...above];
}

/** What no two rows of a module share, each with where its definition says so. */
export function keysOf(definition: Definition): { path: string; columns: readonly string[] }[] {
  const keys = indexesOf(definition).filter((it) => it.unique && !definition.rowsOf);
  return keys.map(({ columns }) => {
    const [first = ''] = columns;
    const isOwn = columns.length === 1 && definition.fields[first]?.unique === true;
    return { path: isOwn ? `fields.${first}.unique` : 'unique', columns };
  });
}

/**
 * The keys, by where they are said and their first field, that hold over rows that not everybody sees: whoever enters a value
 * again is told that somebody has it. A bill's number is entered by nobody, and one that says the site or the owner of its row
 * holds among the rows of one.
 */
export function toldOverSites(definition: Definition): (readonly [path: string, name: string])[] {
  const { site, owner, number, fields, viewOf } = definition;
  const scopes = [
    ...(site === 'all' ? [] : [Array.isArray(site) ? site : [site.by]]),
    ...(owner ? [[owner.field]] : []),
  ];
  const isEntered = (it: string) => it !== number?.field && fields[it]?.readOnly !== true;
  return keysOf(definition)
    .filter(({ columns }) => !viewOf && columns.every(isEntered) && !columns.some((it) => fields[it]?.site))
    .filter(({ columns }) => scopes.some((scope) => !scope.every((it) => columns.includes(it))))
    .map(({ path, columns }) => [path, columns[0] ?? '']);
}
