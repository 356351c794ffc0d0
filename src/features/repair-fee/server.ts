import { Refusal, refuseIfAny } from '#domain/refusal.ts';
import { RepairFeeStatus } from '#domain/review.ts';
import type { Context } from '#server/context.ts';
import { recordInLedger } from '#server/ledger.ts';
import { route, type Route } from '#server/route.ts';
import { removeWorkbooks } from '#server/workflow/workbooks.ts';
import { generateFee, generateFeeByGet } from './contract.ts';
import { dealOut, validateFee, type FeeInput } from './rules.ts';
import { startReport } from './server.report.ts';
import { confirmRoutes } from './server.confirm.ts';
import { resubmitRoutes } from './server.resubmit.ts';
import { unpricedRoute } from './server.unpriced.ts';
import { whyRoute } from './server.why.ts';
import { workbookRoute } from './server.workbook.ts';
import {
  addUpLines,
  allUnbilled,
  beginAnew,
  dropLines,
  findUnbilled,
  freeExpenses,
  freeItems,
  keepAmounts,
  listOwnSites,
  listParts,
  lockFeeBills,
  moveLines,
  newestLine,
  removeEmptyHeads,
  removeOldLines,
  takeExpenses,
  takeItems,
  thisMonth,
  toPeriod,
  writeHead,
  writeLines,
  type FeeBill,
  type FeeParty,
  type FeePeriod,
} from './queries.ts';

export const feeRoutes: Route[] = [
  route(generateFee, generate),
  route(generateFeeByGet, generate),
  ...resubmitRoutes,
  unpricedRoute,
  ...confirmRoutes,
  whyRoute,
  workbookRoute,
];

/**
 * Settles a month of each of the user's sites: what was delivered or scrapped in the range, at the prices of its day. A site
 * has one bill a month of each supplier and currency: one that was rejected is made anew under its number, any other one
 * stays and is refused where nothing else is left to do. Rule: money#repair-fees.
 */
async function generate(input: FeeInput, ctx: Context) {
  refuseIfAny(validateFee(input, thisMonth(ctx)));
  const period = toPeriod(input, ctx);
  const settled = [];
  const left = [];
  const siteIds = await listOwnSites(ctx);
  const bills = await lockFeeBills(ctx, siteIds, period.recPeriod);
  for (const siteId of siteIds) {
    settled.push(await settle(siteId, bills.get(siteId) ?? [], period, ctx));
    left.push(await findUnbilled(ctx, siteId, period));
  }
  const items = settled.flatMap((it) => it.items);
  const late = settled.flatMap((it) => it.late);
  if (items.length > 0) {
    await startReport(items, period.recPeriod, generateFee.right, ctx);
    return { items, late, unbilled: allUnbilled(left) };
  }
  const there = settled.flatMap((it) => it.there);
  if (there.length > 0) throw new Refusal({ key: 'feeBillStands', args: { value: there.join(', ') } });
  throw new Refusal({ key: 'nothingToSettle', field: 'startDate' });
}

/** Settles a month of a site: the lines are written to one bill, then dealt out to those that they belong to. */
async function settle(siteId: string, before: readonly FeeBill[], period: FeePeriod, ctx: Context) {
  const rejected = before.filter(isRejected).map((it) => it.rfbId);
  const there = before.filter((it) => !isRejected(it)).map((it) => it.rfbId);
  const first = rejected[0] ?? (await newBill(ctx, siteId, period));
  const newest = await newestLine(ctx, rejected);
  const freed = await freeItems(ctx, rejected);
  await freeExpenses(ctx, rejected);
  await writeLines(ctx, first, siteId, period, before);
  const parts = await listParts(ctx, first, newest);
  const deals = dealOut(
    parts,
    before.map((it) => ({ ...it, isRejected: isRejected(it) })),
  );
  const late = [];
  for (const { rfbId, parts } of deals.filter((it) => it.isLate)) {
    for (const part of parts) await dropLines(ctx, part, first, newest);
    late.push({ rfbId: String(rfbId), lineCount: parts.reduce((sum, it) => sum + it.count, 0) });
  }
  const made = deals.filter((it) => !it.isLate);
  if (made.length === 0) {
    await takeItems(ctx, freed);
    await takeExpenses(ctx, rejected);
    if (rejected.length === 0) await removeEmptyHeads(ctx, [first]);
    return { items: [], late, there };
  }
  await keepAmounts(ctx, freed);
  await removeOldLines(ctx, rejected, newest);
  await removeWorkbooks(ctx, rejected);
  const unused = rejected.length === 0 ? [first] : [];
  const heads: (FeeParty & { rfbId: string })[] = [];
  for (const { party, parts, rfbId: own } of made) {
    const rfbId = own ?? unused.shift() ?? (await newBill(ctx, siteId, period));
    for (const part of rfbId === first ? [] : parts) await moveLines(ctx, part, first, newest, rfbId);
    if (own) await beginAnew(ctx, rfbId, period);
    heads.push({ ...party, rfbId });
  }
  await takeExpenses(
    ctx,
    heads.map((it) => it.rfbId),
  );
  const empty = rejected.filter((rfbId) => !heads.some((it) => it.rfbId === rfbId));
  await removeEmptyHeads(ctx, empty);
  for (const recordId of empty)
    await recordInLedger(ctx, { what: 'generateMonthly', module, recordId, to: { removed: true } });
  const items = [];
  for (const { rfbId, ...party } of heads) {
    const head = await addUpLines(ctx, rfbId, party);
    items.push({ rfbId, siteId, ...party, ...head });
    await recordInLedger(ctx, {
      ...{ what: 'generateMonthly', module, recordId: rfbId },
      ...(rejected.includes(rfbId) && { from: { billStatus: RepairFeeStatus.Rejected } }),
      to: { recPeriod: period.recPeriod, ...party, ...head },
    });
  }
  return { items, late, there };
}

const module = 'rmaRepairFeeBill';
const isRejected = ({ billStatus }: FeeBill) => billStatus === RepairFeeStatus.Rejected;

async function newBill(ctx: Context, siteId: string, period: FeePeriod): Promise<string> {
  const rfbId = await ctx.numbers.next('RFB');
  await writeHead(ctx, rfbId, siteId, period);
  return rfbId;
}
