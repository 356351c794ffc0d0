import type { JobHandler } from '#server/jobs/job.ts';
import { FEE_REPORT_JOB, feeReportJob } from './repair-fee/server.report.ts';
import { FIND_MANY_JOB, findManyJob } from './find-many/server.ts';
import { ORDER_JOB, orderJob } from './order-summary/server.ts';
import { REPORT_JOB, reportJob } from './reports/server.job.ts';
import { PUBLISH_JOB, publishJob } from './studio/server.publishing.ts';

/** Who works jobs of which kind: what `startJob` names, besides the platform's own (`src/server/jobs/handlers.ts`). */
export const jobs: Record<string, JobHandler> = {
  [REPORT_JOB]: reportJob,
  [FEE_REPORT_JOB]: feeReportJob,
  [ORDER_JOB]: orderJob,
  [FIND_MANY_JOB]: findManyJob,
  [PUBLISH_JOB]: publishJob,
};
