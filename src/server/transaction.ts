import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import { Refusal } from '#domain/refusal.ts';
import type { Tables } from '#server/db/tables.ts';

interface Repeatable {
  userId: string;
  route: string;
  /** The client's `Idempotency-Key`; without it the work is done and not protected. */
  key: string | undefined;
  input: unknown;
}

const RETRIED = new Set(['40001', '40P01']);
const LOCK_TIMEOUT = '55P03';

/**
 * Does the work in one transaction that also holds the idempotency key's row, so that key and work are kept together or
 * not at all. The same key again gives the first answer without doing anything; with another body it is refused
 * (100044); while the first is still running it waits up to 10 s for it, then 100045. Rule: writing#idempotency.
 */
export async function inTransaction<T>(
  db: Kysely<Tables>,
  repeatable: Repeatable,
  work: (db: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await once(db, repeatable, work);
    } catch (error) {
      const code = codeOf(error);
      if (!code || !RETRIED.has(code) || attempt === 3) throw error;
    }
  }
}

async function once<T>(
  db: Kysely<Tables>,
  { userId, route, key, input }: Repeatable,
  work: (db: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (trx) => {
    if (!key) return work(trx);

    const bodyHash = createHash('sha256').update(canonical(input)).digest();
    const claimed = await trx
      .insertInto('idempotency_key')
      .values({ userId, route, key, bodyHash })
      .onConflict((it) => it.doNothing())
      .returning('key')
      .executeTakeFirst()
      .catch((error: unknown) => {
        throw codeOf(error) === LOCK_TIMEOUT ? new Refusal({ key: 'stillRunning' }) : error;
      });
    const mine = () =>
      trx.selectFrom('idempotency_key').where('userId', '=', userId).where('route', '=', route).where('key', '=', key);
    if (!claimed) {
      const first = await mine().select(['bodyHash', 'answer']).executeTakeFirstOrThrow();
      if (!bodyHash.equals(first.bodyHash)) throw new Refusal({ key: 'keyReused' });
      return first.answer as T;
    }
    const answer = await work(trx);
    await trx
      .updateTable('idempotency_key')
      .set({ answer: JSON.stringify(answer ?? null) })
      .where('userId', '=', userId)
      .where('route', '=', route)
      .where('key', '=', key)
      .execute();
    return answer;
  });
}

/** The same text for the same input, whatever the order of its keys. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, it: unknown) =>
    it && typeof it === 'object' && !Array.isArray(it)
      ? Object.fromEntries(Object.entries(it).sort(([a], [b]) => (a < b ? -1 : 1)))
      : it,
  );
}

/** The SQLSTATE of an error that came from PostgreSQL. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
