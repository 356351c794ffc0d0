import type { Writable } from 'node:stream';
import type pg from 'pg';
import type { Context } from '#server/context.ts';

/** A file that a job writes as a stream. It becomes visible, to the job's owner alone, when the job is done. */
interface JobFile {
  id: string;
  name: string;
  stream: Writable;
}

/** What a finished job leaves: counts to show, such as `{ rows: 100000 }`. Its file, if it opened one, comes along by itself. */
export type JobResult = Record<string, unknown>;

/** A job while it is worked on, as its handler sees it. */
export interface RunningJob {
  id: number;
  title: string;
  /** As the user who started it, in their language, with the sites and rights that they have now. */
  ctx: Context;
  /** What the attempt before this one kept by `step`; null at first. */
  checkpoint: unknown;
  /** Aborted when the user cancels, when the server stops, and when another worker has taken the job. */
  signal: AbortSignal;
  /** How far it is; written down at most twice a second. Throws when the job is not ours any more. */
  progress(done: number, total?: number): void;
  /** For the log: what happened that its result does not say. */
  report(what: string): void;
  /** One file a job; end the stream and wait for it before returning. */
  openFile(name: string, mime?: string): Promise<JobFile>;
  /**
   * A transaction of the job's own: it is rolled back when the job was cancelled or taken meanwhile, and it keeps
   * `checkpoint` together with what it wrote, so that a resumed job never does a step twice.
   */
  step<T>(work: (ctx: Context) => Promise<T>, checkpoint: unknown): Promise<T>;
  /** What `keepWritten` kept with a transaction that was committed before this attempt; null before that. */
  written: unknown;
  /**
   * In a transaction of the handler's own, which writes all that the job is for: keeps `written` with it, and throws where
   * the job was cancelled or taken meanwhile. From its commit on the job is not cancelled and its rights are not asked.
   */
  keepWritten(client: Pick<pg.ClientBase, 'query'>, written: unknown): Promise<void>;
  /** The last transaction: what it writes and the job's being done are kept together or not at all. */
  finish(work: (ctx: Context) => Promise<JobResult>): Promise<JobResult>;
}

/**
 * Who works jobs of a kind. A job whose worker died is given to `run` again, so what it writes goes through `step`,
 * `keepWritten` or `finish`; a file needs no care. A Refusal fails the job with its sentence; anything else is tried again, a few times.
 */
export interface JobHandler {
  run(input: unknown, job: RunningJob): Promise<JobResult>;
}

/** Joins a handler with the type of its input, which only the same feature's `startJob` makes. */
export const jobHandler = <Input>(run: (input: Input, job: RunningJob) => Promise<JobResult>): JobHandler => ({
  run: (input, job) => run(input as Input, job),
});

/** How often a job is taken up before it counts as failed. */
export const MAX_ATTEMPTS = 5;
/** How long a job's file can be fetched. Rule: exports-and-jobs#files. */
export const KEPT_DAYS = 7;
