import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { registers } from '#main/registers.ts';
import { verify, type Found } from '#server/backup/archive.ts';
import { backupTo, type BackupOptions } from '#server/backup/backup.ts';
import { keepBases, makeBase } from '#server/backup/base.ts';
import { keepNewest, nameAt } from '#server/backup/keep.ts';
import { restoreMoment } from '#server/backup/pointInTime.ts';
import { restore, RestoredOnly } from '#server/backup/restore.ts';
import { BadSetting, readConfig, type Config } from '#server/config.ts';
import { StartRefused } from '#server/db/embedded.ts';
import { BadDatabase } from '#server/definitions/tables.ts';
import { withDatabaseUrl, withEmbedded } from '#server/db/where.ts';
import { missingOf } from '#server/health/missing.ts';
import { ROOT } from '#server/root.ts';
import { openFileStore } from '#server/uploads/fileStore.ts';

/**
 * `npm run backup -- FILE`, or `-- --to FOLDER --keep 14` for timers, while the server runs, or not; `npm run restore -- FILE`
 * into an empty database, and with `--verify` only a look at whether it would come through. With WAL_ARCHIVE
 * `npm run backup -- --base --keep 7` and `npm run restore -- --to MOMENT`.
 */
const USAGE = [
  'npm run backup -- FILE [--allow-missing]                   writes FILE',
  'npm run backup -- --to FOLDER [--keep 14] [--allow-missing]  names it by its moment, and keeps the newest 14',
  'npm run backup -- --base [--keep 7]                        copies the database into WAL_ARCHIVE, and keeps the newest 7 and their WAL',
  'npm run restore -- FILE                                    fills an empty database and the folder of files',
  'npm run restore -- FILE --verify                           only looks whether a restore would take it',
  'npm run restore -- --to 2026-11-30T12:34:56+08:00          makes the database of a new DATA_DIR as it was then, from WAL_ARCHIVE',
  'npm run restore -- --to latest                             with all that is archived, such as after its disk died',
].join('\n');

const commands = {
  backup: { done: 'Backed up and read back', failed: 'There is no backup.' },
  restore: { done: 'Restored', failed: 'Nothing was restored.' },
  verify: { done: 'Whole:', failed: 'A restore would refuse it.' },
  base: { done: 'Copied and read back', failed: 'There is no base.' },
};

const [, , name, ...given] = process.argv;
/** What is half made would stay, and PostgreSQL would outlive this process. */
const stopping = new AbortController();
const { run, command } = planned();
try {
  const began = performance.now();
  const done = await run();
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  if ('found' in done) sayFound(done, seconds);
  else {
    console.log(`${command.done} ${done.what} in ${seconds} s.`);
    for (const it of done.notes) console.error(it);
  }
} catch (error) {
  const isOurs = [BadSetting, BadDatabase, StartRefused, RestoredOnly].some((it) => error instanceof it);
  const said = isOurs || missingOf(error) ? (error as Error).message : error;
  console.error(stopping.signal.aborted ? 'Stopped before it was done.' : said);
  if (!(error instanceof RestoredOnly)) console.error(command.failed);
  process.exit(1);
}

interface Done {
  file: string;
  found: Found;
}

/** Of what is no archive: what was done, and what is to be known of it. */
interface Told {
  what: string;
  notes: string[];
}

function sayFound({ file, found }: Done, seconds: string): void {
  const rows = Object.values(found.tables).reduce((sum, it) => sum + it.rows, 0);
  console.log(
    `${command.done} ${rows.toLocaleString('en')} rows of ${Object.keys(found.tables).length} tables and ` +
      `${found.files.toLocaleString('en')} files of ${found.madeAt} in ${seconds} s: ${file}`,
  );
  if (found.miscounted.length > 0) console.error(rescued(found));
  if (found.missing.length > 0) console.error(without(found.missing, 'its rows name are not in it'));
}

/** What the words of the command line ask for; ends with how they are used where they make no sense. */
function planned(): { run: () => Promise<Done | Told>; command: { done: string; failed: string } } {
  const asked = readWords();
  const [file, ...more] = asked?.positionals ?? [];
  const { to, keep, base: isBase, verify: isVerify, 'allow-missing': allowMissing = false } = asked?.values ?? {};
  if (asked && name === 'restore' && file && more.length === 0 && !to && !keep && !isBase && !allowMissing) {
    return isVerify
      ? { run: () => look(file), command: commands.verify }
      : { run: () => read(file), command: commands.restore };
  }
  if (asked && name === 'restore' && to && !file && !keep && !isBase && !isVerify && !allowMissing)
    return { run: () => readMoment(to), command: commands.restore };
  const kept = keep === undefined ? undefined : Number(keep);
  const isCount = kept === undefined || (/^\d{1,4}$/.test(keep ?? '') && kept > 0);
  if (asked && name === 'backup' && !isVerify && isCount && more.length === 0) {
    const options = { allowMissing };
    if (isBase && !file && !to && !allowMissing) return { run: () => copyBase(kept), command: commands.base };
    if (isBase) return misused();
    if (file && !to && !keep) return { run: () => write(file, options), command: commands.backup };
    if (to && !file) return { run: () => writeInto(to, kept, options), command: commands.backup };
  }
  return misused();
}

