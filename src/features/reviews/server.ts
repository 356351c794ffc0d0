import { sql } from 'kysely';
import { requireDefinition } from '#server/requireDefinition.ts';
import { Refusal, refuseIfAny } from '#domain/refusal.ts';
import {
  CorrectionStatus,
  reviewedModules,
  ReviewResult,
  reviewStep,
  validateDecision,
  type ReviewStep,
} from '#domain/review.ts';
import { reviewTrail } from '#domain/reviewTrail.ts';
import type { Context } from '#server/context.ts';
import { asAnswered, readableNames, readRow, type Row } from '#server/engine/rows.ts';
import { refuseUnseen } from '#server/engine/seen.ts';
import { wrongState } from '#server/engine/wrongState.ts';
import { recordInLedger } from '#server/ledger.ts';
import { sumFees, type FeeSum } from '#server/reports/feeSums.ts';
import { route, type Route } from '#server/route.ts';
import { touchSql } from '#server/touch.ts';
import { markRepriced } from '#server/workflow/prices.ts';
import { otherCorrections, settleCorrection, settledOf } from '#server/workflow/corrections.ts';
import { undoneLines } from '#server/workflow/settled.ts';
import { otherCorrectionsOf, projectSums, reviewCalls, reviewWords } from './contract.ts';
import { lockPricesOf, priceBillRoutes } from './server.priceBill.ts';
import { returnRoutes } from './server.return.ts';
import { validateReviewer, statusAfter } from './rules.ts';
import {
  findOverlappingPrice,
  findPriceGaps,
  fitEarlierPrices,
  hasConfirmed,
  lastWords,
  namesOf,
  repricedLines,
  unpricedLines,
} from './queries.ts';

interface Decision {
  id: number;
  version: number;
  result: string;
  remark: string | null;
}

/** The reviews of the money bills. A path that no bill has is refused before anything is read. Rule: money#reviews. */
export const reviewRoutes: Route[] = [
  ...reviewCalls.map(({ module, action, call }) =>
    route(call, ({ id, version, result, auditStatus, remark }, ctx) => {
      const step = reviewStep(module, action);
      if (!step) throw new Refusal({ key: 'noSuchReview' });
      const word = { result: (result ?? auditStatus ?? '').trim(), remark: remark?.trim() || null };
      return review(step, { id, version, ...word }, ctx);
    }),
  ),
  ...reviewedModules.map((module) =>
    route(reviewWords(module), async ({ id }, ctx) => {
      const definition = requireDefinition(ctx.model, module);
      const bill = await readRow(definition, id, readableNames(definition), ctx);
      const words = await lastWords(ctx, module, id);
      const hands = [...reviewTrail(module, bill).map((it) => it.by), ...words.map((it) => it.userId)];
      return { people: await namesOf(ctx, [...new Set(hands.filter((it) => it !== null))]), words };
    }),
  ),
  route(projectSums, async ({ id }, ctx) => {
    const bill = await readRow(requireDefinition(ctx.model, 'rmaRepairFeeBill'), id, ['rfbId'], ctx);
    const { projects, expenses, total } = await sumFees(ctx, String(bill['rfbId']));
    return {
      projects: projects.map((it) => ({ repairProject: it.repairProject, ...amountOf(it) })),
      expenses: expenses && amountOf(expenses),
      total: amountOf(total),
    };
  }),
  route(otherCorrectionsOf, async ({ id }, ctx) => {
    const bill = await readRow(requireDefinition(ctx.model, 'rmaCorrectionBill'), id, ['crbId', 'rfbId', 'lcbId'], ctx);
    const { module, no } = settledOf(bill);
    return { others: await otherCorrections(ctx, module, no, String(bill['crbId'])) };
  }),
  ...priceBillRoutes,
  ...returnRoutes,
];

const amountOf = ({ units, includingTaxAmount }: FeeSum) => ({ units, includingTaxAmount });

