import { DAY_MS, dayFromSql } from '#domain/day.ts';
import { Refusal, refuseIfAny } from '#domain/refusal.ts';
import { RepairFeeStatus } from '#domain/review.ts';
import type { Context } from '#server/context.ts';
import { startJob } from '#server/jobs/start.ts';
import { recordInLedger } from '#server/ledger.ts';
import { route, type Route } from '#server/route.ts';
import { generateFee, generateFeeByGet } from './contract.ts';
import { validateFee, type FeeInput } from './rules.ts';
import { FEE_REPORT_JOB, type FeeReportJob } from './server.report.ts';
import {
  addUpLines,
  listOwnSites,
  lockFeeBill,
  removeEmptyHead,
  removeRejected,
  writeHead,
  writeLines,
  type FeePeriod,
} from './queries.ts';

export const feeRoutes: Route[] = [route(generateFee, generate), route(generateFeeByGet, generate)];

/**
 * Settles a month of each of the user's sites: what was delivered or scrapped in the range, at the prices of its day.
 * A site has one bill a month: one that was rejected is made anew, any other one stays and is refused where nothing
 * else is left to do. Rule: money#repair-fees.
 */
async function generate(input: FeeInput, ctx: Context) {
  refuseIfAny(validateFee(input));
  const period = toPeriod(input, ctx);
  const items = [];
  const there: string[] = [];
  for (const siteId of await listOwnSites(ctx)) {
    const before = await lockFeeBill(ctx, siteId, period.recPeriod);
    if (before && before.billStatus !== RepairFeeStatus.Rejected) {
      there.push(before.rfbId);
      continue;
    }
    const rfbId = await ctx.numbers.next('RFB');
    await writeHead(ctx, rfbId, siteId, period);
    if ((await writeLines(ctx, rfbId, siteId, period)) === 0) {
      await removeEmptyHead(ctx, rfbId);
      continue;
    }
    if (before) await removeRejected(ctx, before.rfbId);
    const head = await addUpLines(ctx, rfbId);
    items.push({ rfbId, siteId, ...head });
    await recordInLedger(ctx, {
      what: 'generateMonthly',
      module: 'rmaRepairFeeBill',
      recordId: rfbId,
      ...(before && { from: { rfbId: before.rfbId } }),
      to: { recPeriod: period.recPeriod, ...head },
    });
    const report: FeeReportJob = { rfbId };
    await startJob(ctx, {
      kind: FEE_REPORT_JOB,
      title: titleOf(ctx, rfbId),
      module: 'rmaRepairFeeBill',
      input: report,
    });
  }
  if (items.length > 0) return { items };
  const what = { zh: '该月费用单', en: 'The repair-fee bill of the month' };
  if (there.length > 0) throw new Refusal({ key: 'alreadyExists', args: { what, value: there.join() } });
  throw new Refusal({ key: 'nothingToSettle', field: 'startDate' });
}

function toPeriod({ recPeriod = '', startDate = '', endDate = '' }: FeeInput, { config }: Context): FeePeriod {
  const dayAfter = new Date(Date.parse(`${endDate}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10);
  const from = new Date(dayFromSql(startDate, config.timeZone));
  return { recPeriod, startDate, endDate, from, until: new Date(dayFromSql(dayAfter, config.timeZone)) };
}

const titleOf = ({ lang }: Context, rfbId: string) =>
  `${lang === 'zh' ? '加工费报表' : 'Processing fee report'} ${rfbId}`;
