import { Refusal, refuseIfAny } from '#domain/refusal.ts';
import { nodesOf } from '#domain/rightTree.ts';
import type { Context } from '#server/context.ts';
import { recordInLedger } from '#server/ledger.ts';
import { route } from '#server/route.ts';
import { lockRoles, refuseLockOut } from '#server/session/lastEditor.ts';
import { findBeyond, findUngivable, validateRoleWithin, wordsOfRight } from '#server/session/powers.ts';
import { afterRoleChange } from '#server/session/sessions.ts';
import { rightModify, toRightModify } from './contract.ts';
import { isSameChecks, joined, parted } from './rules.ts';
import { checkedFor, disabledIn, isEverything, rightsFrom, rightTree } from './rules.tree.ts';

export const roleRightRoutes = [
  route(toRightModify, async ({ roleId, id }, ctx) => {
    await findRole({ roleId, id }, ctx, false);
    const tree = rightTree(ctx.model, ctx.lang);
    const rights = nodesOf(tree).flatMap(({ id }) => (id.includes(':') ? [id] : []));
    const items = disabledIn(tree, await findUngivable(ctx, rights));
    return { roleId, items, rightIds: joined(checkedFor(items, await readRights(roleId, ctx))) };
  }),

  /**
   * A role's rights are what was checked, no more and no less; whoever has the role signs in anew. Refused when nobody
   * would be left who may give rights. A role that has everything, also what comes later, keeps it while all is checked.
   */
  route(rightModify, async ({ roleId, id, shown, rightIds }, ctx) => {
    const tree = rightTree(ctx.model, ctx.lang);
    const { rights, unknown } = rightsFrom(tree, parted(rightIds));
    await lockRoles(ctx.db);
    await findRole({ roleId, id }, ctx, true);
    refuseIfAny(await validateRoleWithin(roleId, ctx));
    const before = await readRights(roleId, ctx);
    if (shown !== undefined && !isSameChecks(parted(shown), checkedFor(tree, before)))
      throw new Refusal({ key: 'stale' });
    const [field] = unknown;
    if (field !== undefined) throw new Refusal({ key: 'unknownField', field: 'rightIds', args: { field } });
    const after = before.has('*:*') && isEverything(tree, rights) ? new Set(['*:*']) : rights;
    const beyond = await findBeyond(ctx, after);
    if (beyond !== undefined)
      throw new Refusal({ key: 'notYours', field: 'rightIds', args: { right: wordsOfRight(ctx, beyond) } });
    await ctx.db.deleteFrom('role_right').where('roleId', '=', roleId).execute();
    const rows = [...after].map((right) => ({ roleId, right }));
    if (rows.length > 0) await ctx.db.insertInto('role_right').values(rows).execute();
    await refuseLockOut(ctx.db, 'rightIds');
    await recordInLedger(ctx, {
      what: 'rightModify',
      module: 'adminRole',
      recordId: roleId,
      from: { rights: [...before].sort() },
      to: { rights: [...after].sort() },
    });
    await afterRoleChange(ctx.db, roleId);
    return { roleId, count: after.size };
  }),
];

/** One that is another than was shown has the code of that one since. */
async function findRole(
  { roleId, id }: { roleId: string; id?: number | undefined },
  { db }: Context,
  lock: boolean,
): Promise<void> {
  const found = await db.selectFrom('admin_role').select('id').where('roleId', '=', roleId).executeTakeFirst();
  if (found && id !== undefined && found.id !== id) throw new Refusal({ key: 'stale' });
  if (found) return;
  const what = { zh: '角色', en: 'Role' };
  throw new Refusal({ key: 'notFound', ...(lock && { field: 'roleId' }), args: { what, value: roleId } });
}

async function readRights(roleId: string, { db }: Context): Promise<Set<string>> {
  const rows = await db.selectFrom('role_right').select('right').where('roleId', '=', roleId).execute();
  return new Set(rows.map((it) => it.right));
}
