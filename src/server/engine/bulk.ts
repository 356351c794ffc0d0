import { sql } from 'kysely';
import { MAX_ROWS, type BulkAnswer, type Verdict } from '#domain/bulk.ts';
import type { Definition } from '#domain/definition/grammar.ts';
import { exactId } from '#domain/exact.ts';
import { amountsOf } from '#domain/reviewTrail.ts';
import { refusals, Refusal, type Problem } from '#domain/refusal.ts';
import { mayDo } from '#domain/rights.ts';
import type { Context } from '#server/context.ts';
import { databaseRefusalOf } from '#server/databaseRefusal.ts';
import { createBulkAction, type BulkAction, type SeenTarget, type Target } from '#server/engine/bulkActions.ts';
import { createCondition } from '#server/engine/conditions.ts';
import { standardNames } from '#domain/definition/columns.ts';
import { columnInfos, readableField, readValueLabels, type ColumnInfo } from '#server/engine/describe.ts';
import { createFilters, type Condition } from '#server/engine/filters.ts';
import type { Row } from '#server/engine/rows.ts';
import { createScopeCondition, rowsSeen } from '#server/engine/scope.ts';
import { parseVersions, unseen } from '#server/engine/seen.ts';
import type { Route } from '#server/route.ts';
import { sentenceOf } from '#server/sentences.ts';
import { codeOf } from '#server/transaction.ts';

/** So many rows go together: the more, the fewer statements, and the later somebody hears how far it is. */
const AT_ONCE = 500;

/**
 * One action on many rows: on those that are named, or on all that match. Each row is judged by itself, within a
 * savepoint of its own, so that a refused one stops no other; the ledger has one entry a row. A dry run does the same
 * and takes all rows back at its end, so that rows which clash with each other do so in it as well. Each row is taken as the dry run has shown it:
 * `versions` says so by id, and `foreseen` what it told of what the action does; one that has changed since is refused. `routes` are the calls of row actions.
 * Rule: lists#bulk.
 */
export async function bulk(
  definition: Definition,
  body: Row,
  ctx: Context,
  routes: readonly Route[],
): Promise<BulkAnswer & { fields: ColumnInfo[]; labels: Record<string, Record<string, string>> }> {
  const { action, ids, matching, values, versions, foreseen, dryRun = false } = body;
  if (typeof dryRun !== 'boolean') {
    throw new Refusal({ key: 'format', field: 'dryRun', args: { field: 'dryRun' } });
  }
  const perform = createBulkAction(definition, action, values, ctx, routes);
  const seen = dryRun ? undefined : parseVersions(versions);
  const told = parseForeseen(foreseen);
  if ((ids === undefined) === (matching === undefined)) throw new Refusal({ key: 'idsOrMatching', field: 'matching' });
  const targets =
    ids === undefined ? await matchingRows(definition, matching, ctx) : await namedRows(definition, ids, ctx);
  const results: Verdict[] = [];
  if (dryRun) await sql`SAVEPOINT bulk_run`.execute(ctx.db);
  const inside: Context = dryRun ? { ...ctx, foresees: true } : ctx;
  const fields = fieldsShown(definition, ctx);
  const judging: Judging = { perform, seen, shown: fields.map((it) => it.name) };
  const size = perform.many ? AT_ONCE : 1;
  for (let at = 0; at < targets.length; at += size) {
    ctx.tellProgress?.(at, targets.length);
    const some = targets.slice(at, at + size).map((it) => ({ ...it, foreseen: told[it.id] }));
    results.push(...(await judgeMany(some, judging, inside)));
  }
  if (dryRun) await sql`ROLLBACK TO SAVEPOINT bulk_run`.execute(ctx.db);
  const rows = results.flatMap((it) => (it.row ? [it.row] : []));
  const doneCount = results.filter((it) => it.done).length;
  const unchangedCount = results.filter((it) => it.unchanged).length;
  return {
    dryRun,
    total: results.length,
    doneCount,
    unchangedCount,
    refusedCount: results.length - doneCount - unchangedCount,
    results,
    fields,
    labels: await readValueLabels(definition, fields, rows, ctx),
  };
}

/** A row's values are told to those who may list its module: the right to an action alone opens none. */
const mayList = ({ module }: Definition, { currentUser }: Context): boolean =>
  mayDo(currentUser.rights, `${module}:list`);

/** What the details of a row show, but for who wrote it and when. */
const fieldsShown = (definition: Definition, ctx: Context): ColumnInfo[] => {
  if (!mayList(definition, ctx)) return [];
  const names = definition.detail ?? definition.list?.columns ?? Object.keys(definition.fields);
  return columnInfos(definition, names, ctx).filter((it) => !(standardNames as string[]).includes(it.name));
};

