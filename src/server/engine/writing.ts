import { sql, type RawBuilder } from 'kysely';
import { indexesOf, sqlTypes } from '#domain/definition/columns.ts';
import { isSame } from '#domain/definition/fieldRules.ts';
import { dayOf } from '#domain/day.ts';
import type { Definition, Field } from '#domain/definition/grammar.ts';
import { rowsAre } from '#domain/definition/rowsOf.ts';
import { deletingRights, deletingScripts, letsRowsGo } from '#domain/definition/writes.ts';
import { mayDo } from '#domain/rights.ts';
import { exactNumber } from '#domain/exact.ts';
import { isReviewed } from '#domain/review.ts';
import { orRefusal, Refusal, refuseIfAny, type Problem } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import { alreadyExists } from '#server/databaseRefusal.ts';
import { checkForm } from '#server/engine/form.ts';
import { refuseUnallowed, refuseUnwritten } from '#server/engine/allowed.ts';
import { withNames } from '#server/engine/describe.ts';
import { findInUse, namesItself } from '#server/engine/inUse.ts';
import { foreignParents, ownedByWriter } from '#server/engine/ownership.ts';
import { hooksOf, validateOwnRules } from '#server/engine/ownRules.ts';
import { holdRows, notThere, readableNames, readRow, type Row } from '#server/engine/rows.ts';
import { parseVersions, refuseUnseen, unseen } from '#server/engine/seen.ts';
import { createScopeCondition, hiddenFields, rowsSeen, seesValue } from '#server/engine/scope.ts';
import { findApart, findStrangers } from '#server/engine/strayValues.ts';
import { recordAllInLedger, recordInLedger } from '#server/ledger.ts';
import { hashNewPassword } from '#server/session/passwords.ts';
import { findOtherRoles } from '#server/session/rolesMeant.ts';
import { touchSql } from '#server/touch.ts';

/** The generic calls that write. Each runs in the request's transaction; the ledger keeps who did what. */

/** Adds a row: checked fields, the site of the session, a business number. Answers its id and number. */
export async function create(definition: Definition, body: Row, ctx: Context) {
  refuseUnwritten(definition, { script: 'create' });
  const { values, problems } = checkForm(definition, body, null, ctx);
  refuseIfAny(await findOtherRoles(definition, body, ctx));
  refuseIfAny([...problems, ...(await validateOwnRules(definition, values, undefined, ctx))]);
  await refuseUnknownRefs(definition, values, ctx);
  if (ownsSite(definition) && !(values['siteId'] && ctx.currentUser.sites === 'all'))
    values['siteId'] = ctx.currentUser.siteId;
  Object.assign(values, ownedByWriter(definition, ctx));
  const number = definition.number && (await ctx.numbers.next(definition.number.prefix));
  if (definition.number) values[definition.number.field] = number;
  const written: Row = { ...(await toWrite(definition, values, undefined, ctx)), createBy: ctx.currentUser.userId };
  await refuseForeignParent(definition, written, ctx);

  const names = Object.keys(written);
  const { rows } = await sql<Row & { id: number }>`
    INSERT INTO ${sql.table(definition.table)} (${sql.join(names.map((it) => sql.ref(it)))})
    VALUES (${sql.join(names.map((it) => written[it]))}) RETURNING ${readable(definition)}`.execute(ctx.db);
  const row = rows[0] as Row & { id: number };
  const { id } = row;
  await recordInLedger(ctx, createEntry('create', definition, id, undefined, written));
  await hooksOf(definition, ctx).afterWrite?.(row, undefined, ctx);
  return { id, ...(definition.number && { [definition.number.field]: number }) };
}

interface Changed {
  id: number;
  version: number;
}

/**
 * Changes a row that nobody has changed since it was read: `version` must be today's, else 100025 with today's row. A row
 * that has all of it already is left as it is: it keeps its version, and the ledger has no entry.
 * Refused when the module does not allow it in the row's state, or its modify button would not be offered for the row.
 */
