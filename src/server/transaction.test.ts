import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Refusal } from '#domain/refusal.ts';
import { missingOf } from '#server/health/missing.ts';
import { inTransaction } from '#server/transaction.ts';
import { newKey, startTestApp, type TestApp } from '#tests/support/app.ts';
import { addProbe, countRows } from '#tests/support/probe.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp({ patience: 1 });
  await addProbe(testApp);
  await sql`CREATE TABLE deed (id bigint GENERATED ALWAYS AS IDENTITY, what text UNIQUE)`.execute(testApp.db);
});
afterAll(() => testApp.close());

const create = (body: object, key?: string, as = 'prober') =>
  testApp.ask<{ id: number; probeId: string }>('POST', '/api/probe/create.json', body, { as, ...(key && { key }) });
const made = async (work: () => Promise<unknown>) => {
  const before = await countRows(testApp, 'probe');
  await work();
  return (await countRows(testApp, 'probe')) - before;
};

describe('a submit that is sent again with its key', () => {
  it('has one effect and gets the first answer again, its number too', async () => {
    const key = newKey();
    const rows = await made(async () => {
      const first = await create({ title: 'once', count: 1 }, key);
      const ledger = await countRows(testApp, 'ledger');
      const again = await create({ count: 1, title: 'once' }, key);
      expect(first.code).toBe('000000');
      expect(again).toEqual(first);
      expect(await countRows(testApp, 'ledger')).toBe(ledger);
    });
    expect(rows).toBe(1);
  });

  it('has one effect although both are under way at once', async () => {
    const key = newKey();
    const rows = await made(async () => {
      const answers = await Promise.all(Array.from({ length: 8 }, () => create({ title: 'together' }, key)));
      expect(answers[0]?.code).toBe('000000');
      for (const it of answers) expect(it).toEqual(answers[0]);
    });
    expect(rows).toBe(1);
  });

  it('is refused when it says something else, and does nothing', async () => {
    const key = newKey();
    await create({ title: 'this' }, key);
    const rows = await made(async () => {
      expect(await create({ title: 'that' }, key)).toMatchObject({ status: 200, code: '100044' });
    });
    expect(rows).toBe(0);
  });

  it('is judged anew after a refusal, which left nothing behind', async () => {
    const key = newKey();
    const body = { title: 'later', shipId: 'NEW' };
    const keys = await countRows(testApp, 'idempotency_key');
    const ledger = await countRows(testApp, 'ledger');
    expect(await made(async () => expect(await create(body, key)).toMatchObject({ code: '100002' }))).toBe(0);
    expect(await countRows(testApp, 'idempotency_key')).toBe(keys);
    expect(await countRows(testApp, 'ledger')).toBe(ledger);
    await testApp.db.insertInto('ubs_shipment').values({ shipId: 'NEW', name: 'New' }).execute();
    expect(await made(async () => expect(await create(body, key)).toMatchObject({ code: '000000' }))).toBe(1);
  });

  it('is another submit for another user and for another call', async () => {
    const key = newKey();
    const body = { title: 'shared key' };
    expect(
      await made(async () => {
        const mine = await create(body, key);
        const theirs = await create(body, key, 'proberNB');
        expect(theirs.data.id).not.toBe(mine.data.id);
        const { id } = mine.data;
        const deletion = await testApp.ask('POST', '/api/probe/deleteById.json', { id }, { as: 'prober', key });
        expect(deletion.code).toBe('000000');
      }),
    ).toBe(1);
  });

  it('has two effects without a key, which shows that the key is what protects', async () => {
    expect(
      await made(async () => {
        await create({ title: 'twice' });
        await create({ title: 'twice' });
      }),
    ).toBe(2);
  });

  it('is refused when its key is longer than 200 letters', async () => {
    expect(
      await made(async () => expect(await create({ title: 'x' }, 'k'.repeat(201))).toMatchObject({ code: '100015' })),
    ).toBe(0);
  });
});

