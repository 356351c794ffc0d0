import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The clone's folder, found from where this file runs (sources or bundle): definitions, words and migrations lie in it. */
export const ROOT = folderWith('package.json', dirname(fileURLToPath(import.meta.url)));

function folderWith(name: string, from: string): string {
  if (existsSync(join(from, name))) return from;
  const parent = dirname(from);
  if (parent === from) throw new Error(`No ${name} above ${fileURLToPath(import.meta.url)}`);
  return folderWith(name, parent);
}
