import { dequal } from 'dequal/lite';
import type pg from 'pg';
import type { ContentsAnswer, DefinitionChange } from '#domain/definition/change.ts';
import { columnsOf, computedColumnsOf, sqlTypes } from '#domain/definition/columns.ts';
import type { Definition, Model } from '#domain/definition/grammar.ts';
import { rowsAre } from '#domain/definition/rowsOf.ts';
import type { DefinitionProblem } from '#domain/definition/problems.ts';
import { mayDo } from '#domain/rights.ts';
import { quoted } from '#server/db/quoted.ts';
import { readPretended, readTaken, saidIn, type Taken } from '#server/definitions/brought.ts';
import type { Author, Emptied, FormerContents, FoundContents } from '#server/definitions/definitions.ts';
import { countBy, type Look } from '#server/definitions/look.ts';
import type { PublishedChange } from '#server/definitions/read.ts';

/** What is made: the model that is in force, the same with the changes laid over it, and as what they are written already. */
interface Made {
  before: Model;
  after: Model;
  changes: readonly PublishedChange[];
  publishId?: number;
}

/** More than this is "many". */
const MOST_COUNTED = 10_000;
/** Of whoever stands at the machine itself. */
const ANY: ReadonlySet<string> = new Set(['*:*']);

/**
 * What would come back by a new module whose table is there, or a new field whose column is, and holds something: it is kept
 * or emptied as the change says, or a problem. What is taken back and comes again is not new. Rule:
 * definitions#former-contents.
 */
export async function findFormerContents(
  client: Pick<pg.ClientBase, 'query'>,
  { before, after, changes, publishId = 0 }: Made,
  author: Author,
  look: Look,
): Promise<FoundContents> {
  const made = newIn(before, after, changes);
  const found: FoundContents = { contents: [], problems: notNewIn(made, changes), emptied: [] };
  if (made.length === 0) return found;
  const columns = await readColumns(client, made);
  const there = made.filter((it) =>
    it.field === undefined ? columns.has(it.table) : columns.get(it.table)?.has(it.field),
  );
  if (there.length === 0) return found;
  const [formers, keys] = [await readFormers(client, publishId), await readKeys(client, there)];
  const taken = await readTaken(client);
  const isAside = there.some((it) => taken.some((one) => one.keptAs === (it.field ?? it.table)));
  const pretended = isAside ? await readPretended(client, before.definitions.keys(), taken) : new Set<string>();
  const kept: New[] = [];
  // Nothing is looked through what is refused itself: its rows may be of other types.
  const refused = new Set<string>();
  for (const it of there) {
    const { module, field, table, answer } = it;
    const held = await countBy(look, heldIn(it));
    const key = keys.find((one) => one.table === table && (field === undefined || one.column === field));
    const isRefused = key !== undefined && !isEmptiedToo(key, there);
    const empties: Emptied = { table, ...(field !== undefined && { column: field }) };
    const its = columns.get(table) ?? new Map<string, string>();
    if (held === 0) {
      // Of another type, and nothing of it is lost.
      if (!fits(it, its)) {
        if (isRefused) refused.add(module);
        else found.emptied.push(empties);
      }
      continue;
    }
    const { may, mayCount } = answersOf(it, { formers, pretended, taken, columns: its, before, author });
    const contents: FormerContents = {
      ...{ module, table, may: may.filter((one) => one === 'keep' || !isRefused) },
      ...(field !== undefined && { field }),
      ...(held !== undefined && mayCount && { count: held }),
      ...(answer && { answer }),
    };
    found.contents.push(contents);
    if (answer === undefined || !contents.may.includes(answer)) {
      refused.add(module);
      found.problems.push(problemOf(contents, isRefused && answer === 'empty' ? key.from : undefined));
    } else if (answer === 'empty') found.emptied.push(empties);
    else kept.push(it);
  }
  for (const it of kept)
    found.problems.push(...(await findUnderNone(client, it, { after, emptied: found.emptied, refused }, look)));
  return found;
}

/** A module or a field that was not there before, with the answer that its change gives. */
interface New {
  module: string;
  table: string;
  field?: string;
  definition: Definition;
  answer?: ContentsAnswer;
}

