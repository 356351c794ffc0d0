import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { announceScans, type ColleagueNews, MAX_SHARED, sharedStations, watchScans } from '#domain/colleagues.ts';
import { refusals } from '#domain/refusal.ts';
import { BEAT_MS } from '#domain/streams.ts';
import { takeModel } from '#server/definitions/follow.ts';
import { openSession } from '#server/session/sessions.ts';
import { MAX_STREAMS } from '#server/streams/plugin.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { allAtOnce } from '#tests/support/heldTable.ts';

let testApp: TestApp;
let address: string;
const open = new Set<AbortController>();
beforeAll(async () => {
  // The beat is ours to give; everything else keeps its time.
  vi.useFakeTimers({ toFake: ['setInterval'] });
  testApp = await startTestApp();
  address = await testApp.app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  // A connection on which `fetch` has asked nothing yet is no idle one.
  testApp.app.server.closeAllConnections();
  await testApp.close();
  vi.useRealTimers();
});
beforeEach(async () => void (await testApp.db.deleteFrom('station_scans').execute()));
afterEach(() => {
  for (const it of open) it.abort();
  open.clear();
});

const announce = announceScans('store');
const watch = watchScans('store');
const announces = async (as: string, snList: string[], more: { bill?: string; submitted?: boolean } = {}) => {
  const answer = await testApp.send(announce, { bill: '', snList, ...more }, { as });
  expect(answer, answer.msg).toMatchObject({ code: '000000' });
};
const openStream = async (token: string, bill = '') => {
  const leaving = new AbortController();
  open.add(leaving);
  return fetch(`${address}${watch.path}?bill=${bill}`, { headers: { token }, signal: leaving.signal });
};

