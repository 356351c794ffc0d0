import { sql } from 'kysely';
import { sqlTypes } from '#domain/definition/columns.ts';
import type { Definition } from '#domain/definition/grammar.ts';
import type { Context } from '#server/context.ts';
import { rowsAre } from '#domain/definition/rowsOf.ts';
import { siteOfRow } from '#server/engine/scope.ts';

/** What the ledger needs to know of a request. */
type Writer = Pick<Context, 'db' | 'currentUser'> & { request: Pick<Context['request'], 'id' | 'ip'> };

type LedgerContext = Writer & Pick<Context, 'model'>;

interface LedgerEntry {
  /** The verb: `check`, `create`, `modifyById`. */
  what: string;
  module: string;
  /** The bill's number or the row's id. */
  recordId: string;
  from?: unknown;
  to?: unknown;
}

/**
 * Writes down who did what, in the same transaction. The table takes no change and no deletion.
 * Rule: writing#ledger.
 */
export const recordInLedger = (ctx: LedgerContext, entry: LedgerEntry): Promise<void> =>
  recordAllInLedger(ctx, [entry]);

/** The same of many, in one statement. Rule: writing#ledger. */
export async function recordAllInLedger(ctx: LedgerContext, entries: readonly LedgerEntry[]): Promise<void> {
  await write(ctx, entries, await sitesOf(ctx, entries));
}

async function write(
  ctx: Writer,
  entries: readonly LedgerEntry[],
  sites: ReadonlyMap<LedgerEntry, string>,
): Promise<void> {
  await ctx.db
    .insertInto('ledger')
    .values(
      entries.map((entry) => ({
        userId: ctx.currentUser.userId,
        siteId: sites.get(entry) ?? ctx.currentUser.siteId,
        what: entry.what,
        module: entry.module,
        recordId: entry.recordId,
        before: entry.from === undefined ? null : JSON.stringify(entry.from),
        after: entry.to === undefined ? null : JSON.stringify(entry.to),
        requestId: ctx.request.id,
        address: ctx.request.ip === '' ? null : ctx.request.ip,
      })),
    )
    .execute();
}

/** Records each download of a stored file. */
export const recordDownload = (ctx: Writer, { id, name, size }: { id: string; name: string; size: number }) =>
  write(ctx, [{ what: 'download', module: 'file', recordId: id, to: { name, size } }], new Map());

/**
 * The site of what each entry is about. Only who sees all sites writes about rows of others than the own; what is of no one row,
 * or not found, has none, so that its entry is read by those alone who see all sites.
 */
async function sitesOf(ctx: LedgerContext, entries: readonly LedgerEntry[]): Promise<ReadonlyMap<LedgerEntry, string>> {
  if (ctx.currentUser.sites !== 'all') return new Map();
  const of = [...new Set(entries.map((it) => it.module))].flatMap((module) => {
    const definition = ctx.model.definitions.get(module);
    const { viewOf, site } = definition ? rowsAre(definition, ctx.model) : {};
    return definition && !viewOf && site !== 'all'
      ? [{ definition, entries: entries.filter((it) => it.module === module) }]
      : [];
  });
  const found = await Promise.all(of.map((it) => findSites(ctx, it.definition, it.entries)));
  return new Map(found.flat());
}

/** As the row was before, where the entry says it; else as it is now, by its id, its number or another name of its own. */
async function findSites(
  ctx: LedgerContext,
  definition: Definition,
  entries: readonly LedgerEntry[],
): Promise<[LedgerEntry, string][]> {
  const { table, fields, site } = rowsAre(definition, ctx.model);
  const of = sql<string>`${siteOfRow(definition, ctx, 't')}`;
  const names = Array.isArray(site) ? site : typeof site === 'object' ? [site.by] : [];
  const before = entries.flatMap(({ recordId, from }) =>
    isRow(from) && names.some((name) => from[name] != null) ? [{ ...from, _of: recordId }] : [],
  );
  const columns = names.map((name) => sql`${sql.ref(name)} ${sql.raw(sqlTypes[fields[name]?.type ?? 'String'])}`);
  const ids = entries.map((it) => it.recordId);
  const keys = Object.entries(fields).flatMap(([name, field]) =>
    sqlTypes[field.type] === sqlTypes.String &&
    (field.unique || keyFields.has(name) || name === definition.number?.field)
      ? [name]
      : [],
  );
  const { rows } = await sql<{ recordId: string; site: string; isBefore: boolean }>`
    SELECT t._of AS "recordId", ${of} AS site, true AS "isBefore"
      FROM json_to_recordset(${JSON.stringify(before)}::json) AS t (${sql.join([sql`_of text`, ...columns])})
    UNION SELECT t.id::text, ${of}, false FROM ${sql.table(table)} AS t
     WHERE t.id = ANY(${ids.filter((it) => /^[0-9]{1,15}$/.test(it))}::bigint[])
    ${sql.join(
      keys.map(
        (key) =>
          sql`UNION SELECT t.${sql.ref(key)}, ${of}, false FROM ${sql.table(table)} AS t WHERE t.${sql.ref(key)} = ANY(${ids})`,
      ),
      sql` `,
    )}`.execute(ctx.db);
  return entries.map((entry) => {
    const its = rows.filter((it) => it.recordId === entry.recordId);
    const [first, ...others] = its.some((it) => it.isBefore) ? its.filter((it) => it.isBefore) : its;
    return [entry, first && others.every((it) => it.site === first.site) ? first.site : ''];
  });
}

/** By what steps of the work call a row, beside its number. */
const keyFields: ReadonlySet<string> = new Set(['sn', 'mtbId']);

const isRow = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