function newIn(before: Model, after: Model, changes: readonly PublishedChange[]): New[] {
  const made = new Map<string, New>();
  for (const { module, change } of changes) {
    const [was, definition] = [before.definitions.get(module), after.definitions.get(module)];
    if (!definition || definition.rowsOf || definition.viewOf) continue;
    const { table } = definition;
    const add = (it: Pick<New, 'field' | 'answer'>) =>
      made.set(`${module} ${it.field ?? ''}`, { module, table, definition, ...it });
    if (!was && change.definition) {
      const answer = change.contents?.table;
      add(answer ? { answer } : {});
    }
    for (const field of was ? newFieldsOf(was, change) : []) {
      const answer = ownOf(change.contents?.fields, field);
      add({ field, ...(answer && { answer }) });
    }
  }
  return [...made.values()];
}

const newFieldsOf = ({ fields }: Definition, change: DefinitionChange): string[] =>
  Object.keys(change.fields ?? {}).filter((name) => !Object.hasOwn(fields, name));

const ownOf = <Value>(all: Readonly<Record<string, Value>> | undefined, name: string): Value | undefined =>
  all && Object.hasOwn(all, name) ? all[name] : undefined;

/** An answer about what is no new module or field empties nothing, and whoever gave it is told so. */
function notNewIn(made: readonly New[], changes: readonly PublishedChange[]): DefinitionProblem[] {
  return changes.flatMap(({ module, change }) => {
    const { table, fields = {} } = change.contents ?? {};
    const said: [string, string | undefined, string][] = [
      ...(table ? [['table', undefined, module] as [string, undefined, string]] : []),
      ...Object.keys(fields).map((name): [string, string, string] => [`fields.${name}`, name, name]),
    ];
    return said
      .filter(([, field]) => !made.some((it) => it.module === module && it.field === field))
      .map(([path, , name]) => no('contentsNotNew', module, path, name, `"${name}" is not new: what it holds stays`));
  });
}

const no = (rule: string, where: string, path: string, name: string, what: string): DefinitionProblem => ({
  ...{ kind: 'ForbiddenChange', rule, where, what, path, name },
});

const heldIn = ({ table, field }: New): string =>
  `SELECT 1 FROM ${quoted(table)} ${field === undefined ? '' : `WHERE ${quoted(field)} IS NOT NULL `}LIMIT ${MOST_COUNTED}`;

/** By table its columns and their types, those that the database computes left out: they hold nothing of their own. */
type Columns = Map<string, Map<string, string>>;

async function readColumns(client: Pick<pg.ClientBase, 'query'>, made: readonly New[]): Promise<Columns> {
  const { rows } = await client.query<{ table: string; column: string; type: string }>(
    `SELECT c.relname AS table, a.attname AS column, format_type(a.atttypid, a.atttypmod) AS type
       FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND c.relname = ANY ($1)
        AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''`,
    [made.map((it) => it.table)],
  );
  const columns: Columns = new Map();
  for (const { table, column, type } of rows) {
    const of = columns.get(table) ?? new Map<string, string>();
    columns.set(table, of.set(column, type === 'timestamp with time zone' ? 'timestamptz' : type));
  }
  return columns;
}

/** What was published at any time, whether it counts or not: by whom, of which module. */
interface Former extends PublishedChange {
  publishId: number;
  userId: string;
}

async function readFormers(client: Pick<pg.ClientBase, 'query'>, publishId: number): Promise<Former[]> {
  const { rows } = await client.query<Former>(
    `SELECT p.id::int AS "publishId", c.module, c.change, p."userId" FROM definition_change AS c JOIN definition_publish AS p ON p.id = c."publishId"
      WHERE (c.change ? 'definition' OR c.change ? 'fields') AND p.id <> $1 ORDER BY c.id`,
    [publishId],
  );
  return rows;
}

/** A foreign key that leads there, and the table that it comes from. */
interface Key {
  table: string;
  column: string;
  from: string;
}

async function readKeys(client: Pick<pg.ClientBase, 'query'>, there: readonly New[]): Promise<Key[]> {
  const { rows } = await client.query<Key>(
    `SELECT p.relname AS table, a.attname AS column, c.relname AS from
       FROM pg_constraint AS f JOIN pg_class AS c ON c.oid = f.conrelid JOIN pg_class AS p ON p.oid = f.confrelid
       JOIN pg_attribute AS a ON a.attrelid = f.confrelid AND a.attnum = f.confkey[1]
      WHERE f.contype = 'f' AND f.conrelid <> f.confrelid AND p.relnamespace = current_schema()::regnamespace
        AND p.relname = ANY ($1) ORDER BY 1, 2, 3`,
    [there.map((it) => it.table)],
  );
  return rows;
}