/** What somebody hears, event by event; `isOver` is whether the server has ended it. */
async function hears(as: string, { bill, token }: { bill?: string; token?: string } = {}) {
  const reply = await openStream(token ?? (await testApp.openToken(as)), bill);
  expect(reply.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  const events: string[] = [];
  let isOver = false;
  let number: number | undefined;
  const read = async () => {
    for await (const part of reply.body ?? []) {
      for (const it of Buffer.from(part).toString().split('\n\n')) {
        if (!it.startsWith('data: ')) continue;
        const news = JSON.parse(it.slice('data: '.length)) as ColleagueNews;
        number = news.last;
        events.push(wordsOf(news));
      }
    }
    isOver = true;
  };
  void read().catch(() => undefined);
  const heard = (expected: string[]) => vi.waitFor(() => expect(events).toEqual(expected));
  await vi.waitFor(() => expect(events).toHaveLength(1));
  return { heard, last: () => events.at(-1), number: () => number, isOver: () => isOver };
}

/** `li SN1,SN2 !`: who has what, and that somebody has submitted. */
const wordsOf = ({ others, submitted }: ColleagueNews) =>
  [...others.map((by) => `${by.userId} ${by.snList.join()}`), ...(submitted ? ['!'] : [])].join(' ');

describe('scans of others are told to nobody', () => {
  it('without a token or a right, nor told without them', async () => {
    for (const call of [announce, watch]) {
      const input = { bill: '', snList: [] } as never;
      expect(await testApp.send(call, input)).toMatchObject({ status: 401, code: refusals.noSession.code });
      expect(await testApp.send(call, input, { as: 'finance' })).toMatchObject({
        status: 403,
        code: refusals.noRight.code,
      });
    }
  });

  it('of another site, bill or station', async () => {
    const here = await hears('warehouse');
    const there = await hears('whNB');
    const elsewhere = await hears('warehouse', { bill: 'B2' });
    await announces('admin', ['SN1']);
    await here.heard(['', 'admin SN1']);
    await testApp.send(announceScans('check'), { bill: '', snList: ['SN2'] }, { as: 'admin' });
    await announces('admin', ['SN1', 'SN3']);
    await here.heard(['', 'admin SN1', 'admin SN1,SN3']);
    await there.heard(['']);
    await elsewhere.heard(['']);
  });

  it('after their own logout: the stream ends', async () => {
    const token = await openSession(testApp.db, { userId: 'warehouse', began: 'password', ip: '', days: 1 });
    const { heard, isOver } = await hears('warehouse', { token });
    await testApp.ask('DELETE', '/rest/session', {}, { token });
    await announces('admin', ['SN1']);
    await vi.waitFor(() => expect(isOver()).toBe(true));
    await heard(['']);
  });

  it('more than a list may hold, and no more streams than a browser needs', async () => {
    const snList = Array.from({ length: MAX_SHARED + 1 }, (_, i) => `SN${i}`);
    expect(await testApp.send(announce, { bill: '', snList }, { as: 'admin' })).toMatchObject({ code: '100015' });
    const token = await testApp.openToken('warehouse');
    for (let i = 0; i < MAX_STREAMS; i += 1) await openStream(token);
    expect(await testApp.send(watch, { bill: '' }, { as: 'warehouse' })).toMatchObject({
      status: 429,
      code: refusals.tooMany.code,
    });
    for (const it of open) it.abort();
    await vi.waitFor(async () => expect((await openStream(token)).status).toBe(200));
  });
});

describe('scans of others', () => {
  it('are told as they stand, as they change and when they are submitted, and never one’s own', async () => {
    await announces('admin', ['SN1'], { bill: 'B1' });
    const { heard, last } = await hears('warehouse', { bill: 'B1' });
    await heard(['admin SN1']);
    await announces('warehouse', ['SN9'], { bill: 'B1' });
    await announces('admin', ['SN1', 'SN2'], { bill: 'B1' });
    await heard(['admin SN1', 'admin SN1,SN2']);
    await announces('admin', [], { bill: 'B1', submitted: true });
    await vi.waitFor(() => expect(last()).toBe('!'));
  });

  it('told again are no news', async () => {
    const { heard } = await hears('warehouse');
    for (const snList of [['SN1'], ['SN1']]) await announces('admin', snList);
    await heard(['', 'admin SN1']);
    await announces('admin', ['SN2']);
    await heard(['', 'admin SN1', 'admin SN2']);
  });

  it('disappear when their owner has gone without a word', async () => {
    await announces('admin', ['SN1']);
    const { heard } = await hears('warehouse');
    await sql`UPDATE station_scans SET "expiresAt" = now()`.execute(testApp.db);
    vi.advanceTimersByTime(BEAT_MS);
    await heard(['admin SN1', '']);
  });

  it('are told again after the connection that hears has broken', async () => {
    const { heard } = await hears('warehouse');
    await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
               WHERE datname = current_database() AND query LIKE 'LISTEN reflow_station_scans'`.execute(testApp.db);
    await heard(['', '!']);
    await announces('admin', ['SN1']);
    await heard(['', '!', 'admin SN1']);
  });

  it('stay in a bounded number of places, also when many are told at once', async () => {
    for (let i = 0; i < 17; i += 1) await announces('admin', ['SN1'], { bill: `B${i}` });
    const told = Array.from({ length: 6 }, (_, i) => () => {
      return testApp.send(announce, { bill: `C${i}`, snList: ['SN1'] }, { as: 'admin' });
    });
    const codes = (await allAtOnce(testApp.db, 'station_scans', told)).map((it) => it.code);
    expect(codes.toSorted()).toEqual([...Array(3).fill('000000'), ...Array(3).fill(refusals.tooMany.code)]);
    expect(await testApp.send(announce, { bill: 'B20', snList: ['SN1'] }, { as: 'admin' })).toMatchObject({
      code: refusals.tooMany.code,
    });
    await announces('admin', ['SN2'], { bill: 'B0' });
  });
});

it('each shared station has a right that somebody holds', () => {
  const held = testApp.app.declaredRights.map((it) => it.right);
  for (const right of Object.values(sharedStations))
    expect(held.filter((it) => it === right).length).toBeGreaterThan(2);
});

it('a publish is told to stations at once, not with the next beat', async () => {
  // Waiting for something gives beats as well, as long as they are ours to give.
  vi.useRealTimers();
  const { last, number } = await hears('warehouse');
  expect(number()).toBe(0);
  takeModel(testApp.holder, testApp.model, 7);
  await vi.waitFor(() => expect([number(), last()]).toEqual([7, '']));
});
