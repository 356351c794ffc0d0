import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Model } from '#domain/definition/grammar.ts';
import type { FromThread, ThreadData, ToThread } from '#server/jobs/thread.ts';

interface JobThread {
  /** The thread works by a published change from now on. */
  useModel(model: Model, last: number): void;
  stop(): Promise<void>;
}

const START_AGAIN_MS = 5_000;
const STOP_MS = 8_000;
/** A job that needs more is ended, and the server lives. */
const MEMORY_MB = 512;

/** Starts the thread that runs jobs, and starts it again when a job ends it. */
export function startJobThread(data: ThreadData, onError: (error: unknown, what: string) => void): JobThread {
  let isStopping = false;
  let { model, last } = data;
  let thread: Worker | null = null;
  let again: NodeJS.Timeout | undefined;

  const start = () => {
    const it = new Worker(fileOfThread(), {
      workerData: { ...data, model, last } satisfies ThreadData,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    });
    thread = it;
    it.on('message', (message: FromThread) => {
      if ('failed' in message) onError(message.failed, message.what);
    });
    it.on('error', (error) => onError(error, 'the thread of the jobs'));
    it.on('exit', () => {
      thread = null;
      if (!isStopping) again = setTimeout(start, START_AGAIN_MS);
    });
  };
  start();

  return {
    useModel: (...changed) => {
      [model, last] = changed;
      thread?.postMessage({ model, last } satisfies ToThread);
    },
    stop: async () => {
      isStopping = true;
      clearTimeout(again);
      const it = thread;
      if (!it) return;
      const ended = new Promise<void>((done) => it.once('exit', () => done()));
      it.postMessage({ stop: true } satisfies ToThread);
      const forced = setTimeout(() => void it.terminate(), STOP_MS);
      await ended;
      clearTimeout(forced);
    },
  };
}

/** It lies beside the server's own file: `main.js` and `main.jobs.js`. */
const fileOfThread = (): string => fileURLToPath(import.meta.url).replace(/\.js$/, '.jobs.js');
