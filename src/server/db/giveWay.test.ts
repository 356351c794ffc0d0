import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { constants, getPriority } from 'node:os';
import pg from 'pg';
import { expect, it } from 'vitest';
import { giveWay } from '#server/db/giveWay.ts';
import { createTestDatabase } from '#tests/support/database.ts';

it.runIf(process.platform === 'linux')('what a connection does goes behind the others, and theirs do not', async () => {
  const { url, drop } = await createTestDatabase();
  const clients = [new pg.Client({ connectionString: url }), new pg.Client({ connectionString: url })];
  try {
    const pids: number[] = [];
    for (const client of clients) {
      await client.connect();
      const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      pids.push(rows[0]?.pid as number);
    }
    await giveWay(clients[0] as pg.Client);
    expect(pids.map((it) => getPriority(it))).toEqual([constants.priority.PRIORITY_LOW, getPriority()]);
    if (!existsSync('/proc/self/autogroup')) return;
    const sessions = await Promise.all(pids.map((it) => readFile(`/proc/${it}/autogroup`, 'utf8')));
    expect(sessions.map((it) => / nice (\S+)/.exec(it)?.[1])).toEqual([String(constants.priority.PRIORITY_LOW), '0']);
  } finally {
    for (const client of clients) await client.end();
    await drop();
  }
});
