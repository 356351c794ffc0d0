import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isComplete } from './cluster.ts';
import { readPidFile, stopPostmaster } from './postmaster.ts';
import { stamp } from './processes.ts';

/**
 * Cluster folders are made under another name and renamed when they are whole, so a killed start leaves one of these. It is
 * set aside, never deleted: what a person takes for rubbish, a person removes.
 */
export async function setAsideHalfMade(home: string, log: (sentence: string) => void): Promise<void> {
  const names = readdirSync(home);
  for (const it of names) if (/^db\.password-\d+$/.test(it)) rmSync(join(home, it));
  const halves = names.filter((it) => it.startsWith('db.making-'));
  const folder = join(home, 'db');
  if (existsSync(folder) && !isComplete(folder) && readdirSync(folder).length > 0) halves.push('db');
  for (const [index, half] of halves.entries()) {
    // A restore to a moment that was killed leaves its PostgreSQL running there.
    const left = readPidFile(join(home, half));
    if (left) await stopPostmaster(left, join(home, half));
    const aside = join(home, `db.half-${stamp()}-${index + 1}`);
    renameSync(join(home, half), aside);
    log(`Set aside a database that was only half made: ${aside}`);
  }
}
