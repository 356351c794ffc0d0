import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { listProcesses } from './processes.mjs';

/**
 * Waits until no other process has its turn. One that was killed in its turn has left its file, and is known to be gone.
 * @param {string} file tells whose turn it is
 * @param {(pid: string) => void} onWait
 * @returns {Promise<() => void>} ends the turn
 */
export async function takeTurn(file, onWait) {
  const mine = listProcesses().find((it) => it.pid === process.pid)?.key ?? String(process.pid);
  mkdirSync(dirname(file), { recursive: true });
  for (let toldOf; !create(file, mine);) {
    const holder = read(file);
    if (!listProcesses().some((it) => it.key === holder)) {
      putAside(file, holder);
      continue;
    }
    if (toldOf !== holder) onWait(holder.split(' ')[0]);
    toldOf = holder;
    await new Promise((go) => setTimeout(go, 300));
  }
  return () => rmSync(file, { force: true });
}

/** By a link to a file that is written already: nobody ever reads half of one. */
function create(file, mine) {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, mine);
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Of two that find the same dead holder, one moves its file away; the other may catch a new one and must put it back. */
function putAside(file, dead) {
  const aside = `${file}.dead-${process.pid}`;
  try {
    renameSync(file, aside);
  } catch {
    return;
  }
  if (read(aside) !== dead) renameSync(aside, file);
  rmSync(aside, { force: true });
}

/**
 * Who runs from the packages of a clone: programs and scripts in there, and on Linux whoever has loaded a binary of
 * theirs, as every server has.
 * @param {string} root
 */
export function usersOfPackages(root) {
  const folder = join(root, 'node_modules', '/');
  const isProgram = new RegExp(`^(\\S*node (-\\S+ )*)?${folder.replace(/[^\w/]/g, '\\$&')}`);
  return listProcesses().filter(
    (it) => it.pid !== process.pid && (isProgram.test(it.command) || read(`/proc/${it.pid}/maps`).includes(folder)),
  );
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
