import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { PASSWORD } from '#tests/support/world.ts';
import { watchDefinitions } from '#domain/definitionVersion.ts';
import { publish } from '#server/definitions/publish.ts';
import type { PublishedChange } from '#server/definitions/read.ts';
import { registers } from '#tests/support/features.ts';
import { newKey } from '#tests/support/app.ts';
import { openWorkshop, type ServerProcess, type Workshop } from '#tests/support/serverProcess.ts';
import type { Answer } from '#tests/support/stations.ts';

/** Servers hold nothing of their own: whatever one knows, the other knows. Rule: operating#servers. */
let workshop: Workshop;
let left: ServerProcess;
let right: ServerProcess;
beforeAll(async () => {
  workshop = await openWorkshop();
  [left, right] = await Promise.all([workshop.start(), workshop.start()]);
});
afterAll(() => workshop.close());

interface Asking {
  token?: string;
  key?: string;
  body?: object;
  method?: string;
}
async function ask(at: ServerProcess, path: string, { token, key, body, method = body ? 'POST' : 'GET' }: Asking) {
  const reply = await fetch(`${at.url}${path}`, {
    method,
    headers: {
      ...(token && { token }),
      ...(key && { 'idempotency-key': key }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: reply.status, ...((await reply.json()) as Answer) };
}

const login = async (at: ServerProcess, userId: string) => {
  const answer = await ask(at, '/api/login.json', { body: { userId, password: PASSWORD } });
  expect(answer, answer.msg).toMatchObject({ code: '000000' });
  return String(answer.data['token']);
};
/** Reads a stream, event by event; undefined once the server has ended it. */
async function hears(at: ServerProcess, path: string, token: string): Promise<() => Promise<unknown>> {
  const reply = await fetch(`${at.url}${path}`, { headers: { token } });
  expect(reply.status).toBe(200);
  const reader = (reply.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
  const isEvent = (text: string) => text.startsWith('data: ');
  return async () => {
    for (;;) {
      const { done, value = '' } = await reader.read();
      if (done) return undefined;
      if (isEvent(value)) return JSON.parse(value.replace('data: ', ''));
    }
  };
}
const bill = (receiveShipNo: string) => ({
  receiveShipNo,
  userName: '宁远矿业',
  mobile: '13800000000',
  rmaMaintainBillLineList: [{ type: '0', salesCode: 'RX19', count: 1 }],
});
const readBills = (ship: string) =>
  workshop.database.db.selectFrom('rma_maintain_bill').select('mtbId').where('receiveShipNo', '=', ship).execute();

describe('two servers on one database', () => {
  it('know each other’s sessions: opened at one it works at the other, ended at one it is dead at the other', async () => {
    const token = await login(left, 'office');
    expect(await ask(right, '/api/userInfo.json', { token })).toMatchObject({
      code: '000000',
      data: { userId: 'office' },
    });
    expect(await ask(left, '/api/userInfo.json', { token })).toMatchObject({ code: '000000' });
    expect(await ask(right, '/rest/session', { token, method: 'DELETE' })).toMatchObject({ code: '000000' });
    for (const at of [left, right]) {
      expect(await ask(at, '/api/userInfo.json', { token })).toMatchObject({ status: 401, code: '401' });
    }
  });

  it('do a submit once that comes through both with one key, and both give the one answer', async () => {
    const token = await login(right, 'office');
    const key = newKey();
    const path = '/api/rmaMaintainBill/create.json';
    const send = (at: ServerProcess) => ask(at, path, { token, key, body: bill('BOTH1') });
    const answers = await Promise.all([send(left), send(right), send(left), send(right)]);
    for (const it of [...answers, await send(right)]) {
      expect(it).toMatchObject({ code: '000000', data: answers[0]?.data });
    }
    expect(await readBills('BOTH1')).toEqual([{ mtbId: answers[0]?.data['mtbId'] }]);
    expect(await ask(right, path, { token, key, body: bill('BOTH2') })).toMatchObject({ code: '100044' });
  });

  it('walk one parcel between them: what one wrote the other reads and does not do again', async () => {
    const office = await login(left, 'office');
    const warehouse = await login(right, 'warehouse');
    const made = await ask(left, '/api/rmaMaintainBill/create.json', { token: office, body: bill('BETWEEN') });
    const parcel = { receiveShipNo: 'BETWEEN', receivePackageCount: 1, remark: null };
    const signFor = (at: ServerProcess) =>
      ask(at, '/api/rmaArrivalBill/signFor.json', { token: warehouse, key: newKey(), body: parcel });
    const answers = await Promise.all([signFor(left), signFor(right)]);
    expect(answers.map((it) => it.code).sort()).toEqual(['000000', '100007']);
    expect(answers.find((it) => it.code === '000000')?.data).toMatchObject({ mtbId: made.data['mtbId'] });
  });

  it('give no bill number twice', async () => {
    const token = await login(left, 'office');
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        ask(i % 2 ? left : right, '/api/rmaMaintainBill/create.json', { token, body: bill(`MANY${i}`) }),
      ),
    );
    expect(new Set(made.map((it) => it.data['mtbId'])).size).toBe(20);
  });

  it('tell at one what is scanned at the other, at once; a stream ends with its server', async () => {
    const [path, body] = ['/rest/stations/store/scans', { bill: '', snList: ['SN1', 'SN2'] }];
    const token = await login(right, 'warehouse');
    const third = await workshop.start();
    const next = await hears(third, `${path}?bill=`, token);
    expect(await next()).toMatchObject({ others: [], submitted: false });
    const admin = await login(left, 'admin');
    await ask(left, path, { token: admin, body });
    expect(await next()).toMatchObject({ others: [{ userId: 'admin', snList: ['SN1', 'SN2'] }] });
    const stopped = third.stop();
    expect(await next()).toBeUndefined();
    await stopped;
  });

  it('tell open pages of a publish once they work by it, also at a station, and no more after a logout', async () => {
    const token = await login(left, 'admin');
    const both = [left, right] as const;
    const streams = await Promise.all(both.map((at) => hears(at, watchDefinitions.path, token)));
    const told = await Promise.all(streams.map((next) => next()));
    expect(told).toEqual([told[0], told[0]]);
    const atStation = await hears(right, '/rest/stations/store/scans?bill=', token);
    expect(await atStation()).toMatchObject(told[0] as object);
    const give = (takesBack: number[], ...changes: PublishedChange[]) =>
      publish(workshop.url, registers, { changes, takesBack, note: '', userId: 'admin', siteId: 'SZ' });
    const published = await give([], { module: 'ubsSite', change: { label: { zh: '厂房', en: 'Works' } } });
    for (const [i, next] of streams.entries()) {
      expect(await next()).toEqual({ last: published.id });
      const { data } = await ask(both[i] as ServerProcess, '/api/ubsSite/pager.json?lang=en', { token });
      expect(data['tableName']).toBe('Works');
    }
    expect(await atStation()).toMatchObject({ others: [], submitted: false, last: published.id });
    expect(await ask(right, '/rest/session', { token, method: 'DELETE' })).toMatchObject({ code: '000000' });
    await give([published.id]);
    expect(await Promise.all([...streams, atStation].map((next) => next()))).toEqual([undefined, undefined, undefined]);
  });

  it('work by what is published, a module with its table as well, until it is taken back', async () => {
    const token = await login(left, 'admin');
    const toAdd = (at: ServerProcess, module: string) => ask(at, `/api/${module}/toAdd.json`, { token });
    const untilBoth = (isSo: (at: ServerProcess) => Promise<boolean>) =>
      vi.waitUntil(async () => (await Promise.all([left, right].map(isSo))).every(Boolean));
    const words = (text: string) => ({ zh: text, en: text });
    const loan = {
      ...{ module: 'toolLoan', label: words('Tool loans'), table: 'tool_loan', site: 'all' as const },
      fields: { tool: { type: 'String' as const, label: words('Tool'), required: true, maxLength: 50 } },
      list: { columns: ['tool'] },
      form: [['tool']],
      buttons: [{ btnNo: 'add', script: 'create', label: words('New') }],
    };
    const published = await publish(workshop.url, registers, {
      changes: [
        { module: 'toolLoan', change: { definition: loan } },
        { module: 'ubsSite', change: { label: words('Plants') } },
      ],
      ...{ takesBack: [], note: 'tools are lent', userId: 'admin', siteId: 'SZ' },
    });
    await untilBoth(async (at) => (await toAdd(at, 'toolLoan')).code === '000000');
    const made = await ask(left, '/api/toolLoan/create.json', { token, key: newKey(), body: { tool: 'Hot air' } });
    expect(made, made.msg).toMatchObject({ code: '000000' });
    const listed = await ask(right, '/api/toolLoan/pager.json?pageStart=0&pageCount=10', { token });
    expect(listed.data).toMatchObject({ items: [{ tool: 'Hot air' }] });
    const takesBack = [published.id];
    await publish(workshop.url, registers, { changes: [], takesBack, note: '', userId: 'admin', siteId: 'SZ' });
    await untilBoth(async (at) => (await toAdd(at, 'toolLoan')).code === '100050');
  });

  it('stop when they are asked to, one after the other, and the other goes on', async () => {
    await left.stop();
    await expect(fetch(`${left.url}/healthz`)).rejects.toThrow();
    expect(await (await fetch(`${right.url}/readyz`)).json()).toMatchObject({ status: 'ready', missing: [] });
  });
});
