import { sql } from 'kysely';
import { Flag } from '#domain/enums.ts';
import { refuseIfAny, type Problem } from '#domain/refusal.ts';
import { readAlike } from '#domain/definition/readAlike.ts';
import { inBoth } from '#domain/words.ts';
import type { AdminRole } from '#server/db/tables.ts';
import type { Hooks, RowOf, WantedRow } from '#server/engine/hooks.ts';
import type { Context } from '#server/context.ts';
import { forgetRole, renameRole } from '#server/session/ofAccount.ts';
import { validateAllSites, validateRoleWithin } from '#server/session/powers.ts';
import { afterRoleChange } from '#server/session/sessions.ts';

/**
 * Whoever's role changed signs in anew; a role that goes takes its rights along, and none is made whose name gives its rights
 * to accounts of an earlier one. Rule: sessions#ending, rights#roles.
 */
export const roleHooks: Hooks<AdminRole> = {
  check: validateRole,

  async afterWrite(row, before, ctx) {
    const { db } = ctx;
    if (!row) {
      // A delete is asked nowhere else; its rights are still there.
      if (before) refuseIfAny(await validateRoleWithin(before.roleId, ctx, before.allSites));
      return forgetRole(db, String(before?.roleId));
    }
    if (row.roleId !== before?.roleId) await forgetRole(db, row.roleId);
    if (!before) return;
    if (row.roleId !== before.roleId) await renameRole(db, row, before.roleId);
    await afterRoleChange(db, before.roleId);
  },
};

/** Accounts list roles between bars, and rights with a star are those to everything. */
const ROLE_CODE = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}_. -]*$/u;

async function validateRole(
  wanted: WantedRow<AdminRole>,
  before: RowOf<AdminRole> | undefined,
  ctx: Context,
): Promise<Problem[]> {
  const { roleId, allSites } = wanted;
  const beyond = before ? await validateRoleWithin(before.roleId, ctx) : [];
  if (beyond.length > 0) return beyond;
  if (roleId !== null && roleId !== before?.roleId && !ROLE_CODE.test(roleId))
    return [{ key: 'roleCode', field: 'roleId', args: { value: roleId } }];
  const sites = allSites === Flag.Yes ? validateAllSites(ctx, 'allSites') : [];
  return [...sites, ...(await validateUnnamed(roleId, before, ctx)), ...(await validateDistinct(wanted, before, ctx))];
}

const names = ['roleId', 'name', 'nameEn'] as const;

/** Whoever gives a role takes one that is called alike for the other. What it was called before it may stay. */
async function validateDistinct(
  wanted: WantedRow<AdminRole>,
  before: RowOf<AdminRole> | undefined,
  { db }: Context,
): Promise<Problem[]> {
  const anew = names.filter((it) => wanted[it] !== null && wanted[it] !== before?.[it]);
  if (anew.length === 0) return [];
  // Of two that are called alike at once the second one finds the first.
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('names of roles', 0))`.execute(db);
  const all = await db
    .selectFrom('admin_role')
    .select(['id', ...names])
    .execute();
  const others = all.filter((it) => it.id !== before?.id);
  return anew.flatMap((field): Problem[] => {
    const name = wanted[field] ?? '';
    const other = others.find((it) => names.some((one) => readAlike(it[one], name)));
    // One of the very same code is told as such.
    if (!other || (field === 'roleId' && other.roleId === name)) return [];
    return [
      { key: 'roleLooks', field, args: { name, other: `${inBoth(other.name, other.nameEn)} (${other.roleId})` } },
    ];
  });
}

async function validateUnnamed(
  roleId: string | null,
  before: RowOf<AdminRole> | undefined,
  { db }: Context,
): Promise<Problem[]> {
  if (roleId === null || roleId === before?.roleId) return [];
  const { rows } = await sql<{ n: number }>`
    SELECT count(*)::int AS n FROM admin_user
     WHERE string_to_array("roleIds", '|') @> ARRAY[${roleId}]
       AND NOT EXISTS (SELECT 1 FROM admin_role WHERE "roleId" = ${roleId})`.execute(db);
  const n = rows[0]?.n ?? 0;
  return n === 0 ? [] : [{ key: 'roleNamed', field: 'roleId', args: { value: roleId, n } }];
}
