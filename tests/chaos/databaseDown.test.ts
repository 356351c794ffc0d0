import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { sharedStations, watchScans, type SharedStation } from '#domain/colleagues.ts';
import { isOver, type Job } from '#domain/jobs.ts';
import { databaseProxy, type DatabaseProxy } from '#tests/support/databaseProxy.ts';
import { openWorkshop, type ServerProcess, type Workshop } from '#tests/support/serverProcess.ts';

/** The database goes away under a server that works, and comes back. */
const BACK_MS = 5_000;
let workshop: Workshop;
let wire: DatabaseProxy;
let server: ServerProcess;
let token: string;
beforeAll(async () => {
  workshop = await openWorkshop();
  await sql`
    INSERT INTO rma_inventory (sn, "ivyId", type, "salesCode", "itemName", "siteId")
    SELECT 'DOWN' || n, '10', '0', 'RX19', 'RX19 104T', 'SZ' FROM generate_series(1, 100) AS n`.execute(
    workshop.database.db,
  );
  wire = await databaseProxy(workshop.url);
  server = await workshop.start({ DATABASE_URL: wire.url, EXPORT_WAIT_MS: '0' });
  token = await workshop.openToken('admin');
});
afterAll(async () => {
  await workshop.close();
  await wire.close();
});

const ask = async (path: string, body?: object) => {
  const reply = await fetch(`${server.url}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { token, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: reply.status, retryAfter: reply.headers.get('retry-after'), text: await reply.text() };
};
const [station] = Object.keys(sharedStations) as SharedStation[];
const stream = `${watchScans(station as SharedStation).path}?bill=MTB1`;
const newBill = {
  receiveShipNo: 'SF-DOWN',
  userName: '宁远矿业',
  mobile: '13800000000',
  rmaMaintainBillLineList: [{ type: '0', salesCode: 'RX19', count: 1 }],
};

/** The first thing that a stream of events says. */
async function readFirst(path: string): Promise<string> {
  const ended = new AbortController();
  const reply = await fetch(`${server.url}${path}`, { headers: { token }, signal: ended.signal });
  expect(reply.status).toBe(200);
  const { value } = await (reply.body as ReadableStream<Uint8Array>).getReader().read();
  ended.abort();
  return Buffer.from(value ?? []).toString();
}

describe('a database that goes away in the middle of the work', { timeout: 120_000 }, () => {
  it('is told for what it is, and the server finds it again by itself, jobs included', async () => {
    expect(await readFirst(stream)).toContain('data: ');
    // Its rows are not let out before it was cut off, however fast it is.
    const held = await workshop.database.db.startTransaction().execute();
    await sql`LOCK TABLE rma_inventory IN ACCESS EXCLUSIVE MODE`.execute(held);
    const { jobId } = (
      JSON.parse((await ask('/api/rmaInventory/export.json?columns=sn,ivyId,siteId')).text) as {
        data: { jobId: number };
      }
    ).data;
    const readJob = async () =>
      (await workshop.database.db.selectFrom('job').selectAll().where('id', '=', jobId).executeTakeFirst()) as
        | (Omit<Job, 'state'> & { state: Job['state']; attempt: number })
        | undefined;
    await vi.waitUntil(async () => (await readJob())?.state === 'running', { timeout: 30_000, interval: 20 });

    await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
               WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name <> 'reflow'`.execute(
      workshop.database.db,
    );
    await wire.cut();
    await held.rollback().execute();
    const calls: [string, object?][] = [
      ['/api/rmaCheckBill/pager.json'],
      ['/api/rmaCheckBill/validateSn.json', { sn: 'DOWN1' }],
      ['/api/rmaMaintainBill/create.json', newBill],
      ['/api/login.json', { userId: 'tech', password: 'Reflow#2026' }],
      [`/file/${'0'.repeat(32)}`],
      ['/rest/health'],
      [stream],
    ];
    for (const [path, body] of calls) {
      const { status, retryAfter, text } = await ask(path, body);
      expect([path, status, retryAfter, text.slice(0, 16)]).toEqual([path, 503, '5', '{"code":"000503"']);
    }
    // Who starts another server now reads one line, and no stack.
    const start = workshop.start({ DATABASE_URL: wire.url });
    await expect(start).rejects.toThrow(
      /did not start\. .*ECONNREFUSED.* \(databaseDown\)\. Check DATABASE_URL.*\.\s*$/,
    );
    expect((await ask('/healthz')).status).toBe(200);
    expect((await ask('/metrics')).status).toBe(200);
    expect(await ask('/readyz')).toMatchObject({
      status: 503,
      text: expect.stringContaining('databaseDown') as string,
    });

    await wire.mend();
    const began = performance.now();
    const within = async (what: string, isBack: () => Promise<boolean>, ms = BACK_MS) => {
      await vi.waitUntil(isBack, { timeout: 30_000, interval: 20 });
      expect(performance.now() - began, what).toBeLessThan(ms);
    };
    await within('reading', async () => (await ask('/api/rmaCheckBill/pager.json')).status === 200);
    await within('a number', async () => (await ask('/api/rmaMaintainBill/create.json', newBill)).text.includes('MTB'));
    await within('events', async () => (await readFirst(stream)).includes('data: '));
    await within('readiness', async () => (await ask('/readyz')).status === 200);
    // Their thread goes behind the calls, where there are too few cores.
    await within('workers', async () => !(await ask('/readyz')).text.includes('jobsStopped'), 3 * BACK_MS);

    // What the server lost with the database is nobody's work any more, and is taken up again.
    await vi.waitUntil(async () => isOver((await readJob())?.state ?? 'queued'), { timeout: 60_000, interval: 100 });
    const job = await readJob();
    expect([job?.state, job?.attempt]).toEqual(['done', 2]);
  });
});
