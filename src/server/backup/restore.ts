import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Registers } from '#domain/definition/problems.ts';
import { DatabaseClient } from '#server/db/client.ts';
import { migrate, PREPARE_LOCK } from '#server/db/migrate.ts';
import { refuseSharedSessions } from '#server/db/ownSession.ts';
import { prepareDatabase } from '#server/db/prepare.ts';
import { waitForLock } from '#server/db/waitForLock.ts';
import { BadDatabase } from '#server/definitions/tables.ts';
import type { FileStore } from '#server/uploads/fileStore.ts';
import { damaged, readArchive, type Found, type Receiver } from './archive.ts';
import { quoted } from '#server/db/quoted.ts';
import { joinNames, type Contents, type TableContents } from './contents.ts';

/**
 * Fills an empty database, and the folder of files, from a backup: all of it in one transaction, or nothing. What a newer
 * version has added since is done by its own migrations afterwards. `stopping` ends the wait for who works on the database; what
 * ends `from` ends the rest.
 * @throws BadDatabase where the database is not empty, or the backup is of a newer version, damaged or cut short;
 * RestoredOnly where all of it was restored and could not be brought up to date
 */
export async function restore(
  url: string,
  files: FileStore,
  from: Readable,
  registers: Registers,
  stopping?: AbortSignal,
): Promise<Found> {
  await refuseSharedSessions(url);
  const client = new DatabaseClient({ connectionString: url, application_name: 'reflow restore' });
  // A connection that ends between two questions: the next one says so.
  client.on('error', () => undefined);
  await client.connect();
  const restoring = new Restoring(client, files);
  let isKept = false;
  try {
    await client.query('BEGIN');
    await waitForLock(client, PREPARE_LOCK, { until: 'transaction', ...(stopping ? { signal: stopping } : {}) });
    await refuseFull(client);
    const found = await readArchive(from, restoring);
    await restoring.finish();
    await client.query('COMMIT');
    isKept = true;
    await prepareDatabase(url, registers, { isAlone: true });
    return found;
  } catch (error) {
    if (!isKept) await restoring.giveUp();
    throw isKept ? new RestoredOnly(error) : error;
  } finally {
    await client.end();
  }
}

/** Rows and files are those of the backup; the next start brings them up to date, as soon as nothing hinders it. */
export class RestoredOnly extends Error {
  constructor(cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`All of it was restored, but not yet brought up to this version: ${why}`, { cause });
  }
}

async function refuseFull(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') LIMIT 1`,
  );
  if (rows[0]) {
    throw new BadDatabase(
      `The database is not empty (it has the table ${rows[0].name}). Restore into a new DATA_DIR, or into a new database.`,
    );
  }
}

interface Copying {
  copy: Writable & { rowCount: number };
  /** Settles when the database has said how the copying ended. */
  ended: Promise<void>;
}

class Restoring implements Receiver {
  #contents: Contents | undefined;
  #open: Copying | undefined;
  #files: string[] = [];
  constructor(
    private readonly client: pg.Client,
    private readonly fileStore: FileStore,
  ) {}

  async contents(contents: Contents): Promise<void> {
    await migrate(this.client, contents.migrations);
    const { rows } = await this.client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'`,
    );
    const made = new Set(rows.map((it) => it.name));
    for (const table of contents.tables) if (!made.has(table.name)) await this.client.query(table.create);
    await this.client.query('DELETE FROM migration');
    this.#contents = contents;
  }

  async rows(table: TableContents, bytes: Buffer): Promise<void> {
    this.#open ??= this.#copyInto(table);
    const { copy, ended } = this.#open;
    if (!copy.write(bytes)) await Promise.race([once(copy, 'drain'), ended]);
  }

  async tableEnd({ name }: TableContents, rows: number): Promise<void> {
    if (!this.#open) return;
    const { copy, ended } = this.#open;
    this.#open = undefined;
    copy.end();
    await ended;
    if (copy.rowCount !== rows) throw damaged(`the database took ${copy.rowCount} of ${rows} rows of ${name}`);
  }

  async file(id: string, content: Readable): Promise<void> {
    this.#files.push(id);
    const file = await this.fileStore.write(id);
    await pipeline(content, file.stream);
    await file.finish();
  }

  /** New rows get ids that no restored one has. */
  async finish(): Promise<void> {
    for (const { name, identity } of this.#contents?.tables ?? []) {
      if (!identity) continue;
      await this.client.query('SELECT setval(pg_get_serial_sequence($1, $2), $3::bigint)', [
        quoted(name),
        identity.column,
        identity.last,
      ]);
    }
  }

  async giveUp(): Promise<void> {
    this.#open?.copy.destroy();
    await Promise.all(this.#files.map((it) => this.fileStore.remove(it)));
  }

  #copyInto(table: TableContents): Copying {
    const copy = this.client.query(copyFrom(`COPY ${quoted(table.name)} (${joinNames(table.columns)}) FROM STDIN`));
    // What it says is heard where it is awaited; one that nobody awaits any more must not end the process.
    copy.on('error', () => undefined);
    const ended = finished(copy);
    ended.catch(() => undefined);
    return { copy, ended };
  }
}
