import { chunksOf } from '#domain/group.ts';

/** PostgreSQL takes 65,535 values a statement, and a bill may have 10,000 units: all at once they are too many. */
const ROWS_A_STATEMENT = 1000;

/** Writes many rows, some with each statement; none where there are none. */
export async function insertAll<Row>(
  rows: readonly Row[],
  insert: (some: Row[]) => { execute: () => Promise<unknown> },
): Promise<void> {
  for (const some of chunksOf(rows, ROWS_A_STATEMENT)) await insert(some).execute();
}