export async function modifyById(definition: Definition, body: Row, ctx: Context): Promise<Changed> {
  const { id, version, ...given } = body;
  refuseUnwritten(definition, { script: 'modify' });
  const before = await readRow(definition, id, readableNames(definition), ctx, true);
  if (version === undefined || version === null || version === '') {
    throw new Refusal({ key: 'required', field: 'version', args: { fields: 'version' } });
  }
  const outcomes = await changeRows(definition, [{ before, seen: exactNumber(version) }], given, ctx);
  return outcomeOf(outcomes, before);
}

/** What came of a row by its id. */
export type Outcomes<T> = ReadonlyMap<number, T | Refusal>;

/** The same change of many rows, as each was seen: of each what came of it, by the same rules and in the order of their ids. */
export async function modifyMany(
  definition: Definition,
  seen: ReadonlyMap<number, number>,
  given: Row,
  ctx: Context,
): Promise<Outcomes<Changed>> {
  refuseUnwritten(definition, { script: 'modify' });
  const held = await holdRows(definition, [...seen.keys()], ctx);
  const rows = [...held.values()].map((before) => ({ before, seen: seen.get(before['id'] as number) ?? null }));
  const outcomes = await changeRows(definition, rows, given, ctx);
  return byId(definition, seen, held, (before) => outcomes.get(before));
}

/** The same of many rows that are deleted. */
export async function deleteMany(
  definition: Definition,
  seen: ReadonlyMap<number, number>,
  ctx: Context,
): Promise<Outcomes<object>> {
  refuseUnwritten(definition, { script: 'deleteAll' });
  const held = await holdRows(definition, [...seen.keys()], ctx);
  const check = (before: Row) => refuseUnseen(definition, before, seen.get(before['id'] as number));
  const refused = await deleteRows(definition, [...held.values()], 'deleteAll', ctx, { check });
  return byId(definition, seen, held, (before) => refused.get(before) ?? {});
}

/**
 * Whether a module's rows are each judged after what came of the one before: where its own rules look about themselves, and
 * where one row of it names another.
 */
export const isJudgedInTurn = (definition: Definition, ctx: Context): boolean =>
  Object.keys(hooksOf(definition, ctx)).length > 0 ||
  namesItself(definition, ctx) ||
  (definition.lines ?? []).some((it) => it.owned && it.related);

const byId = <T>(
  definition: Definition,
  seen: ReadonlyMap<number, number>,
  held: ReadonlyMap<number, Row>,
  outcome: (before: Row) => T | Refusal | undefined,
): Outcomes<T> =>
  new Map(
    [...seen.keys()].map((id) => {
      const before = held.get(id);
      return [id, (before && outcome(before)) ?? notThere(definition, id)];
    }),
  );

function outcomeOf<T>(outcomes: ReadonlyMap<Row, T | Refusal>, before: Row): T {
  const outcome = outcomes.get(before) as T | Refusal;
  if (outcome instanceof Refusal) throw outcome;
  return outcome;
}

interface Wanted {
  before: Row;
  written: Row;
  /** The fields whose values go. */
  changed: string[];
}

async function changeRows(
  definition: Definition,
  rows: readonly { before: Row; seen: number | null }[],
  given: Row,
  ctx: Context,
): Promise<ReadonlyMap<Row, Changed | Refusal>> {
  refuseIfAny(await findOtherRoles(definition, given, ctx));
  const outcomes = new Map<Row, Changed | Refusal>();
  const refs: KnownRefs = new Map();
  const all: Wanted[] = [];
  for (const { before, seen } of rows) {
    const wanted = await orRefusal(() => judgeChange(definition, before, seen, { given, refs }, ctx));
    if (wanted instanceof Refusal) outcomes.set(before, wanted);
    else all.push(wanted);
  }
  for (const group of groupsOf(all, (it) => it.changed.join())) {
    const befores = group.map((it) => it.before);
    for (const [row, refusal] of await findInUse(definition, befores, ctx, group[0]?.changed))
      outcomes.set(row, refusal);
  }
  const free = () => all.filter((it) => !outcomes.has(it.before));
  for (const [row, refusal] of await findTaken(definition, free(), ctx)) outcomes.set(row, refusal);

  const after = new Map<unknown, Row>();
  for (const group of groupsOf(free(), (it) => JSON.stringify(it.written)))
    for (const row of await update(definition, group, ctx)) after.set(row['id'], row);
  const done = free().map((it) => ({ ...it, row: after.get(it.before['id']) }));
  const entries = done.flatMap(({ row, before, written }) =>
    row ? [createEntry('modifyById', definition, before['id'], before, written)] : [],
  );
  if (entries.length > 0) await recordAllInLedger(ctx, entries);
  for (const { row, before } of done) {
    const { id, version } = row ?? before;
    outcomes.set(before, { id: id as number, version: version as number });
    if (row) await hooksOf(definition, ctx).afterWrite?.(row, before, ctx);
  }
  return outcomes;
}

