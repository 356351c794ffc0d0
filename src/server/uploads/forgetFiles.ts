import { sql, type Kysely } from 'kysely';
import { fileIdOf, splitUrls } from '#domain/images.ts';
import type { Tables } from '#server/db/tables.ts';
import { NOBODYS } from '#server/uploads/serve.ts';

/** What is nobody's is served to nobody, and waits to be taken from the disk. */
export const nobodys = { owner: NOBODYS, siteId: '', right: '' } as const;

interface FilesOfRow {
  /** Of a row without one, the files of any site. */
  siteId: string | null;
  fields: readonly (string | null)[];
}

/**
 * The files of rows that went, or that these have no more, in both languages: of what the fields name, the papers that belong
 * to this module and to the row's site alone, whoever wrote their addresses there. Rule: uploads#files-of-rows.
 */
export async function forgetFiles(
  { db }: { db: Kysely<Tables> },
  module: string,
  rows: readonly FilesOfRow[],
): Promise<void> {
  for (const siteId of new Set(rows.map((it) => it.siteId))) {
    const fields = rows.filter((it) => it.siteId === siteId).flatMap((it) => it.fields);
    const ids = fields.flatMap((it) => splitUrls(it)).map(fileIdOf);
    if (ids.length === 0) continue;
    const papers = db
      .updateTable('file')
      .set(nobodys)
      .where(sql<boolean>`id = ANY(${ids}::text[] || ARRAY(SELECT "englishId" FROM file WHERE id = ANY(${ids})))`)
      .where('owner', 'is', null)
      .where('right', '=', `${module}:list`);
    await (siteId ? papers.where('siteId', '=', siteId) : papers).execute();
  }
}
