import type { RmaLogisticsCostsBill } from '#server/db/tables.ts';
import type { Hooks } from '#server/engine/hooks.ts';
import { forgetFiles } from '#server/uploads/forgetFiles.ts';

/** With the costs go their certificates. Rule: uploads#files-of-rows. */
export const logisticsCostsHooks: Hooks<RmaLogisticsCostsBill> = {
  async afterWrite(row, before, ctx) {
    if (row || !before) return;
    const { siteId, certificateUrls } = before;
    await forgetFiles(ctx, 'rmaLogisticsCostsBill', [{ siteId, fields: [certificateUrls] }]);
  },
};
