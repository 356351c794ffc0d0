import { CHANNEL, openBoss, QUEUE, type Message } from '#server/jobs/boss.ts';
import { expireJobs } from '#server/jobs/expiry.ts';
import { openLine } from '#server/db/line.ts';
import { waitForLock } from '#server/db/waitForLock.ts';
import {
  MARKED_SPACE,
  markFolder,
  namesFiles,
  newServerNumber,
  tidyMarks,
  unmarkFolder,
} from '#server/uploads/sharedFolder.ts';
import { claimJob, runJob, type JobDeps } from '#server/jobs/run.ts';
import { LOCK_SPACE, sweep } from '#server/jobs/sweep.ts';

interface JobWorker {
  /** Ends running jobs where they are, to be taken up by another worker or after the next start. */
  stop(): Promise<void>;
}

/** How many jobs a server works at the same time; a user has one. Rule: exports-and-jobs#jobs. */
const AT_ONCE = 2;
export const SWEEP_MS = 10_000;
/** pg-boss asks this often where no message came through the channel. */
const POLL_SECONDS = 2;

/**
 * Works jobs until it is stopped. While it lives it holds an advisory lock of its number on the connection that also
 * hears of work: when its process dies, the lock goes with the connection, and any other worker, or itself after a
 * restart, sees at once which jobs are nobody's. Rule: exports-and-jobs#jobs.
 */
export async function startWorker(url: string, deps: JobDeps, number = newServerNumber()): Promise<JobWorker> {
  const stopping = new AbortController();
  const running = new Map<number, AbortController>();
  const active = new Set<Promise<void>>();
  const { boss, close: closeBoss } = openBoss(url);
  // Its pool says it is closed before its connections are: one that the database ends then is nobody's trouble.
  boss.on('error', (error) => stopping.signal.aborted || deps.onError(error, 'pg-boss'));

  const workNext = async (userId: string) => {
    const row = stopping.signal.aborted ? null : await claimJob(deps, userId, number);
    if (!row) return;
    const cancelling = new AbortController();
    running.set(row.id, cancelling);
    const work = runJob(deps, row, AbortSignal.any([stopping.signal, cancelling.signal]));
    active.add(work);
    await work.finally(() => {
      running.delete(row.id);
      active.delete(work);
    });
  };

  const onFolder = (error: unknown) => deps.onError(error, 'marking the folder of files');
  /** Whether the others look for the mark. */
  let isMarked = false;
  let renewing: Promise<unknown> | undefined;
  // Others may have taken it away, or another disk lie over it. A disk that doesn't answer is not asked again meanwhile.
  const renewMark = () => {
    if (!isMarked) return;
    renewing ??= markFolder(deps.config, number, false)
      .catch(onFolder)
      .finally(() => (renewing = undefined));
  };

  let workers: string[] = [];
  const onMessage = (payload: string) => {
    if (payload === 'start') for (const it of workers) boss.notifyWorker(it);
    else if (payload.startsWith('cancel ')) running.get(Number(payload.slice(7)))?.abort(new Error('cancelled'));
  };
  // The connection that holds the lock and hears.
  const line = await openLine(url, {
    name: 'reflow jobs',
    open: async (client) => {
      await waitForLock(client, [LOCK_SPACE, number], { signal: stopping.signal });
      await client.query(`LISTEN ${CHANNEL}`);
      const mayMake = !(await namesFiles(client));
      // Who can't leave its mark works all the same; only nobody looks for it.
      isMarked = await markFolder(deps.config, number, mayMake).catch((error: unknown) => {
        onFolder(error);
        return false;
      });
      if (isMarked) await waitForLock(client, [MARKED_SPACE, number], { signal: stopping.signal });
    },
    onMessage,
    onOpen: () => onMessage('start'),
    onError: (error) => deps.onError(error, 'job channel'),
    stopping: stopping.signal,
  });
  if (isMarked) await tidyMarks(deps.database.pool, deps.config).catch(onFolder);
  await boss.start();
  for (let slot = 0; slot < AT_ONCE; slot++) {
    const options = { batchSize: 1, pollingIntervalSeconds: POLL_SECONDS };
    const id = await boss.work<Message>(QUEUE, options, async ([message]) => {
      if (message) await workNext(message.data.userId);
    });
    workers = [...workers, id];
  }
  const sweepNow = () =>
    sweep(deps, number, [...running.keys()])
      .then(() => expireJobs(deps))
      .catch((error: unknown) => deps.onError(error, 'sweeping jobs'));
  await sweepNow();
  const timer = setInterval(() => {
    renewMark();
    void sweepNow();
  }, SWEEP_MS);

  return {
    stop: async () => {
      clearInterval(timer);
      stopping.abort(new Error('stopping'));
      await Promise.allSettled(active);
      await boss.stop({ graceful: false });
      await closeBoss();
      await line.close();
      await renewing;
      // Nobody looks for the mark any more.
      await unmarkFolder(deps.config, number).catch(onFolder);
    },
  };
}
