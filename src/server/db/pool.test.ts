import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterEach, describe, expect, inject, it, vi } from 'vitest';
import { CONNECT_MS } from '#server/db/client.ts';
import { openDatabase, openToFill, parseMoment, TURN_MS } from '#server/db/pool.ts';
import { tries } from '#tests/support/tries.ts';

const two = (it: number) => String(it).padStart(2, '0');

it('a moment as the database says it is read as exactly as JavaScript reads it, in whatever zone and of whatever year', () => {
  const moment = fc.record({
    date: fc.date({ min: new Date('0101-01-01'), max: new Date('9998-12-31'), noInvalidDate: true }),
    fraction: fc.stringMatching(/^(\.\d{1,6})?$/),
    zone: fc.tuple(fc.constantFrom('+', '-'), fc.integer({ min: 0, max: 14 }), fc.constantFrom('', ':30', ':45')),
  });
  fc.assert(
    fc.property(moment, ({ date, fraction, zone: [sign, hours, more] }) => {
      const [day, clock] = [date.toISOString().slice(0, 10), date.toISOString().slice(11, 19)];
      const iso = `${day}T${clock}${fraction}${sign}${two(hours)}${more || ':00'}`;
      expect(parseMoment(`${day} ${clock}${fraction}${sign}${two(hours)}${more}`)).toBe(Date.parse(iso));
    }),
    tries(200),
  );
});

it('the rows of a start have ten minutes, however busy the machine is, and more where everything has', async () => {
  for (const [patience, limit] of [
    [1, 600_000],
    [2, 1_200_000],
  ] as const) {
    const database = openToFill(inject('databaseUrl'), { timeZone: 'Asia/Shanghai', patience });
    const { rows } = await sql<{ ms: number }>`
      SELECT setting::int AS ms FROM pg_settings WHERE name = 'statement_timeout'`.execute(database.db);
    expect(rows).toEqual([{ ms: limit }]);
    const { query_timeout: answeredIn } = database.pool.options as { query_timeout?: number };
    expect(answeredIn).toBeGreaterThan(limit);
    await database.close();
  }
});

describe('a call that finds all connections at work', () => {
  afterEach(() => void vi.useRealTimers());

  it('waits for its turn for longer than it would for a database that lets nobody in, and not for ever', async () => {
    const database = openDatabase(inject('databaseUrl'), 'Asia/Shanghai', { size: 1 });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const held = await database.pool.connect();
    const ask = () => sql<{ one: number }>`SELECT 1 AS one`.execute(database.db).then(({ rows }) => rows[0]?.one);
    const patient = ask();
    await vi.advanceTimersByTimeAsync(2 * CONNECT_MS);
    held.release();
    expect(await patient).toBe(1);

    const again = await database.pool.connect();
    const late = expect(ask()).rejects.toThrow('timeout exceeded when trying to connect');
    await vi.advanceTimersByTimeAsync(TURN_MS);
    await late;
    again.release();
    await database.close();
  });

  it('is told sooner where the database does not let it in', async () => {
    const open = new Set<Socket>();
    const silent = createServer((socket) => void open.add(socket.on('error', () => undefined)));
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const database = openDatabase(`postgres://a:b@127.0.0.1:${port}/c`, 'Asia/Shanghai');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const refused = expect(database.pool.query('SELECT 1')).rejects.toThrow('timeout expired');
    await once(silent, 'connection');
    await vi.advanceTimersByTimeAsync(CONNECT_MS);
    await refused;
    await database.close();
    for (const it of open) it.destroy();
    silent.close();
  });
});
