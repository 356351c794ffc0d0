import { jobs as featureJobs } from '#features/jobs.ts';
import { LIST_EXPORT, listExport } from '#server/exports/listExport.ts';
import { RECORD_EXPORT, recordExport } from '#server/exports/recordExport.ts';
import { IMPORT_JOB, importJob } from '#server/imports/job.ts';
import type { JobHandler } from '#server/jobs/job.ts';

/** Every kind of job: the platform's own and the features'. */
export const jobHandlers: Readonly<Record<string, JobHandler>> = {
  [LIST_EXPORT]: listExport,
  [RECORD_EXPORT]: recordExport,
  [IMPORT_JOB]: importJob,
  ...featureJobs,
};
