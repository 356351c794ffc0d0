import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { basename } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { Model } from '#domain/definition/grammar.ts';
import type { Config } from '#server/config.ts';
import { openNumbers } from '#server/db/numbers.ts';
import { openDatabase } from '#server/db/pool.ts';
import { createHolder, takeModel } from '#server/definitions/follow.ts';
import { registersOf } from '#server/definitions/registers.ts';
import { openDefinitions } from '#server/definitions/service.ts';
import type { Features } from '#server/features.ts';
import { jobHandlersOf } from '#server/jobs/handlers.ts';
import type { JobDeps } from '#server/jobs/run.ts';
import { startWorker } from '#server/jobs/worker.ts';

/** What the server hands to the thread that works its jobs. */
export interface ThreadData {
  url: string;
  config: Config;
  model: Model;
  /** The number of the last publish that the model holds. */
  last: number;
  /** The server's own. */
  number: number;
}
export type ToThread = { stop: true } | Pick<ThreadData, 'model' | 'last'>;
export type FromThread = { ready: true } | { stopped: true } | { failed: string; what: string };

/** An export reads a million rows; no call of the API may take so long. */
const STATEMENT_MS = 10 * 60_000;
/** A job may wait for locks; nobody waits for the job. */
const LOCK_MS = 60_000;

/** Where a thread may have a priority of its own, on Linux, who scans goes first when there are too few cores. */
function letCallsGoFirst(): void {
  try {
    const thread = Number(basename(readlinkSync('/proc/thread-self')));
    setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It is as quick as before, and so is everybody else.
  }
}

/** The thread: jobs are worked beside the calls, so that no scan waits for a workbook. */
export async function workJobs(features: Features): Promise<void> {
  letCallsGoFirst();
  const { url, config, model, last, number } = workerData as ThreadData;
  const holder = createHolder(model, last);
  const post = (message: FromThread) => parentPort?.postMessage(message);
  const database = openDatabase(url, config.timeZone, {
    size: config.connections.jobs,
    searchSize: config.connections.searches,
    statementMs: STATEMENT_MS,
    searchMs: config.searchMs,
    lockMs: LOCK_MS,
    patience: config.patience,
  });
  const numbers = openNumbers(url, config.timeZone, config.patience);
  const deps: JobDeps = {
    database,
    numbers,
    config,
    model: holder,
    definitions: openDefinitions(url, { pool: database.pool, registers: registersOf(features), holder }),
    handlers: jobHandlersOf(features),
    hooks: features.hooks,
    onError: (error, what) =>
      post({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error), what }),
  };
  const worker = await startWorker(url, deps, number);
  parentPort?.on('message', (message: ToThread) => {
    // What it published itself it holds already.
    if ('model' in message) takeModel(holder, message.model, message.last);
    else void stop();
  });
  const stop = async () => {
    await worker.stop();
    await numbers.close();
    await database.close();
    post({ stopped: true });
    parentPort?.close();
  };
  post({ ready: true });
}
