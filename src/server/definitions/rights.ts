import { Kysely, PostgresDialect, sql } from 'kysely';
import type pg from 'pg';
import { MENU } from '#domain/definition/overlay.ts';
import { Refusal } from '#domain/refusal.ts';
import { mayDo } from '#domain/rights.ts';
import type { Tables } from '#server/db/tables.ts';
import type { PublishedChange } from '#server/definitions/read.ts';
import { lockRoles, refuseLockOut } from '#server/session/lastEditor.ts';

/** By role, the buttons of one module that it has. */
type ModuleRights = Record<string, string[]>;

interface Giver {
  userId: string;
  siteId: string;
  /** What the giver may do; left out, whoever stands at the machine itself. */
  rights?: ReadonlySet<string>;
}

/**
 * Gives roles the rights of a module as a change says them, and answers what they had before, so that a taking back can
 * restore it. Nobody gives away what he does not have, but for a module that comes with the same publish; somebody stays who
 * may give rights. Nobody is signed out by it: each call reads the rights as they stand, and open pages follow a publish, with
 * what is typed and scanned there. Rule: definitions#publishing.
 */
export async function setRights(
  client: pg.ClientBase,
  module: string,
  wanted: ModuleRights,
  giver: Giver,
  isNew: boolean,
): Promise<ModuleRights> {
  const db = kyselyOn(client);
  await lockRoles(db);
  const before: ModuleRights = {};
  for (const [roleId, buttons] of Object.entries(wanted)) {
    const role = await db.selectFrom('admin_role').select('id').where('roleId', '=', roleId).executeTakeFirst();
    const what = { zh: '角色', en: 'Role' };
    if (!role) throw new Refusal({ key: 'notFound', args: { what, value: roleId } });
    const held = await readRights(db, roleId, module);
    before[roleId] = held;
    const given = buttons.filter((it) => !held.includes(it));
    const taken = held.filter((it) => !buttons.includes(it));
    const foreign = given.find((it) => giver.rights && !isNew && !mayDo(giver.rights, `${module}:${it}`));
    if (foreign !== undefined) throw new Refusal({ key: 'notYours', args: { right: `${module}:${foreign}` } });
    await writeRights(db, roleId, module, { given, taken });
    if (given.length + taken.length === 0) continue;
    await db
      .insertInto('ledger')
      .values({
        ...{ userId: giver.userId, siteId: giver.siteId, what: 'rightModify', module: 'adminRole', recordId: roleId },
        before: JSON.stringify({ rights: held.map((it) => `${module}:${it}`) }),
        after: JSON.stringify({ rights: buttons.map((it) => `${module}:${it}`) }),
        requestId: '',
        address: null,
      })
      .execute();
  }
  await refuseLockOut(db, 'rights');
  return before;
}

/** The changes of publishes that begin or cease to count say again what roles have. */
export async function restoreRights(
  client: pg.ClientBase,
  publishId: number,
  to: 'before' | 'after',
  giver: Giver,
): Promise<void> {
  const { rows } = await client.query<PublishedChange & { rightsBefore: ModuleRights | null }>(
    `SELECT module, change, "rightsBefore" FROM definition_change WHERE "publishId" = $1 AND module <> $2 ORDER BY id`,
    [publishId, MENU],
  );
  for (const { module, change, rightsBefore } of rows) {
    const wanted = to === 'before' ? rightsBefore : change.rights;
    const isNew = to === 'after' && change.definition !== undefined;
    if (wanted) await setRights(client, module, await withoutDeleted(client, wanted), giver, isNew);
  }
}

/** A role that is deleted since has no rights to come or go. */
async function withoutDeleted(client: pg.ClientBase, wanted: ModuleRights): Promise<ModuleRights> {
  const { rows } = await client.query<{ roleId: string }>('SELECT "roleId" FROM admin_role WHERE "roleId" = ANY ($1)', [
    Object.keys(wanted),
  ]);
  return Object.fromEntries(rows.map(({ roleId }) => [roleId, wanted[roleId] ?? []]));
}

async function readRights(db: Kysely<Tables>, roleId: string, module: string): Promise<string[]> {
  const { rows } = await sql<{ button: string }>`
    SELECT split_part("right", ':', 2) AS button FROM role_right
     WHERE "roleId" = ${roleId} AND split_part("right", ':', 1) = ${module} ORDER BY 1`.execute(db);
  return rows.map((it) => it.button);
}

async function writeRights(
  db: Kysely<Tables>,
  roleId: string,
  module: string,
  { given, taken }: { given: readonly string[]; taken: readonly string[] },
): Promise<void> {
  const named = (buttons: readonly string[]) => buttons.map((it) => `${module}:${it}`);
  if (taken.length > 0)
    await db.deleteFrom('role_right').where('roleId', '=', roleId).where('right', 'in', named(taken)).execute();
  const rows = named(given).map((right) => ({ roleId, right }));
  if (rows.length > 0) await db.insertInto('role_right').values(rows).execute();
}

/** The queries of the platform, on a connection that holds a transaction already. */
function kyselyOn(client: pg.ClientBase): Kysely<Tables> {
  const held = { query: client.query.bind(client), release: () => undefined };
  const pool = { connect: () => Promise.resolve(held), end: () => Promise.resolve() };
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: pool }) });
}
