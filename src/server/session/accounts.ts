import { sql } from 'kysely';
import { problemsOfAccountName } from '#domain/accountName.ts';
import type { Problem } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';

type Row = Record<string, unknown>;

/** What is wrong with an account beyond its fields: a name that looks like another's, roles that do not exist. */
export async function problemsOfAccount(values: Row, before: Row | null, ctx: Context): Promise<Problem[]> {
  const { userId, roleIds } = values;
  const isNewName = typeof userId === 'string' && userId !== before?.['userId'];
  const name = isNewName ? problemsOfAccountName(userId, 'userId') : [];
  const looks = isNewName && name.length === 0 ? await problemsOfLooks(userId, before?.['id'], ctx) : [];
  return [...name, ...looks, ...(typeof roleIds === 'string' ? await problemsOfRoles(roleIds, before, ctx) : [])];
}

async function problemsOfLooks(userId: string, id: unknown, { db }: Context): Promise<Problem[]> {
  const { rows } = await sql<{ userId: string }>`
    SELECT "userId" FROM admin_user
     WHERE account_skeleton("userId") = account_skeleton(${userId}) AND id <> ${id ?? 0} LIMIT 1`.execute(db);
  return rows.map((it) => ({ key: 'accountLooks', field: 'userId', args: { name: userId, other: it.userId } }));
}

/**
 * Roles are listed between bars; one that nobody made gives no right, until somebody makes it. What an account has
 * already it may keep.
 */
async function problemsOfRoles(roleIds: string, before: Row | null, { db }: Context): Promise<Problem[]> {
  const had = String(before?.['roleIds'] ?? '').split('|');
  const asked = [...new Set(roleIds.split('|'))].filter((it) => before === null || !had.includes(it));
  if (asked.length === 0) return [];
  const known = await db.selectFrom('admin_role').select('roleId').where('roleId', 'in', asked).execute();
  return asked
    .filter((it) => !known.some(({ roleId }) => roleId === it))
    .map((value) => ({
      key: 'notFound',
      field: 'roleIds',
      args: { what: { zh: '角色', en: 'Role' }, value: value.trim() === '' ? '“”' : value },
    }));
}

/** What a password of this account may not contain: who it is, where, and what the product is called. */
export async function namesAround(account: Row, { db }: Context): Promise<string[]> {
  const { userId, userName, siteId } = account;
  const site = await db
    .selectFrom('ubs_site')
    .select('siteName')
    .where('siteId', '=', String(siteId ?? ''))
    .executeTakeFirst();
  return ['reflow', userId, userName, siteId, site?.siteName].map((it) => String(it ?? ''));
}