async function judgeChange(
  definition: Definition,
  before: Row,
  seen: number | null,
  { given, refs }: { given: Row; refs: KnownRefs },
  ctx: Context,
): Promise<Wanted> {
  refuseUnseen(definition, before, seen);
  refuseUnallowed(definition, { script: 'modify' }, before, ctx);
  const sent = await withoutNames(definition, given, before, ctx);
  const { values, problems } = checkForm(definition, sent, before, ctx);
  refuseIfAny([...problems, ...(await keepHidden(definition, { values, sent }, before, ctx))]);
  refuseIfAny(await validateOwnRules(definition, values, before, ctx));
  // Whoever has one site can't give a row away: it would vanish from the site that holds the goods.
  if (ownsSite(definition) && ctx.currentUser.sites !== 'all') delete values['siteId'];
  // Nor to somebody else.
  if (definition.owner) delete values[definition.owner.field];
  // What a row refers to already it may keep, also when it has been taken away since.
  const isNew = ([name, value]: [string, unknown]) => before[name] == null || String(value) !== String(before[name]);
  const fresh = Object.fromEntries(Object.entries(values).filter(isNew));
  await refuseUnknownRefs(definition, fresh, ctx, { known: refs, before, row: { ...before, ...values } });
  const written = await toWrite(definition, values, before, ctx);
  const changed = Object.keys(written).filter((it) => String(before[it] ?? '') !== String(written[it] ?? ''));
  const { site } = definition;
  const owning = typeof site === 'object' ? ('through' in site ? [site.by] : site) : [];
  if (owning.some((it) => changed.includes(it))) await refuseForeignParent(definition, { ...before, ...written }, ctx);
  return { before, written, changed };
}

/** Writes the same to rows of which some may have it already; gives those that did not. */
async function update(definition: Definition, group: readonly Wanted[], ctx: Context): Promise<Row[]> {
  const written = Object.entries(group[0]?.written ?? {});
  if (written.length === 0) return [];
  const sets = written.map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
  const others = written.map(([name, value]) => sql`${sql.ref(name)} IS DISTINCT FROM ${value}`);
  const { rows } = await sql<Row>`
    UPDATE ${sql.table(definition.table)}
       SET ${sql.join([...sets, touchSql(ctx.currentUser)])}
     WHERE id = ANY(${group.map((it) => it.before['id'])}) AND (${sql.join(others, sql` OR `)})
    RETURNING ${readable(definition)}`.execute(ctx.db);
  return rows;
}

/**
 * Of several rows those that would take what is unique and another one has by then: whoever comes first has it, and what it
 * had before is free. Of one row the database says so itself.
 */
async function findTaken(
  definition: Definition,
  all: readonly Wanted[],
  ctx: Context,
): Promise<ReadonlyMap<Row, Refusal>> {
  const taken = new Map<Row, Refusal>();
  if (all.length < 2) return taken;
  for (const { columns, unique } of indexesOf(definition)) {
    const asked = all.filter((it) => !taken.has(it.before) && it.changed.some((name) => columns.includes(name)));
    if (!unique || asked.length === 0) continue;
    const keys = await findKeys(definition, columns, asked, ctx);
    const owners = new Map(keys.map((it) => [it.first, it.owner]));
    const had = new Map(keys.flatMap((it) => (it.owner === null ? [] : [[it.owner, it.first]])));
    for (const { n, first, value } of keys) {
      const { before } = asked[n - 1] as Wanted;
      const id = before['id'] as number;
      const owner = owners.get(first) ?? null;
      if (owner !== null && owner !== id) {
        taken.set(before, new Refusal(alreadyExists(definition.fields, columns, value)));
        continue;
      }
      const free = had.get(id);
      if (free !== undefined && free !== first) owners.set(free, null);
      owners.set(first, id);
    }
  }
  return taken;
}

