import { readFile, writeFile } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import type pg from 'pg';

/**
 * Where the database is on this machine, what this connection does from now on goes behind what people wait for, when
 * there are too few cores for both. Elsewhere nothing changes.
 */
export async function giveWay(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ pid: number; port: number | null }>(
    `SELECT pg_backend_pid() AS pid, inet_client_port() AS port`,
  );
  const [{ pid, port } = { pid: 0, port: null }] = rows;
  const { PRIORITY_LOW } = constants.priority;
  try {
    // A process of PostgreSQL names the connection that it serves: one of another machine is not here by its number.
    if (!(await readFile(`/proc/${pid}/cmdline`, 'utf8')).includes(`(${port})`)) return;
    setPriority(pid, PRIORITY_LOW);
    // Each of them is a session of its own; where Linux shares its time among sessions, theirs count, and they alone.
    await writeFile(`/proc/${pid}/autogroup`, String(PRIORITY_LOW));
  } catch {
    // It is as quick as before, and so is everybody else.
  }
}
