import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  LATEST_DAYS,
  MOST_SAMPLES,
  SAMPLES_A_SECOND,
  SAMPLES_AT_ONCE,
  SAMPLE_DAYS,
  SLOT_DAYS,
} from '#domain/hashRate.ts';
import { DAY_MS } from '#domain/day.ts';
import { userSpeedChart, userWorkerSpeedChart } from '#features/charts/contract.ts';
import { ingest } from '#features/hash-rate/contract.ts';
import { issue, revoke, rotate } from '#features/service-tokens/contract.ts';
import { markSilent, tidyHashRates } from '#server/hashRate.ts';
import type { ProblemAnswer, RefusalKey } from '#domain/refusal.ts';
import { type Answer, newKey, startTestApp, type TestApp } from '#tests/support/app.ts';
import { expectNo } from '#tests/support/guard.ts';
import { sendFile, workbook } from '#tests/support/workbooks.ts';
import { tries } from '#tests/support/tries.ts';

const MINUTE = 60_000;
const admin = { as: 'admin' };

let testApp: TestApp;
/** Reports whatever stands in Shenzhen. */
let secret: string;
beforeAll(async () => {
  testApp = await startTestApp();
  for (const it of ['tech', 'office', 'planner', 'admin']) await testApp.openToken(it);
  ({ secret } = await issued({ name: 'Shenzhen' }));
});
afterAll(() => testApp.close());
beforeEach(() => sql`DELETE FROM service_allowance`.execute(testApp.db));

