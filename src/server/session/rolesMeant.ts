import type { Definition } from '#domain/definition/grammar.ts';
import type { Problem } from '#domain/refusal.ts';
import { splitMeant } from '#domain/roleIds.ts';
import type { Context } from '#server/context.ts';

/** Roles whose codes are another's by now than when they were chosen in a form, or nobody's. Rule: rights#giving. */
export async function findOtherRoles(
  { fields }: Definition,
  sent: Readonly<Record<string, unknown>>,
  { db }: Context,
): Promise<Problem[]> {
  const chosen = Object.entries(sent).flatMap(([field, value]) =>
    fields[field]?.format === 'roles' && typeof value === 'string'
      ? splitMeant(value).flatMap(({ code, id }) => (id === undefined ? [] : [{ field, code, id }]))
      : [],
  );
  if (chosen.length === 0) return [];
  const codes = chosen.map((it) => it.code);
  const now = await db
    .selectFrom('admin_role')
    .select(['roleId', 'id'])
    .where('roleId', 'in', codes)
    .forKeyShare()
    .execute();
  return chosen
    .filter((it) => !now.some(({ roleId, id }) => roleId === it.code && id === it.id))
    .map(({ field, code }) => ({ key: 'roleOther', field, args: { value: code } }));
}
