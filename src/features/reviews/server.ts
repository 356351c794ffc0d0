import { sql } from 'kysely';
import { requireDefinition } from '#server/requireDefinition.ts';
import { momentText } from '#domain/day.ts';
import type { Definition } from '#domain/definition/grammar.ts';
import { groupBy } from '#domain/group.ts';
import { orRefusal, Refusal, refuseIfAny, type Problem } from '#domain/refusal.ts';
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
import { holdRows, notThere, readableNames, readRow, type Row } from '#server/engine/rows.ts';
import { refuseUnseen } from '#server/engine/seen.ts';
import { wrongState } from '#server/engine/wrongState.ts';
import { recordAllInLedger } from '#server/ledger.ts';
import { sumFees, type FeeSum } from '#server/reports/feeSums.ts';
import { route, routeOfMany, type Route } from '#server/route.ts';
import { sentenceOf } from '#server/sentences.ts';
import { touchSql } from '#server/touch.ts';
import { lastHands } from '#server/workflow/hands.ts';
import { markRepriced } from '#server/workflow/prices.ts';
import {
  besideCorrection,
  holdSettled,
  otherCorrections,
  readBeside,
  settleCorrections,
  settledOf,
  toldBy,
} from '#server/workflow/corrections.ts';
import { undoneLines } from '#server/workflow/settled.ts';
import { otherCorrectionsOf, projectSums, reviewCalls, reviewWords } from './contract.ts';
import { lockPricesOf, priceBillRoutes } from './server.priceBill.ts';
import { returnRoutes } from './server.return.ts';
import { validateReviewer, statusAfter } from './rules.ts';
import { fitEarlierPrices, foreseePrices, lastWords, namesOf, openLines } from './queries.ts';

/** When the user last changed each of these bills, its lines or its papers. */
const ownHands = ({ module, number }: Definition, bills: readonly Row[], ctx: Context) =>
  lastHands(
    ctx,
    module as ReviewedModule,
    bills.map((it) => ({ id: Number(it['id']), no: String(it[number?.field ?? '']) })),
  );

/** What is decided, of however many bills. */
interface Word {
  result: string;
  remark: string | null;
}
/** A bill as it was seen, with what was told of deciding it. */
interface Seen {
  id: number;
  version: number;
  foreseen: string;
}

