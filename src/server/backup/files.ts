import type pg from 'pg';
import { DatabaseClient } from '#server/db/client.ts';
import { BadDatabase } from '#server/definitions/tables.ts';
import type { FileStore } from '#server/uploads/fileStore.ts';

/** A file as the database names it. */
export interface NamedFile {
  id: string;
  kind: string;
  name: string;
  /** In bytes. */
  size: string;
}

/** More names than these make no sentence. */
const NAMED_AT_MOST = 20;
const AT_ONCE = 32;

/** The files that the snapshot of this connection names, in the order of their ids. */
export async function readNamed(client: pg.ClientBase): Promise<NamedFile[]> {
  return (await client.query<NamedFile>('SELECT id, kind, name, size FROM file ORDER BY id')).rows;
}

/** Those that the folder does not hold as the database names them: they are not there, or not as long. */
export async function findAbsent(files: FileStore, named: readonly NamedFile[]): Promise<NamedFile[]> {
  const absent: NamedFile[] = [];
  for (let at = 0; at < named.length; at += AT_ONCE) {
    const some = named.slice(at, at + AT_ONCE);
    const sizes = await Promise.all(some.map((it) => files.sizeOf(it.id)));
    absent.push(...some.filter((it, i) => sizes[i] !== Number(it.size)));
  }
  return absent;
}

/**
 * Those of the absent that nobody has tidied away: the database names them by now as well, and they are not due. What is
 * due loses its file before its row (src/server/jobs/expiry.ts).
 */
export async function findLost(url: string, absent: readonly NamedFile[]): Promise<NamedFile[]> {
  if (absent.length === 0) return [];
  const client = new DatabaseClient({ connectionString: url, application_name: 'reflow backup' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string }>(
      `SELECT f.id FROM file AS f
        WHERE f.id = ANY ($1) AND f.owner IS DISTINCT FROM ''
          AND NOT (f.kind = 'workbook' AND f.owner IS NOT NULL AND f."createdAt" < now() - interval '7 days')
          AND NOT EXISTS (SELECT 1 FROM job AS j
                           WHERE j."fileId" = f.id AND j.state = 'done' AND j."expiresAt" < now())`,
      [absent.map((it) => it.id)],
    );
    const kept = new Set(rows.map((it) => it.id));
    return absent.filter((it) => kept.has(it.id));
  } finally {
    await client.end();
  }
}

/** The sentence that refuses a backup without these. */
export function lostFiles(lost: readonly NamedFile[]): BadDatabase {
  const some = lost.slice(0, NAMED_AT_MOST).map((it) => `  ${it.id}: ${it.kind} "${it.name}", ${it.size} bytes`);
  const more = lost.length > NAMED_AT_MOST ? [`  and ${lost.length - NAMED_AT_MOST} more`] : [];
  return new BadDatabase(
    [
      `The database names ${lost.length} file(s) that the folder of files does not hold, or holds in another length:`,
      ...some,
      ...more,
      'Look whether DATA_DIR is the folder of this database. With --allow-missing the backup is made without them and lists them.',
    ].join('\n'),
  );
}
