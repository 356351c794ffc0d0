import { dequal } from 'dequal/lite';
import type pg from 'pg';
import type { Field, Model } from '#domain/definition/grammar.ts';
import type { DefinitionProblem, Registers } from '#domain/definition/problems.ts';
import { mayDo } from '#domain/rights.ts';
import type { Publication } from '#server/definitions/definitions.ts';
import { readModel, type PublishedChange } from '#server/definitions/read.ts';
import { ownersIn } from '#server/definitions/tables.ts';

/** The tables that are there. */
export async function readTables(client: Pick<pg.ClientBase, 'query'>): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()`,
  );
  return new Set(rows.map((it) => it.name));
}

/**
 * Which changes would put a module on a table of the platform. A new module may have a table of its own, or one that a
 * module which was taken back had. Rule: definitions#published-changes.
 */
export async function findPlatformTables(
  client: Pick<pg.ClientBase, 'query'>,
  registers: Registers,
  changes: readonly PublishedChange[],
): Promise<DefinitionProblem[]> {
  const named = changes.flatMap(({ module, change }) => {
    const table = change.definition?.table;
    return table === undefined ? [] : [{ module, table }];
  });
  if (named.length === 0) return [];
  const there = await readTables(client);
  const { rows } = await client.query<{ name: string }>(
    `SELECT change -> 'definition' ->> 'table' AS name FROM definition_change WHERE change ? 'definition'`,
  );
  const ours = new Set([...ownersIn(readModel(registers)).map((it) => it.table), ...rows.map((it) => it.name)]);
  return named
    .filter(({ table }) => there.has(table) && !ours.has(table))
    .map(({ module, table }): DefinitionProblem => {
      const what = `the table "${table}" is the platform's own; choose another name`;
      return { kind: 'ForbiddenChange', rule: 'platformTable', where: module, what, path: 'table', name: table };
    });
}

/** Of whoever stands at the machine itself. */
const ANY: ReadonlySet<string> = new Set(['*:*']);

/**
 * Which new modules would have a table with the rows of a module that was taken back, or its name, by which rights, files and
 * the ledger go: their author had not published it and may not list it. Rule: definitions#publishing.
 */
export async function findFormerTables(
  client: Pick<pg.ClientBase, 'query'>,
  registers: Registers,
  { changes, author = ANY, userId }: Publication,
): Promise<DefinitionProblem[]> {
  const { rows } = await client.query<{ name: string | null; module: string; userId: string }>(
    `SELECT CASE WHEN NOT c.change -> 'definition' ? 'rowsOf' THEN c.change -> 'definition' ->> 'table' END AS name,
            c.module, p."userId"
       FROM definition_change AS c JOIN definition_publish AS p ON p.id = c."publishId"
      WHERE c.change ? 'definition'`,
  );
  const { definitions } = readModel(registers);
  const shipped = new Set([...definitions.values()].map((it) => it.table));
  return changes.flatMap(({ module, change }): DefinitionProblem[] => {
    if (!change.definition || definitions.has(module)) return [];
    const { table, rowsOf } = change.definition;
    const tables = rowsOf || shipped.has(table) ? [] : [table];
    const former = rows.find(
      (it) =>
        (it.module === module || tables.includes(it.name ?? '')) &&
        it.userId !== userId &&
        !mayDo(author, `${it.module}:list`),
    );
    if (!former) return [];
    const what =
      former.module === module && former.name !== table
        ? `"${module}" was the name of another's module`
        : `the table "${table}" holds rows of ${former.module}`;
    return [{ kind: 'ForbiddenChange', rule: 'unreadable', where: module, what, path: 'table', name: former.module }];
  });
}

/**
 * Which fields would show what their columns hold of a field that was taken back: passwords, or values that only those saw
 * who see a row of another module. Rule: definitions#reach.
 */
export async function findFormerSecrets(
  client: Pick<pg.ClientBase, 'query'>,
  before: Model,
  after: Model,
): Promise<DefinitionProblem[]> {
  const { rows } = await client.query<{ module: string; table: string | null; name: string; field: Partial<Field> }>(
    `SELECT c.module, c.change -> 'definition' ->> 'table' AS table, f.key AS name, f.value AS field
       FROM definition_change AS c,
            jsonb_each(coalesce(c.change -> 'definition' -> 'fields', c.change -> 'fields', '{}')) AS f
      WHERE f.value ->> 'type' = 'password' OR jsonb_typeof(f.value -> 'site') = 'object'`,
  );
  const tableOf = (module: string) => (after.definitions.get(module) ?? before.definitions.get(module))?.table;
  const former = rows.map((it) => ({ ...it, table: it.table ?? tableOf(it.module) }));
  return [...after.definitions.values()].flatMap(({ module, table, fields }) =>
    former.flatMap(({ table: of, name, field: was }): DefinitionProblem[] => {
      const is = of === table && Object.hasOwn(fields, name) ? fields[name] : undefined;
      if (!is || dequal(is, before.definitions.get(module)?.fields[name])) return [];
      const no = (rule: string, path: string): DefinitionProblem => {
        const what = `the column of "${name}" holds what not everybody may see`;
        return { kind: 'ForbiddenChange', rule, where: module, what, path: `fields.${name}.${path}`, name };
      };
      if (was.type === 'password') return is.type === 'password' ? [] : [no('secretField', 'type')];
      return dequal(is.site, was.site) ? [] : [no('siteFixed', 'site')];
    }),
  );
}
