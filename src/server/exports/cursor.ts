import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Tables } from '#server/db/tables.ts';
import type { Row } from '#server/engine/rows.ts';

/** As many rows are fetched at a time; twice as many stand in memory. */
const BATCH = 1000;

/** As long queries want it: they sort and join much at once, and compiling them costs more seconds than it saves. */
const forLong = { work_mem: '64MB', jit: 'off' };
/** All rows are wanted, not the first ones soon. */
const forAll = { ...forLong, cursor_tuple_fraction: '1' };

/** Reads as everything stood at one moment, under settings that end with it. */
export const atOneMoment = <T>(
  db: Kysely<Tables>,
  read: (trx: Kysely<Tables>) => Promise<T>,
  settings: Readonly<Record<string, string>> = forLong,
): Promise<T> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      // Each question to the database costs as much as a small report.
      const all = Object.entries(settings).map(([name, value]) => sql`set_config(${name}, ${value}, true)`);
      await sql`SELECT ${sql.join(all)}`.execute(trx);
      return read(trx);
    });

/**
 * Reads a query's rows in batches through a cursor on the server, all as they stood at one moment, and gives them to
 * `work` while they come: memory does not grow with their number, and a row that is written meanwhile neither appears
 * twice nor is skipped.
 */
export function withRows<T>(
  db: Kysely<Tables>,
  query: RawBuilder<Row>,
  work: (batches: AsyncIterable<Row[]>) => Promise<T>,
): Promise<T> {
  const reading = async (trx: Kysely<Tables>) => {
    await sql`DECLARE exported NO SCROLL CURSOR FOR ${query}`.execute(trx);
    const fetch = sql<Row>`FETCH ${sql.lit(BATCH)} FROM exported`.compile(trx);
    const fetchNext = () => {
      const fetched = trx.executeQuery(fetch);
      // Whoever asks for the batch sees the error.
      fetched.catch(() => undefined);
      return fetched;
    };
    // The database works on the first batch at once, and on each next one while the one before it is worked on.
    let next = fetchNext();
    async function* read(): AsyncGenerator<Row[]> {
      for (;;) {
        const { rows } = await next;
        if (rows.length === BATCH) next = fetchNext();
        if (rows.length > 0) yield rows;
        if (rows.length < BATCH) return;
      }
    }
    try {
      return await work(read());
    } finally {
      // The transaction ends on the same connection.
      await next.catch(() => undefined);
    }
  };
  return atOneMoment(db, reading, forAll);
}
