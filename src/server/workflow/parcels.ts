import { sql } from 'kysely';
import type { Context } from '#server/context.ts';

/** Makes submits about one parcel at one site follow one another, so that it is signed for, and registered, once. */
export async function lockParcel({ db }: Context, siteId: string, shipNo: string): Promise<void> {
  const key = `parcel ${siteId} ${shipNo}`;
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(db);
}