/** The reviews of the money bills. A path that no bill has is refused before anything is read. Rule: money#reviews. */
export const reviewRoutes: Route[] = [
  ...reviewCalls.map(({ module, action, call }) =>
    routeOfMany(call, (inputs, ctx) => {
      const step = reviewStep(module, action);
      if (!step) throw new Refusal({ key: 'noSuchReview' });
      const [{ result, auditStatus, remark }] = inputs;
      const word = { result: (result ?? auditStatus ?? '').trim(), remark: remark?.trim() || null };
      const seen = inputs.map(({ id, version, foreseen }) => ({ id, version, foreseen: foreseen ?? '' }));
      return review(step, word, seen, ctx);
    }),
  ),
  ...reviewedModules.map((module) =>
    route(reviewWords(module), async ({ id }, ctx) => {
      const definition = requireDefinition(ctx.model, module);
      const bill = await readRow(definition, id, readableNames(definition), ctx);
      const words = await lastWords(ctx, module, id);
      const hands = [...reviewTrail(module, bill).map((it) => it.by), ...words.map((it) => it.userId)];
      const people = await namesOf(ctx, [...new Set(hands.filter((it) => it !== null))]);
      return { people, words, changedAt: (await ownHands(definition, [bill], ctx)).get(id) ?? null };
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
    return { others: await otherCorrections(ctx, module, [no], String(bill['crbId'])), foreseen };
  }),
  ...priceBillRoutes,
  ...returnRoutes,
];

/** What a correction says of what it is for. */
const named = ['crbId', 'rfbId', 'lcbId', 'currency'];

const amountOf = ({ units, includingTaxAmount }: FeeSum) => ({ units, includingTaxAmount });

/**
 * One decision on many bills: of each the right state, somebody who had no hand in it, the bill as it was seen, then the state
 * that follows. A bill that is refused stays as it is and stops no other.
 * Rule: money#reviews.
 */
async function review(step: ReviewStep, word: Word, asked: readonly Seen[], ctx: Context) {
  refuseIfAny(validateDecision(word.result, word.remark));
  const definition = requireDefinition(ctx.model, step.module);
  const ids = asked.map((it) => it.id);
  const isNewPrice = step.module === 'rmaPriceBill' && word.result === ReviewResult.Passed;
  if (isNewPrice) await lockPricesOf(ids, ctx);
  const held = await holdRows(definition, ids, ctx);
  const refuse = await readRefusals(step, word, [...held.values()], ctx);
  const outcomes = new Map<number, Outcome>();
  const sound: Asked[] = [];
  for (const seen of asked) {
    const bill = held.get(seen.id);
    const refusal = bill ? await orRefusal(() => refuse(bill, seen)) : notThere(definition, seen.id);
    if (refusal) outcomes.set(seen.id, refusal);
    else if (bill) sound.push({ ...seen, bill });
  }
  for (const [id, outcome] of await decide(step, word, sound, ctx)) outcomes.set(id, outcome);
  return asked.map(({ id }) => outcomes.get(id) as Outcome);
}

type Outcome = Refusal | { id: number; billStatus: string; notes?: Note[]; foreseen?: string };
/** A bill that is held, with what was seen of it. */
interface Asked extends Seen {
  bill: Row;
}
/** With the prices that it ends. */
interface Decided extends Asked {
  ends: readonly string[];
}

/** What forbids this decision on each of these bills, which are held. */
async function readRefusals(step: ReviewStep, { result }: Word, bills: readonly Row[], ctx: Context) {
  const definition = requireDefinition(ctx.model, step.module);
  const hands = await ownHands(definition, bills, ctx);
  const refuseOpen = result === ReviewResult.Passed ? await readOpenLines(step, bills, ctx) : () => undefined;
  return (bill: Row, { id, version }: Seen): undefined => {
    if (bill['billStatus'] !== step.from) throw wrongState(definition, bill, [step.from]);
    refuseIfAny(validateReviewer(step, bill, ctx.currentUser.userId));
    const changedAt = hands.get(id);
    if (changedAt !== undefined)
      throw new Refusal({ key: 'ownChange', args: { when: momentText(changedAt, ctx.config.timeZone) } });
    refuseUnseen(definition, bill, version);
    refuseOpen(bill);
  };
}

/** Decides of bills that nothing forbids to decide of, where what it does besides is what was told. */
async function decide(
  step: ReviewStep,
  { result, remark }: Word,
  asked: readonly Asked[],
  ctx: Context,
): Promise<ReadonlyMap<number, Outcome>> {
  const outcomes = new Map<number, Outcome>();
  const done: Decided[] = [];
  const isNewPrice = step.module === 'rmaPriceBill' && result === ReviewResult.Passed;
  const tell = isNewPrice ? await readPricesTold(asked, ctx) : await readOthersTold(step, result, asked, ctx);
  const billStatus = statusAfter(step, result);
  for (const it of asked) {
    const told = await orRefusal(() => tell(it.bill));
    if (told instanceof Refusal) outcomes.set(it.id, told);
    else if (told && told.foreseen !== it.foreseen && !ctx.foresees) outcomes.set(it.id, told.changed(it.foreseen));
    else {
      const { notes = [], foreseen = '' } = told ?? {};
      outcomes.set(it.id, { id: it.id, billStatus, ...(notes.length > 0 && { notes }), ...(foreseen && { foreseen }) });
      done.push({ ...it, ends: told?.ends ?? [] });
      told?.done?.();
    }
  }
  if (done.length > 0) await write(step, { result, remark }, done, ctx);
  return outcomes;
}

async function write(
  step: ReviewStep,
  { result, remark }: Word,
  done: readonly Decided[],
  ctx: Context,
): Promise<void> {
  const { module, action, from, by, at } = step;
  const ids = done.map((it) => it.id);
  const billStatus = statusAfter(step, result);
  await sql`
    UPDATE ${sql.table(requireDefinition(ctx.model, module).table)}
       SET "billStatus" = ${billStatus}, ${sql.ref(by)} = ${ctx.currentUser.userId}, ${sql.ref(at)} = now(),
           "reviewRemark" = ${remark}, ${touchSql(ctx.currentUser)}
     WHERE id = ANY(${ids})`.execute(ctx.db);
  if (module === 'rmaCorrectionBill' && billStatus === CorrectionStatus.Settled) await settleCorrections(ctx, ids);
  const isNewPrice = module === 'rmaPriceBill' && result === ReviewResult.Passed;
  if (isNewPrice) {
    await fitEarlierPrices(ctx, ids);
    for (const [siteId, those] of groupBy(done, (it) => String(it.bill['siteId'])))
      await markRepriced(
        ctx,
        siteId,
        those.map((it) => it.id),
      );
  }
  await recordAllInLedger(
    ctx,
    done.map(({ id, ends }) => ({
      ...{ what: action, module, recordId: String(id), from: { billStatus: from } },
      to: { billStatus, result, remark, ...(ends.length > 0 && { ended: ends }) },
    })),
  );
}

type Note = Problem & { args: Record<string, string> };

/** What whoever decides is told besides the bill: in sentences, by the mark that stands for them, and where that is another one by now. */
interface Told {
  notes: Note[];
  foreseen: string;
  changed: (seen: string) => Refusal;
  /** The prices that it ends. */
  ends?: string[];
  /** It is decided, which those after it are told otherwise for. */
  done?: () => void;
}

/** What passing each of these prices does to others, by those before it. Of those for the same work one holds on a day. Rule: money#price-bills. */
async function readPricesTold(asked: readonly Asked[], ctx: Context): Promise<(bill: Row) => Told> {
  const prices = await foreseePrices(
    ctx,
    asked.map((it) => it.id),
  );
  return (bill) => {
    const id = Number(bill['id']);
    const value = prices.overlapping(id);
    if (value) throw new Refusal({ key: 'priceOverlaps', field: 'effectiveDate', args: { value } });
    const { cuts, gaps, clashes, foreseen } = prices.told(id);
    const notes = [
      ...cuts.map((it) => ({ key: 'priceCut' as const, args: { ...it } })),
      ...gaps.map((it) => ({ key: 'priceGap' as const, args: { ...it } })),
      ...clashes.map((it) => ({ key: 'priceClash' as const, args: { ...it } })),
    ];
    return {
      ...{ notes, foreseen, changed: () => foreseenChanged(notes, ctx) },
      ends: cuts.map((it) => it.prbId),
      done: () => prices.pass(id),
    };
  };
}

function foreseenChanged(notes: readonly Note[], { lang, model }: Context): Refusal {
  const told = notes.map((it) => sentenceOf(it, lang, model)).join('; ');
  return new Refusal({
    key: 'foreseenChanged',
    args: { told: told || { zh: '不影响其他价格', en: 'no other price' } },
  });
}

/**
 * What else corrects the lines of each of these corrections, as its page tells it; nobody hands in another one of the settled
 * bills meanwhile. One that names no bill can only be rejected. Rule: money#correction-bills.
 */
async function readOthersTold(
  step: ReviewStep,
  result: string,
  asked: readonly Asked[],
  ctx: Context,
): Promise<(bill: Row) => Told | undefined> {
  if (step.module !== 'rmaCorrectionBill') return () => undefined;
  const isNamed = (bill: Row) => (bill['rfbId'] ?? bill['lcbId']) != null;
  const corrections = asked.map((it) => it.bill).filter(isNamed);
  for (const module of ['rmaRepairFeeBill', 'rmaLogisticsCostsBill'] as const) {
    const nos = corrections.map((it) => settledOf(it)).flatMap((it) => (it.module === module ? it.no : []));
    if (nos.length > 0) await holdSettled(ctx, module, nos);
  }
  const beside = await readBeside(ctx, corrections);
  const rejected = new Set<string>();
  const isRejecting = statusAfter(step, result) === CorrectionStatus.Rejected;
  const none = { zh: '无', en: 'nothing' };
  return (bill) => {
    if (!isNamed(bill) && result === ReviewResult.NotPassed) return undefined;
    const { told, foreseen } = beside(bill, rejected);
    return {
      notes: told === '' ? [] : [{ key: 'alsoCorrected', args: { value: told } }],
      foreseen,
      changed: (seen) =>
        new Refusal({ key: 'othersChanged', args: { before: toldBy(seen) || none, now: told || none } }),
      done: () => void (isRejecting && rejected.add(String(bill['crbId']))),
    };
  };
}

/**
 * A repair-fee bill passes no review while a line of it has no price or another one by now, or what it was for was rolled
 * back, and not that of finance without a workbook of its work as it is by now. Rule: money#repair-fees, money#changed-prices,
 * money#rolled-back-steps, money#fee-workbook.
 */
async function readOpenLines(step: ReviewStep, bills: readonly Row[], ctx: Context): Promise<(bill: Row) => void> {
  if (step.module !== 'rmaRepairFeeBill') return () => undefined;
  const rfbIds = bills.map((it) => String(it['rfbId']));
  const open = await openLines(ctx, rfbIds);
  const undone = await undoneLines(ctx, rfbIds);
  return (bill) => {
    const rfbId = String(bill['rfbId']);
    const { unpriced = 0, repriced = 0 } = open.get(rfbId) ?? {};
    if (unpriced > 0) throw new Refusal({ key: 'unpriced', args: { count: unpriced } });
    if (repriced > 0) throw new Refusal({ key: 'repricedLines', args: { count: repriced } });
    const count = undone.get(rfbId) ?? 0;
    if (count > 0) throw new Refusal({ key: 'undoneLines', args: { count } });
    const isOutdated = bill['workChangedTime'] !== null && !bill['processingFeeReportUrl'];
    if (step.action === 'financialReview' && isOutdated)
      throw new Refusal({ key: 'workbookOutdated', args: { value: rfbId } });
  };
}
