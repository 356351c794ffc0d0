import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Model } from '#domain/definition/grammar.ts';
import type { Registers } from '#domain/definition/problems.ts';
import { CONNECT_MS } from '#server/db/pool.ts';
import { readLastPublish, readPublished } from '#server/definitions/published.ts';
import { readModel } from '#server/definitions/read.ts';

/** The NOTIFY channel of publishes. */
export const CHANNEL = 'reflow_definitions';
const RECONNECT_MS = 1_000;
/** Who missed a notice asks by itself. */
const ASK_MS = 1_500;

/** What is published, as this server holds it: a request takes it once and works by it to its end. */
export interface ModelHolder {
  current: Model;
}

interface Follower {
  close(): Promise<void>;
}

interface Followed {
  registers: Registers;
  holder: ModelHolder;
  /** The number of the last publish that the holder holds. */
  last: number;
  /** Told after the holder has it. */
  onModel: (model: Model) => void;
  onError: (error: unknown) => void;
}

/**
 * Keeps a server's model at what was published last: told at once by the database, and by asking where the telling was
 * missed, as after a connection that broke. A model that this version can't read is told and not taken: the server goes on
 * by what it has. Rule: definitions#publishing.
 */
export async function followDefinitions(
  url: string,
  { registers, holder, last: first, onModel, onError }: Followed,
): Promise<Follower> {
  const stopping = new AbortController();
  let client: pg.Client | undefined;
  let held = first;
  let turn = Promise.resolve();

  const read = async () => {
    if (!client || stopping.signal.aborted) return;
    if ((await readLastPublish(client)) === held) return;
    const { changes, last } = await readPublished(client);
    held = last;
    holder.current = readModel(registers, changes);
    onModel(holder.current);
  };
  const refresh = () => (turn = turn.then(read).catch(onError));

  const connect = async () => {
    const next = new pg.Client({
      ...{ connectionString: url, application_name: 'reflow definitions' },
      ...{ keepAlive: true, connectionTimeoutMillis: CONNECT_MS },
    });
    next.on('notification', () => void refresh());
    next.on('error', () => undefined);
    try {
      await next.connect();
      await next.query(`LISTEN ${CHANNEL}`);
    } catch (error) {
      void next.end().catch(() => undefined);
      throw error;
    }
    next.once('end', () => void reconnect());
    client = next;
    await refresh();
  };
  const reconnect = async () => {
    client = undefined;
    while (!stopping.signal.aborted) {
      try {
        return await connect();
      } catch (error) {
        onError(error);
        await delay(RECONNECT_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  };
  await connect();
  const asking = setInterval(() => void refresh(), ASK_MS).unref();
  return {
    close: async () => {
      stopping.abort();
      clearInterval(asking);
      await turn;
      await client?.end();
    },
  };
}
