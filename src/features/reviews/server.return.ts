import type { InputOf } from '#domain/call.ts';
import { dayOf } from '#domain/day.ts';
import { Refusal, refuseIfAny } from '#domain/refusal.ts';
import { LogisticsCostsStatus } from '#domain/review.ts';
import type { Context } from '#server/context.ts';
import { readableNames, readRow } from '#server/engine/rows.ts';
import { refuseUnseen } from '#server/engine/seen.ts';
import { wrongState } from '#server/engine/wrongState.ts';
import { recordInLedger } from '#server/ledger.ts';
import { requireDefinition } from '#server/requireDefinition.ts';
import { route } from '#server/route.ts';
import { touch } from '#server/touch.ts';
import { standingCorrection } from '#server/workflow/corrections.ts';
import { returnCosts, returnCostsByGet } from './contract.ts';
import { returnable, validateReturn } from './rules.ts';

export const returnRoutes = [route(returnCosts, returnToSite), route(returnCostsByGet, returnToSite)];

/**
 * A bill of logistics costs goes back to its site: it waits for its certificates anew, those that it has are kept, and
 * the word of its audit no longer stands. Refused in another state, of a month that is closed, and while a correction goes
 * by its lines. Rule: money#return.
 */
async function returnToSite({ id, version, remark }: InputOf<typeof returnCosts>, ctx: Context) {
  const definition = requireDefinition(ctx.model, 'rmaLogisticsCostsBill');
  const bill = await readRow(definition, id, readableNames(definition), ctx, true);
  if (!returnable.includes(String(bill['billStatus']))) throw wrongState(definition, bill, returnable);
  refuseIfAny(validateReturn(bill, dayOf(Date.now(), ctx.config.timeZone)));
  refuseUnseen(definition, bill, version);
  const correction = await standingCorrection(ctx, String(bill['lcbId']));
  if (correction) throw new Refusal({ key: 'hasCorrection', args: { value: correction } });
  const billStatus = LogisticsCostsStatus.AwaitingCertificate;
  await ctx.db
    .updateTable('rma_logistics_costs_bill')
    .set({
      ...{ billStatus, financialReviewer: null, financialReviewTime: null, reviewRemark: remark?.trim() || null },
      ...touch(ctx.currentUser),
    })
    .where('id', '=', id)
    .execute();
  await recordInLedger(ctx, {
    what: 'return',
    module: definition.module,
    recordId: String(id),
    from: { billStatus: bill['billStatus'] },
    to: { billStatus, remark: remark ?? null },
  });
  return { id, billStatus };
}
