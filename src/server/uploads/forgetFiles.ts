import { sql, type Kysely } from 'kysely';
import { fileIdOf, splitUrls } from '#domain/images.ts';
import type { Tables } from '#server/db/tables.ts';
import { NOBODYS } from '#server/uploads/serve.ts';

/** What is nobody's is served to nobody, and waits to be taken from the disk. */
export const nobodys = { owner: NOBODYS, siteId: '', right: '' } as const;

/**
 * The files of a row that went, or that it has no more, in both languages: for files that the server alone has written into it, as
 * what somebody typed may be another row's. Rule: uploads#files-of-rows.
 */
export async function forgetFiles({ db }: { db: Kysely<Tables> }, fields: readonly (string | null)[]): Promise<void> {
  const ids = fields.flatMap((it) => splitUrls(it)).map(fileIdOf);
  if (ids.length === 0) return;
  await db
    .updateTable('file')
    .set(nobodys)
    .where(sql<boolean>`id = ANY(${ids}) OR id IN (SELECT "englishId" FROM file WHERE id = ANY(${ids}))`)
    .execute();
}
