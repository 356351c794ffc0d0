import type pg from 'pg';
import { forbiddenIn } from '#domain/definition/forbidden.ts';
import type { Model } from '#domain/definition/grammar.ts';
import type { DefinitionProblem, Registers } from '#domain/definition/problems.ts';
import { mayDo } from '#domain/rights.ts';
import { inBoth } from '#domain/words.ts';
import { readBrought } from '#server/definitions/brought.ts';
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

/** The tables that no definition has, and none that was published had: the platform's own. */
export async function readPlatformTables(
  client: Pick<pg.ClientBase, 'query'>,
  registers: Registers,
): Promise<Set<string>> {
  const shipped = readModel(registers);
  const { brought, taken } = await readBrought(client, shipped);
  const goneOnWith = taken.filter((it) => it.keptAs === null);
  const theirs = new Set([...ownersIn(shipped), ...brought, ...goneOnWith].map((it) => it.table));
  return new Set([...(await readTables(client))].filter((it) => !theirs.has(it)));
}

/** Which changes put a module on one of these tables of the platform, or under a name by which PostgreSQL finds its own first. */
export const onTablesOf = (platform: ReadonlySet<string>, changes: readonly PublishedChange[]): DefinitionProblem[] =>
  changes.flatMap(({ module, change }): DefinitionProblem[] => {
    const { table = '' } = change.definition ?? {};
    if (!platform.has(table) && !table.startsWith('pg_')) return [];
    const what = `the table "${table}" is the platform's own; choose another name`;
    return [{ kind: 'ForbiddenChange', rule: 'platformTable', where: module, what, path: 'table', name: table }];
  });

/**
 * Which changes would put a module on a table of the platform. A new module may have a table of its own, or one that a
 * module which was taken back had. Rule: definitions#published-changes.
 */
export async function findPlatformTables(
  client: Pick<pg.ClientBase, 'query'>,
  registers: Registers,
  changes: readonly PublishedChange[],
): Promise<DefinitionProblem[]> {
  if (!changes.some((it) => it.change.definition)) return [];
  const [platform, types] = [await readPlatformTables(client, registers), await readTypes(client)];
  return onTablesOf(new Set([...platform, ...types]), changes);
}

/** What PostgreSQL calls its types: each table is one as well, and of two of a name not everybody means the same. */
async function readTypes(client: Pick<pg.ClientBase, 'query'>): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT typname AS name FROM pg_type WHERE typnamespace = 'pg_catalog'::regnamespace`,
  );
  return rows.map((it) => it.name);
}

/** Of whoever stands at the machine itself. */
const ANY: ReadonlySet<string> = new Set(['*:*']);

/**
 * Which new modules would have the name of one that was taken back, by which rights, files and the ledger go: their author had
 * not published it and may not list it. Rule: definitions#publishing.
 */
export async function findFormerNames(
  client: Pick<pg.ClientBase, 'query'>,
  registers: Registers,
  { changes, author = ANY, userId }: Pick<Publication, 'changes' | 'author' | 'userId'>,
): Promise<DefinitionProblem[]> {
  const { definitions } = readModel(registers);
  const made = changes.filter(({ module, change }) => change.definition && !definitions.has(module));
  const unlisted = made.map((it) => it.module).filter((it) => !mayDo(author, `${it}:list`));
  return (await findOthers(client, unlisted, userId)).map((module): DefinitionProblem => {
    const what = `"${module}" was the name of another's module; choose another`;
    return { kind: 'ForbiddenChange', rule: 'formerName', where: module, what, path: 'module', name: module };
  });
}

/**
 * Which modules leave, or come again, as somebody takes publishes back who had not published them and may not list them. Rule:
 * definitions#reach.
 */
export async function findUnlistedTaken(
  client: Pick<pg.ClientBase, 'query'>,
  { before, after }: { before: Model; after: Model },
  { takesBack, author = ANY, userId }: Pick<Publication, 'takesBack' | 'author' | 'userId'>,
): Promise<DefinitionProblem[]> {
  if (takesBack.length === 0) return [];
  const moved = [...before.definitions.values(), ...after.definitions.values()].filter(
    ({ module }) =>
      before.definitions.has(module) !== after.definitions.has(module) && !mayDo(author, `${module}:list`),
  );
  const modules = moved.map((it) => it.module);
  const others = await findOthers(client, modules, userId);
  return moved.flatMap(({ module, label: { zh, en } }) => {
    const what = `its author may not list rows of ${module}`;
    return others.includes(module) ? [forbiddenIn(module)('ruledUnlisted', what, 'module', inBoth(zh, en))] : [];
  });
}

/** Those of these modules that somebody else has published. */
async function findOthers(
  client: Pick<pg.ClientBase, 'query'>,
  modules: readonly string[],
  userId: string,
): Promise<string[]> {
  if (modules.length === 0) return [];
  const { rows } = await client.query<{ module: string }>(
    `SELECT DISTINCT c.module
       FROM definition_change AS c JOIN definition_publish AS p ON p.id = c."publishId"
      WHERE c.change ? 'definition' AND c.module = ANY ($1) AND p."userId" <> $2`,
    [modules, userId],
  );
  return rows.map((it) => it.module);
}
