import { sql } from 'kysely';
import { requireDefinition } from '#server/requireDefinition.ts';
import { momentText } from '#domain/day.ts';
import type { Definition } from '#domain/definition/grammar.ts';
import { Refusal, refuseIfAny, type Problem } from '#domain/refusal.ts';
import {
  CorrectionStatus,
  reviewedModules,
  ReviewResult,
  reviewStep,
  validateDecision,
  type ReviewedModule,
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
import { sentenceOf } from '#server/sentences.ts';
import { touchSql } from '#server/touch.ts';
import { lastHand } from '#server/workflow/hands.ts';
import { markRepriced } from '#server/workflow/prices.ts';
import {
  besideCorrection,
  holdSettled,
  otherCorrections,
  settleCorrection,
  settledOf,
  toldBy,
} from '#server/workflow/corrections.ts';
import { undoneLines } from '#server/workflow/settled.ts';
import { otherCorrectionsOf, projectSums, reviewCalls, reviewWords } from './contract.ts';
import { lockPricesOf, priceBillRoutes } from './server.priceBill.ts';
import { returnRoutes } from './server.return.ts';
import { validateReviewer, statusAfter } from './rules.ts';
import {
  findOverlappingPrice,
  fitEarlierPrices,
  foreseePrice,
  lastWords,
  namesOf,
  repricedLines,
  unpricedLines,
} from './queries.ts';

/** When the user last changed this bill, its lines or its papers. */
const ownHand = ({ module, number }: Definition, bill: Row, ctx: Context) =>
  lastHand(ctx, module as ReviewedModule, { id: Number(bill['id']), no: String(bill[number?.field ?? '']) });

interface Decision {
  id: number;
  version: number;
  result: string;
  remark: string | null;
  foreseen: string;
}

/** The reviews of the money bills. A path that no bill has is refused before anything is read. Rule: money#reviews. */
export const reviewRoutes: Route[] = [
  ...reviewCalls.map(({ module, action, call }) =>
    route(call, ({ id, version, result, auditStatus, remark, foreseen }, ctx) => {
      const step = reviewStep(module, action);
      if (!step) throw new Refusal({ key: 'noSuchReview' });
      const word = { result: (result ?? auditStatus ?? '').trim(), remark: remark?.trim() || null };
      return review(step, { id, version, ...word, foreseen: foreseen ?? '' }, ctx);
    }),
  ),
  ...reviewedModules.map((module) =>
    route(reviewWords(module), async ({ id }, ctx) => {
      const definition = requireDefinition(ctx.model, module);
      const bill = await readRow(definition, id, readableNames(definition), ctx);
      const words = await lastWords(ctx, module, id);
      const hands = [...reviewTrail(module, bill).map((it) => it.by), ...words.map((it) => it.userId)];
      const people = await namesOf(ctx, [...new Set(hands.filter((it) => it !== null))]);
      return { people, words, changedAt: await ownHand(definition, bill, ctx) };
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
    const bill = await readRow(requireDefinition(ctx.model, 'rmaCorrectionBill'), id, named, ctx);
    const { module, no } = settledOf(bill);
    const { foreseen } = await besideCorrection(ctx, bill);
    return { others: await otherCorrections(ctx, module, no, String(bill['crbId'])), foreseen };
  }),
  ...priceBillRoutes,
  ...returnRoutes,
];

/** What a correction says of what it is for. */
const named = ['crbId', 'rfbId', 'lcbId', 'currency'];

const amountOf = ({ units, includingTaxAmount }: FeeSum) => ({ units, includingTaxAmount });

/**
 * One decision on one bill: the right state, somebody who had no hand in it, the bill as it was seen, then the state
 * that follows.
 * Rule: money#reviews.
 */
async function review(step: ReviewStep, { id, version, result, remark, foreseen }: Decision, ctx: Context) {
  refuseIfAny(validateDecision(result, remark));
  const definition = requireDefinition(ctx.model, step.module);
  const isNewPrice = step.module === 'rmaPriceBill' && result === ReviewResult.Passed;
  if (isNewPrice) await lockPricesOf(id, ctx);
  const bill = await readRow(definition, id, readableNames(definition), ctx, true);
  if (bill['billStatus'] !== step.from) throw wrongState(definition, bill, [step.from]);
  refuseIfAny(validateReviewer(step, bill, ctx.currentUser.userId));
  const changedAt = await ownHand(definition, bill, ctx);
  if (changedAt !== null)
    throw new Refusal({ key: 'ownChange', args: { when: momentText(changedAt, ctx.config.timeZone) } });
  refuseUnseen(definition, bill, version);
  if (result === ReviewResult.Passed) await refuseOpenLines(step, bill, ctx);
  if (isNewPrice) await refuseOverlap(id, ctx);

  const told = isNewPrice ? await pricesTold(id, ctx) : await othersTold(step, bill, result, ctx);
  const { notes = [] } = told ?? {};
  if (told && told.foreseen !== foreseen && !ctx.foresees) throw told.changed(foreseen);
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
  return { id, billStatus, ...(notes.length > 0 && { notes }), ...(told?.foreseen && { foreseen: told.foreseen }) };
}

type Note = Problem & { args: Record<string, string> };

/** What whoever decides is told besides the bill: in sentences, by the mark that stands for them, and where that is another one by now. */
interface Told {
  notes: Note[];
  foreseen: string;
  changed: (seen: string) => Refusal;
}

/** What passing a price does to others. Rule: money#price-bills. */
async function pricesTold(id: number, ctx: Context): Promise<Told> {
  const { cuts, gaps, clashes, foreseen } = await foreseePrice(ctx, id);
  const notes = [
    ...cuts.map((it) => ({ key: 'priceCut' as const, args: { ...it } })),
    ...gaps.map((it) => ({ key: 'priceGap' as const, args: { ...it } })),
    ...clashes.map((it) => ({ key: 'priceClash' as const, args: { ...it } })),
  ];
  return { notes, foreseen, changed: () => foreseenChanged(notes, ctx) };
}

function foreseenChanged(notes: readonly Note[], { lang, model }: Context): Refusal {
  const told = notes.map((it) => sentenceOf(it, lang, model)).join('; ');
  return new Refusal({
    key: 'foreseenChanged',
    args: { told: told || { zh: '不影响其他价格', en: 'no other price' } },
  });
}

/**
 * What else corrects the lines of a correction, as its page tells it; nobody hands in another one of the settled bill
 * meanwhile. One that names no bill can only be rejected. Rule: money#correction-bills.
 */
async function othersTold(step: ReviewStep, bill: Row, result: string, ctx: Context): Promise<Told | undefined> {
  if (step.module !== 'rmaCorrectionBill') return undefined;
  if ((bill['rfbId'] ?? bill['lcbId']) == null && result === ReviewResult.NotPassed) return undefined;
  const { module, no } = settledOf(bill);
  await holdSettled(ctx, module, no);
  const { told, foreseen } = await besideCorrection(ctx, bill);
  const none = { zh: '无', en: 'nothing' };
  return {
    notes: told === '' ? [] : [{ key: 'alsoCorrected', args: { value: told } }],
    foreseen,
    changed: (seen) => new Refusal({ key: 'othersChanged', args: { before: toldBy(seen) || none, now: told || none } }),
  };
}

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
