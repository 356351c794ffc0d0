import type { RmaRepairFeeBill } from '#server/db/tables.ts';
import type { Hooks } from '#server/engine/hooks.ts';
import { giveBackCorrections } from './queries.ts';

/** With a bill goes its workbook. Rule: money#fee-workbook. */
export const feeBillHooks: Hooks<RmaRepairFeeBill> = {
  async afterWrite(row, before, ctx) {
    if (!row && before?.rfbId) await giveBackCorrections(ctx, [before.rfbId]);
  },
};
