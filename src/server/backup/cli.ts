import { createReadStream, existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { BadSetting, readConfig } from '#server/config.ts';
import { StartRefused } from '#server/db/embedded.ts';
import { BadDatabase } from '#server/db/prepare.ts';
import { withDatabaseUrl } from '#server/db/where.ts';
import { registers } from '#server/definitions/registers.ts';
import { filesOf } from '#server/uploads/fileStore.ts';
import { backup } from './backup.ts';
import type { Totals } from './contents.ts';
import { restore } from './restore.ts';

/** `npm run backup -- FILE` while the server runs, or not; `npm run restore -- FILE` into an empty database. */
const [, , deed, file] = process.argv;
if (!file || (deed !== 'backup' && deed !== 'restore')) {
  console.error('Say which file: npm run backup -- reflow.tar.gz, npm run restore -- reflow.tar.gz');
  process.exit(1);
}
try {
  const began = performance.now();
  const totals = await (deed === 'backup' ? write(file) : read(file));
  const rows = Object.values(totals.tables).reduce((sum, it) => sum + it.rows, 0);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const done = deed === 'backup' ? 'Backed up' : 'Restored';
  console.log(
    `${done} ${rows.toLocaleString('en')} rows of ${Object.keys(totals.tables).length} tables and ` +
      `${totals.files.toLocaleString('en')} files in ${seconds} s: ${file}`,
  );
} catch (error) {
  const isOurs = [BadSetting, BadDatabase, StartRefused].some((it) => error instanceof it);
  console.error(isOurs ? (error as Error).message : error);
  process.exit(1);
}

/** Under its name only when it is whole and on disk; a file that is there already is never written over. */
async function write(path: string): Promise<Totals> {
  if (existsSync(path)) throw new BadSetting('FILE', `${path} exists already; choose another name`);
  const config = readConfig();
  const beside = `${path}.part`;
  const target = await open(beside, 'w');
  try {
    const totals = await withDatabaseUrl(
      config,
      (url) => backup(url, filesOf(config), target.createWriteStream({ flush: true })),
      { beside: true },
    );
    await rename(beside, path);
    return totals;
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

async function read(path: string): Promise<Totals> {
  if (!existsSync(path)) throw new BadSetting('FILE', `${path} does not exist`);
  const config = readConfig();
  return withDatabaseUrl(config, (url) => restore(url, filesOf(config), createReadStream(path), registers));
}
