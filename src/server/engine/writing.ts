import { sql } from 'kysely';
import type { Definition } from '#domain/definition/grammar.ts';
import { exactNumber } from '#domain/exact.ts';
import { Refusal, refuseIfAny } from '#domain/refusal.ts';
import { laws } from '#features/laws.ts';
import type { Context } from '#server/context.ts';
import { checkForm } from '#server/engine/form.ts';
import { readableNames, readRow, type Row } from '#server/engine/rows.ts';
import { scopeOf } from '#server/engine/scope.ts';
import { ledger } from '#server/ledger.ts';
import { namesAround, problemsOfAccount } from '#server/session/accounts.ts';
import { hashOfNewPassword } from '#server/session/passwords.ts';
import { afterRoleChange, afterUserChange, forgetRole, ONE_TIME } from '#server/session/sessions.ts';

const ACCOUNTS = 'adminUser';

/** The generic calls that write. Each runs in the request's transaction; the ledger keeps who did what. */

/** Adds a row: checked fields, the site of the session, a business number. Answers its id and number. */
export async function create(definition: Definition, body: Row, ctx: Context) {
  const { values, problems } = checkForm(definition, body, null, ctx);
  refuseIfAny([...problems, ...problemsOfLaws(definition, values)]);
  if (definition.module === ACCOUNTS) refuseIfAny(await problemsOfAccount(values, null, ctx));
  await refuseUnknownRefs(definition, values, ctx);
  if (ownsSite(definition) && !(values['siteId'] && ctx.who.sites === 'all')) values['siteId'] = ctx.who.siteId;
  const number = definition.number && (await ctx.numbers.next(definition.number.prefix));
  if (definition.number) values[definition.number.field] = number;
  await hashPasswords(definition, values, values, ctx);
  values['createBy'] = ctx.who.userId;

  const names = Object.keys(values);
  const { rows } = await sql<{ id: number }>`
    INSERT INTO ${sql.table(definition.table)} (${sql.join(names.map((it) => sql.ref(it)))})
    VALUES (${sql.join(names.map((it) => values[it]))}) RETURNING id`.execute(ctx.db);
  const { id } = rows[0] as { id: number };
  await ledger(ctx, deed('create', definition, id, undefined, values));
  return { id, ...(definition.number && { [definition.number.field]: number }) };
}

/**
 * Changes a row that nobody has changed since it was read: `version` must be today's, else 100025 with today's row.
 * Refused when the module's modify button would not be offered for the row.
 */
export async function modifyById(definition: Definition, body: Row, ctx: Context) {
  const { id, version, ...sent } = body;
  const before = await readRow(definition, id, readableNames(definition), ctx, true);
  if (version === undefined || version === null || version === '') {
    throw new Refusal({ key: 'required', field: 'version', args: { fields: 'version' } });
  }
  if (exactNumber(version) !== before['version']) throw new Refusal({ key: 'stale' }, before);
  refuseUnoffered(definition, 'modify', before);
  const { values, problems } = checkForm(definition, sent, before, ctx);
  refuseIfAny([...problems, ...problemsOfLaws(definition, { ...before, ...values })]);
  if (definition.module === ACCOUNTS) refuseIfAny(await problemsOfAccount(values, before, ctx));
  // Whoever has one site can't give a row away: it would vanish from the site that holds the goods.
  if (ownsSite(definition) && ctx.who.sites !== 'all') delete values['siteId'];
  // What a row refers to already it may keep, also when it has been taken away since.
  const isNew = ([name, value]: [string, unknown]) => before[name] == null || String(value) !== String(before[name]);
  await refuseUnknownRefs(definition, Object.fromEntries(Object.entries(values).filter(isNew)), ctx);
  await hashPasswords(definition, values, { ...before, ...values }, ctx);

  const sets = Object.entries(values).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
  const { rows } = await sql<{ id: number; version: number }>`
    UPDATE ${sql.table(definition.table)}
       SET ${sql.join([...sets, sql`version = version + 1`, sql`"updateBy" = ${ctx.who.userId}`, sql`"updateTime" = now()`])}
     WHERE id = ${before['id']} RETURNING id, version`.execute(ctx.db);
  await ledger(ctx, deed('modifyById', definition, before['id'], before, values));
  await tellSessions(definition, before, ctx);
  return rows[0] as { id: number; version: number };
}

/** Deletes one row. */
export async function deleteById(definition: Definition, body: Row, ctx: Context) {
  const { id } = body;
  await deleteRow(definition, id, 'deleteById', ctx);
  return { id };
}

const MAX_IDS = 1000;

