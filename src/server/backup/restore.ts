import { createHash, type Hash } from 'node:crypto';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { finished, pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { extract } from 'tar-stream';
import type { Registers } from '#domain/definition/problems.ts';
import { migrate, migrationNames, PREPARE_LOCK } from '#server/db/migrate.ts';
import { BadDatabase, prepareDatabase } from '#server/db/prepare.ts';
import { isFileId, type FileStore } from '#server/uploads/fileStore.ts';
import { CONTENTS, listOf, quoted, TOTALS, type Contents, type TableContents, type Totals } from './contents.ts';

/**
 * Fills an empty database, and the folder of files, from a backup: all of it in one transaction, or nothing. What a newer
 * version has added since is done by its own migrations afterwards.
 * @throws BadDatabase where the database is not empty, or the backup is of a newer version, damaged or cut short
 */
export async function restore(url: string, files: FileStore, from: Readable, registers: Registers): Promise<Totals> {
  const client = new pg.Client({ connectionString: url, application_name: 'reflow restore' });
  await client.connect();
  const restoring = new Restoring(client, files);
  try {
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [PREPARE_LOCK]);
    await refuseFull(client);
    await entriesOf(from, (name, content) => restoring.take(name, content));
    const totals = await restoring.finish();
    await client.query('COMMIT');
    await prepareDatabase(url, registers);
    return totals;
  } catch (error) {
    await restoring.giveUp();
    throw error;
  } finally {
    await client.end();
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
  table: TableContents;
  copy: Writable & { rowCount: number };
  /** Settles when the copying is over, well or not. */
  ended: Promise<void>;
  hash: Hash;
}

class Restoring {
  #contents: Contents | undefined;
  #totals: Totals | undefined;
  #open: Copying | undefined;
  #done: Totals = { tables: {}, files: 0 };
  #files: string[] = [];
  constructor(
    private readonly client: pg.Client,
    private readonly store: FileStore,
  ) {}

  async take(name: string, content: Readable): Promise<void> {
    if (name === CONTENTS) return this.#begin(JSON.parse((await buffer(content)).toString()) as Contents);
    if (!this.#contents) throw damaged('it does not begin with its contents');
    if (name === TOTALS) {
      this.#totals = JSON.parse((await buffer(content)).toString()) as Totals;
      return;
    }
    const [kind, what = ''] = name.split('/');
    if (kind === 'tables') return this.#rows(what, await buffer(content));
    if (kind !== 'files' || !isFileId(what)) throw damaged(`nobody knows what ${name} is`);
    await this.#closeTable();
    this.#files.push(what);
    const file = await this.store.write(what);
    await pipeline(content, file.stream);
    await file.keep();
    this.#done.files++;
  }

  /** Everything came through: the same rows, the same bytes. */
  async finish(): Promise<Totals> {
    await this.#closeTable();
    const contents = this.#contents;
    if (!contents || !this.#totals) throw damaged('its end is missing');
    for (const { name } of contents.tables) {
      const [wanted, got] = [this.#totals.tables[name], this.#done.tables[name] ?? nothing];
      if (wanted?.rows !== got.rows || wanted.sha256 !== got.sha256)
        throw damaged(`${name} did not come through whole`);
    }
    if (this.#totals.files !== this.#done.files) throw damaged('files are missing');
    for (const { name, identity } of contents.tables) {
      if (!identity) continue;
      await this.client.query('SELECT setval(pg_get_serial_sequence($1, $2), $3::bigint)', [
        quoted(name),
        identity.column,
        identity.last,
      ]);
    }
    return this.#done;
  }

  async giveUp(): Promise<void> {
    this.#open?.copy.destroy();
    await Promise.all(this.#files.map((it) => this.store.remove(it)));
  }

  async #begin(contents: Contents): Promise<void> {
    if (contents.format !== 1) throw damaged(`its format ${String(contents.format)} is of a newer version`);
    const unknown = contents.migrations.filter((it) => !migrationNames().includes(it));
    if (unknown.length > 0) {
      throw new BadDatabase(
        `The backup was made by a newer version of Reflow (it knows ${unknown.join(', ')}): restore it with that one.`,
      );
    }
    await migrate(this.client, contents.migrations);
    const { rows } = await this.client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'`,
    );
    const made = new Set(rows.map((it) => it.name));
    for (const table of contents.tables) if (!made.has(table.name)) await this.client.query(table.create);
    await this.client.query('DELETE FROM migration');
    this.#contents = contents;
  }

  async #rows(name: string, content: Buffer): Promise<void> {
    if (this.#open?.table.name !== name) await this.#closeTable();
    if (!this.#open) {
      const table = this.#contents?.tables.find((it) => it.name === name);
      if (!table || this.#done.tables[name]) throw damaged(`the rows of ${name} are not where they belong`);
      const copy = this.client.query(copyFrom(`COPY ${quoted(name)} (${listOf(table.columns)}) FROM STDIN`));
      // What it says is heard where it is awaited; one that nobody awaits any more must not end the process.
      copy.on('error', () => undefined);
      const ended = finished(copy);
      ended.catch(() => undefined);
      this.#open = { table, copy, ended, hash: createHash('sha256') };
    }
    const { copy, ended, hash } = this.#open;
    hash.update(content);
    if (!copy.write(content)) await Promise.race([once(copy, 'drain'), ended]);
  }

  async #closeTable(): Promise<void> {
    if (!this.#open) return;
    const { table, copy, ended, hash } = this.#open;
    this.#open = undefined;
    copy.end();
    await ended;
    this.#done.tables[table.name] = { rows: copy.rowCount, sha256: hash.digest('hex') };
  }
}

const nothing = { rows: 0, sha256: createHash('sha256').digest('hex') };
const damaged = (why: string) => new BadDatabase(`This is no whole backup of Reflow: ${why}. Nothing was restored.`);

/** One after the other, in the archive's order; an archive that can't be read to its end is refused. */
async function entriesOf(from: Readable, take: (name: string, content: Readable) => Promise<void>): Promise<void> {
  const tar = extract();
  const reading = pipeline(from, createGunzip(), tar);
  reading.catch(() => undefined);
  try {
    for await (const entry of tar) {
      await take(entry.header.name, entry as unknown as Readable);
      entry.resume();
    }
    await reading;
  } catch (error) {
    const isOfArchive = !(error instanceof BadDatabase || error instanceof pg.DatabaseError);
    throw isOfArchive ? damaged((error as Error).message) : error;
  }
}
