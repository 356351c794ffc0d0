import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import type { Model } from '#domain/definition/grammar.ts';
import { publishStepsOf } from '#domain/publishing.ts';
import { DatabaseClient } from '#server/db/client.ts';
import { giveWay } from '#server/db/giveWay.ts';
import { runUnderLoad } from '#server/definitions/constraints.ts';
import type { Orderer } from '#server/definitions/definitions.ts';
import { telling } from '#server/definitions/tables.ts';

/** What is built before a publish is written, beside whoever writes. Rule: definitions#publishing. */
export interface Ahead {
  model: Model;
  /** Indexes of tables that are there, and the columns that they need. */
  ahead: string[];
}

const TRIES = 40;
const AGAIN_MS = 100;

/**
 * An index is sorted in memory and logged in less, so that who writes waits less for the disk. What the database doesn't let
 * its user set, or doesn't know, stays as it is.
 */
const QUIETLY = [
  'SET max_parallel_maintenance_workers = 0',
  `SET maintenance_work_mem = '256MB'`,
  'SET wal_compression = on',
];

/** Of a statement that makes an index, its table. */
export const indexedTable = (statement: string): string | undefined =>
  /^CREATE (?:UNIQUE )?INDEX "[^"]+" ON "([^"]+)"/.exec(statement)?.[1];

const indexIn = (statement: string): string => /INDEX ("[^"]+")/.exec(statement)?.[1] ?? '';

/**
 * Adds the columns that indexes need, and builds the indexes beside whoever writes, by one process which goes behind
 * theirs, as people are at work; gives how many. `undo` is told of what takes each of them back.
 */
export async function buildAhead(
  client: pg.Client,
  url: string,
  { ahead, model }: Ahead,
  { signal, onStep }: Orderer,
  undo: string[],
): Promise<number> {
  const isColumn = (it: string) => it.startsWith('ALTER TABLE');
  const indexes = ahead.filter((it) => !isColumn(it));
  const { looked, all } = publishStepsOf(indexes.length);
  onStep(looked, all);
  for (const it of ahead.filter(isColumn)) {
    signal.throwIfAborted();
    await telling(it, model, () => runUnderLoad(client, it, TRIES));
    const [, table, column] = /^ALTER TABLE ("[^"]+") ADD COLUMN ("[^"]+")/.exec(it) ?? [];
    if (column) undo.push(`ALTER TABLE ${table} DROP COLUMN ${column}`);
  }
  const builder = await openBuilder(url);
  try {
    for (const [i, it] of indexes.entries()) {
      onStep(looked + i, all);
      if (!it.startsWith('DROP')) undo.push(`DROP INDEX IF EXISTS ${indexIn(it)}`);
      const build = () => builder.query(it.replace('INDEX', 'INDEX CONCURRENTLY'));
      await stoppable(url, builder, signal, () => telling(it, model, build));
    }
  } finally {
    await builder.end();
  }
  return indexes.length;
}

/** A connection that builds indexes by one process, which goes behind those of people. */
export async function openBuilder(url: string, name?: string): Promise<pg.Client> {
  const builder = openLong(url, name);
  await builder.connect();
  await giveWay(builder);
  for (const it of QUIETLY) await builder.query(it).catch(() => undefined);
  return builder;
}

/** A connection for statements that may last. */
export function openLong(url: string, name = 'reflow publish'): pg.Client {
  const client = new DatabaseClient({ connectionString: url, application_name: name });
  // A connection that ends between two questions: the next one says so.
  client.on('error', () => undefined);
  return client;
}

/** Does work on `client` that may last; the database breaks it off where nobody wants it any more. */
async function stoppable<T>(url: string, client: pg.Client, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  let isOver = false;
  const stop = () => void breakOff(url, rows[0]?.pid ?? 0, () => isOver).catch(() => undefined);
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    return await work();
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    isOver = true;
    signal.removeEventListener('abort', stop);
  }
}

/** Again and again: what was told before the statement had arrived said nothing to the database. */
async function breakOff(url: string, pid: number, isOver: () => boolean): Promise<void> {
  const client = openLong(url);
  await client.connect();
  try {
    while (!isOver()) {
      await client.query('SELECT pg_cancel_backend($1)', [pid]);
      await setTimeout(AGAIN_MS);
    }
  } finally {
    await client.end();
  }
}