const isEmptiedToo = ({ from }: Key, there: readonly New[]): boolean =>
  there.some((it) => it.table === from && it.field === undefined && it.answer === 'empty');

/**
 * Rows, or values, that are kept while the rows through which they are seen are not there: whoever makes one of these anew would
 * see what was another's. Values of which no row was there are seen by all, and are told only where this publish empties it.
 */
async function findUnderNone(
  client: Pick<pg.ClientBase, 'query'>,
  { module, table, field, definition: { site, fields } }: New,
  { after, emptied, refused }: { after: Model; emptied: readonly Emptied[]; refused: ReadonlySet<string> },
  look: Look,
): Promise<DefinitionProblem[]> {
  const ofRows =
    field === undefined && typeof site === 'object' && 'through' in site
      ? [{ through: site.through, by: site.by, as: site.as ?? site.by, isRow: true, held: undefined }]
      : [];
  const ofValues = Object.entries(fields).flatMap(([name, { site: of }]) =>
    of && (field ?? name) === name ? [{ through: of.through, by: of.by, as: of.by, isRow: false, held: name }] : [],
  );
  const hasColumn = async (of: string, column: string): Promise<boolean> => {
    const query = `SELECT FROM pg_attribute WHERE attrelid = to_regclass($1) AND attname = $2 AND NOT attisdropped`;
    return (await client.query(query, [quoted(of), column])).rows.length > 0;
  };
  const problems: DefinitionProblem[] = [];
  for (const { through, by, as, isRow, held } of [...ofRows, ...ofValues]) {
    const named = after.definitions.get(through);
    const whose = named && rowsAre(named, after);
    const above = whose?.table;
    const own = [by, ...(held === undefined ? [] : [held])];
    const isThere = await Promise.all(own.map((it) => hasColumn(table, it)));
    if (above === undefined || refused.has(whose?.module ?? '') || isThere.includes(false)) continue;
    const isEmptied = emptied.some((it) => it.table === above && (it.column ?? as) === as);
    if (!isRow && !isEmptied) continue;
    const isGone = isEmptied || !(await hasColumn(above, as));
    const rows = await look(
      `SELECT 1 FROM ${quoted(table)} AS own WHERE ${own.map((it) => `own.${quoted(it)} IS NOT NULL`).join(' AND ')}
       ${isGone ? '' : `AND NOT EXISTS (SELECT 1 FROM ${quoted(above)} AS above WHERE above.${quoted(as)} = own.${quoted(by)})`} LIMIT 1`,
    );
    if (rows?.length === 0) continue;
    const [rule, what] = rows
      ? ['contentsUnderNone', `what "${table}" holds is seen through rows of "${above}" that are not there`]
      : ['contentsUnderSlow', `whether what "${table}" holds is seen through rows of "${above}" took too long to see`];
    problems.push(no(rule, module, field === undefined ? 'table' : `fields.${field}`, above, what));
  }
  return problems;
}

interface Asked {
  formers: readonly Former[];
  /** Those of them that brought nothing: what they say was the product's. */
  pretended: ReadonlySet<string>;
  /** What is called otherwise since it was published. */
  taken: readonly Taken[];
  columns: ReadonlyMap<string, string>;
  before: Model;
  author: Author;
}

/** What a table or a column was before, and who made it; nobody made what is shipped. */
interface Were {
  userId: string | undefined;
  definition: Definition;
}

/**
 * What its author may answer. Who keeps it lets others see it: he may list it himself, and only who sees all of it shows it
 * to more. Who empties it sees all of it. How much it is, is told of no password, and of a field of other sites to who sees
 * all of them.
 */
