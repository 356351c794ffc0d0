import { LIST_EXPORT, listExport } from '#server/exports/listExport.ts';
import { RECORD_EXPORT, recordExport } from '#server/exports/recordExport.ts';
import type { Features } from '#server/features.ts';
import { importersOf } from '#server/imports/importers.ts';
import { IMPORT_JOB, importJobOf } from '#server/imports/job.ts';
import type { JobHandler } from '#server/jobs/job.ts';

/** Every kind of job: the platform's own and the features'. */
export const jobHandlersOf = ({
  imports,
  jobs,
}: Pick<Features, 'imports' | 'jobs'>): Readonly<Record<string, JobHandler>> => ({
  [LIST_EXPORT]: listExport,
  [RECORD_EXPORT]: recordExport,
  [IMPORT_JOB]: importJobOf(importersOf(imports)),
  ...jobs,
});
