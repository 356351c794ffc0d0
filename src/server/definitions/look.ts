import type pg from 'pg';

/** Looks through tables of any size; undefined where that takes too long. */
export type Look = <Row extends object>(query: string, values?: readonly unknown[]) => Promise<Row[] | undefined>;

/** How many rows a query has, as far as it is looked through. */
export async function countBy(look: Look, query: string): Promise<number | undefined> {
  const rows = await look<{ n: number }>(`SELECT count(*)::int AS n FROM (${query}) AS held`);
  return rows && (rows[0]?.n ?? 0);
}

/** Looks through tables to the last row. */
export const lookAll =
  (client: Pick<pg.ClientBase, 'query'>): Look =>
  async <Row extends object>(query: string, values: readonly unknown[] = []) =>
    (await client.query<Row & pg.QueryResultRow>(query, [...values])).rows;
