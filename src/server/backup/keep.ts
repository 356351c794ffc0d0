import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const OWN_NAME = /^reflow-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.tar\.gz$/;
const HALF = /^reflow-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.tar\.gz\.\d+\.part$/;
/** A backup that has written nothing for as long is none any more. */
const DEAD_MS = 24 * 3_600_000;

/** The name of a backup that is made at this moment, such as `reflow-2026-11-30T14-05-33Z.tar.gz`. */
export const nameAt = (moment: Date): string =>
  `reflow-${moment
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-')}.tar.gz`;

/**
 * Leaves the newest so many backups that bear such names, and takes away the older ones and what killed backups left. No
 * other file of the folder is touched.
 */
export async function keepNewest(folder: string, count: number): Promise<void> {
  const names = await readdir(folder);
  const old = names
    .filter((it) => OWN_NAME.test(it))
    .sort()
    .slice(0, -count);
  for (const it of old) await rm(join(folder, it), { force: true });
  for (const it of names.filter((name) => HALF.test(name))) {
    const { mtimeMs } = await stat(join(folder, it)).catch(() => ({ mtimeMs: Infinity }));
    if (mtimeMs < Date.now() - DEAD_MS) await rm(join(folder, it), { force: true });
  }
}
