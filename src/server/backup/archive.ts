import { createHash, type Hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { finished, pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { migrationNames } from '#server/db/migrate.ts';
import { BadDatabase } from '#server/definitions/tables.ts';
import { isFileId } from '#server/uploads/fileStore.ts';
import { hashing, lineOfFile } from './hashing.ts';
import { CONTENTS, rowsIn, TOTALS, type Contents, type TableContents, type Totals } from './contents.ts';

/** What is done with the parts of an archive while they are read and checked. */
export interface Receiver {
  contents(contents: Contents): Promise<void>;
  /** Some of the table's rows, as COPY writes them. */
  rows(table: TableContents, bytes: Buffer): Promise<void>;
  /** The table is over, and had so many. */
  tableEnd(table: TableContents, rows: number): Promise<void>;
  /** Reads the content to its end. */
  file(id: string, content: Readable): Promise<void>;
}

/** What an archive holds, by what was read of it. */
export interface Found extends Totals {
  madeAt: string;
  /** Tables whose rows are those that were saved, though the archive's own list gives another number of them. */
  miscounted: { name: string; rows: number; listed: number }[];
  /** Ids of files that its rows name and that were nowhere when it was made. */
  missing: string[];
}

/**
 * Reads an archive to its end and compares each table with the hash that was made while it was written. @throws
 * BadDatabase where it was cut short, changed, made by a newer version, or is no backup at all
 */
export async function readArchive(from: Readable, receiver: Receiver): Promise<Found> {
  const reading = new Reading(receiver);
  const tar = extract();
  const source = pipeline(from, createGunzip(), tar);
  source.catch(() => undefined);
  try {
    for await (const entry of tar) {
      await reading.take(entry.header.name, entry as unknown as Readable);
      entry.resume();
    }
    await source;
    return await reading.finish();
  } catch (error) {
    tar.destroy();
    const broken = await source.then(
      () => null,
      (it: NodeJS.ErrnoException) => it,
    );
    // An archive that ends early is at fault itself; where the receiver stopped reading, its own error says why.
    const isOfArchive = broken !== null && broken.code !== 'ERR_STREAM_PREMATURE_CLOSE' && !('syscall' in broken);
    throw isOfArchive && !(error instanceof BadDatabase) ? damaged(broken.message) : error;
  }
}

/** Reads an archive as a restore does, and writes nothing; refuses what a restore would refuse of it. */
export const verify = (from: Readable): Promise<Found> =>
  readArchive(from, {
    contents: async () => undefined,
    rows: async () => undefined,
    tableEnd: async () => undefined,
    file: async (_, content) => finished(content.resume()),
  });

export const damaged = (why: string) => new BadDatabase(`This is no whole backup of Reflow: ${why}.`);

class Reading {
  #contents: Contents | undefined;
  #totals: Totals | undefined;
  #open: { table: TableContents; rows: number; hash: Hash } | undefined;
  #done: Totals = { tables: {}, files: 0 };
  /** What rows of the table of files say, and what came. */
  #named: NamedIds | undefined;
  #came = new Set<string>();
  #files = createHash('sha256');
  constructor(private readonly receiver: Receiver) {}

  async take(name: string, content: Readable): Promise<void> {
    if (this.#totals) throw damaged(`${name} comes after its end`);
    if (name === CONTENTS) return this.#begin((await parsed(content)) as Contents);
    if (!this.#contents) throw damaged('it does not begin with its contents');
    const [kind, what = ''] = name.split('/');
    if (kind === 'tables') return this.#rows(what, await buffer(content));
    await this.#closeTable();
    if (name === TOTALS) {
      this.#totals = (await parsed(content)) as Totals;
      return;
    }
    if (kind !== 'files' || !isFileId(what)) throw damaged(`nobody knows what ${name} is`);
    if (this.#came.has(what)) throw damaged(`the file ${what} is in it twice`);
    const hash = createHash('sha256');
    await this.receiver.file(what, Readable.from(hashing(hash)(content), { objectMode: false }));
    this.#files.update(lineOfFile(what, hash));
    this.#came.add(what);
    this.#done.files++;
  }

  /** Nothing is missing: the same bytes of each table, as many files. */
  async finish(): Promise<Found> {
    if (!this.#contents || !this.#totals) throw damaged('its end is missing');
    const miscounted: Found['miscounted'] = [];
    for (const { name } of this.#contents.tables) {
      const listed = this.#totals.tables[name];
      const found = (this.#done.tables[name] ??= nothing);
      if (listed?.sha256 !== found.sha256) throw damaged(`${name} did not come through whole`);
      if (listed.rows !== found.rows) miscounted.push({ name, rows: found.rows, listed: listed.rows });
    }
    if (this.#totals.files !== this.#done.files) throw damaged('files are missing');
    return { ...this.#done, ...this.#filesOf(this.#totals), madeAt: this.#contents.madeAt, miscounted };
  }

  /** What its rows name came, or its list says that it could not; an older version listed nothing. */
  #filesOf({ filesSha256, tidied = [], missing }: Totals): Pick<Found, 'filesSha256' | 'tidied' | 'missing'> {
    const absent = (this.#named?.ids ?? []).filter((it) => !this.#came.has(it) && !tidied.includes(it)).sort();
    if (filesSha256 === undefined) return { missing: absent };
    if (filesSha256 !== this.#files.digest('hex')) throw damaged('its files did not come through whole');
    const unsaid = absent.find((it) => !missing?.includes(it));
    if (unsaid) throw damaged(`the file ${unsaid} is missing`);
    return { filesSha256, tidied, missing: absent };
  }

  async #begin(contents: Contents): Promise<void> {
    if (contents.format !== 1) throw damaged(`its format ${String(contents.format)} is of a newer version`);
    const unknown = contents.migrations.filter((it) => !migrationNames().includes(it));
    if (unknown.length > 0) {
      throw new BadDatabase(
        `The backup was made by a newer version of Reflow (it knows ${unknown.join(', ')}): restore it with that one.`,
      );
    }
    await this.receiver.contents(contents);
    this.#contents = contents;
  }

  async #rows(name: string, bytes: Buffer): Promise<void> {
    if (this.#open?.table.name !== name) await this.#closeTable();
    if (!this.#open) {
      const table = this.#contents?.tables.find((it) => it.name === name);
      if (!table || this.#done.tables[name]) throw damaged(`the rows of ${name} are not where they belong`);
      this.#open = { table, rows: 0, hash: createHash('sha256') };
      if (name === 'file') this.#named = new NamedIds(table.columns.indexOf('id'));
    }
    if (name === 'file') this.#named?.add(bytes);
    this.#open.rows += rowsIn(bytes);
    this.#open.hash.update(bytes);
    await this.receiver.rows(this.#open.table, bytes);
  }

  async #closeTable(): Promise<void> {
    if (!this.#open) return;
    const { table, rows, hash } = this.#open;
    this.#open = undefined;
    await this.receiver.tableEnd(table, rows);
    this.#done.tables[table.name] = { rows, sha256: hash.digest('hex') };
  }
}

/** The ids in rows as COPY writes them, whose pieces may end within one. */
class NamedIds {
  readonly ids: string[] = [];
  #rest = '';
  constructor(private readonly column: number) {}

  add(bytes: Buffer): void {
    // Ids are of plain letters: what a piece cuts within another column's sign harms none.
    const lines = (this.#rest + bytes.toString('latin1')).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.ids.push(line.split('\t')[this.column] ?? '');
  }
}

const nothing = { rows: 0, sha256: createHash('sha256').digest('hex') };

async function parsed(content: Readable): Promise<unknown> {
  const text = (await buffer(content)).toString();
  try {
    return JSON.parse(text);
  } catch {
    throw damaged('its list of contents cannot be read');
  }
}