interface Judging {
  perform: BulkAction;
  /** What was seen of each row, by its id; a dry run sees each as it is. */
  seen: Partial<Record<string, number>> | undefined;
  /** The fields by which a row is told. */
  shown: readonly string[];
}

/** Together where that is possible, else each by itself: where one of them is refused by the database alone, it says of which. */
async function judgeMany(targets: readonly Target[], judging: Judging, ctx: Context): Promise<Verdict[]> {
  const { many } = judging.perform;
  const shown = targets.flatMap((it) => seenTarget(it, judging) ?? []);
  if (many && shown.length > 1) {
    await sql`SAVEPOINT bulk_rows`.execute(ctx.db);
    try {
      const outcomes = new Map<number, unknown>(targets.map((it) => [it.id, unseen()]));
      for (const [id, outcome] of await many(shown, ctx)) outcomes.set(id, outcome);
      await sql`RELEASE SAVEPOINT bulk_rows`.execute(ctx.db);
      return targets.map((it) => verdictOf(it, outcomes.get(it.id), judging, ctx));
    } catch (error) {
      if (!refusalOf(error, ctx)) throw error;
      await sql`ROLLBACK TO SAVEPOINT bulk_rows`.execute(ctx.db);
    }
  }
  const verdicts: Verdict[] = [];
  for (const it of targets) verdicts.push(await judge(it, judging, ctx));
  return verdicts;
}

/** With the version that is judged; a row that is not there has none, and is refused by that. */
function seenTarget(target: Target, { seen }: Judging): SeenTarget | undefined {
  const { id, version } = target;
  const judged = seen && version !== null ? seen[id] : (version ?? 1);
  return judged === undefined ? undefined : { ...target, seen: judged };
}

async function judge(target: Target, judging: Judging, ctx: Context): Promise<Verdict> {
  await sql`SAVEPOINT bulk_row`.execute(ctx.db);
  try {
    const shown = seenTarget(target, judging);
    if (!shown) throw unseen();
    const answer = await judging.perform.one(shown, ctx);
    await sql`RELEASE SAVEPOINT bulk_row`.execute(ctx.db);
    return verdictOf(target, answer, judging, ctx);
  } catch (error) {
    const refusal = refusalOf(error, ctx);
    if (!refusal) throw error;
    await sql`ROLLBACK TO SAVEPOINT bulk_row`.execute(ctx.db);
    return verdictOf(target, refusal, judging, ctx);
  }
}

function verdictOf(target: Target, outcome: unknown, { shown }: Judging, ctx: Context): Verdict {
  const { id, name, version, amount, row } = target;
  const told = { id, name, version, amount };
  if (outcome instanceof Refusal) {
    const [first] = outcome.problems;
    const { key } = first;
    const refused = {
      ...told,
      done: false,
      code: refusals[key].code,
      key,
      msg: sentenceOf(first, ctx.lang, ctx.model),
    };
    if (key !== 'stale' || !row) return refused;
    // As it was found where it was held, which may be later than when the run began.
    const now = outcome.data as Row | null;
    return { ...refused, row: now?.['id'] === id ? filledOf(now, shown) : row };
  }
  if (isUnchanged(outcome)) return { ...told, done: false, unchanged: true, code: '000000', msg: '' };
  const notes = notesOf(outcome, ctx);
  const { foreseen } = (outcome ?? {}) as { foreseen?: string };
  return {
    ...{ ...told, done: true, code: '000000', msg: '' },
    ...(ctx.foresees && row && { row }),
    ...(notes.length > 0 && { notes }),
    ...(foreseen && { foreseen }),
  };
}

const filledOf = (row: Row, names: readonly string[]): Row =>
  Object.fromEntries(names.flatMap((it) => (row[it] == null ? [] : [[it, row[it]]])));

const isUnchanged = (answer: unknown): boolean => (answer as { unchanged?: boolean } | null)?.unchanged === true;

/** What the answer of an action says that it has done besides, in the user's words. */
const notesOf = (answer: unknown, { lang, model }: Context): string[] => {
  const { notes = [] } = (answer ?? {}) as { notes?: Problem[] };
  return notes.map((it) => sentenceOf(it, lang, model));
};

/** A row that is locked elsewhere is refused as one that is being changed; what nobody foresaw ends the whole run. */
function refusalOf(error: unknown, { model }: Context): Refusal | null {
  if (error instanceof Refusal) return error;
  const refused = databaseRefusalOf(error, model);
  if (refused) return new Refusal(refused);
  return codeOf(error) === '55P03' ? new Refusal({ key: 'stale' }) : null;
}

