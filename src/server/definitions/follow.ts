import type pg from 'pg';
import type { Model } from '#domain/definition/grammar.ts';
import type { Registers } from '#domain/definition/problems.ts';
import { openLine } from '#server/db/line.ts';
import { readLastPublish, readPublished } from '#server/definitions/published.ts';
import { readModel } from '#server/definitions/read.ts';

/** The NOTIFY channel of publishes. */
export const CHANNEL = 'reflow_definitions';
/** Who missed a notice asks by itself. */
const ASK_MS = 1_500;

/** What is published, as this server holds it: a request takes it once and works by it to its end. */
export interface ModelHolder {
  current: Model;
  /** The number of the last publish that it holds. */
  last: number;
  /** Told of each later publish after the holder has it. */
  readonly listeners: Set<() => void>;
}

/** By which publish a model came. */
const publishes = new WeakMap<Model, number>();

/** The number of the publish by which a model came; 0 for one that is only shipped. */
export const publishOf = (model: Model): number => publishes.get(model) ?? 0;

export const createHolder = (current: Model, last = 0): ModelHolder => {
  publishes.set(current, last);
  return { current, last, listeners: new Set() };
};

interface Follower {
  close(): Promise<void>;
}

interface Followed {
  registers: Registers;
  holder: ModelHolder;
  /** Told after the holder has it. */
  onModel: (model: Model, last: number) => void;
  onError: (error: unknown) => void;
}

/** What was published later stays, whoever tells of it first. */
export function takeModel(holder: ModelHolder, model: Model, last: number): void {
  if (last < holder.last) return;
  const isNews = last > holder.last;
  publishes.set(model, last);
  holder.current = model;
  holder.last = last;
  if (isNews) for (const tell of holder.listeners) tell();
}

/**
 * Keeps a server's model at what was published last: told at once by the database, and by asking where the telling was
 * missed, as after a connection that broke. A model that this version can't read is told and not taken: the server goes on
 * by what it has. Rule: definitions#publishing.
 */
export async function followDefinitions(
  url: string,
  { registers, holder, onModel, onError }: Followed,
): Promise<Follower> {
  const stopping = new AbortController();
  let client: pg.Client | undefined;
  let held = holder.last;
  let turn = Promise.resolve();

  const read = async () => {
    if (!client || stopping.signal.aborted) return;
    if ((await readLastPublish(client)) === held) return;
    const { changes, last } = await readPublished(client);
    held = last;
    // What this server has published itself it holds already.
    const model = holder.last === last ? holder.current : readModel(registers, changes);
    takeModel(holder, model, last);
    onModel(model, last);
  };
  const refresh = () => (turn = turn.then(read).catch(onError));

  const line = await openLine(url, {
    name: 'reflow definitions',
    open: (next) => next.query(`LISTEN ${CHANNEL}`),
    onMessage: () => void refresh(),
    onOpen: (next) => {
      client = next;
      return refresh();
    },
    onError,
    stopping: stopping.signal,
  });
  const asking = setInterval(() => void refresh(), ASK_MS).unref();
  return {
    close: async () => {
      stopping.abort();
      clearInterval(asking);
      await turn;
      await line.close();
    },
  };
}
