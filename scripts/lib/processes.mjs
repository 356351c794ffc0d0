import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

/** A server that is asked to end closes its connections, its jobs and its database first. */
const GRACE_MS = 15_000;
const DATABASE_GRACE_MS = 20_000;
const PS = ['-A', '-o', 'pid=,ppid=,pgid=,stat=,lstart=,command='];
const LINE = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\S+)\s+(.*)$/;

/**
 * @typedef {{ pid: number, parent: number, group: number, command: string, key: string }} Process
 * `key` tells a process from a later one that was given the same pid
 */

/** @returns {Process[]} what runs on this machine; nothing where there are no process groups either (Windows) */
export function listProcesses() {
  if (process.platform === 'win32') return [];
  if (process.platform === 'linux') return readdirSync('/proc').flatMap(readProcess);
  const { stdout } = spawnSync('ps', PS, { encoding: 'utf8', maxBuffer: 64_000_000 });
  return (stdout ?? '').split('\n').flatMap((line) => {
    const [, pid, parent, group, state, birth, command] = LINE.exec(line) ?? [];
    if (!pid || state.startsWith('Z')) return [];
    return { pid: Number(pid), parent: Number(parent), group: Number(group), command, key: `${pid} ${birth}` };
  });
}

/** Containers often have no `ps`. */
function readProcess(name) {
  if (!/^\d+$/.test(name)) return [];
  const stat = read(`/proc/${name}/stat`);
  // The name, in brackets, may hold blanks: the counted fields begin behind it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (stat === '' || fields[0] === 'Z' || fields[0] === 'X') return [];
  const command = read(`/proc/${name}/cmdline`).replaceAll('\0', ' ').trim();
  const [parent, group] = [Number(fields[1]), Number(fields[2])];
  return { pid: Number(name), parent, group, command, key: `${name} ${fields[19]}` };
}

/** @returns {string} empty where it is gone, or not ours to read */
function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/**
 * Ends a program that leads a process group, with all that it started, in groups of their own too. Who is still there
 * after `grace` ms is killed; only a database is never, as its data are worth more: it is stopped.
 * @param {number} leader
 * @param {{ signal?: NodeJS.Signals, grace?: number }} [options] `SIGKILL` as `signal` leaves no time
 */
export async function endTree(leader, { signal = 'SIGTERM', grace = GRACE_MS } = {}) {
  if (process.platform === 'win32') return void send(leader, signal);
  const known = new Map();
  const left = () => {
    const all = listProcesses();
    const alive = new Map(all.map((it) => [it.key, it]));
    for (const key of known.keys()) if (!alive.has(key)) known.delete(key);
    const pids = new Set([leader, ...[...known.values()].map((it) => it.pid)]);
    // A child may have a smaller number than its parent: until nobody is found any more.
    for (let count = -1; count < known.size;) {
      count = known.size;
      for (const it of all) {
        if (it.group !== leader && !pids.has(it.pid) && !pids.has(it.parent)) continue;
        pids.add(it.pid);
        known.set(it.key, it);
      }
    }
    return [...known.values()];
  };
  // Who leads a group of its own is its parent's to end; one whose parent has gone is asked by us.
  const asked = new Set(left().flatMap((it) => (it.group === leader ? [it.key] : [])));
  const others = () => {
    const family = left();
    const pids = new Set(family.map((it) => it.pid));
    const found = family.filter((it) => !isDatabase(it));
    for (const it of found) {
      if (asked.has(it.key) || pids.has(it.parent)) continue;
      asked.add(it.key);
      send(it.pid, signal);
    }
    return found;
  };
  send(-leader, signal);
  if (signal === 'SIGKILL' || !(await until(() => others().length === 0, grace))) {
    for (const it of others()) send(it.pid, 'SIGKILL');
    await until(() => others().length === 0, grace);
  }
  await stopDatabases(left().filter(isDatabase));
}

/** Stops every PostgreSQL whose data lie below the folder: a server that was killed leaves its own running. */
export async function endDatabases(folder) {
  const below = `postgres -D ${join(realpathSync(folder), '/')}`;
  await stopDatabases(listProcesses().filter((it) => it.command.includes(below)));
}

const isDatabase = ({ command }) => /(^|\/)postgres(:| -D )/.test(command);

/** As a server stops its own: nothing needs recovery; or the hard way, which loses nothing either. */
async function stopDatabases(databases) {
  const keys = new Set(databases.map((it) => it.key));
  const left = () => listProcesses().filter((it) => keys.has(it.key));
  for (const signal of ['SIGINT', 'SIGQUIT']) {
    // The others are its own servants; a signal for one of them would cut a connection off.
    for (const it of left()) if (it.command.includes('postgres -D ')) send(it.pid, signal);
    if (await until(() => left().length === 0, DATABASE_GRACE_MS)) return;
  }
}

function send(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}

/** @returns {Promise<boolean>} whether it came true within so many ms */
async function until(isTrue, ms) {
  for (const end = Date.now() + ms; !isTrue();) {
    if (Date.now() > end) return false;
    await new Promise((go) => setTimeout(go, 100));
  }
  return true;
}