async function issued(more: { name: string; siteId?: string; userOid?: string; days?: number }) {
  const { code, data } = await testApp.send(issue, { siteId: 'SZ', userOid: null, days: 30, ...more }, admin);
  expect(code).toBe('000000');
  return data;
}
const sample = (workerId: string, ms: number, hashRate = 100, userOid = 'RACK') => ({
  ...{ userOid, workerId, timestamp: ms, hashRate },
});
type Sample = ReturnType<typeof sample>;
const report = (samples: Sample[], by = secret) => testApp.send(ingest, { samples }, { secret: by });
const stored = async (samples: Sample[], by = secret) => {
  const { code, msg, data } = await report(samples, by);
  expect([code, msg]).toEqual(['000000', expect.any(String)]);
  return data;
};
/** Refused for this, in a sentence with all its words. */
async function expectRefused(asked: Promise<Answer<unknown>>, key: RefusalKey) {
  const { data, msg } = (await asked) as Answer<{ problems?: ProblemAnswer[] } | null>;
  expect([data?.problems?.[0]?.key, msg]).toEqual([key, expect.not.stringMatching(/%\{|undefined|\[object/)]);
}
const readLedger = (what: string) => testApp.db.selectFrom('ledger').selectAll().where('what', '=', what).execute();
const machine = (workerId: string) =>
  testApp.db
    .selectFrom('user_worker')
    .select(['userOid', 'siteId', 'currentRate', 'lastSeenTime'])
    .where('workerId', '=', workerId)
    .executeTakeFirst();
const account = (userOid: string) =>
  testApp.db
    .selectFrom('user_speed')
    .select(['siteId', 'workerCount', 'workersOnline', 'currentRate'])
    .where('userOid', '=', userOid)
    .executeTakeFirst();
const count = async (userOid: string) => {
  const { rows } = await sql<{ samples: number; slots: number }>`
    SELECT (SELECT count(*) FROM hash_rate_sample WHERE "userOid" = ${userOid})::int AS samples,
           (SELECT coalesce(sum(count), 0) FROM hash_rate_slot WHERE "userOid" = ${userOid} AND span = 'hour')::int AS slots`.execute(
    testApp.db,
  );
  return rows[0];
};
/** A moment in the middle of the hour before this one. */
const lastHour = () => Math.floor(Date.now() / 3_600_000) * 3_600_000 - 30 * MINUTE;

describe('hash rates that a collector reports', () => {
  it('are another submit for another service, whatever its key, and the same one once its secret is another', async () => {
    const key = newKey();
    const [first, second] = [await issued({ name: 'Key one' }), await issued({ name: 'Key two' })];
    const send = (workerId: string, by: string) =>
      testApp.send(ingest, { samples: [sample(workerId, lastHour())] }, { secret: by, key });
    expect((await send('KEY1', first.secret)).data).toMatchObject({ stored: 1 });
    expect((await send('KEY2', second.secret)).data).toMatchObject({ stored: 1 });
    const { data } = await testApp.send(rotate, { id: first.id, hours: 1 }, admin);
    expect((await send('KEY1', data.secret)).data).toMatchObject({ stored: 1, repeated: 0 });
  });

  it('are kept, added up, and show who was seen when [P-CHT-01, P-CHT-02]', async () => {
    const now = Date.now();
    const at = lastHour();
    const first = [
      ...[sample('K1', at, 100, 'KEPT'), sample('K1', at + MINUTE, 200, 'KEPT'), sample('K2', at, 50, 'KEPT')],
      ...[sample('K1', now, 120, 'KEPT'), sample('K2', now - 11 * MINUTE, 60, 'KEPT')],
    ];
    expect(await stored(first)).toEqual({ received: 5, stored: 5, repeated: 0 });
    expect(await machine('K1')).toEqual({ userOid: 'KEPT', siteId: 'SZ', currentRate: 120, lastSeenTime: now });
    // One reported eleven minutes ago and counts as silent.
    expect(await account('KEPT')).toEqual({ siteId: 'SZ', workerCount: 2, workersOnline: 1, currentRate: 120 });
    const { data } = await testApp.send(userSpeedChart, { userOid: 'KEPT', interval: 'hour' }, { as: 'tech' });
    const before = Math.floor(at / 3_600_000) * 3_600_000;
    const inHour = first.filter((it) => Math.floor(it.timestamp / 3_600_000) * 3_600_000 === before);
    const mean = (id: string) => {
      const rates = inHour.filter((it) => it.workerId === id).map((it) => it.hashRate);
      return rates.reduce((a, b) => a + b, 0) / rates.length;
    };
    expect(data.point.find((it) => it.timestamp === before)?.hashRate).toBeCloseTo(mean('K1') + mean('K2'), 9);
    const ofOne = await testApp.send(userWorkerSpeedChart, { workerId: 'K2', interval: 'minute' }, { as: 'tech' });
    expect(ofOne.data.point.flatMap((it) => it.hashRate ?? [])).toEqual([50, 60]);
    const made = await readLedger('ingest');
    expect(made.filter((it) => it.userId === 'service:Shenzhen').map((it) => it.module)).toEqual(
      expect.arrayContaining(['userSpeed', 'userWorker']),
    );
  });

  it('are not doubled by what is sent again, in the same batch or another, and keep the rate that came first', async () => {
    const at = lastHour();
    expect(await stored([sample('D1', at, 100, 'DBL'), sample('D1', at, 900, 'DBL')])).toMatchObject({
      stored: 1,
      repeated: 1,
    });
    expect(await stored([sample('D1', at, 500, 'DBL'), sample('D1', at + 1, 60, 'DBL')])).toMatchObject({
      stored: 1,
      repeated: 1,
    });
    expect(await count('DBL')).toEqual({ samples: 2, slots: 2 });
    const { data } = await testApp.send(userSpeedChart, { userOid: 'DBL', interval: 'hour' }, { as: 'tech' });
    expect(data.point.flatMap((it) => it.hashRate ?? [])).toEqual([80]);
  });

  it('that come late change no newer rate', async () => {
    const now = Date.now();
    await stored([sample('L1', now, 70, 'LATE')]);
    await stored([sample('L1', now - 2 * DAY_MS, 5, 'LATE')]);
    expect(await machine('L1')).toMatchObject({ currentRate: 70, lastSeenTime: now });
  });

  it('of any collectors at once add up to what each of them sent, whatever they repeat', async () => {
    const at = lastHour() - DAY_MS;
    const batch = fc.array(fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 30 })), { minLength: 1, maxLength: 20 });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(batch, { minLength: 1, maxLength: 6 }), async (batches) => {
        const rack = `MANY${run++}`;
        const of = (it: [number, number][]) => it.map(([w, s]) => sample(`${rack}-${w}`, at + s * 1000, w + s, rack));
        const told = await Promise.all(batches.map((it) => stored(of(it))));
        const different = new Set(batches.flat().map(String)).size;
        expect(told.reduce((sum, it) => sum + it.stored, 0)).toBe(different);
        expect(await count(rack)).toEqual({ samples: different, slots: different });
      }),
      tries(10),
    );
  });

  it('are refused as a whole for one of them, each named with its place', async () => {
    const now = Date.now();
    const far = now + 11 * MINUTE;
    const answer = report([
      sample('F1', now, 10, 'FAULT'),
      sample('F1', now - (LATEST_DAYS + 1) * DAY_MS, 10, 'FAULT'),
      sample('F1', far, 10, 'FAULT'),
      sample(' ', now, -1, 'FAULT'),
      sample('F1', now, 2e9, 'FAULT'),
    ]);
    const { data } = await answer;
    expect(
      (data as unknown as { problems: { key: string; field: string }[] }).problems.map((it) => [it.field, it.key]),
    ).toEqual([
      ['samples.1.timestamp', 'tooOld'],
      ['samples.2.timestamp', 'tooFarAhead'],
      ['samples.3.workerId', 'required'],
      ['samples.3.hashRate', 'atLeast'],
      ['samples.4.hashRate', 'atMost'],
    ]);
    expect(await count('FAULT')).toEqual({ samples: 0, slots: 0 });
    expect(await account('FAULT')).toBeUndefined();
  });

  it('are taken up to 5,000 a call, and none of more', async () => {
    const at = lastHour();
    const many = Array.from({ length: MOST_SAMPLES + 1 }, (_, i) => sample(`B${i % 50}`, at + i, 1, 'BULK'));
    await expectNo('100015', () => report(many));
    await expectRefused(report([]), 'required');
    expect(await stored(many.slice(1))).toEqual({ received: MOST_SAMPLES, stored: MOST_SAMPLES, repeated: 0 });
  });

  it('beyond 60,000 at once are refused with the seconds to wait, and taken when these are over', async () => {
    const { id, secret: own } = await issued({ name: 'Fast', userOid: 'PACE' });
    const at = lastHour();
    const batch = (n: number) => Array.from({ length: 100 }, (_, i) => sample('P1', at + n * 100 + i, 1, 'PACE'));
    await stored(batch(0), own);
    const left = (n: number) =>
      sql`UPDATE service_allowance SET amount = ${n}, at = clock_timestamp() WHERE "tokenId" = ${id}`.execute(
        testApp.db,
      );
    const { rows } = await sql<{
      amount: number;
    }>`SELECT amount FROM service_allowance WHERE "tokenId" = ${id}`.execute(testApp.db);
    expect(rows[0]?.amount).toBe(SAMPLES_AT_ONCE - 100);
    await left(-SAMPLES_A_SECOND * 5);
    const refused = await report(batch(1), own);
    expect([refused.status, refused.code]).toEqual([429, expect.any(String)]);
    expect(refused.msg).toMatch(/[56]/);
    await sql`UPDATE service_allowance SET at = at - interval '6 seconds' WHERE "tokenId" = ${id}`.execute(testApp.db);
    expect(await stored(batch(1), own)).toMatchObject({ stored: 100 });
  });

  it('of a batch that is refused count all the same: whoever sends faults is slowed down as well', async () => {
    const { id, secret: own } = await issued({ name: 'Faulty', userOid: 'PACE' });
    expect((await report([sample('P1', 0, 1, 'PACE')], own)).code).not.toBe('000000');
    const { rows } = await sql<{
      amount: number;
    }>`SELECT amount FROM service_allowance WHERE "tokenId" = ${id}`.execute(testApp.db);
    expect(rows[0]?.amount).toBe(SAMPLES_AT_ONCE - 1);
  });
});