interface Key {
  /** Which of the rows it is, from 1 on, and which is the first that would have the same. */
  n: number;
  first: number;
  /** The row that has it now. */
  owner: number | null;
  value: string;
}

/** What each of these rows would have in these columns; none of those where one is empty, which clashes with nothing. */
async function findKeys(
  definition: Definition,
  columns: readonly string[],
  asked: readonly Wanted[],
  ctx: Context,
): Promise<Key[]> {
  const names = columns.map((_, i) => `c${i}`);
  const values = columns.map((name) => {
    const type = sql.raw(`${sqlTypes[definition.fields[name]?.type ?? 'String']}[]`);
    return sql`${asked.map(({ before, written }) => (name in written ? written[name] : asWritten(definition, name, before, ctx)))}::${type}`;
  });
  const has = columns.map((name, i) => sql`t.${sql.ref(name)} = w.${sql.ref(`c${i}`)}`);
  const { rows } = await sql<Key>`
    SELECT w.n, min(w.n) OVER (PARTITION BY ${sql.join(names.map((it) => sql.ref(`w.${it}`)))}) AS first, t.id AS owner,
           concat_ws(', ', ${sql.join(names.map((it) => sql`w.${sql.ref(it)}::text`))}) AS value
      FROM unnest(${sql.join(values)}) WITH ORDINALITY AS w (${sql.join(names.map((it) => sql.ref(it)))}, n)
      LEFT JOIN ${sql.table(definition.table)} AS t ON ${sql.join(has, sql` AND `)}
     WHERE ${sql.join(
       names.map((it) => sql`w.${sql.ref(it)} IS NOT NULL`),
       sql` AND `,
     )}
     ORDER BY w.n`.execute(ctx.db);
  return rows;
}

/** A value that was read, as it would be written: moments, and days as their midnight, were read as epoch ms. */
function asWritten({ fields }: Definition, name: string, before: Row, { config }: Context): unknown {
  const value = before[name];
  if (value === null || value === undefined) return value;
  const { type } = fields[name] ?? {};
  if (type === 'date') return dayOf(Number(value), config.timeZone);
  return type === 'dateTime' ? new Date(Number(value)) : value;
}

function groupsOf<T>(all: readonly T[], keyOf: (it: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const it of all) {
    const key = keyOf(it);
    const group = groups.get(key);
    if (group) group.push(it);
    else groups.set(key, [it]);
  }
  return [...groups.values()];
}

/** What somebody does not see of a row stays as it is: its form sends it back as empty, and anything else is refused. */
async function keepHidden(
  definition: Definition,
  { values, sent }: { values: Row; sent: Row },
  before: Row,
  ctx: Context,
): Promise<Problem[]> {
  const problems: Problem[] = [];
  const unseen = new Set<string>();
  const keys = new Set<string>();
  for (const [name, sites] of hiddenFields(definition, ctx)) {
    if (await isShown(definition, sites, before['id'], ctx)) continue;
    unseen.add(name);
    for (const { by } of sites) keys.add(by);
  }
  // Whose value it is stays as well: under a row of his own he would see it.
  for (const name of new Set([...leaningOn(definition, unseen), ...keys])) {
    const field = definition.fields[name];
    if (!field || !Object.hasOwn(values, name)) continue;
    const isSaid = unseen.has(name) ? values[name] !== null : Object.hasOwn(sent, name);
    if (isSaid && !isSame(field, values[name], before[name]))
      problems.push({ key: 'fixed', field: name, args: { field: field.label } });
    delete values[name];
  }
  return problems;
}