async function namedRows(definition: Definition, ids: unknown, ctx: Context): Promise<Target[]> {
  if (!Array.isArray(ids) || ids.length === 0) {
    throw new Refusal({ key: 'required', field: 'ids', args: { fields: 'ids' } });
  }
  refuseTooMany(ids.length);
  // As those that match are: whoever changes the same rows waits for the first of them, and holds no later one meanwhile.
  const numbers = [...new Set(ids.map(exactId))].filter((it) => it !== null).sort((a, b) => a - b);
  if (ids.some((it) => exactId(it) === null))
    throw new Refusal({ key: 'format', field: 'ids', args: { field: 'ids' } });
  const found = new Map((await readTargets(definition, [sql`t.id = ANY(${numbers})`], ctx)).map((it) => [it.id, it]));
  // What is not there, or another site's, is refused row by row as the single call would.
  return numbers.map((id) => found.get(id) ?? { id, name: String(id), version: null, amount: null });
}

async function matchingRows(definition: Definition, matching: unknown, ctx: Context): Promise<Target[]> {
  // Which rows match would tell what stands in them.
  if (!mayList(definition, ctx)) throw new Refusal({ key: 'noRight' });
  if (typeof matching !== 'object' || matching === null || Array.isArray(matching)) {
    throw new Refusal({ key: 'format', field: 'matching', args: { field: 'matching' } });
  }
  const { query = {}, adminAdvancedSearchGroup, all = false, ...strange } = matching as Row;
  const [unknown] = Object.keys(strange);
  if (unknown) throw new Refusal({ key: 'unknownField', field: unknown, args: { field: unknown } });
  if (typeof query !== 'object' || query === null || Array.isArray(query)) {
    throw new Refusal({ key: 'format', field: 'matching.query', args: { field: 'query' } });
  }
  const tree = adminAdvancedSearchGroup ? createCondition(definition, adminAdvancedSearchGroup, ctx) : null;
  const conditions = [...createFilters(definition, query as Row, ctx), ...(tree ? [tree] : [])];
  // Nothing asked for may be a slip: whoever means the whole list says so.
  if (conditions.length === 0 && all !== true) throw new Refusal({ key: 'allRows', field: 'matching' });
  const rows = await readTargets(definition, conditions, ctx);
  if (rows.length > MAX_ROWS) refuseTooMany(await count(definition, conditions, ctx));
  return rows;
}

/** The field of a money bill that says what it comes to, where lists may show it. */
const moneyOf = (definition: Definition): string | undefined => {
  const { total } = (amountsOf as Partial<Record<string, { total: string }>>)[definition.module] ?? {};
  return total && readableField(definition, total) && readableField(definition, 'currency') ? total : undefined;
};

/** By id, as a dry run has told it; of what is not named nothing was told. */
function parseForeseen(foreseen: unknown): Partial<Record<string, string>> {
  if (foreseen === undefined || foreseen === null) return {};
  const isRead = typeof foreseen === 'object' && !Array.isArray(foreseen);
  if (!isRead || !Object.values(foreseen).every((it) => typeof it === 'string')) {
    throw new Refusal({ key: 'format', field: 'foreseen', args: { field: 'foreseen' } });
  }
  return foreseen;
}

const refuseTooMany = (n: number): void => {
  if (n > MAX_ROWS) throw new Refusal({ key: 'tooManyRows', field: 'matching', args: { n, max: MAX_ROWS } });
};

const createWhere = (definition: Definition, conditions: readonly Condition[], ctx: Context) =>
  sql.join([createScopeCondition(definition, ctx.currentUser, ctx.model), ...conditions], sql` AND `);

async function readTargets(definition: Definition, conditions: readonly Condition[], ctx: Context): Promise<Target[]> {
  const isListed = mayList(definition, ctx);
  const named = (it: string) => it in definition.fields && readableField(definition, it);
  const name = (isListed && definition.list?.columns.find(named)) || 'id';
  const number = (isListed && definition.number?.field) || 'id';
  const total = isListed ? moneyOf(definition) : undefined;
  const shown = fieldsShown(definition, ctx).map((it) => it.name);
  const names = [...new Set(['id', 'version', name, number, ...shown, ...(total ? [total, 'currency'] : [])])];
  const { rows } = await sql<Row & { id: number; version: number }>`
    SELECT ${sql.join(names.map((it) => sql.ref(`t.${it}`)))}
      FROM ${rowsSeen(definition, ctx)} AS t WHERE ${createWhere(definition, conditions, ctx)}
     ORDER BY t.id LIMIT ${MAX_ROWS + 1}`.execute(ctx.db);
  return rows.map((it) => ({
    id: it.id,
    name: String(it[name] ?? it[number] ?? it.id),
    version: it.version,
    amount: total ? { value: String(it[total] ?? '0'), currency: it['currency'] as string | null } : null,
    row: filledOf(it, shown),
  }));
}

async function count(definition: Definition, conditions: readonly Condition[], ctx: Context): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*) AS n FROM ${rowsSeen(definition, ctx)} AS t WHERE ${createWhere(definition, conditions, ctx)}`.execute(
    ctx.db,
  );
  return Number(rows[0]?.n ?? 0);
}
