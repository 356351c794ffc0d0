import { isDeepStrictEqual } from 'node:util';
import type { DefinitionChange } from '#domain/definition/change.ts';
import { madeRights } from '#domain/definition/madeRights.ts';
import type { DefinitionProblem } from '#domain/definition/problems.ts';
import { UserStatus } from '#domain/enums.ts';
import { mayDo } from '#domain/rights.ts';
import { splitRoles } from '#domain/roleIds.ts';
import type { Context } from '#server/context.ts';
import type { PublishedChange } from '#server/definitions/read.ts';
import { anotherRole, isAnother } from '#server/definitions/rights.ts';
import { findBeyond, findMore } from '#server/session/powers.ts';

const EDIT = 'adminRole:modifyRight';
/** What somebody has to be able to do for lists to be configured at all. */
const STUDIO = ['sysModule:list', 'sysModule:configure', 'sysDraft:list', 'sysDraft:publish'];

/**
 * Who the roles are whose rights a part of a draft gives. One of which it says what it said before stays who it was, whoever has its
 * code since.
 * @param shown who they are by the page on which they were set; left out, who has the code now. An id without a role is dropped, so
 * that a draft can't mean a role that is made later. Rule: definitions#drafts.
 */
export async function readRolesMeant(
  { rights = {} }: DefinitionChange,
  before: Pick<Required<PublishedChange>, 'change' | 'roles'> | undefined,
  { db }: Pick<Context, 'db'>,
  shown: Readonly<Record<string, number>> = {},
): Promise<Record<string, number>> {
  const named = Object.keys(rights);
  if (named.length === 0) return {};
  const asShown = named.flatMap((it) => (Object.hasOwn(shown, it) ? (shown[it] ?? []) : []));
  const there = await db
    .selectFrom('admin_role')
    .select(['roleId', 'id'])
    .where(({ eb, or }) => or([eb('roleId', 'in', named), ...(asShown.length > 0 ? [eb('id', 'in', asShown)] : [])]))
    .forKeyShare()
    .execute();
  const known = new Map(there.map((it) => [it.roleId, it.id]));
  return Object.fromEntries(
    named.flatMap((roleId) => {
      const isKept = isDeepStrictEqual(before?.change.rights?.[roleId], rights[roleId]);
      const now = isKept ? before?.roles[roleId] : known.get(roleId);
      if (!Object.hasOwn(shown, roleId)) return now === undefined ? [] : [[roleId, now]];
      const id = there.find((it) => it.id === shown[roleId])?.id;
      return id === undefined ? [] : [[roleId, id]];
    }),
  );
}

/**
 * What is wrong with the rights that a draft gives: roles that are not there, are others than it means or that may more than its giver, rights that he
 * does not have, nobody left who may give any; and, as a warning, nobody left who may configure lists. Rule: definitions#slips.
 */
export async function findRightSlips(
  changes: readonly PublishedChange[],
  ctx: Context,
): Promise<{ errors: DefinitionProblem[]; warnings: DefinitionProblem[] }> {
  const { db, model } = ctx;
  const giving = changes.filter(({ change }) => Object.keys(change.rights ?? {}).length > 0);
  if (giving.length === 0) return { errors: [], warnings: [] };
  const roles = await db.selectFrom('admin_role').select(['roleId', 'id']).execute();
  const held = await db.selectFrom('role_right').select(['roleId', 'right']).execute();
  const users = await db
    .selectFrom('admin_user')
    .select('roleIds')
    .distinct()
    .where('status', '=', UserStatus.On)
    .execute();
  const rightsOf = new Map(roles.map(({ roleId }) => [roleId, new Set<string>()]));
  for (const { roleId, right } of held) rightsOf.get(roleId)?.add(right);
  const mayAny = (right: string) =>
    users.some(({ roleIds }) =>
      mayDo(new Set(splitRoles(roleIds).flatMap((it) => [...(rightsOf.get(it) ?? [])])), right),
    );
  const made = madeRights(model, changes);
  const could = new Set([EDIT, ...STUDIO].filter(mayAny));
  const stronger = await findMore(ctx, [...new Set(giving.flatMap(({ change }) => Object.keys(change.rights ?? {})))]);

  const errors: DefinitionProblem[] = [];
  const warnings: DefinitionProblem[] = [];
  const slip = (rule: string, where: string, path: string, name: string): DefinitionProblem => ({
    ...{ kind: 'Slip', rule, where, what: `${rule} at ${path}: "${name}"`, path, name },
  });
  for (const { module, change, roles: meant } of giving) {
    const others = new Set(roles.filter((it) => isAnother(it, meant)).map((it) => it.roleId));
    let isOther = Object.keys(change).length > 1;
    for (const [roleId, buttons] of Object.entries(change.rights ?? {})) {
      const at = `rights.${roleId}`;
      const rights = rightsOf.get(roleId);
      if (!rights) {
        errors.push(slip('noRole', module, at, roleId));
        continue;
      }
      if (others.has(roleId)) {
        errors.push(anotherRole(module, roleId));
        continue;
      }
      // Whoever had one of the same name has it no more.
      const had = [...rights].filter((it) => it.startsWith(`${module}:`) && !made.has(it));
      const given = buttons.map((it) => `${module}:${it}`);
      const more = given.filter((it) => !had.includes(it));
      const differing = [...more, ...had.filter((it) => !given.includes(it))];
      const isChanged = differing.length > 0;
      // What comes with the draft is its giver's own.
      const isThere = model.definitions.has(module);
      const asked = more.filter((it) => !made.has(it));
      const beyond = isThere && differing.some((it) => !made.has(it)) ? stronger.get(roleId) : undefined;
      if (beyond) errors.push(slip(beyond.key, module, at, roleId));
      const foreign = isThere && !beyond ? await findBeyond(ctx, asked) : undefined;
      if (foreign !== undefined) errors.push(slip('notYours', module, at, foreign));
      isOther ||= isChanged;
      for (const it of had) rights.delete(it);
      for (const it of given) rights.add(it);
    }
    if (!isOther && errors.length === 0) warnings.push(slip('changesNothing', module, '', module));
  }
  const lost = [...could].filter((it) => !mayAny(it));
  const [{ module: where } = { module: '' }] = giving;
  if (lost.includes(EDIT)) errors.push(slip('lastEditor', where, 'rights', EDIT));
  for (const it of lost.filter((one) => one !== EDIT)) warnings.push(slip('nobodyConfigures', where, 'rights', it));
  return { errors, warnings };
}
