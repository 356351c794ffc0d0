import { createReadStream, existsSync } from 'node:fs';
import { registers } from '#main/registers.ts';
import { verify, type Found } from '#server/backup/archive.ts';
import { backupTo } from '#server/backup/backup.ts';
import { restore } from '#server/backup/restore.ts';
import { BadSetting, readConfig } from '#server/config.ts';
import { StartRefused } from '#server/db/embedded.ts';
import { BadDatabase } from '#server/definitions/tables.ts';
import { withDatabaseUrl } from '#server/db/where.ts';
import { missingOf } from '#server/health/missing.ts';
import { openFileStore } from '#server/uploads/fileStore.ts';

/**
 * `npm run backup -- FILE` while the server runs, or not; `npm run restore -- FILE` into an empty database, and with
 * `--verify` only a look at whether it would come through.
 */
const commands = {
  backup: { run: write, done: 'Backed up and read back', failed: 'There is no backup.' },
  restore: { run: read, done: 'Restored', failed: 'Nothing was restored.' },
  verify: { run: look, done: 'Whole:', failed: 'A restore would refuse it.' },
};

const [, , name, ...given] = process.argv;
const options = given.filter((it) => it.startsWith('--'));
const [file, ...more] = given.filter((it) => !it.startsWith('--'));
const isVerify = name === 'restore' && options.join() === '--verify';
if (!file || more.length > 0 || !(name === 'backup' || name === 'restore') || (options.length > 0 && !isVerify)) {
  console.error(
    'Say which file: npm run backup -- reflow.tar.gz, npm run restore -- reflow.tar.gz, or, to look whether a restore ' +
      'would take it, npm run restore -- reflow.tar.gz --verify',
  );
  process.exit(1);
}
const command = commands[isVerify ? 'verify' : name];
try {
  const began = performance.now();
  const found = await command.run(file);
  const rows = Object.values(found.tables).reduce((sum, it) => sum + it.rows, 0);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(
    `${command.done} ${rows.toLocaleString('en')} rows of ${Object.keys(found.tables).length} tables and ` +
      `${found.files.toLocaleString('en')} files of ${found.madeAt} in ${seconds} s: ${file}`,
  );
  if (found.miscounted.length > 0) console.error(rescued(found));
} catch (error) {
  const isOurs = [BadSetting, BadDatabase, StartRefused].some((it) => error instanceof it);
  console.error(isOurs || missingOf(error) ? (error as Error).message : error);
  console.error(command.failed);
  process.exit(1);
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

/** A file that is there already is never written over. */
async function write(path: string): Promise<Found> {
  if (existsSync(path)) throw new BadSetting('FILE', `${path} exists already; choose another name`);
  const config = readConfig();
  return withDatabaseUrl(config, (url) => backupTo(url, openFileStore(config), path), { beside: true });
}

async function read(path: string): Promise<Found> {
  refuseMissing(path);
  const config = readConfig();
  return withDatabaseUrl(config, (url) => restore(url, openFileStore(config), createReadStream(path), registers));
}

async function look(path: string): Promise<Found> {
  refuseMissing(path);
  return verify(createReadStream(path));
}

function refuseMissing(path: string): void {
  if (!existsSync(path)) throw new BadSetting('FILE', `${path} does not exist`);
}
