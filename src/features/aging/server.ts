import { imageLimits, joinUrls, splitUrls } from '#domain/images.ts';
import { IssueCategory } from '#domain/issueCode.ts';
import type { TestResult } from '#domain/testResults.ts';
import { recordInLedger } from '#server/ledger.ts';
import { route } from '#server/route.ts';
import { issueCodesIn } from '#server/workflow/issueCodes.ts';
import { findPictures, takePictures } from '#server/workflow/pictures.ts';
import { checkTest, moveTested, readResults, type TestStation } from '#server/workflow/testing.ts';
import { checkBurnin, loadIssueCodeList, submitBurninBill } from './contract.ts';
import { recordAging } from './queries.ts';

/** Of one unit. Rule: testing#rows. */
const pictures = { field: 'burninUrlList', max: imageLimits.aging };

const aging: TestStation = {
  step: 'aging',
  category: IssueCategory.Aging,
  module: 'rmaBurninBillLine',
  list: 'rmaBurninBillLineList',
  pictures,
};

export const agingRoutes = [
  route(loadIssueCodeList, async ({ billType }, ctx) => ({
    issueCodeList: await issueCodesIn(ctx, billType || IssueCategory.Aging),
  })),

  route(checkBurnin, async (input, ctx) => {
    const row = resultOf(input);
    const tested = await checkTest(ctx, aging, row);
    if (row.urls?.length) await findPictures(ctx, row.urls, pictures);
    return tested;
  }),

  /** Units that ran well go to inspection, the others back to repair. Rule: events#e18, events#e19. */
  route(submitBurninBill, async (input, ctx) => {
    const rows = input.rmaBurninBillLineList.map(resultOf);
    const results = await readResults(ctx, aging, rows);
    const urls = rows.map((it) => splitUrls(it.urls));
    await findPictures(ctx, urls.flat(), { ...pictures, max: rows.length * pictures.max });
    await takePictures(ctx, urls.flat(), pictures.field);
    const bnbId = await ctx.numbers.next('BNB');
    await recordAging(
      ctx,
      bnbId,
      results.map((it, i) => ({ ...it, urls: joinUrls(urls[i] ?? []) })),
    );
    const counts = await moveTested(ctx, aging, results, bnbId);
    const sns = results.map((it) => it.unit.sn);
    await recordInLedger(ctx, { what: 'burnin', module: 'rmaBurninBill', recordId: bnbId, to: { ...counts, sns } });
    return { bnbId, ...counts };
  }),
];

interface SentResult {
  sn: string;
  icdId?: number | string | null;
  burninUrlList?: string | string[] | null;
  burninUrls?: string | string[] | null;
}

const resultOf = (it: SentResult): TestResult => ({
  sn: it.sn,
  codeId: it.icdId ?? null,
  urls: it.burninUrlList ?? it.burninUrls ?? null,
});
