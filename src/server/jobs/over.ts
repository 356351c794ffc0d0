import { EventEmitter, once } from 'node:events';
import { BroadcastChannel } from 'node:worker_threads';

/** Between the threads of one server: the one that works jobs, and the one that answers the calls that wait for them. */
export const CHANNEL = 'reflow_job_over';

const channel = new BroadcastChannel(CHANNEL);
const heard = new EventEmitter().setMaxListeners(0);
channel.onmessage = (message) => void heard.emit(String((message as { data: unknown }).data));
// A server that has nothing else to do ends.
channel.unref();

/** Tells the calls of this server that the job is done or has failed; after that is committed. Rule: exports-and-jobs#waiting. */
export function announceOver(id: number): void {
  heard.emit(String(id));
  channel.postMessage(id);
}

/** Waits until that is announced of the job, or the signal gives up. What another server works is never announced here. */
export const untilOver = (id: number, signal: AbortSignal): Promise<unknown> =>
  once(heard, String(id), { signal }).catch(() => undefined);