describe('who reports', () => {
  it('is a token for its site: new accounts and machines stand there, those of another site are refused', async () => {
    const { secret: far } = await issued({ name: 'Ningbo', siteId: 'NB' });
    const now = Date.now();
    await stored([sample('NB1', now, 10, 'NBRACK')], far);
    expect(await account('NBRACK')).toMatchObject({ siteId: 'NB' });
    await expectRefused(report([sample('NB1', now, 10, 'NBRACK')]), 'accountElsewhere');
    await stored([sample('SZ1', now, 10, 'SZRACK')]);
    await expectRefused(report([sample('SZ1', now + 1, 10, 'NBRACK')], far), 'workerElsewhere');
    expect(await machine('SZ1')).toMatchObject({ siteId: 'SZ', userOid: 'SZRACK' });
    await expectNo('100002', () => testApp.send(userSpeedChart, { userOid: 'NBRACK' }, { as: 'tech' }));
  });

  it('is a token for one account, which may name no other and take no machine of another', async () => {
    const { secret: own } = await issued({ name: 'One rack', userOid: 'ONE' });
    const now = Date.now();
    await stored([sample('ONE1', now, 10, 'ONE')], own);
    await expectRefused(report([sample('ONE2', now, 10, 'TWO')], own), 'accountElsewhere');
    expect(await account('TWO')).toBeUndefined();
    await stored([sample('TWO1', now, 10, 'TWO')]);
    await expectRefused(report([sample('TWO1', now + 1, 10, 'ONE')], own), 'workerElsewhere');
    // Within the site a machine goes with the account that reported it last.
    await stored([sample('ONE1', now + 1, 10, 'TWO')]);
    expect(await machine('ONE1')).toMatchObject({ userOid: 'TWO' });
  });
});

