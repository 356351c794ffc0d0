import type { Kind, ReportInput } from '#domain/reports.ts';
import { jobHandler } from '#server/jobs/job.ts';
import { createParams } from '#server/reports/params.ts';
import { columnsOf } from '#server/reports/report.ts';
import { reportOf } from '#server/reports/reportOf.ts';
import { writeReport } from '#server/reports/write.ts';

export const REPORT_JOB = 'report';

export interface ReportJob {
  report: Kind;
  input: ReportInput;
}

/** Writes a report into a workbook, row by row as the database gives them. Rule: exports-and-jobs#cells. */
export const reportJob = jobHandler<ReportJob>(({ report: kind, input }, job) => {
  const report = reportOf(kind);
  const params = createParams(kind, input, job.ctx);
  return writeReport(job, columnsOf(report, params), report.rows(params), report.footer?.(params));
});
