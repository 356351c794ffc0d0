import type { InputOf } from '#domain/call.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import { readRow } from '#server/engine/rows.ts';
import { requireDefinition } from '#server/requireDefinition.ts';
import { route } from '#server/route.ts';
import { makeWorkbook } from './contract.ts';
import { openReport, startReport } from './server.report.ts';

export const workbookRoute = route(makeWorkbook, make);

/** Starts the workbook of a bill that has none and of which none is being made. Refused: one that has it. Rule: money#fee-workbook. */
async function make({ id }: InputOf<typeof makeWorkbook>, ctx: Context) {
  const names = ['rfbId', 'recPeriod', 'processingFeeReportUrl'];
  // Held: two who ask at once get the same one.
  const bill = await readRow(requireDefinition(ctx.model, 'rmaRepairFeeBill'), id, names, ctx, true);
  const rfbId = String(bill['rfbId']);
  if (bill['processingFeeReportUrl']) throw new Refusal({ key: 'workbookThere', args: { value: rfbId } });
  const jobId =
    (await openReport(ctx, rfbId)) ??
    (await startReport([{ rfbId }], String(bill['recPeriod']), makeWorkbook.right, ctx));
  return { id, jobId };
}
