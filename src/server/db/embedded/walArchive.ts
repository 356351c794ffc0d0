import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { chown, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { flushFolder } from '#server/uploads/fileStore.ts';
import { asUser, StartRefused, type ClusterLocation, type RunAs } from './processes.ts';

/** The folder of WAL_ARCHIVE, and its rooms. */
export interface WalArchive {
  folder: string;
  /** `<segment>.gz`, as PostgreSQL filled them; the system user's. */
  wal: string;
  bases: string;
}

const TIMEOUT_S = 60;
const WATCH_MS = 60_000;
/** Something is written and archived each minute. */
const LATE_MS = 5 * 60_000;

/**
 * What PostgreSQL runs for each segment (archive_command): a segment has its name only when it is on the disk, whole; nothing
 * is written over; and what fails is said in db.log and tried again by PostgreSQL, which keeps the segment until then.
 */
const SCRIPT = `#!/bin/sh
# Written anew by each start of Reflow: archive-wal.sh SEGMENT NAME ARCHIVE
set -u
fail() { echo "WAL archive: $1" >&2; exit 1; }
kept="$3/wal/$2.gz"
part="$kept.part"
[ -f "$3/archive.id" ] || fail "$3 is not there; is its disk mounted? $2 is kept and tried again."
if [ -e "$kept" ]; then
  gzip -dc "$kept" | cmp -s - "$1" || fail "$kept is there already and is another: give each database a WAL_ARCHIVE of its own."
  sync "$kept" "$3/wal" && exit 0
  fail "$kept could not be flushed; it is tried again."
fi
if gzip -1 < "$1" > "$part" && sync "$part" && mv -n "$part" "$kept" && [ ! -e "$part" ] && sync "$3/wal"; then exit 0; fi
rm -f "$part"
fail "$2 could not be written to $3; is its disk full? It is kept in the database's folder and tried again."
`;

/** The rooms of this folder. */
export const archiveIn = (folder: string): WalArchive => ({
  folder,
  wal: join(folder, 'wal'),
  bases: join(folder, 'bases'),
});

/** One word of a shell's line. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The archive_command of this archive; PostgreSQL puts the segment's path and name in. */
export function archiveCommand({ home }: Pick<ClusterLocation, 'home'>, folder: string): string {
  const [script, to] = [join(home, 'archive-wal.sh'), folder].map((it) => shellWord(it).replaceAll('%', '%%'));
  return `/bin/sh ${script} "%p" "%f" ${to}`;
}

/**
 * Makes the archive ready and gives PostgreSQL's settings for it. Rule: operating#moment.
 * @throws StartRefused where the folder is missing, another database's, or out of PostgreSQL's reach
 */
export async function openWalArchive(folder: string, location: ClusterLocation): Promise<string[]> {
  const { home, runAs } = location;
  const { wal, bases } = archiveIn(folder);
  if (!existsSync(folder))
    throw new StartRefused(`WAL_ARCHIVE: the folder ${folder} does not exist; is its disk mounted?`);
  await claim(folder, location);
  mkdirSync(wal, { recursive: true, mode: 0o700 });
  mkdirSync(bases, { recursive: true, mode: 0o700 });
  if (runAs) chownSync(wal, runAs.uid, runAs.gid);
  if (!canUse(folder, runAs, { write: true })) {
    throw new StartRefused(
      `WAL_ARCHIVE: the user ${runAs?.name ?? 'of this process'} cannot write in ${wal}, or has no gzip, cmp and sync. ` +
        'Let others pass through the folders above it (chmod a+x), or name another folder.',
    );
  }
  const draft = join(home, 'archive-wal.sh.new');
  writeFileSync(draft, SCRIPT, { mode: 0o755 });
  renameSync(draft, join(home, 'archive-wal.sh'));
  return ['archive_mode=on', `archive_command=${archiveCommand(location, folder)}`, `archive_timeout=${TIMEOUT_S}`];
}

/** Whether PostgreSQL's user reads there, or writes as well, and has the programs for it. */
export function canUse(folder: string, runAs: RunAs, { write }: { write: boolean }): boolean {
  const reads = 'test -r "$0/archive.id" && cd "$0/wal" && test -r . && command -v gzip';
  const writes = 'test -w . && command -v cmp && command -v sync';
  const asked = ['-c', write ? `${reads} && ${writes}` : reads, folder];
  return spawnSync('/bin/sh', asked, { cwd: '/', stdio: 'ignore', ...asUser(runAs) }).status === 0;
}

/** What a start with this archive has to say: that no moment of now can be restored before there is a base. */
export function lacksBase(folder: string, home: string): string | null {
  const bases = readdirSync(archiveIn(folder).bases).filter((it) => /^base-.*\.tar\.gz$/.test(it));
  const gap = readNote(noteOf(home))?.gap;
  const make = 'npm run backup -- --base makes one.';
  if (bases.length === 0) return `There is no base in WAL_ARCHIVE, so no moment can be restored: ${make}`;
  // The names have the order of their moments.
  if (!gap || bases.some((it) => it > `base-${gap.replaceAll(':', '-')}`)) return null;
  return `The database ran without WAL_ARCHIVE at ${gap}, so no moment since then can be restored without a new base: ${make}`;
}

/** A time without WAL_ARCHIVE begins. @returns what is to be said of it; null where WAL of this database never went to an archive */
export async function noteGap(location: ClusterLocation): Promise<string | null> {
  const note = noteOf(location.home);
  if (!existsSync(note)) return null;
  const gap = 'without WAL_ARCHIVE the WAL of this time is not archived: no moment of it can be restored.';
  try {
    const known = readNote(note);
    await writeWhole(note, JSON.stringify({ ...known, gap: new Date().toISOString() }), 0o600, location.runAs);
  } catch (error) {
    // One that is damaged asks for a new archive, and so for a new base, anyway.
    if (!(error instanceof StartRefused))
      return (
        `${gap} That could not be noted in ${note} (${(error as Error).message}), so no later start will ask for a new base: ` +
        'make one when WAL_ARCHIVE is set again (npm run backup -- --base).'
      );
  }
  return gap;
}

/** In the database's folder, so that it lives as long as that; a base, and so a restored database, is without it. */
export const NOTE = 'reflow.archive';

/** The database's note of the archive that is its own. */
const noteOf = (home: string): string => join(home, 'db', NOTE);

interface Note {
  id: string;
  folder: string;
  /** The archive has its sign; one without is as good as empty until then. */
  isSigned: boolean;
  /** When a start without an archive was the last. */
  gap?: string;
}

/** One archive holds the WAL of one life of one database: a restored one goes on in a new archive. */
async function claim(folder: string, location: ClusterLocation): Promise<void> {
  const [note, sign] = [noteOf(location.home), join(folder, 'archive.id')];
  const known = readNote(note);
  const there = existsSync(sign) ? readFileSync(sign, 'utf8').trim() : null;
  if (there === null) {
    if (known?.folder === folder && known.isSigned) {
      throw new StartRefused(
        `WAL_ARCHIVE: ${folder} was the archive of this database and is none now; is its disk mounted? ` +
          `To begin a new one there, empty it and delete ${note}.`,
      );
    }
    if (readdirSync(folder).some((it) => it !== 'lost+found' && it !== 'archive.id.new'))
      throw new StartRefused(`WAL_ARCHIVE: ${folder} is no archive and not empty; name an empty folder.`);
  } else if (there !== known?.id) {
    throw new StartRefused(
      `WAL_ARCHIVE: ${folder} holds the WAL of another database, or of this one before it was restored; name an empty folder.`,
    );
  }
  const id = known?.id ?? randomUUID();
  const keep = (isSigned: boolean) =>
    writeWhole(note, JSON.stringify({ ...known, id, folder, isSigned } satisfies Note), 0o600, location.runAs);
  if (there === null) {
    await keep(false);
    await writeWhole(sign, `${id}\n`, 0o644, null);
  }
  if (there === null || known?.folder !== folder || !known.isSigned) await keep(true);
}

/** @throws StartRefused where it can't be read */
function readNote(note: string): Note | null {
  if (!existsSync(note)) return null;
  try {
    return JSON.parse(readFileSync(note, 'utf8')) as Note;
  } catch {
    throw new StartRefused(
      `WAL_ARCHIVE: ${note}, which names the archive of this database, is damaged. ` +
        'Delete it, name an empty folder, and make a base.',
    );
  }
}

/** A full disk, or a power cut, leaves the one of before; what is written is on the disk under its name. */
async function writeWhole(path: string, text: string, mode: number, runAs: RunAs): Promise<void> {
  const draft = `${path}.new`;
  await writeFile(draft, text, { mode, flush: true });
  if (runAs) await chown(draft, runAs.uid, runAs.gid);
  await rename(draft, path);
  await flushFolder(dirname(path));
}

/**
 * Once a minute commits nothing, so that an archive reaches close to the present also where nobody works, and says when
 * archiving is stuck and when it goes on. @returns what ends it
 */
export function watchArchive(superuserUrl: string, log: (sentence: string) => void, everyMs = WATCH_MS): () => void {
  let isStuck = false;
  let isLooking = false;
  const look = async () => {
    if (isLooking) return;
    isLooking = true;
    const stuck = await beat(superuserUrl).finally(() => (isLooking = false));
    if (stuck && !isStuck) log(`WARNING: WAL is not archived since ${stuck.since}; ${stuck.why} It is tried again.`);
    if (!stuck && isStuck) log('WAL is archived again.');
    isStuck = stuck !== null;
  };
  // Of a database that is down others tell.
  const timer = setInterval(() => void look().catch(() => undefined), everyMs).unref();
  return () => clearInterval(timer);
}

async function beat(superuserUrl: string): Promise<Stuck | null> {
  const client = new pg.Client({
    connectionString: superuserUrl,
    connectionTimeoutMillis: 5_000,
    query_timeout: 10_000,
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(`SELECT pg_logical_emit_message(true, 'reflow', '')`);
    return await readStuck(client);
  } finally {
    await client.end();
  }
}

interface Stuck {
  since: string;
  why: string;
}

/** What PostgreSQL knows of its archiving, in ms. */
interface Archiving {
  now: number;
  /** When it started. */
  started: number;
  /** From when on it counts: a crash, and whoever resets it, let it forget what was archived. */
  counted: number;
  /** When this process began: before that there may have been nobody who writes something each minute. */
  looked: number;
  archived: number | null;
  failed: number | null;
}

/**
 * Whether our own PostgreSQL does not come to archive, asked as any role; null where it does, or archives by another's command.
 * Whoever waits for something that is to be archived says for how long.
 */
export async function readStuck(client: Pick<pg.ClientBase, 'query'>, lateMs = LATE_MS): Promise<Stuck | null> {
  const ms = (moment: string) => `(extract(epoch FROM ${moment}) * 1000)::float8`;
  const { rows } = await client.query<Omit<Archiving, 'looked'>>({
    text: `SELECT ${ms('clock_timestamp()')} AS now, ${ms('pg_postmaster_start_time()')} AS started,
                  coalesce(${ms('stats_reset')}, 0) AS counted,
                  ${ms('last_archived_time')} AS archived, ${ms('last_failed_time')} AS failed
             FROM pg_stat_archiver WHERE current_setting('archive_command') LIKE '%archive-wal.sh%'`,
    query_timeout: 5_000,
  } as pg.QueryConfig);
  return rows[0] ? findStuck({ ...rows[0], looked: rows[0].now - performance.now() }, lateMs) : null;
}

/** A failure of before this start says nothing; and one that hangs never fails, but each minute something is to be archived. */
export function findStuck(
  { now, started, counted, looked, archived, failed }: Archiving,
  lateMs = LATE_MS,
): Stuck | null {
  const at = (ms: number) => new Date(ms).toISOString();
  if (failed !== null && failed > Math.max(started, archived ?? 0))
    return { since: at(failed), why: 'db.log says why.' };
  const went = Math.max(started, counted, archived ?? 0);
  if (now - Math.max(went, looked) > lateMs) return { since: at(went), why: 'does the disk of WAL_ARCHIVE answer?' };
  return null;
}