/** These fields and those that are judged by their values: who does not see these can't tell. */
function leaningOn({ fields }: Definition, names: ReadonlySet<string>): ReadonlySet<string> {
  const all = Object.entries(fields);
  // Whether a field is there hangs on others that may not be there themselves.
  const there = new Set(names);
  for (let size = -1; size < there.size;) {
    size = there.size;
    for (const [name, { visibleWhen = {} }] of all)
      if (Object.keys(visibleWhen).some((it) => there.has(it))) there.add(name);
  }
  const ruled = all.filter(([, { requiredWhen, readOnlyWhen, minField, maxField }]) =>
    [...Object.keys({ ...requiredWhen, ...readOnlyWhen }), minField, maxField].some((it) => it && there.has(it)),
  );
  return new Set([...there, ...ruled.map(([name]) => name)]);
}

/** Nobody writes over a value of a row that he does not see: it stays as it is. Rule: rights#values. */
export async function refuseHidden(definition: Definition, name: string, id: unknown, ctx: Context): Promise<void> {
  const site = hiddenFields(definition, ctx).get(name);
  if (!site || (await isShown(definition, site, id, ctx))) return;
  throw new Refusal({ key: 'fixed', field: name, args: { field: definition.fields[name]?.label ?? name } });
}

async function isShown(
  definition: Definition,
  site: Parameters<typeof seesValue>[0],
  id: unknown,
  ctx: Context,
): Promise<boolean> {
  const { rows } = await sql`
    SELECT 1 FROM ${sql.table(definition.table)} AS r WHERE r.id = ${id} AND ${seesValue(site, ctx, 'r')}`.execute(
    ctx.db,
  );
  return rows.length > 0;
}

/** Names that stand beside ids may come back as they stand; one that says anything else is no field of the form. */
async function withoutNames(definition: Definition, sent: Row, before: Row, ctx: Context): Promise<Row> {
  const [named = {}] = await withNames(definition, [before], ctx);
  const isAsItStands = ([name, value]: [string, unknown]) =>
    Object.hasOwn(definition.names ?? {}, name) && value === named[name];
  return Object.fromEntries(Object.entries(sent).filter((it) => !isAsItStands(it)));
}

/** Deletes one row, as it was seen; one that is reviewed is deleted by nobody who does not say so. Rule: writing#what-was-seen. */
export async function deleteById(definition: Definition, body: Row, ctx: Context) {
  const { id, version } = body;
  await deleteRow(definition, id, 'deleteById', ctx, { check: (before) => refuseUnsaid(definition, before, version) });
  return { id };
}

function refuseUnsaid(definition: Definition, before: Row, version: unknown): void {
  const isSaid = version !== undefined && version !== null && version !== '';
  if (isSaid) refuseUnseen(definition, before, exactNumber(version));
  else if (isReviewed(definition.module))
    throw new Refusal({ key: 'required', field: 'version', args: { fields: 'version' } });
}

const MAX_IDS = 1000;

/** Deletes all of the rows or none, each as it was seen: `versions` says so by id, as `version` does of one. */
export async function deleteAll(definition: Definition, body: Row, ctx: Context) {
  const { ids, versions } = body;
  if (!Array.isArray(ids) || ids.length === 0)
    throw new Refusal({ key: 'required', field: 'ids', args: { fields: 'ids' } });
  if (ids.length > MAX_IDS) throw new Refusal({ key: 'tooLong', field: 'ids', args: { field: 'ids', max: MAX_IDS } });
  const seen = versions == null && !isReviewed(definition.module) ? null : parseVersions(versions);
  const check = (before: Row) => {
    if (!seen) return;
    const version = seen[String(before['id'])];
    if (version === undefined) throw unseen();
    refuseUnseen(definition, before, version);
  };
  for (const id of [...new Set(ids)]) await deleteRow(definition, id, 'deleteAll', ctx, { check });
  return { deletedCount: new Set(ids).size };
}

interface Deleting {
  check?: (before: Row) => void;
  going?: Going;
}

async function deleteRow(
  definition: Definition,
  id: unknown,
  script: 'deleteById' | 'deleteAll',
  ctx: Context,
  deleting: Deleting = {},
) {
  refuseUnwritten(definition, { script });
  const before = await readRow(definition, id, readableNames(definition), ctx, true);
  const refusal = (await deleteRows(definition, [before], script, ctx, deleting)).get(before);
  if (refusal) throw refusal;
}

