import type { InputOf } from '#domain/call.ts';
import { Refusal, refuseIfAny } from '#domain/refusal.ts';
import { PriceReason, RepairFeeStatus } from '#domain/review.ts';
import type { Context } from '#server/context.ts';
import { readableNames, readRow } from '#server/engine/rows.ts';
import { asStale, refuseUnseen } from '#server/engine/seen.ts';
import { wrongState } from '#server/engine/wrongState.ts';
import { recordInLedger } from '#server/ledger.ts';
import { requireDefinition } from '#server/requireDefinition.ts';
import { route } from '#server/route.ts';
import { undoneLines } from '#server/workflow/settled.ts';
import { removeWorkbooks } from '#server/workflow/workbooks.ts';
import { resubmitFee } from './contract.ts';
import { addUpLines, listParts, lockFeeBills, takeExpenses, type FeeParty } from './queries.ts';
import { correctLines, priceAnew, readLinesOf, sendAgain, takeOutLines } from './queries.resubmit.ts';
import { isSame, partyOf, validateCorrections } from './rules.ts';
import { startReport } from './server.report.ts';

export const resubmitRoutes = [route(resubmitFee, resubmit)];

/**
 * The site corrects what after-sales rejected and hands it in again: the work of some lines is another one, some are taken
 * out, and all units are priced anew. Refused: a bill that is not rejected, lines that are not its own, an expense that is
 * to be corrected, a bill without lines, lines without a price, lines of several suppliers or currencies, and lines that
 * another bill of the month is for. Rule: money#corrections.
 */
async function resubmit({ id, version, ...corrections }: InputOf<typeof resubmitFee>, ctx: Context) {
  refuseIfAny(validateCorrections(corrections));
  const { corrected, removed } = corrections;
  const remark = corrections.remark?.trim() ?? '';
  const definition = requireDefinition(ctx.model, 'rmaRepairFeeBill');
  const seen = await readRow(definition, id, ['siteId', 'recPeriod'], ctx);
  const [siteId, recPeriod] = [String(seen['siteId']), String(seen['recPeriod'])];
  // Before the row, as the settlement of a month does: neither waits for the other.
  const bills = (await lockFeeBills(ctx, [siteId], recPeriod)).get(siteId) ?? [];
  const bill = await readRow(definition, id, readableNames(definition), ctx, true);
  if (bill['billStatus'] !== RepairFeeStatus.Rejected) throw wrongState(definition, bill, [RepairFeeStatus.Rejected]);
  refuseUnseen(definition, bill, version);
  const rfbId = String(bill['rfbId']);
  const before = await readLinesOf(ctx, rfbId, [...corrected.map((it) => it.id), ...removed]);
  if (before.length < corrected.length + removed.length) throw asStale(definition, bill);
  refuseIfAny(
    corrected.flatMap((it, i) => {
      const line = before.find((of) => of.id === it.id);
      if (line?.priceReason !== PriceReason.Expense) return [];
      return [{ key: 'expenseLine', field: `corrected.${i}`, args: { value: String(line.remark) } } as const];
    }),
  );

  await takeOutLines(ctx, rfbId, removed);
  await takeExpenses(ctx, [rfbId]);
  await correctLines(ctx, rfbId, corrected, remark);
  const { unpriced, repriced } = await priceAnew(ctx, rfbId, siteId);
  if (unpriced > 0) throw new Refusal({ key: 'unpriced', args: { count: unpriced } });
  const undone = (await undoneLines(ctx, [rfbId])).get(rfbId) ?? 0;
  if (undone > 0) throw new Refusal({ key: 'undoneLines', args: { count: undone } });
  const parts = await listParts(ctx, rfbId, 0);
  if (parts.length === 0) throw new Refusal({ key: 'noFeeLines' });
  const own = bills.find((it) => it.rfbId === rfbId) as FeeParty;
  // A bill that becomes another party's must be the only one of that party in its month.
  const { party, problems } = partyOf(parts, own);
  refuseIfAny(problems);
  const there = bills.find((it) => it.rfbId !== rfbId && isSame(it, party));
  if (there) throw new Refusal({ key: 'feeBillThere', args: { value: there.rfbId } });
  const { lineCount, includingTaxAmount } = await addUpLines(ctx, rfbId, party);
  const head = { lineCount, includingTaxAmount };
  await removeWorkbooks(ctx, [rfbId]);
  await sendAgain(ctx, id);
  const billStatus = RepairFeeStatus.AwaitingAfterSales;
  await recordInLedger(ctx, {
    what: 'resubmit',
    module: 'rmaRepairFeeBill',
    recordId: String(id),
    from: { billStatus: bill['billStatus'], lines: before },
    to: { billStatus, remark, corrected, removed, repriced, ...party, ...head },
  });
  await startReport([{ rfbId }], recPeriod, resubmitFee.right, ctx);
  return { id, billStatus, ...party, ...head };
}
