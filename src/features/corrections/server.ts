import type { InputOf } from '#domain/call.ts';
import { Refusal, refuseIfAny } from '#domain/refusal.ts';
import { CorrectionStatus } from '#domain/review.ts';
import type { Context } from '#server/context.ts';
import { readableNames, readRow } from '#server/engine/rows.ts';
import { asStale, refuseUnseen } from '#server/engine/seen.ts';
import { wrongState } from '#server/engine/wrongState.ts';
import { recordInLedger } from '#server/ledger.ts';
import { requireDefinition } from '#server/requireDefinition.ts';
import { route, type Route } from '#server/route.ts';
import {
  holdSettled,
  nameCorrections,
  otherCorrections,
  settledBills,
  settledOf,
  type SettledModule,
} from '#server/workflow/corrections.ts';
import { correct, leftOfLines, leftWithout, resubmitCorrection } from './contract.ts';
import {
  leftBefore,
  leftOfCorrected,
  leftOfEntries,
  noteOnSettled,
  readSettled,
  sendAgain,
  writeHead,
  writeLines,
} from './queries.ts';
import { validateEntries } from './rules.ts';

const modules = Object.keys(settledBills) as SettledModule[];
const MODULE = 'rmaCorrectionBill';

/** Settled bills are corrected by bills of their own. Rule: money#correction-bills. */
export const correctionRoutes: Route[] = [
  ...modules.flatMap((module) => [
    route(correct(module), (input, ctx) => correctSettled(module, input, ctx)),
    route(leftOfLines(module), async ({ id }, ctx) => {
      const { number } = settledBills[module];
      const bill = await readRow(requireDefinition(ctx.model, module), id, [number], ctx);
      const no = String(bill[number]);
      const settled = await readSettled(ctx, module, no);
      return {
        settled,
        lines: await leftOfCorrected(ctx, module, no),
        others: await otherCorrections(ctx, module, [no]),
      };
    }),
  ]),
  route(resubmitCorrection, resubmit),
  route(leftWithout, async ({ id }, ctx) => {
    const bill = await readRow(requireDefinition(ctx.model, MODULE), id, ['crbId', 'rfbId', 'lcbId'], ctx);
    const { module, no } = settledOf(bill);
    const crbId = String(bill['crbId']);
    const settled = await readSettled(ctx, module, no);
    return {
      settled,
      lines: await leftBefore(ctx, module, no, crbId),
      others: await otherCorrections(ctx, module, [no], crbId),
    };
  }),
];

type Resubmit = InputOf<typeof resubmitCorrection>;
type Correct = Omit<Resubmit, 'settledVersion'>;

/**
 * Makes the correction of a settled bill, which is held meanwhile: nobody else credits its lines. Refused: a bill that is
 * not settled, lines that are not its own, and more credit than is left. Rule: money#correction-bills.
 */
async function correctSettled(module: SettledModule, { id, version, lines }: Correct, ctx: Context) {
  const { number, status } = settledBills[module];
  const definition = requireDefinition(ctx.model, module);
  const bill = await readRow(definition, id, readableNames(definition), ctx, true);
  if (bill['billStatus'] !== status) throw wrongState(definition, bill, [status]);
  const no = String(bill[number]);
  if (version !== bill['version']) await refuseCorrectedSince(ctx, { module, no, lines }, asStale(definition, bill));
  refuseUnseen(definition, bill, version);
  const currency = await refuseWrong(ctx, { module, no, lines });
  const crbId = await ctx.numbers.next('CRB');
  const own = { crbId, siteId: String(bill['siteId']), currency, supplierName: textOrNull(bill['supplierName']) };
  const recordId = await writeHead(ctx, { ...own, rfbId: null, lcbId: null, [number]: no });
  const sums = await writeLines(ctx, module, no, crbId, lines);
  await noteOnSettled(ctx, module, no);
  await recordInLedger(ctx, {
    ...{ what: 'correct', module: MODULE, recordId: String(recordId) },
    to: { crbId, [number]: no, ...sums, lines },
  });
  return { id: recordId, crbId, billStatus: CorrectionStatus.AwaitingReview, ...sums };
}

/** A rejected correction has other lines and waits for its reviews anew. Rule: money#correction-bills. */
async function resubmit({ id, version, settledVersion, lines }: Resubmit, ctx: Context) {
  const definition = requireDefinition(ctx.model, MODULE);
  const bill = await readRow(definition, id, readableNames(definition), ctx, true);
  const { Rejected } = CorrectionStatus;
  if (bill['billStatus'] !== Rejected) throw wrongState(definition, bill, [Rejected]);
  refuseUnseen(definition, bill, version);
  const { module, no } = settledOf(bill);
  const settledNoMore = new Refusal({ key: 'settledNoMore', args: { value: no } });
  const versionNow = (await holdSettled(ctx, module, [no])).get(no);
  if (versionNow === undefined) throw settledNoMore;
  const crbId = String(bill['crbId']);
  if (settledVersion !== versionNow) {
    await refuseCorrectedSince(ctx, { module, no, lines, but: crbId }, asStale(definition, bill));
    throw asStale(definition, bill);
  }
  const currency = await refuseWrong(ctx, { module, no, lines, but: crbId });
  // Costs that were returned and passed anew may be in another currency; a correction of an earlier version may name none.
  if (currency !== (textOrNull(bill['currency']) ?? currency)) throw settledNoMore;
  await sendAgain(ctx, id, currency);
  const sums = await writeLines(ctx, module, no, crbId, lines);
  await noteOnSettled(ctx, module, no);
  const billStatus = CorrectionStatus.AwaitingReview;
  await recordInLedger(ctx, {
    ...{ what: 'resubmit', module: MODULE, recordId: String(id) },
    from: { billStatus: bill['billStatus'], includingTaxAmount: bill['includingTaxAmount'] },
    to: { billStatus, ...sums, lines },
  });
  return { id, crbId, billStatus, ...sums };
}

interface Wanted {
  module: SettledModule;
  no: string;
  lines: Correct['lines'];
  /** The correction that has these lines. */
  but?: string;
}

/** @returns the currency that the lines have in common. Refused: entries that are wrong, and lines of no one currency. */
async function refuseWrong(ctx: Context, { module, no, lines, but = '' }: Wanted): Promise<string> {
  const ids = lines.map((it) => it.lineId);
  const found = await leftOfEntries(ctx, module, no, { but, ids });
  const currencies = new Set(found.map((it) => it.currency));
  // Digits are those of a currency: which one it is comes first.
  if (currencies.size > 1) throw new Refusal({ key: 'correctionCurrencies', args: { value: no } });
  const [currency = null] = currencies;
  const left = new Map(found.map((it) => [it.lineId, it.left]));
  refuseIfAny(validateEntries(lines, (it) => left.get(it), currency));
  if (currency === null) throw new Refusal({ key: 'correctionCurrency', args: { value: no } });
  return currency;
}

/** Nobody corrects a line again without having seen what corrects it already, which is named. Rule: writing#what-was-seen. */
async function refuseCorrectedSince(
  ctx: Context,
  { module, no, lines, but = '' }: Wanted,
  { data, rowOf }: Refusal,
): Promise<void> {
  const wanted = new Set(lines.map((it) => it.lineId));
  const others = (await otherCorrections(ctx, module, [no], but)).filter((it) => wanted.has(it.lineId));
  if (others.length === 0) return;
  const [{ currency = null } = {}] = await leftOfEntries(ctx, module, no, { ids: [...wanted] });
  throw new Refusal({ key: 'correctedSince', args: { value: nameCorrections(others, currency) } }, data, rowOf);
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
