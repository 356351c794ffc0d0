import type { InputOf } from '#domain/call.ts';
import { refuseIfAny } from '#domain/refusal.ts';
import { RepairFeeStatus } from '#domain/review.ts';
import type { Context } from '#server/context.ts';
import { readableNames, readRow } from '#server/engine/rows.ts';
import { asStale, refuseUnseen } from '#server/engine/seen.ts';
import { wrongState } from '#server/engine/wrongState.ts';
import { recordInLedger } from '#server/ledger.ts';
import { requireDefinition } from '#server/requireDefinition.ts';
import { route } from '#server/route.ts';
import { sharePrices } from '#server/workflow/prices.ts';
import { changedPrices, confirmPrices } from './contract.ts';
import { confirmLines, listChanged, listMoved, listVoided } from './queries.confirm.ts';
import { validateConfirmed } from './rules.ts';

const MODULE = 'rmaRepairFeeBill';
/** In these states a price may be confirmed: the bill waits for after-sales or for finance. */
const waiting: readonly string[] = [RepairFeeStatus.AwaitingAfterSales, RepairFeeStatus.AwaitingFinance];
const noPrice = { zh: '无价格', en: 'no price' };

export const confirmRoutes = [
  route(changedPrices, async ({ id }, ctx) => {
    const bill = await readRow(requireDefinition(ctx.model, MODULE), id, ['rfbId', 'siteId'], ctx);
    const lines = await listChanged(ctx, String(bill['rfbId']), String(bill['siteId']));
    return { lines, voided: await listVoided(ctx, lines) };
  }),
  route(confirmPrices, confirm),
];

/**
 * Lines whose price was voided or changed since keep it, each with a reason. Refused: in another state, lines that wait for
 * no confirmation, and lines of which the prices say another thing than was seen. Rule: money#changed-prices.
 */
async function confirm({ id, version, lines }: InputOf<typeof confirmPrices>, ctx: Context) {
  refuseIfAny(validateConfirmed(lines));
  const definition = requireDefinition(ctx.model, MODULE);
  const seen = await readRow(definition, id, ['siteId'], ctx);
  const siteId = String(seen['siteId']);
  // Before the row, as whoever passes a price does.
  await sharePrices(ctx, siteId);
  const bill = await readRow(definition, id, readableNames(definition), ctx, true);
  if (!waiting.includes(String(bill['billStatus']))) throw wrongState(definition, bill, waiting);
  refuseUnseen(definition, bill, version);
  const moved = await listMoved(ctx, String(bill['rfbId']), siteId, lines);
  refuseIfAny(
    moved.map(({ name, was, now }) => ({
      ...{ key: 'priceMoved' as const, field: 'lines' },
      args: { name, was: was ?? noPrice, now: now ?? noPrice },
    })),
  );
  const confirmedCount = await confirmLines(ctx, String(bill['rfbId']), siteId, lines);
  if (confirmedCount < lines.length) throw asStale(definition, bill);
  await recordInLedger(ctx, { what: 'confirmPrices', module: MODULE, recordId: String(id), to: { lines } });
  return { id, confirmedCount };
}