/** Deletes all of the rows or none. */
export async function deleteAll(definition: Definition, body: Row, ctx: Context) {
  const { ids } = body;
  if (!Array.isArray(ids) || ids.length === 0)
    throw new Refusal({ key: 'required', field: 'ids', args: { fields: 'ids' } });
  if (ids.length > MAX_IDS) throw new Refusal({ key: 'tooLong', field: 'ids', args: { field: 'ids', max: MAX_IDS } });
  for (const id of [...new Set(ids)]) await deleteRow(definition, id, 'deleteAll', ctx);
  return { deletedCount: new Set(ids).size };
}

async function deleteRow(definition: Definition, id: unknown, script: 'deleteById' | 'deleteAll', ctx: Context) {
  const before = await readRow(definition, id, readableNames(definition), ctx, true);
  refuseUnoffered(definition, script, before);
  await refuseInUse(definition, before, ctx);
  await sql`DELETE FROM ${sql.table(definition.table)} AS t
    WHERE t.id = ${before['id']} AND ${scopeOf(definition, ctx.who, ctx.model)}`.execute(ctx.db);
  if (definition.module === 'adminRole') await forgetRole(ctx.db, String(before['roleId']));
  await ledger(ctx, deed(script, definition, before['id'], before, undefined));
  await tellSessions(definition, before, ctx);
}

/** A row that others refer to stays: what points at it would point at nothing. */
async function refuseInUse(definition: Definition, row: Row, ctx: Context): Promise<void> {
  for (const other of ctx.model.definitions.values()) {
    for (const [name, field] of Object.entries(other.fields)) {
      if (field.ref?.module !== definition.module) continue;
      const value = row[field.ref.value];
      if (value === null || value === undefined) continue;
      const { rows } = await sql`
        SELECT 1 FROM ${sql.table(other.table)} WHERE ${sql.ref(name)} = ${String(value)} LIMIT 1`.execute(ctx.db);
      if (rows.length > 0) {
        throw new Refusal({ key: 'inUse', args: { what: definition.label, value: String(value), where: other.label } });
      }
    }
  }
}

/** A select that refers to another module takes only values that stand there, in a row of the asker's sites. */
export async function refuseUnknownRefs(definition: Definition, values: Row, ctx: Context): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    const field = definition.fields[name];
    const target = field?.ref && ctx.model.definitions.get(field.ref.module);
    if (!field?.ref || !target || value === null) continue;
    const { rows } = await sql`
      SELECT 1 FROM ${sql.table(target.table)} AS t
       WHERE ${sql.ref(`t.${field.ref.value}`)}::text = ${String(value)} AND ${scopeOf(target, ctx.who, ctx.model)}
       LIMIT 1`.execute(ctx.db);
    if (rows.length === 0) {
      throw new Refusal({ key: 'notFound', field: name, args: { what: field.label, value: String(value) } });
    }
  }
}

/** The server holds by what the toolbar offers: a button whose condition the row does not meet cannot be pressed. */
function refuseUnoffered(definition: Definition, script: string, row: Row): void {
  const button = definition.buttons?.find((it) => it.script === script);
  const isOffered = Object.entries(button?.when ?? {}).every(([name, wanted]) =>
    [wanted].flat().includes(String(row[name] ?? '')),
  );
  if (!isOffered) throw new Refusal({ key: 'stale' }, row);
}

export const problemsOfLaws = (definition: Definition, row: Row) =>
  (definition.checks ?? []).flatMap((name) => laws[name]?.(row) ?? []);

export const ownsSite = (definition: Definition) =>
  Array.isArray(definition.site) && definition.site.includes('siteId') && 'siteId' in definition.fields;

/**
 * A password that somebody else sets obeys the same rule as one that its owner chooses; that of an account serves once,
 * as two people know it.
 */
async function hashPasswords(definition: Definition, values: Row, row: Row, ctx: Context): Promise<void> {
  const isAccount = definition.module === ACCOUNTS;
  for (const [name, value] of Object.entries(values)) {
    if (definition.fields[name]?.type !== 'password' || value === null) continue;
    const names = isAccount && !ctx.demo ? await namesAround(row, ctx) : [];
    const hash = await hashOfNewPassword(String(value), name, ctx.config.passwordMin, names);
    values[name] = isAccount ? ONE_TIME + hash : hash;
  }
}

/** Whoever's account, roles or password changed signs in again. Design section 5. */
async function tellSessions(definition: Definition, row: Row, ctx: Context): Promise<void> {
  if (definition.module === ACCOUNTS) await afterUserChange(ctx.db, String(row['userId']));
  if (definition.module === 'adminRole') await afterRoleChange(ctx.db, String(row['roleId']));
}

function deed(what: string, definition: Definition, id: unknown, from: Row | undefined, to: Row | undefined) {
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
