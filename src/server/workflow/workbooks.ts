import type { Context } from '#server/context.ts';
import { anyOf } from '#server/db/conditions.ts';
import { forgetFiles } from '#server/uploads/forgetFiles.ts';

/** The workbooks of these bills go, before they are made anew, and the corrections in them stand in none. Rule: money#fee-workbook. */
export async function removeWorkbooks(ctx: Pick<Context, 'db'>, rfbIds: readonly string[]): Promise<void> {
  const bills = ctx.db.selectFrom('rma_repair_fee_bill').where('rfbId', '=', anyOf(rfbIds));
  const found = await bills.select(['siteId', 'processingFeeReportUrl']).execute();
  await forgetFiles(
    ctx,
    'rmaRepairFeeBill',
    found.map((it) => ({ siteId: it.siteId, fields: [it.processingFeeReportUrl] })),
  );
  await giveBackCorrections(ctx, rfbIds);
}

/** The corrections in the workbooks of these bills stand in none any more. Rule: money#fee-workbook. */
export async function giveBackCorrections({ db }: Pick<Context, 'db'>, rfbIds: readonly string[]): Promise<void> {
  await db
    .updateTable('rma_correction_bill')
    .set({ reportedIn: null })
    .where('reportedIn', '=', anyOf(rfbIds))
    .execute();
}
