import { Kysely, PostgresDialect, sql } from 'kysely';
import type pg from 'pg';
import type { DefinitionChange } from '#domain/definition/change.ts';
import type { Definition, Model } from '#domain/definition/grammar.ts';
import type { DefinitionProblem } from '#domain/definition/problems.ts';
import { MENU } from '#domain/definition/overlay.ts';
import { Refusal, type Problem } from '#domain/refusal.ts';
import { lacks, mayDo } from '#domain/rights.ts';
import type { Tables } from '#server/db/tables.ts';
import type { Publication } from '#server/definitions/definitions.ts';
import { BadDefinitions, type PublishedChange } from '#server/definitions/read.ts';
import { lockRoles, refuseLockOut } from '#server/session/lastEditor.ts';
import { findBeyond, findMore } from '#server/session/powers.ts';

type Client = Pick<pg.ClientBase, 'query'>;

/** By role, the buttons of one module that it has. */
type ModuleRights = Record<string, string[]>;

/** Who changes rights by a publish. */
interface Giver {
  userId: string;
  siteId: string;
  /** What the giver may do; left out, whoever stands at the machine itself. */
  author?: ReadonlySet<string>;
  /** The rights that the publish makes: they are his to give. */
  made: ReadonlySet<string>;
  /** The rights to buttons that come or go with it: they come and go whatever a role may besides. */
  passing: ReadonlySet<string>;
  /** What keeps him from changing a role, as it was before the publish. */
  findMore(roleId: string): Promise<Problem | undefined>;
}

/** Whether a module comes with the publish, goes with it, or is there before and after. */
type Fate = 'comes' | 'goes' | 'stays';

/** The rights to all buttons. */
export const buttonsIn = ({ definitions }: Pick<Model, 'definitions'>): Set<string> =>
  new Set(
    [...definitions.values()].flatMap(({ module, buttons = [] }) => buttons.map((it) => `${module}:${it.btnNo}`)),
  );

/** Whether a role is another one than a draft means by its code. Rule: definitions#drafts. */
export const isAnother = (
  { roleId, id }: { roleId: string; id: number | string },
  roles: PublishedChange['roles'],
): boolean => roles !== undefined && roles[roleId] !== Number(id);

/** A role that a draft does not mean has the code of one that it means. */
export const anotherRole = (module: string, roleId: string): DefinitionProblem => ({
  ...{ kind: 'Slip', rule: 'roleAnother', where: module, path: `rights.${roleId}`, name: roleId },
  what: `the role "${roleId}" is another one than the draft means`,
});

const differing = (some: ReadonlySet<string>, others: ReadonlySet<string>): string[] => [
  ...[...some].filter((it) => !others.has(it)),
  ...[...others].filter((it) => !some.has(it)),
];

/** Rights are called as they are until then, and those of a module that goes with the publish keep nobody from changing a role. */
export function giverOf(
  client: Client,
  { userId, siteId, author, sites = 'all' }: Pick<Publication, 'userId' | 'siteId' | 'author' | 'sites'>,
  { before, after, made }: { before: Model; after: Model; made: ReadonlySet<string> },
): Giver {
  const db = kyselyOn(client);
  const passing = new Set(differing(buttonsIn(before), buttonsIn(after)));
  const stays = (right: string) => {
    const [module = ''] = right.split(':');
    if (passing.has(right)) return false;
    return after.definitions.has(module) || !before.definitions.has(module);
  };
  let more: Map<string, Problem> | undefined;
  return {
    ...{ userId, siteId, made, passing, ...(author && { author }) },
    async findMore(roleId) {
      if (!author) return undefined;
      if (!more) {
        const roles = await db.selectFrom('admin_role').select('roleId').execute();
        const ids = roles.map((it) => it.roleId);
        more = await findMore({ db, model: before, currentUser: { rights: author, sites } }, ids, stays);
      }
      return more.get(roleId);
    },
  };
}

/**
 * Gives roles the rights of a module as a change says them, and answers what they had before, so that a taking back can
 * restore it. Nobody gives away what he does not have, but for a module that comes with the same publish, nor changes a role
 * that may more than he, but for that and for what goes with its module; somebody stays who may give rights. Nobody is signed
 * out by it: each call reads the rights as they stand, and open pages follow a publish, with what is typed and scanned there.
 * Rule: definitions#publishing.
 */