/** Deletes of some rows those that may go; gives why the others stay. */
async function deleteRows(
  definition: Definition,
  rows: readonly Row[],
  script: 'deleteById' | 'deleteAll',
  ctx: Context,
  { check, going = new Map() }: Deleting,
): Promise<ReadonlyMap<Row, Refusal>> {
  const refused = new Map<Row, Refusal>();
  for (const before of rows) {
    const refusal = await orRefusal(() => {
      refuseUnallowed(definition, { script }, before, ctx, going.size > 0 ? deletingScripts : [script]);
      check?.(before);
    });
    if (refusal) refused.set(before, refusal);
  }
  const free = () => rows.filter((it) => !refused.has(it));
  for (const [before, refusal] of await findInUse(definition, free(), ctx)) refused.set(before, refusal);
  const gone = free();
  if (gone.length === 0) return refused;
  await deleteOwnLines(definition, gone, ctx);
  const ids = gone.map((it) => it['id']);
  const others = going.get(definition.module) ?? [];
  for (const before of gone)
    await deleteRelatedLines(definition, before, ctx, new Map(going).set(definition.module, [...others, ...ids]));
  await sql`DELETE FROM ${sql.table(definition.table)} AS t
    WHERE t.id = ANY(${ids}) AND ${createScopeCondition(definition, ctx.currentUser, ctx.model)}`.execute(ctx.db);
  await recordAllInLedger(
    ctx,
    gone.map((before) => createEntry(script, definition, before['id'], before, undefined)),
  );
  for (const before of gone) await hooksOf(definition, ctx).afterWrite?.(undefined, before, ctx);
  return refused;
}

/** By module, the rows that are deleted once their lines are, which may have them among their own. */
type Going = ReadonlyMap<string, readonly unknown[]>;

/** Lines that are part of their bill go with it. */
async function deleteOwnLines(definition: Definition, rows: readonly Row[], ctx: Context): Promise<void> {
  for (const { module, by, owned, related } of definition.lines ?? []) {
    const lines = ctx.model.definitions.get(module);
    if (owned && lines && !related)
      await sql`DELETE FROM ${sql.table(lines.table)} WHERE ${sql.ref(by)} = ANY(${rows.map((it) => it[by])})`.execute(
        ctx.db,
      );
  }
}

/**
 * Those of a published module are rows of their own: they go as if who deletes the bill had deleted each of them, where their
 * module lets them go. Rule: definitions#writes.
 */
async function deleteRelatedLines(definition: Definition, row: Row, ctx: Context, going: Going): Promise<void> {
  for (const { module, by, owned, related } of definition.lines ?? []) {
    const lines = ctx.model.definitions.get(module);
    if (!owned || !related || !lines || !letsRowsGo(lines)) continue;
    const others = going.get(module) ?? [];
    // One after the other: with a line others may go that are among them.
    for (;;) {
      const { rows } = await sql<{ id: number }>`
        SELECT t.id FROM ${rowsSeen(lines, ctx)} AS t
         WHERE ${sql.ref(`t.${by}`)} = ${row[by]} AND ${createScopeCondition(lines, ctx.currentUser, ctx.model)}
           AND t.id <> ALL (${others}) LIMIT 1`.execute(ctx.db);
      const [line] = rows;
      if (!line) break;
      const rights = deletingRights(lines);
      if (rights.length > 0 && !rights.some((it) => mayDo(ctx.currentUser.rights, it)))
        throw new Refusal({ key: 'noRight' });
      await deleteRow(lines, line.id, 'deleteById', ctx, { going });
    }
  }
}

/**
 * A select that refers to another module takes only values that its user sees there, in a row of his sites and of the kind
 * that it takes, and holds that row: whoever deletes it waits. Rule: definitions#in-use, definitions#references.
 * @param before what the row holds, of one that is changed
 * @param row all that the row will hold; left out, the values are
 */
