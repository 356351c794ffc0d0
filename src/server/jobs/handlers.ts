import { jobs as featureJobs } from '#features/jobs.ts';
import { IMPORT_JOB, importJob } from '#server/imports/job.ts';
import type { JobHandler } from '#server/jobs/job.ts';

/** Every kind of job: the platform's own and the features'. */
export const jobHandlers: Readonly<Record<string, JobHandler>> = { [IMPORT_JOB]: importJob, ...featureJobs };
