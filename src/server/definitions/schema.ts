import type pg from 'pg';
import { columnsOf, computedColumnsOf, indexesOf, named, standardColumns } from '#domain/definition/columns.ts';
import type { Definition, Model } from '#domain/definition/grammar.ts';
import { splitSql, useIndexesOf, usesOf, type Use } from '#domain/definition/uses.ts';
import { literal, quoted } from '#server/db/quoted.ts';
import { computedSql, COMPUTES_FROM } from '#server/definitions/computedColumn.ts';
import type { Aside, Emptied, Plan } from '#server/definitions/definitions.ts';
import { danglingIn } from '#server/definitions/foreignKeys.ts';
import { lookAll, type Look } from '#server/definitions/look.ts';
import { ownersIn } from '#server/definitions/tables.ts';

interface ExistingColumn {
  type: string;
  isGenerated: boolean;
  /** Of a generated one, as what it was made. */
  comment: string | null;
}

interface Existing {
  /** As the database says it: 180004. */
  serverVersion: number;
  columns: Map<string, Map<string, ExistingColumn>>;
  /** Those that can be used, and whether each holds more columns than it is sorted by. */
  indexes: Map<string, boolean>;
  /** Every name that tables and indexes share: of an index its table and columns. */
  names: Map<string, string>;
  /** Those that were begun beside who writes, and not finished. */
  broken: Set<string>;
  /** Tables whose changes are counted. */
  counted: Set<string>;
  /** By table and name of each trigger that holds what a column names, what it was made with. */
  holding: Map<string, string>;
  /** By table, its text columns whose empty texts are kept as none. */
  emptied: Map<string, string[]>;
  /** Tables whose trigger for that is gone already. */
  untriggered: Set<string>;
  /** Tables whose indexes are built beside who writes. */
  large: ReadonlySet<string>;
}

/**
 * Compares each definition with the database: creates tables, adds columns and indexes, has its changes counted
 * (`changes.ts`) and empty texts kept as none, also those that stand there from before. A column whose type differs is
 * refused, because changing it may lose data; a column that no definition names any more stays where it is. A new table
 * has its NOT NULLs at once, one that is there gets them when its rows allow it, as all get their foreign keys
 * (`constraints.ts`).
 * Rule: definitions#tables.
 * @param emptied what is made anew, whatever it holds
 * @param aside what makes way before all of that
 * @param large tables whose indexes are built beside who writes, each by itself and after the rest (`isBeside`)
 */
export async function planTables(
  client: Pick<pg.ClientBase, 'query'>,
  definitions: readonly Definition[],
  emptied: readonly Emptied[] = [],
  aside: readonly Aside[] = [],
  large: ReadonlySet<string> = new Set(),
): Promise<Plan> {
  const existing = { ...(await readExisting(client)), large };
  const plan: Plan = { statements: [], refused: [], uncounted: [] };
  if (aside.length > 0) planAside(aside, await readHanging(client), existing, plan);
  planEmptying(emptied, existing, plan);
  const uses = usesOf(new Map(definitions.map((it) => [it.module, it])));
  for (const definition of definitions) {
    if (!definition.viewOf) planTable(definition, uses, existing, plan);
    for (const table of definition.viewOf ?? [definition.table]) planCounting(table, existing, plan);
  }
  return plan;
}

/**
 * What the database would be told for it to hold `after` in the place of `before`, and the rows that keep it from that.
 * @param look how the rows are looked through; left out, to the last, however long that takes
 */
export async function planChange(
  client: Pick<pg.ClientBase, 'query'>,
  before: Model,
  after: Model,
  { emptied = [], look = lookAll(client) }: { emptied?: readonly Emptied[]; look?: Look } = {},
): Promise<Plan> {
  const [were, are] = [ownersIn(before), ownersIn(after)];
  const plan = await planTables(client, are, emptied);
  const isRefused = plan.refused.length > 0;
  const { refused: dangling, uncounted } = isRefused
    ? { refused: [], uncounted: [] }
    : await danglingIn(client, { before: were, after: are, emptied }, look);
  const usedUp = await findUsedUp(client, are, plan);
  const numbering = await planNumbering(look, are, plan);
  return {
    statements: [...plan.statements, ...numbering],
    refused: [...plan.refused, ...usedUp, ...dangling],
    uncounted,
  };
}

