import { EventEmitter, once } from 'node:events';
import { BroadcastChannel } from 'node:worker_threads';

export const OVER = 'reflow: job over';

/**
 * Within one server the thread that works jobs tells the calls that wait for them when one is over; of a job that
 * another server works they hear nothing, and ask the database.
 */
const channel = new BroadcastChannel(OVER);
const heard = new EventEmitter().setMaxListeners(0);
channel.onmessage = (message) => void heard.emit(String((message as { data: unknown }).data));
// A server that has nothing else to do ends.
channel.unref();

export function tellOver(id: number): void {
  heard.emit(String(id));
  channel.postMessage(id);
}

/** Until the job is over, or the signal gives up. */
export const hearOver = (id: number, signal: AbortSignal): Promise<unknown> =>
  once(heard, String(id), { signal }).catch(() => undefined);
