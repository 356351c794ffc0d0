import { spawnSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** The start cannot go on; the message says why and what to do. It is for a person: print it without its stack. */
export class StartRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StartRefused';
  }
}

/** As whom a program runs; `null`: as ourselves. */
export type RunAs = { uid: number; gid: number; name: string } | null;

/** As whom PostgreSQL runs, and where. */
export interface ClusterLocation {
  /** PostgreSQL never runs as root; where we are not root, it runs as ourselves: `null`. */
  runAs: RunAs;
  /** Holds `db` (the cluster), `db.password` (its superuser's), `db.owner.password` (the server's) and `db.log`. */
  home: string;
  /** Where binaries are copied to when they can't be used where npm put them. */
  spare: string;
}

/** What spawn needs to run a program as that user. */
export const asUser = (runAs: RunAs): { uid?: number; gid?: number } =>
  runAs ? { uid: runAs.uid, gid: runAs.gid } : {};

/** Neither LANG (unset, or one that this system lacks) nor PG… variables of the caller reach PostgreSQL. */
export const cleanEnvironment = (): NodeJS.ProcessEnv => ({ PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' });

/** Tells a process from a later one that was given the same pid; `null` when there is none (or only its zombie). */
export function readStartTime(pid: number): string | null {
  if (process.platform !== 'linux') return ps(pid, 'lstart=');
  const stat = read(`/proc/${pid}/stat`);
  if (!stat) return null;
  // The name, in brackets, may hold blanks: the counted fields begin behind it, with the state; the 20th is the start.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' ? null : `${fields[19]}@${bootId()}`;
}

/** The command line of a process, its words parted by blanks; empty when there is none. */
export function readCommand(pid: number): string {
  if (process.platform !== 'linux') return ps(pid, 'command=') ?? '';
  return (read(`/proc/${pid}/cmdline`) ?? '').replaceAll('\0', ' ');
}

/** Names the space that pids count in: this boot of this machine, and the container where it is one. */
export function readPidSpace(): string {
  try {
    return `${hostname()} ${bootId()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

export const pause = (ms: number): Promise<void> => new Promise((go) => setTimeout(go, ms));

/** `20261121-093005`, for the names of what is put aside. */
export const stamp = (): string => new Date().toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);

const bootId = (): string => (read('/proc/sys/kernel/random/boot_id') ?? '').trim();

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

function ps(pid: number, field: string): string | null {
  const { stdout } = spawnSync('ps', ['-o', field, '-p', String(pid)], { encoding: 'utf8' });
  return stdout?.trim() || null;
}