export async function setRights(
  client: Client,
  { module, wanted, fate, roles }: Pick<PublishedChange, 'module' | 'roles'> & { wanted: ModuleRights; fate: Fate },
  giver: Giver,
): Promise<ModuleRights> {
  const db = kyselyOn(client);
  await lockRoles(db);
  const before: ModuleRights = {};
  for (const [roleId, buttons] of Object.entries(wanted)) {
    const role = await db
      .selectFrom('admin_role')
      .select(['roleId', 'id'])
      .where('roleId', '=', roleId)
      .executeTakeFirst();
    const what = { zh: '角色', en: 'Role' };
    if (!role) throw new Refusal({ key: 'notFound', args: { what, value: roleId } });
    if (isAnother(role, roles)) throw new BadDefinitions([anotherRole(module, roleId)]);
    const held = await readRights(db, roleId, module);
    before[roleId] = held;
    const given = buttons.filter((it) => !held.includes(it));
    const taken = held.filter((it) => !buttons.includes(it));
    if (given.length + taken.length === 0) continue;
    const isPassing = [...given, ...taken].every((it) => giver.passing.has(`${module}:${it}`));
    const more = isPassing ? undefined : await giver.findMore(roleId);
    if (more && fate === 'stays') throw new Refusal(more);
    if (giver.author && fate !== 'comes') {
      const asked = given.map((it) => `${module}:${it}`).filter((it) => !giver.made.has(it));
      const right = await findBeyond({ db, currentUser: { rights: giver.author } }, asked);
      if (right !== undefined) throw new Refusal({ key: 'notYours', args: { right } });
    }
    await writeRights(db, roleId, module, { given, taken });
    const named = (all: readonly string[]) => all.map((it) => `${module}:${it}`);
    await recordRights(db, giver, { roleId, before: named(held), after: named(buttons) });
  }
  await refuseLockOut(db, 'rights');
  return before;
}

/**
 * What roles may do with an earlier module or button of such a name is not given them for the one that has it now. Rule:
 * rights#giving.
 */
export async function forgetRights(
  client: Client,
  { modules, buttons = [] }: { modules: readonly string[]; buttons?: readonly string[] },
  giver: Pick<Giver, 'userId' | 'siteId'>,
): Promise<void> {
  if (modules.length + buttons.length === 0) return;
  const db = kyselyOn(client);
  await lockRoles(db);
  const { rows } = await sql<{ roleId: string; rights: string[] }>`
    WITH gone AS (
      DELETE FROM role_right WHERE split_part("right", ':', 1) = ANY (${modules}) OR "right" = ANY (${buttons})
      RETURNING "roleId", "right"
    )
    SELECT "roleId", array_agg("right" ORDER BY "right") AS rights FROM gone GROUP BY 1 ORDER BY 1`.execute(db);
  for (const { roleId, rights } of rows) await recordRights(db, giver, { roleId, before: rights, after: [] });
}

/**
 * Of modules and buttons that come again by a taking back those of whose name there was another since, or before: who may work
 * with that one may not work with this one. Rule: rights#giving.
 */
export async function findShared(
  client: Client,
  { modules, buttons }: { modules: readonly string[]; buttons: readonly string[] },
): Promise<{ modules: string[]; buttons: string[] }> {
  const { rows } = await client.query<{ name: string }>(
    `WITH made AS (
       SELECT module AS name, "publishId" FROM definition_change WHERE change ? 'definition'
       UNION ALL
       SELECT module || ':' || (button ->> 'btnNo'), "publishId"
         FROM definition_change, jsonb_path_query(change, '$.definition.buttons[*]') AS button
       UNION ALL
       SELECT module || ':' || btn, "publishId"
         FROM definition_change, jsonb_each(jsonb_path_query_first(change, '$.buttons ? (@.type() == "object")')) AS it (btn, button)
        WHERE button ? 'script')
     SELECT name FROM made WHERE name = ANY ($1) GROUP BY 1 HAVING count(DISTINCT "publishId") > 1`,
    [[...modules, ...buttons]],
  );
  const shared = new Set(rows.map((it) => it.name));
  return { modules: modules.filter((it) => shared.has(it)), buttons: buttons.filter((it) => shared.has(it)) };
}

const PUBLISH = 'sysDraft:publish';

/**
 * Whoever publishes has at once what he makes and gives to nobody, by the roles by which he publishes: else it would be anybody's
 * to give. Rule: rights#giving.
 */