export async function refuseUnknownRefs(
  definition: Definition,
  values: Row,
  ctx: Context,
  { known = new Map(), before = {}, row = values }: { known?: KnownRefs; before?: Row; row?: Row } = {},
): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    const field = definition.fields[name];
    const target = field?.ref && ctx.model.definitions.get(field.ref.module);
    if (!field?.ref || !target || value === null) continue;
    const key = JSON.stringify([name, value]);
    const faults = known.get(key) ?? (await validateRef({ name, field, target }, String(value), ctx));
    known.set(key, faults);
    refuseIfAny(faults);
  }
  refuseIfAny((await findStrangers(definition, [values], ctx, before)).get(values) ?? []);
  const isAsked = (names: readonly string[]) => names.some((it) => Object.hasOwn(values, it));
  refuseIfAny((await findApart(definition, [row], ctx, isAsked)).get(row) ?? []);
}

/** What is wrong with values that were looked up already, in the same transaction. */
type KnownRefs = Map<string, Problem[]>;

async function validateRef(
  { name, field, target }: { name: string; field: Field; target: Definition },
  value: string,
  ctx: Context,
): Promise<Problem[]> {
  const { rows } = await sql<{ kind: string | null }>`
    SELECT ${kindOf(field)} AS kind FROM ${rowsSeen(target, ctx)} AS t
     WHERE ${sql.ref(`t.${field.ref?.value ?? ''}`)}::text = ${value} AND ${createScopeCondition(target, ctx.currentUser, ctx.model)}
     LIMIT 1 ${rowsAre(target, ctx.model).viewOf ? sql`` : sql`FOR KEY SHARE OF t`}`.execute(ctx.db);
  if (rows.length === 0) return [{ key: 'notFound', field: name, args: { what: field.label, value } }];
  return validateKind(name, field, target, { value, kind: rows[0]?.kind ?? null });
}

/** Of which kind a row `t` is that a field refers to; null where it takes any. */
export const kindOf = ({ ref }: Field): RawBuilder<string | null> =>
  ref?.only ? sql`${sql.ref(`t.${ref.only.field}`)}::text` : sql`NULL`;

/** A reference takes rows of the kinds that it names alone. Rule: definitions#references. */
export function validateKind(
  name: string,
  { ref, label }: Field,
  target: Definition,
  { value, kind }: { value: string; kind: string | null },
): Problem[] {
  const only = ref?.only;
  const asked = only && target.fields[only.field];
  if (!only || !asked || only.values.includes(kind ?? '')) return [];
  const expected = only.values.map((it) => ({ options: asked.options ?? '', value: it }));
  return [{ key: 'otherKind', field: name, args: { what: label, value, kind: asked.label, expected } }];
}

async function refuseForeignParent(definition: Definition, written: Row, ctx: Context): Promise<void> {
  refuseIfAny([...(await foreignParents(definition, [written], ctx)).values()].flat());
}

export const ownsSite = (definition: Definition) =>
  Array.isArray(definition.site) && definition.site.includes('siteId') && 'siteId' in definition.fields;

/** What the module's own rule makes of the values, passwords as hashes: one that the rule has left as it was sent too. */
export async function toWrite(definition: Definition, sent: Row, before: Row | undefined, ctx: Context): Promise<Row> {
  const values = (await hooksOf(definition, ctx).beforeWrite?.({ ...sent }, before, ctx)) ?? sent;
  const plain = Object.entries(values).filter(
    ([name, value]) => definition.fields[name]?.type === 'password' && value !== null && value === sent[name],
  );
  const hashes = plain.map(async ([name, value]) => [
    name,
    await hashNewPassword(String(value), name, ctx.config.passwordMin),
  ]);
  return { ...values, ...Object.fromEntries(await Promise.all(hashes)) };
}

const readable = (definition: Definition) => sql.join(readableNames(definition).map((it) => sql.ref(it)));

function createEntry(what: string, definition: Definition, id: unknown, from: Row | undefined, to: Row | undefined) {
  return {
    what,
    module: definition.module,
    recordId: String(id),
    from: hide(definition, from),
    to: hide(definition, to),
  };
}

/** A password's hash is nobody's to read, in the ledger either. */
const hide = (definition: Definition, row: Row | undefined) =>
  row && Object.fromEntries(Object.entries(row).filter(([name]) => definition.fields[name]?.type !== 'password'));
