import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** The processes that have these words in their environment, each by its command; so also those that left their parents. */
export function processesMarked(words: string): string[] {
  if (process.platform !== 'linux') {
    const { stdout } = spawnSync('ps', ['-A', '-E', '-ww', '-o', 'command='], { encoding: 'utf8' });
    return stdout.split('\n').filter((it) => it.includes(words));
  }
  return readdirSync('/proc')
    .filter((it) => /^\d+$/.test(it) && read(`/proc/${it}/environ`).includes(words))
    .map((it) => `${it} ${read(`/proc/${it}/cmdline`).replaceAll('\0', ' ')}`);
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