export async function holdMade(
  client: Client,
  { publishId, kept }: { publishId: number; kept: readonly string[] },
  { author, made, ...giver }: Giver,
): Promise<void> {
  // What he had of the same names is forgotten.
  const own = author && new Set([...author].filter((it) => !made.has(it)));
  const lacking = own ? kept.filter((it) => lacks(own, it)) : [];
  if (lacking.length === 0) return;
  const db = kyselyOn(client);
  await lockRoles(db);
  const { rows } = await sql<{ roleId: string; rights: string[] }>`
    SELECT rr."roleId", array_agg(rr."right" ORDER BY rr."right") AS rights
      FROM admin_user AS u JOIN role_right AS rr ON rr."roleId" = ANY (string_to_array(u."roleIds", '|'))
     WHERE u."userId" = ${giver.userId} GROUP BY 1 ORDER BY 1`.execute(db);
  for (const { roleId, rights } of rows) {
    const held = new Set(rights);
    const given = lacking.filter((it) => !held.has(it));
    if (given.length === 0 || !mayDo(held, PUBLISH)) continue;
    await db
      .insertInto('role_right')
      .values(given.map((right) => ({ roleId, right })))
      .execute();
    await recordRights(db, giver, { roleId, before: [], after: given });
    // A role that the change does not name loses just these when it is taken back.
    await client.query(
      `UPDATE definition_change
          SET "rightsBefore" = jsonb_build_object($2::text, '[]'::jsonb) || coalesce("rightsBefore", '{}')
        WHERE "publishId" = $1 AND module = ANY ($3)`,
      [publishId, roleId, [...new Set(given.map((it) => it.split(':')[0]))]],
    );
  }
}

const recordRights = (
  db: Kysely<Tables>,
  { userId, siteId }: Pick<Giver, 'userId' | 'siteId'>,
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
  { publishId, to, before, after }: { publishId: number; to: 'before' | 'after'; before: Model; after: Model },
  giver: Giver,
): Promise<void> {
  const { rows } = await client.query<Restored>(
    `SELECT c.module, c.change, c."rightsBefore", p."userId"
       FROM definition_change AS c JOIN definition_publish AS p ON p.id = c."publishId"
      WHERE c."publishId" = $1 AND c.module <> $2 ORDER BY c.id`,
    [publishId, MENU],
  );
  const present = await readRolesThen(client, publishId);
  for (const { module, change, userId, ...it } of rows) {
    const isMaker = userId === giver.userId;
    const named = byPresentName(change?.rights, present);
    const rightsBefore = byPresentName(it.rightsBefore, present);
    const without = (to === 'after' ? before : after).definitions.get(module);
    const makes = change ? madeBy(change, without) : [];
    const wanted = { ...(to === 'before' ? rightsBefore : named) };
    // What its maker had of it.
    for (const roleId of Object.keys(rightsBefore).filter((it) => !Object.hasOwn(named, it))) {
      const others = (await readRights(kyselyOn(client), roleId, module)).filter((it) => !makes.includes(it));
      const given = Object.values(named).flat();
      if (to === 'before') wanted[roleId] = others;
      else if (isMaker) wanted[roleId] = [...others, ...makes.filter((it) => !given.includes(it))];
    }
    // A module that somebody else has made comes again with rows that are not the giver's.
    const comes = to === 'after' && change?.definition !== undefined && !without && isMaker;
    const goes = to === 'before' && !after.definitions.has(module);
    const fate = comes ? 'comes' : goes ? 'goes' : 'stays';
    const made = new Set(to === 'after' && isMaker ? makes.map((it) => `${module}:${it}`) : []);
    await setRights(client, { module, wanted, fate }, { ...giver, made });
  }
}

/**
 * The buttons, and of a new module its list, that a change makes: a right to what is there without it is nobody's to give because
 * he says it again.
 */
const madeBy = ({ definition, buttons = {} }: DefinitionChange, without: Definition | undefined): string[] => {
  const there = new Set(without ? ['list', ...(without.buttons ?? []).map((it) => it.btnNo)] : []);
  const said = [
    ...(definition ? ['list', ...(definition.buttons ?? []).map((it) => it.btnNo)] : []),
    ...Object.keys(buttons).filter((it) => buttons[it]?.script),
  ];
  return said.filter((it) => !there.has(it));
};

/** A change as it was published; one that this version can't read may say nothing. */
interface Restored {
  module: string;
  change: DefinitionChange | null;
  rightsBefore: ModuleRights | null;
  userId: string;
}

/** The roles that were there when this was published and still are: by what they were called then, what they are called now. */
async function readRolesThen(client: Client, publishId: number): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{ then: string; now: string }>(
    `SELECT was.key AS then, r."roleId" AS now
       FROM definition_publish AS p, jsonb_each_text(p.roles) AS was JOIN admin_role AS r ON r.id = was.value::bigint
      WHERE p.id = $1`,
    [publishId],
  );
  return new Map(rows.map((it) => [it.then, it.now]));
}

const byPresentName = (rights: ModuleRights | null | undefined, present: ReadonlyMap<string, string>): ModuleRights =>
  Object.fromEntries(
    Object.entries(rights ?? {}).flatMap(([then, buttons]) => {
      const now = present.get(then);
      return now === undefined ? [] : [[now, buttons]];
    }),
  );

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
