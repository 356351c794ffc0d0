import type { AdminRole } from '#server/db/tables.ts';
import type { Hooks } from '#server/engine/hooks.ts';
import { lockRoles, refuseLockOut } from '#server/session/lastEditor.ts';
import { afterRoleChange, forgetRole } from '#server/session/sessions.ts';

/** Whoever's role changed signs in anew; a role that goes takes its rights along. Rule: sessions#ending. */
export const roleHooks: Hooks<AdminRole> = {
  async afterWrite(row, before, { db }) {
    if (!before) return;
    const roleId = String(before.roleId);
    if (!row) {
      await lockRoles(db);
      await forgetRole(db, roleId);
      await refuseLockOut(db, 'id');
    }
    await afterRoleChange(db, roleId);
  },
};