describe('a service token', () => {
  const probe = (by: string) => report([sample('T1', Date.now(), 1, 'TOKENS')], by);

  it('lets in by its header alone: no session does, it opens no other call, and its secret is kept nowhere', async () => {
    const now = Date.now();
    const body = { samples: [sample('T1', now, 1, 'TOKENS')] };
    await expectRefused(testApp.send(ingest, body), 'serviceToken');
    await expectRefused(testApp.send(ingest, body, admin), 'serviceToken');
    await expectRefused(testApp.send(ingest, body, { token: secret }), 'serviceToken');
    for (const it of ['x', secret.slice(1), `${secret}A`, 'A'.repeat(43)]) {
      const { code } = await testApp.send(ingest, body, { secret: it });
      expect([it, code]).toEqual([it, '401']);
    }
    await expectNo('401', () => testApp.ask('GET', '/api/userSpeed/pager.json', {}, { secret }));
    await expectNo('401', () => testApp.ask('GET', '/api/userInfo.json', {}, { token: secret }));
    const { rows: tables } = await sql<{ name: string }>`
      SELECT quote_ident(relname) AS name FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace`.execute(
      testApp.db,
    );
    expect(tables.length).toBeGreaterThan(80);
    for (const { name } of tables) {
      const { rows } = await sql`SELECT 1 FROM ${sql.raw(name)} AS t WHERE t::text LIKE ${`%${secret}%`}`.execute(
        testApp.db,
      );
      expect(rows, name).toEqual([]);
    }
  });

  it('is issued, changed and revoked by administrators alone, for sites that are there, under a name of its own', async () => {
    const input = { name: 'Other', siteId: 'SZ', userOid: null, days: 30 };
    for (const as of ['tech', 'office', 'planner']) {
      await expectNo('100013', () => testApp.send(issue, input, { as }));
      await expectNo('100013', () => testApp.send(rotate, { id: 1, hours: 0 }, { as }));
      await expectNo('100013', () => testApp.send(revoke, { id: 1 }, { as }));
    }
    await expectRefused(testApp.send(issue, { ...input, siteId: 'NOWHERE' }, admin), 'notFound');
    await expectRefused(testApp.send(issue, { ...input, name: '  ' }, admin), 'required');
    await expectNo('100015', () => testApp.send(issue, { ...input, days: 731 }, admin));
    await expectNo('100007', () => testApp.send(issue, { ...input, name: 'Shenzhen' }, admin));
    await stored([sample('Q1', Date.now(), 1, 'QRACK')]);
    await expectRefused(testApp.send(issue, { ...input, siteId: 'NB', userOid: 'QRACK' }, admin), 'accountElsewhere');
    await expectRefused(testApp.send(rotate, { id: 999_999, hours: 1 }, admin), 'notFound');
  });

  it('has two secrets for as long as was said when it is changed, and then the new one', async () => {
    const { id, secret: old } = await issued({ name: 'Rotated' });
    const { secret: young } = (await testApp.send(rotate, { id, hours: 1 }, admin)).data;
    expect(young).not.toBe(old);
    expect([(await probe(old)).code, (await probe(young)).code]).toEqual(['000000', '000000']);
    await sql`UPDATE service_secret SET "endsAt" = "endsAt" - interval '61 minutes' WHERE "tokenId" = ${id}`.execute(
      testApp.db,
    );
    await expectRefused(probe(old), 'serviceEnded');
    expect((await probe(young)).code).toBe('000000');
    const { secret: last } = (await testApp.send(rotate, { id, hours: 0 }, admin)).data;
    await expectRefused(probe(young), 'serviceEnded');
    expect((await probe(last)).code).toBe('000000');
    // A change that follows soon makes no old secret live longer.
    await testApp.send(rotate, { id, hours: 168 }, admin);
    await expectRefused(probe(old), 'serviceEnded');
    const told = await readLedger('rotate');
    expect(told.filter((it) => it.recordId === String(id))).toHaveLength(3);
  });

  it('ends at once and for ever when it is revoked, and when its time is over', async () => {
    const { id, secret: own } = await issued({ name: 'Revoked' });
    expect((await probe(own)).code).toBe('000000');
    expect((await testApp.send(revoke, { id }, admin)).code).toBe('000000');
    await expectRefused(probe(own), 'serviceEnded');
    await expectRefused(testApp.send(rotate, { id, hours: 1 }, admin), 'stale');
    await expectRefused(testApp.send(revoke, { id }, admin), 'stale');
    const { id: late, secret: over } = await issued({ name: 'Over', days: 1 });
    await sql`UPDATE service_token SET "expireTime" = now() WHERE id = ${late}`.execute(testApp.db);
    await expectRefused(probe(over), 'serviceEnded');
    expect((await readLedger('revokeToken')).map((it) => it.recordId)).toEqual([String(id)]);
  });

  it('for another use is refused, and shows when it was used last', async () => {
    const { id, secret: own } = await issued({ name: 'Other use' });
    const used = async () =>
      (
        await testApp.db
          .selectFrom('service_token')
          .select('lastUsedTime')
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
      ).lastUsedTime;
    expect(await used()).toBeNull();
    await probe(own);
    const first = await used();
    expect(Math.abs(Number(first) - Date.now())).toBeLessThan(MINUTE);
    await probe(own);
    // At most once a minute.
    expect(await used()).toBe(first);
    await sql`UPDATE service_token SET scope = 'somethingElse' WHERE id = ${id}`.execute(testApp.db);
    await expectRefused(probe(own), 'serviceScope');
  });
});

