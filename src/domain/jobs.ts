import { Type, type Static } from 'typebox';
import { lookup, submit } from '#domain/call.ts';
import { restList } from '#domain/restList.ts';
import { Nullable, RowId } from '#domain/wire.ts';

export const jobStates = ['queued', 'running', 'done', 'failed', 'cancelled', 'expired'] as const;
export type JobState = (typeof jobStates)[number];
export const isOver = (state: JobState): boolean => state !== 'queued' && state !== 'running';

export const StateOfJob = Type.Unsafe<JobState>({ type: 'string', enum: [...jobStates] });

/** A job as its owner sees it: an export, an import, a report, a publish. Rule: exports-and-jobs#progress. */
const JobView = Type.Object({
  id: RowId,
  kind: Type.String(),
  title: Type.String(),
  module: Type.String(),
  userId: Type.String(),
  siteId: Type.String(),
  state: StateOfJob,
  progress: Type.Integer(),
  total: Nullable(Type.Integer()),
  createdAt: Type.Integer(),
  finishedAt: Nullable(Type.Integer()),
  expiresAt: Nullable(Type.Integer()),
  /** `/file/{id}` of a finished job that has a file. */
  path: Nullable(Type.String()),
  /** What the handler counted, such as `rows`; of a file also `file` (its name) and `size`; of a refusal what it carries. */
  result: Type.Record(Type.String(), Type.Unknown()),
  /** Why it failed, in the user's language; empty otherwise. */
  msg: Type.String(),
});

const OWN_JOBS = 'Jobs of the user alone; those of others need rmaReportDownload:all';

/** The user's latest jobs, the newest first. */
export const listJobs = lookup({
  path: '/rest/jobs',
  right: 'signedIn',
  why: OWN_JOBS,
  input: restList('createdAt'),
  data: Type.Object({ items: Type.Array(JobView), total: Type.Integer() }),
});

export const readJob = lookup({
  path: '/rest/jobs/:id',
  right: 'signedIn',
  why: OWN_JOBS,
  input: Type.Object({ id: RowId }),
  data: JobView,
});

/** Ends a waiting or running job; of one that is over, or has written what it is for, nothing changes. */
export const cancelJob = submit({
  path: '/rest/jobs/:id/cancel',
  right: 'signedIn',
  why: OWN_JOBS,
  input: Type.Object({ id: RowId }),
  data: JobView,
});

export type Job = Static<typeof JobView>;

/** The file of a job; without one the answer is '000007' and says why. Rule: exports-and-jobs#files. */
export const downloadJob = lookup({
  path: '/api/rmaReportDownload/download.json',
  right: 'rmaReportDownload:download',
  input: Type.Object({ id: RowId }),
  data: Type.Unknown(),
});
