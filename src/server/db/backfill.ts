import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { hasTable } from '#server/db/hasTable.ts';
import { untilUnlocked, type Waiting } from '#server/db/lockPatience.ts';
import { quoted } from '#server/db/quoted.ts';

/** So many rows at once: whoever writes one of them waits about as long as for a colleague. */
const BATCH = 1_000;

/**
 * A migration `NNNN_what.beside.sql` is no transaction: it is one UPDATE of one table of the rows with an id from `$1` to `$2`, which
 * does nothing to a row that it has done, or one `CREATE INDEX CONCURRENTLY`. A start that was broken off does it anew.
 */
export const isOutOfTransaction = (name: string): boolean => name.endsWith('.beside.sql');

const INDEX = /^\s*CREATE\s+(?:UNIQUE\s+)?INDEX\s+CONCURRENTLY\s+("[^"]+"|[a-z_]\w*)\s+ON\s+("[^"]+"|[a-z_]\w*)/i;
const UPDATE = /^\s*UPDATE\s+("[^"]+"|[a-z_]\w*)/i;

/** What one says: the table, and the name of the index that it builds, if it does. */
export function readBeside(sql: string): { table: string; index?: string } {
  const text = sql.replaceAll(/--.*$/gm, '');
  const [, index, indexed] = INDEX.exec(text) ?? [];
  if (index && indexed) return { table: plain(indexed), index: plain(index) };
  const [, table] = UPDATE.exec(text) ?? [];
  if (!table) throw new Error('What goes beside is one UPDATE of one table, or one CREATE INDEX CONCURRENTLY');
  return { table: plain(table) };
}

const plain = (name: string): string => (name.startsWith('"') ? name.slice(1, -1) : name.toLowerCase());

/** All of it in one statement, where nobody works or everybody waits anyway. */
export async function doAtOnce(client: pg.ClientBase, sql: string): Promise<void> {
  const { table, index } = readBeside(sql);
  if (!(await hasTable(client, table))) return;
  if (index) await client.query(sql.replace(/\bconcurrently\b/i, ''));
  else await client.query(sql, [MIN_ID, MAX_ID]);
}

/** The database counts in eight bytes. */
const MIN_ID = '-9223372036854775808';
const MAX_ID = '9223372036854775807';

/**
 * Batch after batch beside whoever writes, each a transaction of its own, with a pause as long as each took. Rule:
 * operating#beside.
 */
export async function backfillBeside(url: string, client: pg.ClientBase, sql: string, waiting: Waiting): Promise<void> {
  const { table } = readBeside(sql);
  for (let from = MIN_ID; ;) {
    const began = performance.now();
    const { rows } = await client.query<{ to: string | null }>(
      `SELECT max(id)::text AS to FROM (SELECT id FROM ${quoted(table)} WHERE id > $1 ORDER BY id LIMIT ${BATCH}) AS batch`,
      [from],
    );
    const to = rows[0]?.to;
    if (to == null) return;
    const first = String(BigInt(from) + 1n);
    await untilUnlocked(url, client, () => client.query(sql, [first, to]), waiting);
    from = to;
    await delay(performance.now() - began);
  }
}