describe('time', () => {
  it('makes an account silent whose machines stopped reporting', async () => {
    await stored([sample('S1', Date.now(), 10, 'SILENT')]);
    await markSilent(testApp.db);
    expect(await account('SILENT')).toMatchObject({ workersOnline: 1, currentRate: 10 });
    await sql`UPDATE user_speed SET "lastSeenTime" = now() - interval '11 minutes' WHERE "userOid" = 'SILENT'`.execute(
      testApp.db,
    );
    await markSilent(testApp.db);
    expect(await account('SILENT')).toMatchObject({ workerCount: 1, workersOnline: 0, currentRate: 0 });
  });

  it('takes away samples and sums that no chart shows, and no others', async () => {
    await sql`INSERT INTO hash_rate_sample ("userOid", "workerId", at, "hashRate")
      SELECT 'OLD', 'O1', now() - make_interval(days => d) + interval '1 hour', 1 FROM unnest(ARRAY[1, ${SAMPLE_DAYS}::int, ${SAMPLE_DAYS + 1}::int]) AS d`.execute(
      testApp.db,
    );
    await sql`INSERT INTO hash_rate_slot ("userOid", span, at, "workerId", total, count)
      SELECT 'OLD', 'hour', now() - make_interval(days => d) + interval '1 hour', 'O1', 1, 1 FROM unnest(ARRAY[1, ${SLOT_DAYS}::int, ${SLOT_DAYS + 1}::int]) AS d`.execute(
      testApp.db,
    );
    await tidyHashRates(testApp.db);
    expect(await count('OLD')).toEqual({ samples: 2, slots: 2 });
  });
});

