import { sql, type Kysely } from 'kysely';
import { UserStatus } from '#domain/enums.ts';
import { Refusal } from '#domain/refusal.ts';
import { mayDo } from '#domain/rights.ts';
import type { Tables } from '#server/db/tables.ts';

const EDIT = 'adminRole:modifyRight';

/** Two who take each other's right away at once wait here for each other. */
export const lockRoles = (db: Kysely<Tables>) => sql`SELECT 1 FROM admin_role ORDER BY id FOR UPDATE`.execute(db);

/**
 * Somebody who can sign in must still be able to give rights, whatever was just written in this transaction: rights of a
 * role, an account that went, was switched off or lost its role. Rule: rights#last-editor.
 * @throws Refusal `lastRightEditor` at the field through which the last one would be lost.
 */
export async function refuseLockOut(db: Kysely<Tables>, field: string): Promise<void> {
  const { rows } = await sql<{ rights: string[] }>`
    SELECT array_agg(DISTINCT rr."right") AS rights
      FROM admin_user AS u
      JOIN role_right AS rr ON rr."roleId" = ANY (string_to_array(u."roleIds", '|'))
     WHERE u.status = ${sql.lit(UserStatus.On)}
     GROUP BY u.id`.execute(db);
  if (rows.some((it) => mayDo(new Set(it.rights), EDIT))) return;
  throw new Refusal({ key: 'lastRightEditor', field });
}
