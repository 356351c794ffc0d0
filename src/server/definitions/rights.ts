import { Kysely, PostgresDialect, sql } from 'kysely';
import type pg from 'pg';
import { MENU } from '#domain/definition/overlay.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Tables } from '#server/db/tables.ts';
import type { PublishedChange } from '#server/definitions/read.ts';
import { lockRoles, refuseLockOut } from '#server/session/lastEditor.ts';
import { findBeyond } from '#server/session/powers.ts';

type Client = Pick<pg.ClientBase, 'query'>;

/** By role, the buttons of one module that it has. */
type ModuleRights = Record<string, string[]>;

interface Giver {
  userId: string;
  siteId: string;
  /** What the giver may do; left out, whoever stands at the machine itself. */
  author?: ReadonlySet<string>;
}

/**
 * Gives roles the rights of a module as a change says them, and answers what they had before, so that a taking back can
 * restore it. Nobody gives away what he does not have, but for a module that comes with the same publish; somebody stays who
 * may give rights. Nobody is signed out by it: each call reads the rights as they stand, and open pages follow a publish, with
 * what is typed and scanned there. Rule: definitions#publishing.
 */
export async function setRights(
  client: Client,
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
    if (giver.author && !isNew) {
      const asked = given.map((it) => `${module}:${it}`);
      const right = await findBeyond({ db, currentUser: { rights: giver.author } }, asked);
      if (right !== undefined) throw new Refusal({ key: 'notYours', args: { right } });
    }
    await writeRights(db, roleId, module, { given, taken });
    if (given.length + taken.length === 0) continue;
    const named = (all: readonly string[]) => all.map((it) => `${module}:${it}`);
    await recordRights(db, giver, { roleId, before: named(held), after: named(buttons) });
  }
  await refuseLockOut(db, 'rights');
  return before;
}

/** What roles may do with an earlier module of such a name is not given them for the one that has it now. Rule: rights#giving. */
export async function forgetRights(client: Client, modules: readonly string[], giver: Giver): Promise<void> {
  if (modules.length === 0) return;
  const db = kyselyOn(client);
  await lockRoles(db);
  const { rows } = await sql<{ roleId: string; rights: string[] }>`
    WITH gone AS (
      DELETE FROM role_right WHERE split_part("right", ':', 1) = ANY (${modules}) RETURNING "roleId", "right"
    )
    SELECT "roleId", array_agg("right" ORDER BY "right") AS rights FROM gone GROUP BY 1 ORDER BY 1`.execute(db);
  for (const { roleId, rights } of rows) await recordRights(db, giver, { roleId, before: rights, after: [] });
}

const recordRights = (
  db: Kysely<Tables>,
  { userId, siteId }: Giver,
  { roleId, before, after }: { roleId: string; before: readonly string[]; after: readonly string[] },
) =>
  db
    .insertInto('ledger')
    .values({
      ...{ userId, siteId, what: 'rightModify', module: 'adminRole', recordId: roleId },
      before: JSON.stringify({ rights: before }),
      after: JSON.stringify({ rights: after }),
      requestId: '',
      address: null,
    })
    .execute();

/**
 * The changes of publishes that begin or cease to count say again what roles have. A role that is gone has nothing to come
 * back to, and one that was made since is another, whatever it is called. Rule: rights#roles.
 */
export async function restoreRights(
  client: Client,
  publishId: number,
  to: 'before' | 'after',
  giver: Giver,
): Promise<void> {
  const { rows } = await client.query<PublishedChange & { rightsBefore: ModuleRights | null; userId: string }>(
    `SELECT c.module, c.change, c."rightsBefore", p."userId"
       FROM definition_change AS c JOIN definition_publish AS p ON p.id = c."publishId"
      WHERE c."publishId" = $1 AND c.module <> $2 ORDER BY c.id`,
    [publishId, MENU],
  );
  for (const { module, change, rightsBefore, userId } of rows) {
    const wanted = to === 'before' ? rightsBefore : change.rights;
    // A module that somebody else has made comes again with rows that are not the giver's.
    const isNew = to === 'after' && change.definition !== undefined && userId === giver.userId;
    if (wanted) await setRights(client, module, await ofRolesThen(client, publishId, wanted), giver, isNew);
  }
}

async function ofRolesThen(client: Client, publishId: number, rights: ModuleRights): Promise<ModuleRights> {
  const { rows } = await client.query<{ roleId: string }>(
    `SELECT r."roleId" FROM admin_role AS r JOIN definition_publish AS p ON p.id = $1
      WHERE r."roleId" = ANY ($2) AND r."createTime" <= p.at`,
    [publishId, Object.keys(rights)],
  );
  const then = new Set(rows.map((it) => it.roleId));
  return Object.fromEntries(Object.entries(rights).filter(([roleId]) => then.has(roleId)));
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
function kyselyOn(client: Client): Kysely<Tables> {
  const held = { query: client.query.bind(client), release: () => undefined };
  const pool = { connect: () => Promise.resolve(held), end: () => Promise.resolve() };
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: pool }) });
}