describe('the transaction of a submit', () => {
  const repeatable = (key?: string) => ({ userId: 'prober', route: '/test', key, input: {} });
  const countEntries = () => countRows(testApp, 'deed');

  it('makes a second one wait for the first, and gives it the first one’s answer', async () => {
    const key = newKey();
    let finish = () => {};
    const finished = new Promise<void>((go) => (finish = go));
    let begun = () => {};
    const hasBegun = new Promise<void>((go) => (begun = go));
    const work = vi.fn(async () => {
      begun();
      await finished;
      return { answer: 'of the first' };
    });
    const first = inTransaction(testApp.db, repeatable(key), work);
    await hasBegun;
    const second = inTransaction(testApp.db, repeatable(key), work);
    await vi.waitUntil(async () => {
      const { rows } = await sql`
        SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
          AND query LIKE '%idempotency_key%'`.execute(testApp.db);
      return rows.length === 1;
    });
    finish();
    expect(await Promise.all([first, second])).toEqual([{ answer: 'of the first' }, { answer: 'of the first' }]);
    expect(work).toHaveBeenCalledTimes(1);
  });

  it('waits ten seconds at most, and then says that the first is still running', async () => {
    const key = newKey();
    let finish = () => {};
    const finished = new Promise<void>((go) => (finish = go));
    let begun = () => {};
    const hasBegun = new Promise<void>((go) => (begun = go));
    let timeout = '';
    const first = inTransaction(testApp.db, repeatable(key), async (db) => {
      const { rows } = await sql<{ lock_timeout: string }>`SHOW lock_timeout`.execute(db);
      timeout = rows[0]?.lock_timeout ?? '';
      begun();
      await finished;
    });
    await hasBegun;
    const second = testApp.db.connection().execute(async (db) => {
      await sql`SET lock_timeout = '1ms'`.execute(db);
      try {
        await inTransaction(db, repeatable(key), () => Promise.resolve());
      } finally {
        await sql`SET lock_timeout = '10s'`.execute(db);
      }
    });
    await expect(second).rejects.toMatchObject({ problems: [{ key: 'stillRunning' }] });
    finish();
    await first;
    expect(timeout).toBe('10s');
  });

  it('says nothing of a first one where its work waits too long for another row', async () => {
    const work = async (db: typeof testApp.db) => {
      await sql`SET LOCAL lock_timeout = '1ms'`.execute(db);
      await sql`SELECT pg_advisory_xact_lock(1)`.execute(db);
    };
    await testApp.db.transaction().execute(async (holder) => {
      await sql`SELECT pg_advisory_xact_lock(1)`.execute(holder);
      for (const key of [newKey(), undefined]) {
        const refused: unknown = await inTransaction(testApp.db, repeatable(key), work).catch(
          (error: unknown) => error,
        );
        expect(missingOf(refused)).toBe('databaseBusy');
      }
    });
  });

  it('keeps nothing of work that says no at its end', async () => {
    const before = await countEntries();
    const work = async (db: typeof testApp.db) => {
      await sql`INSERT INTO deed (what) VALUES ('undone')`.execute(db);
      throw new Refusal({ key: 'stale' });
    };
    await expect(inTransaction(testApp.db, repeatable(newKey()), work)).rejects.toThrow('stale');
    expect(await countEntries()).toBe(before);
  });

  it('begins again when PostgreSQL ends it for a deadlock, so that both do their work', async () => {
    await sql`INSERT INTO deed (what) VALUES ('left'), ('right')`.execute(testApp.db);
    let waiting = 0;
    let meet = () => {};
    const met = new Promise<void>((go) => (meet = go));
    let attempts = 0;
    const touch = (db: typeof testApp.db, what: string) =>
      sql`SELECT 1 FROM deed WHERE what = ${what} FOR UPDATE`.execute(db);
    const crossing = (one: string, other: string) =>
      inTransaction(testApp.db, repeatable(newKey()), async (db) => {
        attempts += 1;
        await touch(db, one);
        waiting += 1;
        if (waiting === 2) meet();
        await met;
        await touch(db, other);
        return one;
      });
    expect(await Promise.all([crossing('left', 'right'), crossing('right', 'left')])).toEqual(['left', 'right']);
    // It ends one of the two, or on a busy machine both.
    expect([3, 4]).toContain(attempts);
  });

  it('gives up after the third time', async () => {
    const work = vi.fn(async () => {
      throw Object.assign(new Error('could not serialize access'), { code: '40001' });
    });
    await expect(inTransaction(testApp.db, repeatable(newKey()), work)).rejects.toThrow('could not serialize');
    expect(work).toHaveBeenCalledTimes(3);
  });
});
