import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { untilUnlocked, type Waiting } from '#server/db/lockPatience.ts';
import { quoted } from '#server/db/quoted.ts';

/** So many rows at once: whoever writes one of them waits about as long as for a colleague. */
const BATCH = 1_000;

/**
 * A migration `NNNN_what.beside.sql` fills rows that are there. It is one UPDATE of one table of the rows with an id from `$1` to
 * `$2`, and does nothing to a row that it has done: a start that was broken off does it anew.
 */
export const isBackfill = (name: string): boolean => name.endsWith('.beside.sql');

/** The table that a backfill fills. */
export function backfilledTable(sql: string): string {
  const [, name] = /^\s*UPDATE\s+("[^"]+"|[a-z_]\w*)/i.exec(sql.replaceAll(/--.*$/gm, '')) ?? [];
  if (!name) throw new Error('A backfill is one UPDATE of one table');
  return name.startsWith('"') ? name.slice(1, -1) : name.toLowerCase();
}

/** All rows in one statement, where nobody works on them or everybody waits anyway. */
export async function backfillAtOnce(client: pg.ClientBase, sql: string): Promise<void> {
  if (await hasRows(client, backfilledTable(sql))) await client.query(sql, [MIN_ID, MAX_ID]);
}

/** The database counts in eight bytes. */
const MIN_ID = '-9223372036854775808';
const MAX_ID = '9223372036854775807';

/**
 * Batch after batch beside whoever writes, each a transaction of its own, with a pause as long as each took. Rule:
 * operating#beside.
 */
export async function backfillBeside(url: string, client: pg.ClientBase, sql: string, waiting: Waiting): Promise<void> {
  const table = backfilledTable(sql);
  if (!(await hasRows(client, table))) return;
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

/** A new database has no tables of definitions yet. */
async function hasRows(client: pg.ClientBase, table: string): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>('SELECT to_regclass($1) IS NOT NULL AS there', [
    quoted(table),
  ]);
  return rows[0]?.there === true;
}
