import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import { Node } from '#domain/nodes.ts';
import { syncBill, syncSn } from '#features/web-sync/contract.ts';
import { startSending, sendWaiting } from '#server/webSync.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { unitOnBill } from '#tests/support/factories.ts';
import { expectRefused } from '#tests/support/guard.ts';

let testApp: TestApp;
let url = '';
/** What the website has heard, and what it answers. */
let received: { headers: IncomingMessage['headers']; body: Record<string, unknown> }[] = [];
let status = 200;
const website = createServer((request, response) => {
  const pieces: Buffer[] = [];
  request.on('data', (it: Buffer) => pieces.push(it));
  request.on('end', () => {
    received.push({ headers: request.headers, body: JSON.parse(Buffer.concat(pieces).toString()) as never });
    response.writeHead(status).end();
  });
});

beforeAll(async () => {
  testApp = await startTestApp();
  await new Promise<void>((listening) => website.listen(0, '127.0.0.1', listening));
  url = `http://127.0.0.1:${(website.address() as AddressInfo).port}/hook`;
});
afterAll(async () => {
  await testApp.close();
  await new Promise((closed) => website.close(closed));
});
beforeEach(() => {
  received = [];
  status = 200;
});

const to = () => ({ url, token: 'secret' });
const office = { as: 'office' };
const readEntry = (recordId: string) =>
  testApp.db
    .selectFrom('rma_web_sync')
    .selectAll()
    .where('recordId', '=', recordId)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();

describe('the sync of an SN', () => {
  it('is refused without a session, a right or an SN, of one that nobody knows, and at another site', async () => {
    const { sn } = await unitOnBill(testApp.db, { node: Node.AwaitingTest });
    await expectRefused(testApp, '401', () => testApp.send(syncSn, { sn }));
    await expectRefused(testApp, '100013', () => testApp.send(syncSn, { sn }, { as: 'tech' }));
    await expectRefused(testApp, '100001', () => testApp.send(syncSn, { sn: ' ' }, office));
    await expectRefused(testApp, '100002', () => testApp.send(syncSn, { sn: 'RX19NOBODY' }, office));
    const theirs = await unitOnBill(testApp.db, { node: Node.AwaitingTest, siteId: 'NB' });
    await expectRefused(testApp, '100002', () => testApp.send(syncSn, { sn: theirs.sn }, office));
  });

  it('puts the item that the SN fills now in the queue [W-MTB-13]', async () => {
    const { sn, mtbliId } = await unitOnBill(testApp.db, { node: Node.AwaitingTest });
    const { data } = await testApp.send(syncSn, { sn: sn.toLowerCase() }, office);
    expect(data).toEqual({ sn, syncTime: expect.any(Number) as number });
    const entry = await readEntry(sn);
    expect(entry).toMatchObject({ module: 'rmaMaintainBillLineItem', status: '0' });
    expect(JSON.parse(entry.payload ?? '')).toMatchObject({ record: { mtbliId, receiveSn: sn } });
  });
});

describe('the queue for the website', () => {
  const queued = async () => {
    await testApp.db.deleteFrom('rma_web_sync').execute();
    const { mtbId } = await unitOnBill(testApp.db, { node: Node.AwaitingTest });
    await testApp.send(syncBill, { mtbId }, office);
    return mtbId;
  };

  it('waits where no address is configured', async () => {
    const mtbId = await queued();
    startSending(testApp.db, null, () => undefined)();
    expect([testApp.config.webSync, received, (await readEntry(mtbId)).status]).toEqual([null, [], '0']);
  });

  it('is sent once, with what the record was, and says when [W-MTB-12]', async () => {
    const mtbId = await queued();
    const tried = await Promise.all([sendWaiting(testApp.db, to()), sendWaiting(testApp.db, to())]);
    expect(tried.sort()).toEqual([0, 1]);
    expect(received).toMatchObject([{ headers: { authorization: 'Bearer secret' }, body: { record: { mtbId } } }]);
    const entry = await readEntry(mtbId);
    expect(entry).toMatchObject({ status: '1', attempts: 1, error: null, retryTime: null });
    expect(entry.sentTime).not.toBeNull();
  });

  it('is tried again later and later, and given up after twelve times', async () => {
    const mtbId = await queued();
    status = 503;
    const pauses: number[] = [];
    for (let attempt = 1; attempt <= 12; attempt++) {
      expect(await sendWaiting(testApp.db, to())).toBe(1);
      expect(await sendWaiting(testApp.db, to()), 'not before its time').toBe(0);
      const entry = await readEntry(mtbId);
      expect(entry).toMatchObject({ attempts: attempt, error: 'HTTP 503', status: attempt === 12 ? '2' : '0' });
      if (entry.retryTime !== null) pauses.push(Math.round((Number(entry.retryTime) - Date.now()) / 60_000));
      await sql`UPDATE rma_web_sync SET "retryTime" = now()`.execute(testApp.db);
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60, 60, 60]);
    expect(await sendWaiting(testApp.db, to())).toBe(0);
  });

  it('that was queued anew while it was on its way is sent as it is now', async () => {
    const mtbId = await queued();
    status = 503;
    await sendWaiting(testApp.db, to());
    await testApp.send(syncBill, { mtbId }, office);
    expect(await readEntry(mtbId)).toMatchObject({ attempts: 0, retryTime: null, error: null });
    status = 204;
    expect(await sendWaiting(testApp.db, to())).toBe(1);
    const [first, second] = received.map((it) => it.headers['idempotency-key']);
    expect(first).not.toBe(second);
    expect((await readEntry(mtbId)).status).toBe('1');
  });

  it('says why nobody answers', async () => {
    const mtbId = await queued();
    await sendWaiting(testApp.db, { url: 'http://127.0.0.1:9/', token: null });
    expect(await readEntry(mtbId)).toMatchObject({ status: '0', error: 'fetch failed' });
  });
});
