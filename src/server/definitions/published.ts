import type pg from 'pg';
import { countingPublishes } from '#domain/definition/publishes.ts';
import type { PublishedChange } from '#server/definitions/read.ts';

/** What is laid over the shipped definitions now, oldest first, and the number of the last publish; 0 before the first. */
interface Published {
  changes: PublishedChange[];
  last: number;
}

/** What was published and not taken back. Rule: definitions#publishing. */
export async function readPublished(client: Pick<pg.ClientBase, 'query'>): Promise<Published> {
  const { rows: publishes } = await client.query<{ id: number; takesBack: number[] }>(
    `SELECT id::int, "takesBack"::int[] AS "takesBack" FROM definition_publish ORDER BY id`,
  );
  const { rows } = await client.query<PublishedChange & { publishId: number }>(
    `SELECT module, change, "publishId"::int AS "publishId" FROM definition_change ORDER BY "publishId", id`,
  );
  const counting = new Set(countingPublishes(publishes));
  return {
    changes: rows.filter((it) => counting.has(it.publishId)).map(({ module, change }) => ({ module, change })),
    last: publishes.at(-1)?.id ?? 0,
  };
}

/** The number of the last publish alone: whether a server holds what was published. */
export async function readLastPublish(client: Pick<pg.ClientBase, 'query'>): Promise<number> {
  const { rows } = await client.query<{ last: number }>(
    `SELECT coalesce(max(id), 0)::int AS last FROM definition_publish`,
  );
  return rows[0]?.last ?? 0;
}