describe('a workbook of hash rates', () => {
  const heads = ['Account', 'Worker', 'Time', 'Hash rate (TH/s)'];
  type Brought = { rows: number; bad: number; imported: number; problems?: { row: number; msg: string }[] };
  let ownApp: TestApp;
  beforeAll(async () => {
    ownApp = await startTestApp({ exportWaitMs: 120_000 }, { worksJobs: true });
    for (const it of ['tech', 'office', 'planner', 'admin']) await ownApp.openToken(it);
  });
  afterAll(() => ownApp.close());
  const bring = async (rows: (string | number | null)[][], as?: string) =>
    sendFile<Brought>(ownApp, '/api/userWorker/upload.json', [await workbook([heads, ...rows])], { ...(as && { as }) });
  const clock = (ms: number) => new Date(ms + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
  const at = Math.floor(Date.now() / 1000) * 1000 - DAY_MS;

  it('brings samples once, by who may', async () => {
    const rows = Array.from({ length: 30 }, (_, i) => ['FILE', `W${i % 3}`, clock(at + i * MINUTE), 90 + i]);
    for (const as of [undefined, 'planner']) expect((await bring(rows, as)).code).toBe(as ? '100013' : '401');
    expect(await bring(rows, 'admin')).toMatchObject({ code: '000000', data: { rows: 30, bad: 0, imported: 30 } });
    expect(await bring(rows, 'admin')).toMatchObject({ code: '000000', data: { rows: 30, bad: 0 } });
    const { rows: kept } = await sql<{ n: number; total: number }>`
      SELECT count(*)::int AS n, sum("hashRate")::float8 AS total FROM hash_rate_sample WHERE "userOid" = 'FILE'`.execute(
      ownApp.db,
    );
    expect(kept).toEqual([{ n: 30, total: 30 * 90 + (29 * 30) / 2 }]);
  });

  it('brings nothing while a row is wrong, and each wrong row is told', async () => {
    await ownApp.db.insertInto('user_speed').values({ userOid: 'FAR', name: 'Far', siteId: 'NB' }).execute();
    const now = Date.now();
    const { data } = await bring(
      [
        ['OK', 'W9', clock(at), 1],
        ['OK', 'W9', clock(now - (LATEST_DAYS + 1) * DAY_MS), 1],
        ['OK', null, clock(at), 1],
        ['OK', 'W9', 'yesterday', 1],
        ['OK', 'W9', clock(at), -1],
        ['FAR', 'W9', clock(at), 1],
      ],
      'office',
    );
    expect(data).toMatchObject({ imported: 0 });
    expect(data.problems?.map((it) => it.row)).toEqual([3, 4, 5, 6, 7]);
    expect(await ownApp.db.selectFrom('user_worker').select('id').where('workerId', '=', 'W9').execute()).toEqual([]);
  });
});