/**
 * One decision on one bill: the right state, another person than those before, the bill as it was seen, then the state
 * that follows.
 * Rule: money#reviews.
 */
async function review(step: ReviewStep, { id, version, result, remark }: Decision, ctx: Context) {
  refuseIfAny(validateDecision(result, remark));
  const definition = requireDefinition(ctx.model, step.module);
  const isNewPrice = step.module === 'rmaPriceBill' && result === ReviewResult.Passed;
  if (isNewPrice) await lockPricesOf(id, ctx);
  const bill = await readRow(definition, id, readableNames(definition), ctx, true);
  if (bill['billStatus'] !== step.from) throw wrongState(definition, bill, [step.from]);
  refuseIfAny(validateReviewer(step, bill, ctx.currentUser.userId));
  if (step.module === 'rmaRepairFeeBill' && (await hasConfirmed(ctx, String(bill['rfbId']))))
    throw new Refusal({ key: 'samePerson' });
  refuseUnseen(definition, bill, version);
  if (result === ReviewResult.Passed) await refuseOpenLines(step, bill, ctx);
  if (isNewPrice) await refuseOverlap(id, ctx);

  const gaps = isNewPrice ? await findPriceGaps(ctx, id) : [];
  const billStatus = statusAfter(step, result);
  const { numAffectedRows } = await sql`
    UPDATE ${sql.table(definition.table)}
       SET "billStatus" = ${billStatus}, ${sql.ref(step.by)} = ${ctx.currentUser.userId}, ${sql.ref(step.at)} = now(),
           "reviewRemark" = ${remark}, ${touchSql(ctx.currentUser)}
     WHERE id = ${id} AND "billStatus" = ${step.from}`.execute(ctx.db);
  if (numAffectedRows !== 1n) throw new Refusal({ key: 'stale' }, asAnswered(definition, bill));
  if (step.module === 'rmaCorrectionBill' && billStatus === CorrectionStatus.Settled) await settleCorrection(ctx, id);
  const cuts = isNewPrice ? await fitEarlierPrices(ctx, id) : [];
  if (isNewPrice) await markRepriced(ctx, String(bill['siteId']), id);
  await recordInLedger(ctx, {
    what: step.action,
    module: step.module,
    recordId: String(id),
    from: { billStatus: step.from },
    to: { billStatus, result, remark, ...(cuts.length > 0 && { ended: cuts.map((it) => it.prbId) }) },
  });
  const notes = [...cuts.map((it) => note('priceCut', it)), ...gaps.map((it) => note('priceGap', it))];
  return { id, billStatus, ...(notes.length > 0 && { notes }) };
}

/** What passing a price does to others, as whoever foresees it is told. Rule: money#price-bills. */
const note = (key: 'priceCut' | 'priceGap', told: object) => ({ key, args: { ...told } });

/**
 * A repair-fee bill passes no review while a line of it has no price or another one by now, or what it was for was rolled
 * back. Rule: money#repair-fees, money#changed-prices, money#rolled-back-steps.
 */
async function refuseOpenLines(step: ReviewStep, bill: Row, ctx: Context): Promise<void> {
  if (step.module !== 'rmaRepairFeeBill') return;
  const count = await unpricedLines(ctx, String(bill['rfbId']));
  if (count > 0) throw new Refusal({ key: 'unpriced', args: { count } });
  const repriced = await repricedLines(ctx, String(bill['rfbId']));
  if (repriced > 0) throw new Refusal({ key: 'repricedLines', args: { count: repriced } });
  const undone = await undoneLines(ctx, String(bill['rfbId']));
  if (undone > 0) throw new Refusal({ key: 'undoneLines', args: { count: undone } });
}

/** Of the prices for the same work one holds on a day. Rule: money#price-bills. */
async function refuseOverlap(id: number, ctx: Context): Promise<void> {
  const value = await findOverlappingPrice(ctx, id);
  if (value) throw new Refusal({ key: 'priceOverlaps', field: 'effectiveDate', args: { value } });
}
