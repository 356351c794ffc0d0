import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { CHANNEL, openBoss, QUEUE, type Message } from '#server/jobs/boss.ts';
import { expireJobs } from '#server/jobs/expiry.ts';
import { CONNECT_MS } from '#server/db/pool.ts';
import { claimJob, runJob, type JobDeps } from '#server/jobs/run.ts';
import { LOCK_SPACE, sweep } from '#server/jobs/sweep.ts';

interface JobWorker {
  /** Ends running jobs where they are, to be taken up by another worker or after the next start. */
  stop(): Promise<void>;
}

/** How many jobs a server works at the same time; a user has one. Rule: exports-and-jobs#jobs. */
const AT_ONCE = 2;
const SWEEP_MS = 10_000;
const RECONNECT_MS = 500;
/** pg-boss asks this often where no message came through the channel. */
const POLL_SECONDS = 2;

/**
 * Works jobs until it is stopped. While it lives it holds an advisory lock of its number on the connection that also
 * hears of work: when its process dies, the lock goes with the connection, and any other worker, or itself after a
 * restart, sees at once which jobs are nobody's. Rule: exports-and-jobs#jobs.
 */
export async function startWorker(url: string, deps: JobDeps): Promise<JobWorker> {
  const number = randomInt(1, 2 ** 31 - 1);
  const stopping = new AbortController();
  const running = new Map<number, AbortController>();
  const active = new Set<Promise<void>>();
  const boss = openBoss(url);
  boss.on('error', (error) => deps.onError(error, 'pg-boss'));

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

  let workers: string[] = [];
  const onMessage = (payload: string) => {
    if (payload === 'start') for (const it of workers) boss.notifyWorker(it);
    else if (payload.startsWith('cancel ')) running.get(Number(payload.slice(7)))?.abort(new Error('cancelled'));
  };
  const line = await openLine(url, number, onMessage, stopping.signal, (error) => deps.onError(error, 'job channel'));
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
  const timer = setInterval(() => void sweepNow(), SWEEP_MS);

  return {
    stop: async () => {
      clearInterval(timer);
      stopping.abort(new Error('stopping'));
      await Promise.allSettled(active);
      await boss.stop({ graceful: false });
      await line.close();
    },
  };
}

/** The connection that holds the lock and hears; opened again when it breaks. */
async function openLine(
  url: string,
  number: number,
  onMessage: (payload: string) => void,
  stopping: AbortSignal,
  onError: (error: unknown) => void,
): Promise<{ close(): Promise<void> }> {
  let client: pg.Client | null = null;
  const connect = async () => {
    const next = new pg.Client({
      connectionString: url,
      application_name: 'reflow jobs',
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_MS,
    });
    next.on('notification', (it) => onMessage(it.payload ?? ''));
    next.on('error', () => undefined);
    try {
      await next.connect();
      await next.query('SELECT pg_advisory_lock($1::int, $2::int)', [LOCK_SPACE, number]);
      await next.query(`LISTEN ${CHANNEL}`);
    } catch (error) {
      void next.end().catch(() => undefined);
      throw error;
    }
    next.once('end', () => void reconnect());
    client = next;
    onMessage('start');
  };
  const reconnect = async () => {
    client = null;
    while (!stopping.aborted) {
      try {
        await connect();
        return;
      } catch (error) {
        onError(error);
        await delay(RECONNECT_MS, undefined, { signal: stopping }).catch(() => undefined);
      }
    }
  };
  await connect();
  return { close: async () => void (await client?.end()) };
}
