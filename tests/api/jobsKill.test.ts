import { readdirSync } from 'node:fs';
import { sql } from 'kysely';
import { readXlsx } from 'hucre/xlsx';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { isOver, type Job } from '#domain/jobs.ts';
import { LOCK_SPACE } from '#server/jobs/sweep.ts';
import { databaseProxy } from '#tests/support/databaseProxy.ts';
import { openWorkshop, type ServerProcess, type Workshop } from '#tests/support/serverProcess.ts';

/** What a job owes when its server dies as by a power cut: it ends once, with one whole file. Safety, fault F9. */
const ROWS = 100;
let workshop: Workshop;
beforeAll(async () => {
  workshop = await openWorkshop();
  await sql`
    INSERT INTO rma_inventory (sn, "ivyId", type, "salesCode", "itemName", "siteId")
    SELECT 'KILL' || n, '10', '0', 'RX19', 'RX19 104T', 'SZ' FROM generate_series(1, ${ROWS}::int) AS n`.execute(
    workshop.database.db,
  );
});
afterAll(() => workshop.close());

async function ask<Data>(at: ServerProcess, path: string, as = 'office', method = 'GET'): Promise<Data> {
  const reply = await fetch(`${at.url}${path}`, { method, headers: { token: await workshop.openToken(as) } });
  const { code, msg, data } = (await reply.json()) as { code: string; msg: string; data: Data };
  expect(code, msg).toBe('000000');
  return data;
}
const start = async (at: ServerProcess, as?: string) =>
  (await ask<{ jobId: number }>(at, '/api/rmaInventory/export.json?columns=sn,ivyId,siteId', as)).jobId;
const until = (at: ServerProcess, id: number, fits: (job: Job) => boolean, as?: string): Promise<Job> =>
  vi.waitFor(
    async () => {
      const job = await ask<Job>(at, `/rest/jobs/${id}`, as);
      expect(fits(job), JSON.stringify(job)).toBe(true);
      return job;
    },
    { interval: 50 },
  );
const readAttempts = async (id: number) =>
  (await workshop.database.db.selectFrom('job').select('attempt').where('id', '=', id).executeTakeFirstOrThrow())
    .attempt;
/** Without the folders they lie in and the marks of servers at work. */
const files = () =>
  readdirSync(`${workshop.dataDir}/files`, { recursive: true })
    .map(String)
    .filter((it) => it.length > 2 && !it.startsWith('servers'));
const atOnce = { EXPORT_WAIT_MS: '0' };

/** Lets nothing read the units until it is told to: an export that has begun stays in the middle. */
async function holdUnits(): Promise<() => Promise<unknown>> {
  const held = await workshop.database.db.startTransaction().execute();
  const letGo = async () => {
    if (!held.isRolledBack) await held.rollback().execute();
  };
  // Also where the test goes wrong: whoever came next would wait for ever.
  onTestFinished(letGo);
  await sql`LOCK TABLE rma_inventory IN ACCESS EXCLUSIVE MODE`.execute(held);
  return letGo;
}

async function rowsOf(at: ServerProcess, job: Job, as = 'office'): Promise<number> {
  const reply = await fetch(`${at.url}${job.path}`, { headers: { token: await workshop.openToken(as) } });
  const { sheets } = await readXlsx(Buffer.from(await reply.arrayBuffer()));
  return (sheets[0]?.rows.length ?? 0) - 1;
}

describe('an export whose server is killed in the middle', () => {
  it('is taken up again after the next start, from its beginning, and gives one whole file', async () => {
    const first = await workshop.start(atOnce);
    const letGo = await holdUnits();
    const id = await start(first);
    await until(first, id, (it) => it.state === 'running');
    await first.kill();
    await letGo();
    const second = await workshop.start(atOnce);
    const job = await until(second, id, (it) => isOver(it.state));
    expect(job).toMatchObject({ state: 'done', result: { rows: ROWS } });
    expect(await readAttempts(id)).toBe(2);
    expect(await rowsOf(second, job)).toBe(ROWS);
    expect(files()).toHaveLength(1);
    await second.stop();
  });

  it('is taken up by another server that is alive, without anybody starting anything', async () => {
    const wire = await databaseProxy(workshop.url);
    const [one, another] = await Promise.all([
      workshop.start({ ...atOnce, DATABASE_URL: wire.url }),
      workshop.start(atOnce),
    ]);
    const letGo = await holdUnits();
    const id = await start(one, 'finance');
    await until(one, id, (it) => it.state === 'running', 'finance');
    const { rows } = await sql<{ port: number }>`
      SELECT a.client_port AS port FROM pg_locks AS l JOIN job ON job.worker = l.objid::bigint
        JOIN pg_stat_activity AS a ON a.pid = l.pid
       WHERE l.locktype = 'advisory' AND l.objsubid = 2 AND l.classid::bigint = ${LOCK_SPACE} AND job.id = ${id}`.execute(
      workshop.database.db,
    );
    expect(rows, 'its worker holds its lock').toHaveLength(1);
    // Either of them may have taken it.
    const isOne = wire.isWayOf(rows[0]?.port ?? 0);
    const [owner, other] = isOne ? [one, another] : [another, one];
    await owner.kill();
    await letGo();
    const job = await until(other, id, (it) => isOver(it.state), 'finance');
    expect(job).toMatchObject({ state: 'done', result: { rows: ROWS } });
    expect(await readAttempts(id)).toBe(2);
    expect(await rowsOf(other, job, 'finance')).toBe(ROWS);
    await other.stop();
    await wire.close();
  });

  it('goes on after an orderly stop as well', async () => {
    const first = await workshop.start(atOnce);
    const letGo = await holdUnits();
    const id = await start(first, 'aftersales');
    await until(first, id, (it) => it.state === 'running', 'aftersales');
    const stopped = first.stop();
    await vi.waitUntil(() =>
      fetch(`${first.url}/healthz`).then(
        () => false,
        () => true,
      ),
    );
    await letGo();
    await stopped;
    const { state } = await workshop.database.db
      .selectFrom('job')
      .select('state')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    // It may have come to its end before it heard that it should stop.
    expect(['queued', 'done']).toContain(state);
    const second = await workshop.start(atOnce);
    const job = await until(second, id, (it) => isOver(it.state), 'aftersales');
    expect(job).toMatchObject({ state: 'done', result: { rows: ROWS } });
  });
});
