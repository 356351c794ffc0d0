import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { CONNECT_MS, DatabaseClient } from '#server/db/client.ts';

const RECONNECT_MS = 500;

interface Line {
  /** How the database names the connection. */
  name: string;
  /** What is asked on each new connection before it counts, such as `LISTEN …`. */
  open: (client: pg.Client) => Promise<unknown>;
  /** A notice came. */
  onMessage: (payload: string) => void;
  /** The line is there, for the first time or again: notices may have been missed. */
  onOpen: (client: pg.Client) => void | Promise<void>;
  onError: (error: unknown) => void;
  stopping: AbortSignal;
}

/** One connection that hears the database's notices; opened again when it breaks, until it is stopped. */
export async function openLine(
  url: string,
  { name, open, onMessage, onOpen, onError, stopping }: Line,
): Promise<{ close(): Promise<void> }> {
  let client: pg.Client | undefined;
  const connect = async () => {
    const next = new DatabaseClient({
      ...{ connectionString: url, application_name: name },
      ...{ keepAlive: true, connectionTimeoutMillis: CONNECT_MS },
    });
    next.on('notification', (it) => onMessage(it.payload ?? ''));
    next.on('error', () => undefined);
    let hasEnded = false;
    next.once('end', () => {
      hasEnded = true;
      if (client === next) void reconnect();
    });
    try {
      await next.connect();
      await open(next);
      // It may end while it is opened, and `open` not notice.
      if (hasEnded) throw new Error(`Connection terminated while it was opened: ${name}`);
    } catch (error) {
      void next.end().catch(() => undefined);
      throw error;
    }
    client = next;
    await onOpen(next);
  };
  const reconnect = async () => {
    client = undefined;
    while (!stopping.aborted) {
      try {
        return await connect();
      } catch (error) {
        onError(error);
        await delay(RECONNECT_MS, undefined, { signal: stopping }).catch(() => undefined);
      }
    }
  };
  await connect();
  return { close: async () => void (await client?.end()) };
}
