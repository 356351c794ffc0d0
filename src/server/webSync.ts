import { setTimeout as delay } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
import { WebSyncStatus } from '#domain/enums.ts';
import type { WebSync } from '#server/config.ts';
import type { Tables } from '#server/db/tables.ts';

const PAUSE_MS = 10_000;
const ANSWER_MS = 10_000;
/** An entry that was claimed by a server that stopped is free again after so long. */
const LEASE_MINUTES = 2;
/** The pauses grow from a minute to an hour; after the last one the entry has failed, and a user may queue it again. */
const MOST_ATTEMPTS = 12;

interface Entry {
  id: number;
  version: number;
  payload: string | null;
}

/**
 * Sends the entries that wait for the website and are due, each to the configured address; gives how many it tried. Any
 * number of servers may do so at the same time. An entry that was queued anew while it was on its way waits again.
 * Rule: parcels#website.
 */
export async function sendWaiting(db: Kysely<Tables>, to: WebSync, stopping?: AbortSignal): Promise<number> {
  let tried = 0;
  for (;;) {
    const entry = stopping?.aborted ? undefined : await takeNext(db);
    if (!entry) return tried;
    tried += 1;
    const error = await post(entry, to);
    await (error === null ? noteSent(db, entry) : noteFailure(db, entry, error));
  }
}

/** Sends what waits, until it is stopped; without a configured address it does nothing. */
export function startSending(db: Kysely<Tables>, to: WebSync | null, onError: (error: unknown) => void): () => void {
  const stopping = new AbortController();
  const work = async (address: WebSync) => {
    while (!stopping.signal.aborted) {
      await sendWaiting(db, address, stopping.signal).catch(onError);
      await delay(PAUSE_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    }
  };
  if (to) void work(to);
  return () => stopping.abort();
}

async function takeNext(db: Kysely<Tables>): Promise<Entry | undefined> {
  const { rows } = await sql<Entry>`
    UPDATE rma_web_sync AS w SET "retryTime" = now() + make_interval(mins => ${LEASE_MINUTES}::int)
     WHERE w.id = (SELECT id FROM rma_web_sync
                    WHERE status = ${sql.lit(WebSyncStatus.Queued)} AND ("retryTime" IS NULL OR "retryTime" <= now())
                    ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING w.id, w.version, w.payload`.execute(db);
  return rows[0];
}

/** Why it did not arrive; null when it did. The key lets the other side know a repeat. */
async function post({ id, version, payload }: Entry, { url, token }: WebSync): Promise<string | null> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': `${id}-${version}`,
        ...(token && { authorization: `Bearer ${token}` }),
      },
      body: payload ?? '{}',
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    await response.body?.cancel();
    return response.ok ? null : `HTTP ${response.status}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const noteSent = (db: Kysely<Tables>, { id, version }: Entry) =>
  sql`
    UPDATE rma_web_sync SET status = ${WebSyncStatus.Sent}, "sentTime" = now(),
           attempts = coalesce(attempts, 0) + 1, "retryTime" = NULL, error = NULL
     WHERE id = ${id} AND version = ${version}`.execute(db);

const noteFailure = (db: Kysely<Tables>, { id, version }: Entry, error: string) =>
  sql`
    UPDATE rma_web_sync
       SET attempts = coalesce(attempts, 0) + 1, error = ${error.slice(0, 500)},
           status = CASE WHEN coalesce(attempts, 0) + 1 >= ${MOST_ATTEMPTS}::int THEN ${WebSyncStatus.Failed}
                         ELSE ${WebSyncStatus.Queued} END,
           "retryTime" = CASE WHEN coalesce(attempts, 0) + 1 < ${MOST_ATTEMPTS}::int
                              THEN now() + make_interval(mins => least(2 ^ coalesce(attempts, 0), 60)::int) END
     WHERE id = ${id} AND version = ${version}`.execute(db);
