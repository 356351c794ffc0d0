import { sql } from 'kysely';
import { validateAccountName } from '#domain/accountName.ts';
import { Flag } from '#domain/enums.ts';
import { refuseIfAny, type Problem } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import type { AdminUser } from '#server/db/tables.ts';
import type { Hooks, RowOf, WantedRow } from '#server/engine/hooks.ts';
import { lockRoles, refuseLockOut } from '#server/session/lastEditor.ts';
import { findFormerAccount, forgetAccount, isInLedger } from '#server/session/ofAccount.ts';
import {
  findBeyond,
  readPowers,
  seesHome,
  validateAllSites,
  validateRolesGiven,
  wordsOfRight,
} from '#server/session/powers.ts';
import { hashNewPassword } from '#server/session/passwords.ts';
import { afterUserChange, ONE_TIME } from '#server/session/sessions.ts';

type Row = Record<string, unknown>;

/** Accounts are made and changed by the generic calls. Whoever's account, roles or password changed signs in again. */
export const accountHooks: Hooks<AdminUser> = {
  check: validateAccount,

  /** A password that somebody else sets obeys the rule that its owner's would, and serves once, as two people know it. */
  async beforeWrite(values, before, ctx) {
    if (values.password == null) return values;
    const names = ctx.demo ? [] : await namesAround({ ...before, ...values }, ctx);
    const hash = await hashNewPassword(values.password, 'password', ctx.config.passwordMin, names);
    return { ...values, password: ONE_TIME + hash };
  },

  async afterWrite(row, before, ctx) {
    const { db } = ctx;
    // A delete is asked nowhere else.
    if (!row && before) refuseIfAny(await validateWithin(before, ctx));
    // What one of that name left behind in an earlier version is not the new one's.
    if (row && row.userId !== before?.userId) await forgetAccount(db, row.userId);
    if (!before) return;
    if (row?.userId === before.userId) await afterUserChange(db, before.userId);
    else await forgetAccount(db, before.userId);
    if (row && row.status === before.status && row.roleIds === before.roleIds) return;
    await lockRoles(db);
    await refuseLockOut(db, !row ? 'id' : row.status === before.status ? 'roleIds' : 'status');
  },
};

/** What is wrong with an account beyond its fields: a name that looks like another's, roles that do not exist. */
async function validateAccount(
  wanted: WantedRow<AdminUser>,
  before: RowOf<AdminUser> | undefined,
  ctx: Context,
): Promise<Problem[]> {
  const { userId, roleIds } = wanted;
  const beyond = before ? await validateWithin(before, ctx) : [];
  if (beyond.length > 0) return beyond;
  const isNewName = userId !== null && userId !== before?.userId;
  const name = isNewName ? validateAccountName(userId, 'userId') : [];
  const looks = isNewName && name.length === 0 ? await validateDistinctName(userId, before?.id, ctx) : [];
  const former = isNewName && name.length + looks.length === 0 ? await validateUnused(userId, before, ctx) : [];
  const roles = roleIds === null ? [] : await validateRoles(roleIds, before, ctx);
  const given = roles.length > 0 ? [] : await validateGiven(wanted, ctx);
  return [...name, ...looks, ...former, ...roles, ...given];
}

/** Whoever may do or see more than the one who writes is nobody that he changes, signs out or takes over. Rule: rights#giving. */
async function validateWithin(account: RowOf<AdminUser>, ctx: Context): Promise<Problem[]> {
  const { rights, allSites } = await readPowers(ctx, rolesOf(account));
  const right = await findBeyond(ctx, rights);
  const args = { value: account.userId };
  if (right !== undefined)
    return [{ key: 'accountBeyond', field: 'userId', args: { ...args, right: wordsOfRight(ctx, right) } }];
  const seesMore = allSites || account.allSites === Flag.Yes ? ctx.currentUser.sites !== 'all' : false;
  if (!seesMore && seesHome(ctx.currentUser, account.siteId)) return [];
  return [{ key: 'accountSeesMore', field: 'userId', args }];
}

/** What somebody is given to do and to see is within what the giver may. */
async function validateGiven(account: WantedRow<AdminUser>, ctx: Context): Promise<Problem[]> {
  const everywhere = account.allSites === Flag.Yes ? validateAllSites(ctx, 'allSites') : [];
  const home = seesHome(ctx.currentUser, account.siteId) ? [] : [{ key: 'sitesBeyond' as const, field: 'siteId' }];
  return [...(await validateRolesGiven(ctx, rolesOf(account))), ...everywhere, ...home];
}

const rolesOf = ({ roleIds }: { roleIds: string | null }): string[] => (roleIds ?? '').split('|').filter(Boolean);

async function validateDistinctName(userId: string, id: number | undefined, { db }: Context): Promise<Problem[]> {
  const { rows } = await sql<{ userId: string }>`
    SELECT "userId" FROM admin_user
     WHERE account_skeleton("userId") = account_skeleton(${userId}) AND id <> ${id ?? 0} LIMIT 1`.execute(db);
  return rows.map((it) => ({ key: 'accountLooks', field: 'userId', args: { name: userId, other: it.userId } }));
}

/**
 * What was done under a name is nobody else's: no account takes one that the audit log knows, and none gives one up. Rule:
 * rights#accounts.
 */
async function validateUnused(
  userId: string,
  before: RowOf<AdminUser> | undefined,
  { db }: Context,
): Promise<Problem[]> {
  if (before && (await isInLedger(db, before.userId)))
    return [{ key: 'userIdStays', field: 'userId', args: { value: before.userId } }];
  const name = await findFormerAccount(db, userId);
  if (name === undefined) return [];
  const who = name === '' ? { zh: '他人', en: 'somebody else' } : name;
  return [{ key: 'userIdUsed', field: 'userId', args: { value: userId, who } }];
}

/**
 * Roles are listed between bars; one that nobody made gives no right. What an account has already it may keep; nobody makes a role
 * of that name meanwhile.
 */
async function validateRoles(
  roleIds: string,
  before: RowOf<AdminUser> | undefined,
  { db }: Context,
): Promise<Problem[]> {
  const had = (before?.roleIds ?? '').split('|');
  const asked = [...new Set(roleIds.split('|'))].filter((it) => !before || !had.includes(it));
  if (asked.length === 0) return [];
  const known = await db.selectFrom('admin_role').select('roleId').where('roleId', 'in', asked).forKeyShare().execute();
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
    .select(['siteName', 'siteNameEn'])
    .where('siteId', '=', String(siteId ?? ''))
    .executeTakeFirst();
  return ['reflow', userId, userName, siteId, site?.siteName, site?.siteNameEn].map((it) => String(it ?? ''));
}