/** Of a plan's statements those that are done beside who writes: each by itself, outside of a transaction. */
export const isBeside = (statement: string): boolean =>
  /^(?:CREATE (?:UNIQUE )?|DROP )INDEX CONCURRENTLY /.test(statement) || isInBatches(statement);

/** A backfill, of ids from `$1` to `$2` at a time. */
export const isInBatches = (statement: string): boolean => statement.endsWith(IN_BATCHES);
const IN_BATCHES = ' AND id BETWEEN $1 AND $2';

/** An index of a smaller table is built in a few ms: so long whoever writes may wait. */
const LARGE_BYTES = 1_048_576;

/** The tables of which an index takes longer to build than people may wait. */
export async function readLarge(client: Pick<pg.ClientBase, 'query'>): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
      WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND pg_relation_size(oid) > $1`,
    [LARGE_BYTES],
  );
  return new Set(rows.map((it) => it.name));
}

/** PostgreSQL gives a table 1600 columns in its life, those that were dropped included. The others are for later versions. */
const MOST_COLUMNS = 1200;

/** The tables to which publishes can add nothing more, or a later version could add nothing either. */
async function findUsedUp(
  client: Pick<pg.ClientBase, 'query'>,
  definitions: readonly Definition[],
  { statements }: Plan,
): Promise<Plan['refused']> {
  const added = statements.flatMap((it) => /^ALTER TABLE "([^"]+)" ADD COLUMN/.exec(it)?.[1] ?? []);
  if (added.length === 0) return [];
  const { rows } = await client.query<{ table: string; n: number }>(
    `SELECT relname AS table, relnatts::int AS n FROM pg_class
      WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND relname = ANY ($1)`,
    [added],
  );
  return rows
    .filter(({ table, n }) => n + added.filter((it) => it === table).length > MOST_COLUMNS)
    .map(({ table, n }) => ({
      ...{ rule: 'columnsUsedUp' as const, path: 'fields', name: table },
      module: definitions.find((it) => it.table === table)?.module ?? '',
      what: `"${table}" has had ${n} columns, ${MOST_COLUMNS} at most by publishes: the others are for later versions`,
    }));
}

/** What is given up goes first, with all that the database has of it, and is then not there: the rest of the plan makes it. */
function planEmptying(emptied: readonly Emptied[], existing: Existing, plan: Plan): void {
  const tables = emptied.filter((it) => it.column === undefined).map((it) => it.table);
  // At once, as they may refer to each other.
  if (tables.length > 0) plan.statements.push(`DROP TABLE ${tables.map(quoted).join(', ')}`);
  for (const it of tables) forgetTable(it, existing);
  for (const { table, column } of emptied) {
    if (column === undefined) continue;
    const texts = existing.emptied.get(table);
    if (texts?.includes(column)) {
      if (!existing.untriggered.has(table)) plan.statements.push(`DROP TRIGGER empty_text_is_null ON ${quoted(table)}`);
      existing.untriggered.add(table);
      existing.emptied.set(
        table,
        texts.filter((it) => it !== column),
      );
    }
    planFreeing(table, column, existing, plan);
    plan.statements.push(`ALTER TABLE ${quoted(table)} DROP COLUMN ${quoted(column)}`);
    existing.columns.get(table)?.delete(column);
    forgetIndexes(existing, (of, its) => of === table && its.includes(column));
  }
}

/** What is computed from a column would keep it, and holds nothing itself; what holds the rows that it names goes as well. */
function planFreeing(table: string, column: string, existing: Existing, plan: Plan): void {
  const columns = existing.columns.get(table);
  const computed = [...(columns ?? [])].filter(([, it]) => it.isGenerated && it.comment?.includes(quoted(column)));
  for (const name of [...computed.map(([it]) => it), column]) {
    const holder = holderOf(table, name);
    if (existing.holding.delete(`${table} ${holder}`))
      plan.statements.push(`DROP TRIGGER ${quoted(holder)} ON ${quoted(table)}`);
    if (name === column) continue;
    plan.statements.push(`ALTER TABLE ${quoted(table)} DROP COLUMN ${quoted(name)}`);
    columns?.delete(name);
  }
}

function forgetTable(table: string, existing: Existing): void {
  for (const them of [existing.names, existing.columns, existing.emptied, existing.counted]) them.delete(table);
  for (const name of [...existing.holding.keys()].filter((it) => it.startsWith(`${table} `)))
    existing.holding.delete(name);
  forgetIndexes(existing, (of) => of === table);
}

/** Gives the names of those that are forgotten. */
function forgetIndexes(
  existing: Existing,
  isGone: (table: string, columns: readonly string[], index: string) => boolean,
): string[] {
  const gone = [...existing.names].flatMap(([index, of]) => {
    const [table = '', columns = ''] = of.split(' ');
    return of !== '' && isGone(table, columns.split(','), index) ? [index] : [];
  });
  for (const it of gone) for (const them of [existing.names, existing.indexes, existing.broken]) them.delete(it);
  return gone;
}

/** Nothing that a table or a column holds is lost: it has another name, and takes part in nothing any more. */
function planAside(aside: readonly Aside[], hanging: Hanging, existing: Existing, plan: Plan): void {
  const say = (it: string) => plan.statements.push(it);
  for (const it of aside) {
    if ('index' in it) {
      say(`DROP INDEX ${quoted(it.index)}`);
      forgetIndexes(existing, (_table, _columns, index) => index === it.index);
      continue;
    }
    const { table, column, as } = it;
    const keys = hanging.keys.filter((key) =>
      [key.from, key.to].some(
        (of) => of === `${table} ${column ?? ''}` || (column === undefined && of.startsWith(`${table} `)),
      ),
    );
    for (const { name, from } of keys)
      say(`ALTER TABLE ${quoted(from.split(' ')[0] as string)} DROP CONSTRAINT IF EXISTS ${quoted(name)}`);
    if (column === undefined) planTableAside(table, as, hanging, existing, plan);
    else {
      planTextsWithout(table, column, existing, plan);
      planFreeing(table, column, existing, plan);
      for (const index of forgetIndexes(existing, (of, its) => of === table && its.includes(column)))
        say(`DROP INDEX ${quoted(index)}`);
      if (hanging.required.has(`${table} ${column}`))
        say(`ALTER TABLE ${quoted(table)} ALTER COLUMN ${quoted(column)} DROP NOT NULL`);
      say(`ALTER TABLE ${quoted(table)} RENAME COLUMN ${quoted(column)} TO ${quoted(as)}`);
      const columns = existing.columns.get(table);
      const known = columns?.get(column);
      if (known) columns?.set(as, known);
      columns?.delete(column);
    }
  }
}

function planTableAside(table: string, as: string, { owned }: Hanging, existing: Existing, plan: Plan): void {
  const say = (it: string) => plan.statements.push(it);
  const triggers = [
    ...(existing.counted.has(table) ? ['count_change'] : []),
    ...(existing.emptied.has(table) ? ['empty_text_is_null'] : []),
    ...[...existing.holding.keys()].flatMap((it) => (it.startsWith(`${table} `) ? [it.slice(table.length + 1)] : [])),
  ];
  for (const it of triggers) say(`DROP TRIGGER ${quoted(it)} ON ${quoted(table)}`);
  const columns = existing.columns.get(table);
  const own = owned.filter((it) => it.table === table);
  const isOwn = (name: string) => own.some((it) => it.name === name);
  for (const index of forgetIndexes(existing, (of, _, name) => of === table && !isOwn(name)))
    say(`DROP INDEX ${quoted(index)}`);
  // Its key and its numbers go along, so that a new table of its name has them under theirs.
  for (const { name, kind } of own) {
    const other = nameBeside(`${as}_${kind === 'INDEX' ? 'pkey' : 'id_seq'}`, new Set(existing.names.keys()));
    say(`ALTER ${kind} ${quoted(name)} RENAME TO ${quoted(other)}`);
    existing.names.delete(name);
    existing.names.set(other, '');
  }
  say(`ALTER TABLE ${quoted(table)} RENAME TO ${quoted(as)}`);
  forgetTable(table, existing);
  existing.names.set(as, '');
  if (columns) existing.columns.set(as, columns);
}

/** The trigger that keeps empty texts as none names its columns. */
function planTextsWithout(table: string, column: string, existing: Existing, plan: Plan): void {
  const texts = existing.emptied.get(table);
  if (!texts?.includes(column)) return;
  const rest = texts.filter((it) => it !== column);
  plan.statements.push(`DROP TRIGGER empty_text_is_null ON ${quoted(table)}`);
  if (rest.length === 0) existing.emptied.delete(table);
  else {
    plan.statements.push(emptyTextTrigger(table, rest));
    existing.emptied.set(table, rest);
  }
}

/** A name of its own beside those that are taken: with a number behind it, and cut so that PostgreSQL does not. */
export function nameBeside(name: string, taken: ReadonlySet<string>, most = 63): string {
  for (let n = 1; ; n++) {
    const number = n === 1 ? '' : String(n);
    const it = `${name.slice(0, most - number.length)}${number}`;
    if (!taken.has(it)) return it;
  }
}

/** What the database has of tables beside their columns and indexes. */
interface Hanging {
  /** Foreign keys, by table and column at both ends. */
  keys: { name: string; from: string; to: string }[];
  /** The index of a primary key, and the numbers of an identity. */
  owned: { table: string; name: string; kind: 'INDEX' | 'SEQUENCE' }[];
  /** `table column` of each that is NOT NULL. */
  required: ReadonlySet<string>;
}

async function readHanging(client: Pick<pg.ClientBase, 'query'>): Promise<Hanging> {
  const keys = await client.query<Hanging['keys'][number]>(
    `SELECT f.conname AS name, c.relname || ' ' || a.attname AS from, p.relname || ' ' || b.attname AS to
       FROM pg_constraint AS f JOIN pg_class AS c ON c.oid = f.conrelid JOIN pg_class AS p ON p.oid = f.confrelid
       JOIN pg_attribute AS a ON a.attrelid = f.conrelid AND a.attnum = ANY (f.conkey)
       JOIN pg_attribute AS b ON b.attrelid = f.confrelid AND b.attnum = ANY (f.confkey)
      WHERE f.contype = 'f' AND c.relnamespace = current_schema()::regnamespace ORDER BY 2, 1`,
  );
  const owned = await client.query<Hanging['owned'][number]>(
    `SELECT t.relname AS table, c.relname AS name, 'INDEX' AS kind
       FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid JOIN pg_class AS t ON t.oid = i.indrelid
      WHERE i.indisprimary AND c.relnamespace = current_schema()::regnamespace
     UNION ALL
     SELECT t.relname, s.relname, 'SEQUENCE'
       FROM pg_class AS s JOIN pg_depend AS d ON d.objid = s.oid AND d.deptype = 'i' AND d.classid = 'pg_class'::regclass
       JOIN pg_class AS t ON t.oid = d.refobjid
      WHERE s.relkind = 'S' AND s.relnamespace = current_schema()::regnamespace ORDER BY 2`,
  );
  const required = await client.query<{ it: string }>(
    `SELECT c.relname || ' ' || a.attname AS it FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND a.attnotnull`,
  );
  return { keys: keys.rows, owned: owned.rows, required: new Set(required.rows.map((it) => it.it)) };
}

/**
 * The rows of a new table go on from the numbers that earlier ones had, of this table or of a module of this name: the ledger
 * still tells of those.
 */
async function planNumbering(look: Look, definitions: readonly Definition[], plan: Plan): Promise<string[]> {
  const made = definitions.filter((it) => plan.statements.some((one) => one.startsWith(createOf(it.table))));
  if (made.length === 0) return [];
  const rows = await look<{ module: string; last: string | null }>(
    `SELECT m AS module,
            greatest((SELECT max(CASE WHEN "recordId" ~ '^[0-9]{1,15}$' THEN "recordId"::bigint END) FROM ledger WHERE module = m),
                     (SELECT max(pg_sequence_last_value(s.oid))
                        FROM pg_class AS c JOIN pg_depend AS d ON d.refobjid = c.oid AND d.deptype = 'i'
                        JOIN pg_class AS s ON s.oid = d.objid AND s.relkind = 'S'
                       WHERE c.relname = t AND c.relnamespace = current_schema()::regnamespace)) AS last
       FROM unnest($1::text[], $2::text[]) AS asked (m, t)`,
    [made.map((it) => it.module), made.map((it) => it.table)],
  );
  // What a check has no time to look for is said by the publish.
  const last = new Map((rows ?? []).map((it) => [it.module, Number(it.last ?? 0)]));
  return made.flatMap(({ module, table }) => {
    const n = last.get(module) ?? 0;
    return n > 0 ? [`ALTER TABLE ${quoted(table)} ALTER COLUMN id RESTART WITH ${n + 1}`] : [];
  });
}

const createOf = (table: string): string => `CREATE TABLE ${quoted(table)} (`;

function planTable(definition: Definition, uses: readonly Use[], existing: Existing, plan: Plan): void {
  const { table } = definition;
  const there = existing.columns.get(table);
  const wanted = columnsOf(definition);
  if (!there) {
    takeName(definition, table, '', existing, plan);
    const all = [
      ...Object.entries(standardColumns).map(([name, type]) => `  ${quoted(name)} ${type}`),
      ...wanted.map((it) => `  ${quoted(it.name)} ${it.sqlType}${it.notNull ? ' NOT NULL' : ''}`),
    ];
    plan.statements.push(`${createOf(table)}\n${all.join(',\n')}\n)`);
  }
  for (const { name, sqlType } of there ? wanted : []) {
    const known = there?.get(name);
    // A computed one holds nothing that could be lost.
    if (known?.isGenerated) plan.statements.push(`ALTER TABLE ${quoted(table)} DROP COLUMN ${quoted(name)}`);
    if (!known || known.isGenerated)
      plan.statements.push(`ALTER TABLE ${quoted(table)} ADD COLUMN ${quoted(name)} ${sqlType}`);
    else if (known.type !== sqlType) {
      const what =
        `${definition.module}.${name} is ${known.type} in the database and ${sqlType} in the definition: ` +
        `a change of type may lose data; add a field of another name instead`;
      plan.refused.push({ ...ofField(definition, name, 'typeThere'), what, inTheWay: { table, column: name } });
    }
  }
  for (const it of computedColumnsOf(definition)) planComputed(definition, it, existing, plan);
  planEmptyTexts(definition, existing, plan);
  planHolding(definition, uses, existing, plan);
  const asked = [...indexesOf(definition), ...useIndexesOf(definition, uses)];
  // The same may be asked for twice, by a field and by its module.
  const indexes = [...new Map(asked.map((it) => [`${it.name} ${it.columns.join()}`, it])).values()];
  const names = new Set(indexes.map((it) => it.name));
  for (const { name, formerName, columns, included, unique, split } of indexes) {
    // The database names no column of an index on an expression.
    takeName(definition, name, `${table} ${split === undefined ? columns.join() : ''}`, existing, plan);
    const hasMore = existing.indexes.get(name);
    const index = existing.large.has(table) ? 'INDEX CONCURRENTLY' : 'INDEX';
    const isFormer = formerName && existing.indexes.has(formerName) && !names.has(formerName);
    if (hasMore === undefined || (included.length > 0 && !hasMore)) {
      if (hasMore !== undefined || existing.broken.has(name)) plan.statements.push(`DROP ${index} ${quoted(name)}`);
      const kind = unique ? `CREATE UNIQUE ${index}` : `CREATE ${index}`;
      const include = included.length > 0 ? ` INCLUDE (${included.map(quoted).join(', ')})` : '';
      const on =
        split === undefined
          ? `(${columns.map(quoted).join(', ')})${include}`
          : // What waits to be sorted in would be read again for each name that is looked for.
            `USING gin (${columns.map((it) => splitSql(quoted(it), split)).join(', ')}) WITH (fastupdate = off)`;
      plan.statements.push(`${kind} ${quoted(name)} ON ${quoted(table)} ${on}`);
    }
    // Last, so that whoever searches has one of them.
    if (isFormer) plan.statements.push(`DROP ${index} ${quoted(formerName)}`);
  }
}

const ofField = ({ module }: Definition, name: string, rule: Plan['refused'][number]['rule']) =>
  ({ rule, module, path: `fields.${name}`, name }) as const;

/** Tables and indexes have one name each: another's, or one that is cut to the same, would silently not be made. */
function takeName({ module }: Definition, name: string, of: string, { names }: Existing, plan: Plan): void {
  const taken = names.get(name);
  if (taken === undefined) names.set(name, of);
  else if (taken !== of || of === '') {
    const what = `"${name}" of ${module} is the name of another table or index: choose another name of the table or the field`;
    const path = of === '' ? 'table' : 'indexes';
    plan.refused.push({ rule: 'nameTaken', module, path, name, what, inTheWay: { relation: name } });
  }
}

/** A column that the database computes whenever it is read. What it is computed as stands in its comment. */
function planComputed(
  definition: Definition,
  { name, sqlType }: { name: string; sqlType: string },
  { columns, serverVersion }: Existing,
  plan: Plan,
): void {
  const [table, column] = [quoted(definition.table), quoted(name)];
  const known = columns.get(definition.table)?.get(name);
  const sql = computedSql(definition, name);
  if (known?.isGenerated && known.type === sqlType && known.comment === sql) return;
  const where = `${definition.module}.${name}`;
  if (serverVersion < COMPUTES_FROM) {
    const what = `${where} is computed, which PostgreSQL can from version 18 on; this one is ${serverVersion}`;
    plan.refused.push({ ...ofField(definition, name, 'computedDatabase'), what });
    return;
  }
  if (known && !known.isGenerated) {
    plan.refused.push({
      ...ofField(definition, name, 'valuesThere'),
      what: `${where} has values in the database that computing it would lose; choose another name`,
      inTheWay: { table: definition.table, column: name },
    });
    return;
  }
  const isOther = known !== undefined && known.type !== sqlType;
  if (isOther) plan.statements.push(`ALTER TABLE ${table} DROP COLUMN ${column}`);
  plan.statements.push(
    known && !isOther
      ? `ALTER TABLE ${table} ALTER COLUMN ${column} SET EXPRESSION AS (${sql})`
      : `ALTER TABLE ${table} ADD COLUMN ${column} ${sqlType} GENERATED ALWAYS AS (${sql}) VIRTUAL`,
    `COMMENT ON COLUMN ${table}.${column} IS ${literal(sql)}`,
  );
}

function planEmptyTexts(definition: Definition, { columns, emptied, untriggered, large }: Existing, plan: Plan): void {
  const table = quoted(definition.table);
  const known = emptied.get(definition.table);
  const texts = columnsOf(definition).flatMap((it) => (it.sqlType === 'text' ? [it.name] : []));
  const names = [...new Set([...(known ?? ['updateBy']), ...texts])];
  const isGone = untriggered.has(definition.table);
  if (names.length === known?.length && !isGone) return;
  if (isGone) untriggered.delete(definition.table);
  else if (known !== undefined) plan.statements.push(`DROP TRIGGER empty_text_is_null ON ${table}`);
  else if (columns.has(definition.table)) {
    const sets = names.map((it) => `${quoted(it)} = nullif(${quoted(it)}, '')`);
    const update = `UPDATE ${table} SET ${sets.join(', ')} WHERE (${anyEmpty(names, '')})`;
    // The trigger keeps whoever writes meanwhile from bringing more of them.
    if (large.has(definition.table)) {
      plan.statements.push(emptyTextTrigger(definition.table, names), `${update}${IN_BATCHES}`);
      return;
    }
    plan.statements.push(update);
  }
  plan.statements.push(emptyTextTrigger(definition.table, names));
}

const anyEmpty = (names: readonly string[], of: string): string =>
  names.map((it) => `${of}${quoted(it)} = ''`).join(' OR ');

const emptyTextTrigger = (table: string, names: readonly string[]): string =>
  `CREATE TRIGGER empty_text_is_null BEFORE INSERT OR UPDATE ON ${quoted(table)} FOR EACH ROW ` +
  `WHEN (${anyEmpty(names, 'NEW.')}) EXECUTE FUNCTION empty_text_is_null(${names.map(literal).join(', ')})`;

/**
 * What names a row without a foreign key holds it all the same while it is written, so that whoever deletes the row waits
 * and looks again. What names none any more holds none. Rule: definitions#in-use.
 */
function planHolding({ table }: Definition, uses: readonly Use[], { holding }: Existing, plan: Plan): void {
  const wanted = new Set<string>();
  for (const { column, to, separator, within, ...use } of uses) {
    if (use.table !== table || use.isHeld || use.isView) continue;
    const name = holderOf(table, column);
    const args = [column, to.table, to.column, separator ?? '', within ?? '', to.type];
    wanted.add(`${table} ${name}`);
    const known = holding.get(`${table} ${name}`);
    if (known === args.join(SEPARATOR)) continue;
    if (known !== undefined) plan.statements.push(`DROP TRIGGER ${quoted(name)} ON ${quoted(table)}`);
    plan.statements.push(
      `CREATE TRIGGER ${quoted(name)} BEFORE INSERT OR UPDATE OF ${quoted(column)} ON ${quoted(table)} FOR EACH ROW ` +
        `WHEN (NEW.${quoted(column)} IS NOT NULL) EXECUTE FUNCTION hold_named(${args.map(literal).join(', ')})`,
    );
  }
  for (const it of [...holding.keys()].filter((one) => one.startsWith(`${table} `) && !wanted.has(one))) {
    plan.statements.push(`DROP TRIGGER ${quoted(it.slice(table.length + 1))} ON ${quoted(table)}`);
    holding.delete(it);
  }
}

/** Stands between the arguments of a trigger as they are read. */
const SEPARATOR = '\x1f';
/** The trigger that holds what a column names. */
const holderOf = (table: string, column: string): string => named(table, [column], 'names');

function planCounting(table: string, existing: Existing, plan: Plan): void {
  if (existing.counted.has(table)) return;
  existing.counted.add(table);
  plan.statements.push(
    `CREATE TRIGGER count_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON ${quoted(table)} ` +
      `FOR EACH STATEMENT EXECUTE FUNCTION count_change()`,
  );
}

async function readExisting(client: Pick<pg.ClientBase, 'query'>): Promise<Omit<Existing, 'large'>> {
  const columns = new Map<string, Map<string, ExistingColumn>>();
  const { rows } = await client.query<{ table: string; column: string } & ExistingColumn>(
    `SELECT c.relname AS table, a.attname AS column, format_type(a.atttypid, a.atttypmod) AS type,
            a.attgenerated <> '' AS "isGenerated",
            CASE WHEN a.attgenerated <> '' THEN col_description(c.oid, a.attnum) END AS comment
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
        AND a.attnum > 0 AND NOT a.attisdropped`,
  );
  for (const { table, column, type, ...rest } of rows) {
    const of = columns.get(table) ?? new Map<string, ExistingColumn>();
    of.set(column, { ...rest, type: type === 'timestamp with time zone' ? 'timestamptz' : type });
    columns.set(table, of);
  }
  const version = await client.query<{ version: number }>(
    `SELECT current_setting('server_version_num')::int AS version`,
  );
  const indexes = await client.query<{ name: string; hasMore: boolean; isValid: boolean; of: string }>(
    `SELECT c.relname AS name, i.indnatts > i.indnkeyatts AS "hasMore", i.indisvalid AS "isValid",
            t.relname || ' ' || coalesce((SELECT string_agg(a.attname, ',' ORDER BY k.n)
              FROM unnest(i.indkey::int2[]) WITH ORDINALITY AS k (attnum, n)
              JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
             WHERE k.n <= i.indnkeyatts), '') AS of
       FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid JOIN pg_class AS t ON t.oid = i.indrelid
      WHERE c.relnamespace = current_schema()::regnamespace`,
  );
  const relations = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace`,
  );
  const [valid, broken] = [true, false].map((isValid) => indexes.rows.filter((it) => it.isValid === isValid));
  const counted = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
      WHERE t.tgname = 'count_change' AND c.relnamespace = current_schema()::regnamespace`,
  );
  const holding = await client.query<{ it: string; args: string }>(
    String.raw`SELECT c.relname || ' ' || t.tgname AS it, replace(encode(t.tgargs, 'escape'), '\000', chr(31)) AS args
       FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid
      WHERE p.proname = 'hold_named' AND c.relnamespace = current_schema()::regnamespace`,
  );
  const emptied = await client.query<{ name: string; columns: string }>(
    String.raw`SELECT c.relname AS name, replace(encode(t.tgargs, 'escape'), '\000', ',') AS columns
      FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
     WHERE t.tgname = 'empty_text_is_null' AND c.relnamespace = current_schema()::regnamespace`,
  );
  return {
    columns,
    serverVersion: version.rows[0]?.version ?? 0,
    emptied: new Map(emptied.rows.map((it) => [it.name, it.columns.replace(/,$/, '').split(',')])),
    indexes: new Map(valid?.map((it) => [it.name, it.hasMore])),
    names: new Map([
      ...relations.rows.map((it) => [it.name, ''] as const),
      ...indexes.rows.map((it) => [it.name, it.of] as const),
    ]),
    broken: new Set(broken?.map((it) => it.name)),
    holding: new Map(holding.rows.map((it) => [it.it, it.args.slice(0, -1)])),
    counted: new Set(counted.rows.map((it) => it.name)),
    untriggered: new Set(),
  };
}
