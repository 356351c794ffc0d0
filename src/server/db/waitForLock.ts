import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';

const AGAIN_MS = 50;

/** How long a lock is held: until the connection ends, or until its transaction does. */
type Until = 'session' | 'transaction';

const TRY: Readonly<Record<Until, string>> = {
  session: 'pg_try_advisory_lock',
  transaction: 'pg_try_advisory_xact_lock',
};

/**
 * Waits for an advisory lock that its holder may keep for long, and asks for it again and again: a statement that waits in
 * the database holds a snapshot, and who builds an index beside others waits for every snapshot before it ends. Where that
 * is the holder of this lock, both would wait for ever, and the database would see no circle.
 * @param key one number, or two
 * @param ms for how long it is asked for; without it, for ever
 * @returns whether it was given
 */
export async function waitForLock(
  client: Pick<pg.ClientBase, 'query'>,
  key: number | readonly [number, number],
  { until = 'session', signal, ms = Infinity }: { until?: Until; signal?: AbortSignal; ms?: number } = {},
): Promise<boolean> {
  const keys = [key].flat();
  const args = keys.length === 1 ? '$1::bigint' : '$1::int, $2::int';
  const end = performance.now() + ms;
  for (;;) {
    signal?.throwIfAborted();
    const { rows } = await client.query<{ taken: boolean }>(`SELECT ${TRY[until]}(${args}) AS taken`, keys);
    if (rows[0]?.taken) return true;
    if (performance.now() >= end) return false;
    // What ends it is told by the next look at the signal, with its reason.
    await delay(AGAIN_MS, undefined, signal && { signal }).catch(() => undefined);
  }
}
