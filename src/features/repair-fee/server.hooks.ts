import type { RmaRepairFeeBill } from '#server/db/tables.ts';
import type { Hooks } from '#server/engine/hooks.ts';
import { forgetFiles } from '#server/uploads/forgetFiles.ts';
import { giveBackCorrections } from '#server/workflow/workbooks.ts';
import { freeExpenses } from './queries.ts';

/** With a bill go its workbook and its papers, and its expenses are nobody's. Rule: money#fee-workbook, money#expenses. */
export const feeBillHooks: Hooks<RmaRepairFeeBill> = {
  async afterWrite(row, before, ctx) {
    if (row || !before?.rfbId) return;
    await giveBackCorrections(ctx, [before.rfbId]);
    await freeExpenses(ctx, [before.rfbId]);
    const { siteId, processingFeeReportUrl, invoiceUrls } = before;
    await forgetFiles(ctx, 'rmaRepairFeeBill', [{ siteId, fields: [processingFeeReportUrl, invoiceUrls] }]);
  },
};