function answersOf(
  it: New,
  { formers, pretended, taken, columns, before, author: who }: Asked,
): { may: ContentsAnswer[]; mayCount: boolean } {
  const { author = ANY, userId, sites = 'all' } = who;
  const { module, field, definition } = it;
  const isOf = (name: string, column?: string) => (one: Taken) =>
    one.keptAs === name && (column === undefined) === (one.column === undefined);
  const table = taken.find(isOf(it.table))?.table ?? it.table;
  const column =
    field === undefined
      ? undefined
      : (taken.find((one) => one.table === table && isOf(field, field)(one))?.column ?? field);
  const current = before.definitions.get(module);
  // As it was published, and never altered since: neither its sites nor its owner can be.
  const own = [...before.definitions.values()].filter((one) => one.table === table && !one.rowsOf);
  const were: Were[] = current
    ? [{ userId: undefined, definition: current }]
    : sinceEmptied(formers, table).flatMap(({ userId: by, change, ...said }): Were[] => {
        const { definition: was } = change;
        if (was?.table !== table || was.rowsOf) return [];
        if (!pretended.has(saidIn(said))) return [{ userId: by, definition: was }];
        return own.map((one) => ({ userId: undefined, definition: one }));
      });
  const mayList = were.every((one) => one.userId === userId || mayDo(author, `${one.definition.module}:list`));
  if (!mayList) return { may: [], mayCount: false };
  const seesAll = were.every(
    ({ definition: { module: of, site, owner } }) =>
      (site === 'all' || sites === 'all') && (!owner || mayDo(author, `${of}:${owner.unless}`)),
  );
  const isAsNarrow = were.every(
    ({ definition: was }) =>
      (was.site === 'all' && !was.owner) || (dequal(was.site, definition.site) && dequal(was.owner, definition.owner)),
  );
  const names = new Set(were.map((one) => one.definition.module).concat(module));
  // What was set aside may have been the product's own.
  const ofProduct = column === field && table === it.table ? [] : own;
  const declared = [
    ...formers.flatMap(({ module: of, change }) =>
      names.has(of) ? Object.entries({ ...change.definition?.fields, ...change.fields }) : [],
    ),
    ...ofProduct.flatMap((one) => Object.entries(one.fields)),
  ];
  // A password is nobody's to read, and a value that some did not see none that all may.
  const isOpened = declared.some(([name, was]) => {
    const is = field === undefined ? definition.fields[name] : column === name ? definition.fields[field] : undefined;
    const isShownToMore = was.site && sites !== 'all' && !dequal(was.site, is?.site);
    return is !== undefined && ((was.type === 'password' && is.type !== 'password') || isShownToMore);
  });
  const isSecret = declared.some(
    ([name, was]) => name === column && (was.type === 'password' || (was.site && sites !== 'all')),
  );
  const mayKeep = (seesAll || isAsNarrow) && !isOpened && fits(it, columns);
  const may = [...(mayKeep ? (['keep'] as const) : []), ...(seesAll ? (['empty'] as const) : [])];
  return { may, mayCount: seesAll && !isSecret };
}

/** Of what was there before a table was emptied nothing is left. */
function sinceEmptied(formers: readonly Former[], table: string): readonly Former[] {
  const last = formers.findLastIndex(
    ({ change }) => change.definition?.table === table && change.contents?.table === 'empty',
  );
  return formers.slice(Math.max(last, 0));
}

/** Whether what is there is of the types that it would be read as. */
function fits({ definition, field }: New, columns: ReadonlyMap<string, string>): boolean {
  const { type, computed } = (field === undefined ? undefined : definition.fields[field]) ?? {};
  if (field !== undefined) return computed === undefined && type !== undefined && columns.get(field) === sqlTypes[type];
  return (
    columnsOf(definition).every((it) => [undefined, it.sqlType].includes(columns.get(it.name))) &&
    computedColumnsOf(definition).every((it) => !columns.has(it.name))
  );
}

function problemOf({ module, table, field, count, answer, may }: FormerContents, refers?: string): DefinitionProblem {
  const [path, name] = field === undefined ? ['table', table] : [`fields.${field}`, field];
  const what = `"${name}" still holds ${count ?? 'some'} ${field === undefined ? 'rows' : 'values'}`;
  const ways = 'keep them, empty it, or choose another name';
  if (refers !== undefined) return no('contentsReferred', module, path, refers, `${what}, to which ${refers} refers`);
  if (answer !== undefined) return no(answer === 'keep' ? 'notKept' : 'notEmptied', module, path, name, what);
  if (may.length === 0)
    return no('contentsUnseen', module, path, name, `${what}, not for its author: choose another name`);
  const many = count === undefined ? 'Some' : count < MOST_COUNTED ? '' : 'Many';
  const rule = `${field === undefined ? 'table' : 'column'}Holds${many}`;
  return { ...no(rule, module, path, name, `${what}: ${ways}`), ...(count !== undefined && { count }) };
}
