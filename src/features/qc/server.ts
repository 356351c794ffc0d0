import { IssueCategory } from '#domain/issueCode.ts';
import { recordInLedger } from '#server/ledger.ts';
import { route } from '#server/route.ts';
import { issueCodesIn } from '#server/workflow/issueCodes.ts';
import { checkTest, moveTested, readResults, type TestStation } from '#server/workflow/testing.ts';
import { checkExamination, loadIssueCodeList, submitExamineBill } from './contract.ts';
import { recordQc } from './queries.ts';

const qc: TestStation = {
  step: 'qc',
  category: IssueCategory.Qc,
  module: 'rmaExamineBillLine',
  list: 'rmaExamineBillLineList',
};

export const qcRoutes = [
  route(loadIssueCodeList, async ({ billType }, ctx) => ({
    issueCodeList: await issueCodesIn(ctx, billType || IssueCategory.Qc),
  })),

  route(checkExamination, ({ sn, icdId }, ctx) => checkTest(ctx, qc, { sn, codeId: icdId ?? null })),

  /** Good units go to storage, the others back to repair. Rule: events#e20, events#e21. */
  route(submitExamineBill, async (input, ctx) => {
    const rows = input.rmaExamineBillLineList.map((it) => ({ sn: it.sn, codeId: it.icdId ?? null }));
    const results = await readResults(ctx, qc, rows);
    const exbId = await ctx.numbers.next('EXB');
    await recordQc(ctx, exbId, results);
    const counts = await moveTested(ctx, qc, results, exbId);
    const sns = results.map((it) => it.unit.sn);
    await recordInLedger(ctx, { what: 'examine', module: 'rmaExamineBill', recordId: exbId, to: { ...counts, sns } });
    return { exbId, ...counts };
  }),
];
