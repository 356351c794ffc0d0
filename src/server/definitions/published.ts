import type pg from 'pg';
import { countingPublishes, type Publish } from '#domain/definition/publishes.ts';
import type { PublishedChange } from '#server/definitions/read.ts';

/** A change that counts, and the publish that brought it. */
export interface CountingChange extends PublishedChange {
  publishId: number;
}

/** What is laid over the shipped definitions now, oldest first, and the number of the last publish; 0 before the first. */
interface Published {
  changes: CountingChange[];
  last: number;
}

/**
 * What was published and neither taken back nor set aside; with a number, as it was before the publish of that number.
 * Rule: definitions#publishing.
 */
export async function readPublished(client: Pick<pg.ClientBase, 'query'>, before = Infinity): Promise<Published> {
  const [published, aside] = [await readCounting(client, before), await readSetAside(client)];
  return { ...published, changes: published.changes.filter((it) => !aside.has(it.publishId)) };
}

/** The numbers of the publishes that the last start could not apply. */
export async function readSetAside(client: Pick<pg.ClientBase, 'query'>): Promise<Set<number>> {
  const { rows } = await client.query<{ id: number }>(
    `SELECT id::int AS id FROM definition_publish WHERE trouble IS NOT NULL`,
  );
  return new Set(rows.map((it) => it.id));
}

/** What was published and not taken back, whether it can be applied or not. */
export async function readCounting(client: Pick<pg.ClientBase, 'query'>, before = Infinity): Promise<Published> {
  const publishes = (await readPublishes(client)).filter((it) => it.id < before);
  const { rows } = await client.query<CountingChange>(
    `SELECT module, change, "publishId"::int AS "publishId" FROM definition_change ORDER BY "publishId", id`,
  );
  const counting = new Set(countingPublishes(publishes));
  return {
    changes: rows.filter((it) => counting.has(it.publishId)),
    last: publishes.at(-1)?.id ?? 0,
  };
}

/** All publishes, oldest first, whether they count or not. */
export async function readPublishes(client: Pick<pg.ClientBase, 'query'>): Promise<Publish[]> {
  const { rows } = await client.query<{ id: number; takesBack: number[] }>(
    `SELECT id::int, "takesBack"::int[] AS "takesBack" FROM definition_publish ORDER BY id`,
  );
  return rows;
}

/** The number of the last publish alone: whether a server holds what was published. */
export async function readLastPublish(client: Pick<pg.ClientBase, 'query'>): Promise<number> {
  const { rows } = await client.query<{ last: number }>(
    `SELECT coalesce(max(id), 0)::int AS last FROM definition_publish`,
  );
  return rows[0]?.last ?? 0;
}