function misused(): never {
  console.error(USAGE);
  process.exit(1);
}

function readWords() {
  try {
    return parseArgs({
      args: given,
      allowPositionals: true,
      options: {
        to: { type: 'string' },
        keep: { type: 'string' },
        base: { type: 'boolean' },
        verify: { type: 'boolean' },
        'allow-missing': { type: 'boolean' },
      },
    });
  } catch {
    return undefined;
  }
}

/** An older version wrote its list before the database had told how many rows there were. */
function rescued({ miscounted, tables }: Found): string {
  const lines = miscounted.map((it) => `  ${it.name}: ${it.rows} rows, listed as ${it.listed}`);
  return [
    `NOTE: for ${miscounted.length} of its ${Object.keys(tables).length} tables the list in this file gives a wrong number of rows:`,
    ...lines,
    'An older version counted too early. The rows are those that were saved, byte for byte (SHA-256), and none is missing.',
  ].join('\n');
}

/** Somebody has allowed it, an older version did not ask, or the folder of files is not that of the database. */
function without(missing: readonly string[], what: string): string {
  const some = missing.slice(0, 20).map((it) => `  ${it}`);
  const more = missing.length > 20 ? [`  and ${missing.length - 20} more`] : [];
  return [`WARNING: ${missing.length} file(s) that ${what}:`, ...some, ...more].join('\n');
}

/** A file that is there already is never written over. */
async function write(file: string, options: BackupOptions): Promise<Done> {
  if (existsSync(file)) throw new BadSetting('FILE', `${file} exists already; choose another name`);
  const config = readSaidConfig();
  const stoppable = { ...options, stopping: heedSignals() };
  const found = await withDatabaseUrl(config, (url) => backupTo(url, openFileStore(config), file, stoppable), {
    beside: true,
  });
  return { file, found };
}

/** Under a name of its own; the oldest of those names go when it is whole, and no others. */
async function writeInto(folder: string, keep: number | undefined, options: BackupOptions): Promise<Done> {
  if (!existsSync(folder)) throw new BadSetting('--to', `the folder ${folder} does not exist; is its disk mounted?`);
  const done = await write(join(folder, nameAt(new Date())), options);
  if (keep !== undefined) await keepNewest(folder, keep);
  return done;
}

async function read(file: string): Promise<Done> {
  refuseMissing(file);
  const config = readSaidConfig();
  const signal = heedSignals();
  const found = await withDatabaseUrl(config, (url) =>
    restore(url, openFileStore(config), createReadStream(file, { signal }), registers, signal),
  );
  return { file, found };
}

/** Beside the running server, or without one; older bases go with their WAL when it is whole. */
async function copyBase(keep: number | undefined): Promise<Told> {
  const config = readArchiveConfig();
  const options = { stopping: heedSignals() };
  const base = await withEmbedded(config, (it) => makeBase(it, config.walArchive, options), { beside: true });
  if (keep !== undefined) await keepBases(config.walArchive, keep);
  return { what: `${base.name}; moments from ${base.endedAt} on can be restored`, notes: [] };
}

async function readMoment(moment: string): Promise<Told> {
  const config = readArchiveConfig();
  const files = openFileStore(config);
  const { base, last, lost } = await restoreMoment(moment, {
    ...{ ...config, root: ROOT, files, stopping: heedSignals() },
    log: (sentence) => console.error(sentence),
  });
  const names = lost.map((it) => `${it.id}: ${it.kind} "${it.name}", ${it.size} bytes`);
  return {
    what: `the database as it was ${moment === 'latest' ? 'last' : `at ${moment}`} (what was committed last: ${last || 'what the base holds'}) from ${base.name}`,
    notes:
      names.length > 0 ? [without(names, `its rows name are not in ${config.dataDir}/files; copy them there`)] : [],
  };
}

/** From now on SIGINT and SIGTERM end what is under way, and this process when that is tidied. */
function heedSignals(): AbortSignal {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());
  return stopping.signal;
}

/** @throws BadSetting where nothing is archived */
function readArchiveConfig(): Config & { walArchive: string } {
  const config = readConfig();
  const { walArchive, databaseUrl } = config;
  if (databaseUrl)
    throw new BadSetting(
      'DATABASE_URL',
      'is set: bases and moments of that PostgreSQL are its own (pg_basebackup, archive_command)',
    );
  if (!walArchive)
    throw new BadSetting('WAL_ARCHIVE', 'is not set: say in which folder the WAL of this database is kept');
  return { ...config, walArchive };
}

async function look(file: string): Promise<Done> {
  refuseMissing(file);
  return { file, found: await verify(createReadStream(file)) };
}

/** Where a database is named, its files are not looked for in a folder that nobody named. */
function readSaidConfig(): Config {
  const config = readConfig();
  if (config.databaseUrl && !process.env['DATA_DIR'])
    throw new BadSetting('DATA_DIR', 'DATABASE_URL is set: say also in which folder the files of that database lie');
  return config;
}

function refuseMissing(path: string): void {
  if (!existsSync(path)) throw new BadSetting('FILE', `${path} does not exist`);
}
