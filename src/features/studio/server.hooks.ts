import { DraftStatus } from '#domain/enums.ts';
import type { SysDraft } from '#server/db/tables.ts';
import type { Hooks } from '#server/engine/hooks.ts';

/** A new draft is open; what it changes goes with it. Rule: definitions#drafts. */
export const draftHooks: Hooks<SysDraft> = {
  beforeWrite: (values, before) => (before ? values : { ...values, status: DraftStatus.Open }),
  async afterWrite(row, before, { db }) {
    if (!row && before) await db.deleteFrom('definition_draft').where('draftId', '=', Number(before.id)).execute();
  },
};
