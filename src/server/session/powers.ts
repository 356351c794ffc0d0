import { sql } from 'kysely';
import { Flag, UserStatus } from '#domain/enums.ts';
import type { Problem } from '#domain/refusal.ts';
import { lacks, mayDo } from '#domain/rights.ts';
import type { Words } from '#domain/words.ts';
import type { Context, CurrentUser } from '#server/context.ts';

/** Nobody hands on more than he may himself, nor has his hand on somebody who may more. Rule: rights#giving. */

/** What a role or an account may do, and whether it sees all sites. */
interface Powers {
  rights: ReadonlySet<string>;
  allSites: boolean;
}

/** Whoever gives something: what he may do himself. */
interface Giving {
  db: Context['db'];
  currentUser: Pick<CurrentUser, 'rights'>;
}

/** What these roles give together. */
export async function readPowers({ db }: Context, roleIds: readonly string[]): Promise<Powers> {
  const { rows } = await sql<{ allSites: boolean; rights: string[] }>`
    SELECT coalesce(bool_or(r."allSites" = ${sql.lit(Flag.Yes)}), false) AS "allSites",
           coalesce(array_agg(DISTINCT rr."right") FILTER (WHERE rr."right" IS NOT NULL), '{}') AS rights
      FROM unnest(${roleIds}::text[]) AS it ("roleId")
      LEFT JOIN admin_role AS r ON r."roleId" = it."roleId"
      LEFT JOIN role_right AS rr ON rr."roleId" = it."roleId"`.execute(db);
  return { allSites: rows[0]?.allSites === true, rights: new Set(rows[0]?.rights) };
}

/**
 * Which of these rights this user may not hand on: they are not his own. One that nobody has who can sign in, as of a module
 * that a version brought, is given by whoever sets rights: it would be lost otherwise.
 */
export async function findUngivable({ db, currentUser }: Giving, wanted: Iterable<string>): Promise<Set<string>> {
  const beyond = [...wanted].filter((it) => lacks(currentUser.rights, it));
  if (beyond.length === 0 || !mayDo(currentUser.rights, 'adminRole:modifyRight')) return new Set(beyond);
  const { rows } = await sql<{ rights: string[] | null }>`
    SELECT array_agg(DISTINCT rr."right") AS rights
      FROM admin_user AS u JOIN role_right AS rr ON rr."roleId" = ANY (string_to_array(u."roleIds", '|'))
     WHERE u.status = ${sql.lit(UserStatus.On)}`.execute(db);
  const held = new Set(rows[0]?.rights);
  return new Set(beyond.filter((it) => it.includes('*') || !lacks(held, it)));
}

/** The first of them, for a sentence. */
export const findBeyond = async (ctx: Giving, wanted: Iterable<string>): Promise<string | undefined> =>
  [...(await findUngivable(ctx, wanted))][0];

/** What is wrong with giving these roles. */
export async function validateRolesGiven(ctx: Context, roleIds: readonly string[]): Promise<Problem[]> {
  const { rights, allSites } = await readPowers(ctx, roleIds);
  const right = await findBeyond(ctx, rights);
  if (right !== undefined) return [{ key: 'roleBeyond', field: 'roleIds', args: { right: wordsOfRight(ctx, right) } }];
  return allSites ? validateAllSites(ctx, 'roleIds') : [];
}

/** Whoever changes roles: also whose rows he sees, and the model by which rights are called. */
interface Changing extends Pick<Context, 'db' | 'model'> {
  currentUser: { rights: ReadonlySet<string>; sites: 'all' | readonly string[] };
}

/**
 * By role what keeps this user from changing it, which may do or sees more than he: he would put it out of the way. Rule:
 * rights#giving.
 * @param counts of a role's rights those that are looked at; left out, all
 */
export async function findMore(
  changing: Changing,
  roleIds: readonly string[],
  counts: (right: string) => boolean = () => true,
): Promise<Map<string, Problem>> {
  const { db, currentUser } = changing;
  const { rows } = await sql<{ roleId: string; allSites: boolean; rights: string[] }>`
    SELECT it."roleId", coalesce(bool_or(r."allSites" = ${sql.lit(Flag.Yes)}), false) AS "allSites",
           coalesce(array_agg(rr."right" ORDER BY rr."right") FILTER (WHERE rr."right" IS NOT NULL), '{}') AS rights
      FROM unnest(${roleIds}::text[]) AS it ("roleId")
      LEFT JOIN admin_role AS r ON r."roleId" = it."roleId"
      LEFT JOIN role_right AS rr ON rr."roleId" = it."roleId"
     GROUP BY 1`.execute(db);
  const beyond = await findUngivable(changing, new Set(rows.flatMap((it) => it.rights)));
  const more = new Map<string, Problem>();
  for (const { roleId, allSites, rights } of rows) {
    const right = rights.find((it) => beyond.has(it) && counts(it));
    if (right !== undefined)
      more.set(roleId, { key: 'roleMayMore', args: { value: roleId, right: wordsOfRight(changing, right) } });
    else if (allSites && currentUser.sites !== 'all') more.set(roleId, seesMore(roleId));
  }
  return more;
}

const seesMore = (roleId: string): Problem => ({ key: 'roleSeesMore', args: { value: roleId } });

/** A role that may do or see more than the one who writes stays as it is. `allSites` is said of one that is deleted already. */
export async function validateRoleWithin(roleId: string, ctx: Context, allSites?: string): Promise<Problem[]> {
  const isSeeingMore = allSites === Flag.Yes && ctx.currentUser.sites !== 'all';
  const more = (await findMore(ctx, [roleId])).get(roleId) ?? (isSeeingMore ? seesMore(roleId) : undefined);
  return more ? [{ ...more, field: 'roleId' }] : [];
}

/** What is wrong with letting somebody see all sites. */
export const validateAllSites = ({ currentUser }: Context, field: string): Problem[] =>
  currentUser.sites === 'all' ? [] : [{ key: 'sitesBeyond', field }];

/** Whether this user sees the rows of one who has this home site. */
export const seesHome = ({ sites }: CurrentUser, siteId: string | null): boolean =>
  sites === 'all' || siteId === null || siteId === '' || sites.includes(siteId);

/** What a right is called, for a sentence. */
export function wordsOfRight({ model }: Pick<Context, 'model'>, right: string): Words {
  const [module = '', button = ''] = right.split(':');
  const definition = model.definitions.get(module);
  const of = definition?.label ?? (module === '*' ? every : { zh: module, en: module });
  const what =
    definition?.buttons?.find((it) => it.btnNo === button)?.label ??
    (button === '*' ? all : button === 'list' ? list : { zh: button, en: button });
  return { zh: `${of.zh}：${what.zh}`, en: `${of.en}: ${what.en}` };
}

const every: Words = { zh: '所有模块', en: 'Every module' };
const all: Words = { zh: '全部操作', en: 'everything' };
const list: Words = { zh: '查看列表', en: 'list' };
