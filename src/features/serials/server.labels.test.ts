import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LabelPrintResult } from '#domain/enums.ts';
import { sendReceivedLabels } from '#domain/labelPrint.ts';
import { Node } from '#domain/nodes.ts';
import { newKey, startTestApp, type Asking, type TestApp } from '#tests/support/app.ts';
import { stockMachine } from '#tests/support/factories.ts';
import { expectNo, expectRefused, readLedger } from '#tests/support/guard.ts';
import { sendChangedLabel, sendNewLabels, sendReprints } from './contract.labels.ts';

const printers = [
  { name: 'bench-1', host: '127.0.0.1', port: 0, dpi: 203 },
  { name: 'off', host: '127.0.0.1', port: 0, dpi: 300 },
];
/** What the printer was sent, a job a connection. */
let jobs: string[];
/** What the printer does with the next one. */
let meet: (socket: Socket) => void;
let printer: Server;
let testApp: TestApp;
const [DEVICE, CONTROLS] = ['ZX014A2647D000001', 'CBZX4A2647C000001'];
const takes = (socket: Socket) => socket.on('end', () => socket.end());

beforeAll(async () => {
  printer = createServer({ allowHalfOpen: true }, (socket) => {
    const job = jobs.push('') - 1;
    socket.on('data', (part) => (jobs[job] += part.toString()));
    socket.on('error', () => undefined);
    meet(socket);
  });
  await new Promise<void>((done) => printer.listen(0, '127.0.0.1', done));
  const closed = createServer();
  await new Promise<void>((done) => closed.listen(0, '127.0.0.1', done));
  [printer, closed].forEach((it, i) => Object.assign(printers[i] ?? {}, { port: (it.address() as AddressInfo).port }));
  await new Promise((done) => closed.close(done));
  testApp = await startTestApp({ labelPrinters: printers });
  const archived = { origin: '1', createBy: 'warehouse' };
  await testApp.db
    .insertInto('ubs_item_object')
    .values([
      { ...archived, sn: DEVICE, type: '0', barcodeType: '1', modelCode: 'ZX01' },
      { ...archived, sn: CONTROLS, type: '1', barcodeType: '3', modelCode: 'CBZX' },
      { ...archived, sn: 'A'.repeat(40), type: '0', barcodeType: '1', modelCode: 'ZX01' },
    ])
    .execute();
  for (const it of ['warehouse', 'office', 'viewer', 'admin']) await testApp.openToken(it);
});
afterAll(async () => {
  await testApp.close();
  await new Promise((done) => printer.close(done));
});
beforeEach(() => {
  [jobs, meet] = [[], takes];
});

const print = (snList: string[], more: Asking & { printer?: string } = {}) => {
  const { printer: name = 'bench-1', ...asking } = more;
  return testApp.send(sendNewLabels, { printer: name, snList }, { as: 'warehouse', key: newKey(), ...asking });
};
const journal = () => testApp.db.selectFrom('ubs_label_print').selectAll().orderBy('id', 'desc').execute();

describe('labels that are sent to a printer', () => {
  it('come as one job, each with its own size, and stand in the journal', async () => {
    const { code, data } = await print([DEVICE, CONTROLS]);
    expect({ code, data }).toMatchObject({ code: '000000', data: { printer: 'bench-1', count: 2 } });
    expect(jobs).toHaveLength(1);
    expect(jobs[0]?.match(/\^PW\d+/g)).toEqual(['^PW399', '^PW300']);
    expect(jobs[0]).toContain(`^FD${DEVICE}^FS`);
    expect(jobs[0]).not.toContain('REPRINT');
    expect((await journal()).slice(0, 2).reverse()).toMatchObject([
      { sn: DEVICE, printKind: '1', barcodeType: '1', printer: 'bench-1', result: '2', siteId: 'SZ' },
      { sn: CONTROLS, printKind: '1', barcodeType: '3', printNo: data.printNo, createBy: 'warehouse' },
    ]);
    expect(await readLedger(testApp, data.printNo)).toMatchObject([{ what: 'printLabels', userId: 'warehouse' }]);
  });

  it('are first prints of who receives boards as well, and of nobody without that right', async () => {
    const sent = { printer: 'bench-1', snList: [CONTROLS] };
    expect((await testApp.send(sendReceivedLabels, sent, { as: 'warehouse' })).code).toBe('000000');
    expect((await journal())[0]).toMatchObject({ sn: CONTROLS, printKind: '1', createBy: 'warehouse' });
    await expectRefused(testApp, '100013', () => testApp.send(sendReceivedLabels, sent, { as: 'supplier' }));
  });

  it('say that they are a reprint, and of a changed SN nothing', async () => {
    await testApp.send(sendReprints, { printer: 'bench-1', snList: [DEVICE] }, { as: 'warehouse' });
    expect(jobs[0]).toContain('^FDZX01 · 补打 / REPRINT^FS');
    await testApp.send(sendChangedLabel, { printer: 'bench-1', snList: [DEVICE] }, { as: 'office' });
    expect(jobs[1]).toContain('^FDZX01^FS');
    expect((await journal()).slice(0, 2).map((it) => it.printKind)).toEqual(['3', '2']);
  });

  it('are left to the browser’s dialog without a printer, and stand in the journal', async () => {
    const left = { printer: '', snList: [DEVICE] };
    expect((await testApp.send(sendReprints, left, { as: 'warehouse' })).data).toMatchObject({
      printer: null,
      count: 1,
    });
    expect((await journal())[0]).toMatchObject({ sn: DEVICE, printKind: '2', printer: null, result: '5' });
    expect(jobs).toEqual([]);
  });

  it('of a test have nobody’s SN', async () => {
    const test = { printer: 'bench-1', test: '3' };
    expect((await testApp.send(sendReprints, test, { as: 'warehouse' })).data.count).toBe(1);
    expect(jobs[0]).toContain('^FD测试 / TEST^FS');
    expect((await journal())[0]).toMatchObject({ printKind: '4', barcodeType: '3', result: '2' });
    await expectNo('100015', () => testApp.send(sendReprints, { ...test, test: '9' }, { as: 'warehouse' }));
  });

  it('are sent once for a request that comes twice, one after the other or at the same time', async () => {
    const key = newKey();
    const [first, again] = [await print([DEVICE], { key }), await print([DEVICE], { key })];
    expect(again.data).toEqual(first.data);
    expect(jobs).toHaveLength(1);
    const other = newKey();
    const both = await Promise.all([print([DEVICE], { key: other }), print([DEVICE], { key: other })]);
    expect(both.map((it) => it.code).filter((it) => it !== '100045')).not.toEqual([]);
    expect(jobs).toHaveLength(2);
    expect((await print([DEVICE], { key: other })).code).toBe('000000');
    expect(jobs).toHaveLength(2);
  });

  it('are unknown where the connection dies in the middle, and a repeat says so and sends nothing', async () => {
    meet = (socket) => socket.once('data', () => socket.resetAndDestroy());
    const key = newKey();
    const answer = await expectNo('100052', () => print([DEVICE], { key }));
    expect(answer.msg).toContain('unknown what came out; look at the printer, then reprint');
    expect((await journal())[0]?.result).toBe(LabelPrintResult.Unknown);
    meet = takes;
    await expectNo('100052', () => print([DEVICE], { key }));
    expect(jobs).toHaveLength(1);
  });

  it('are unknown where a server stopped while it sent them', async () => {
    const key = newKey();
    const { data } = await print([DEVICE], { key });
    const leave = (ago: string) =>
      testApp.db
        .updateTable('ubs_label_print')
        .set({ result: LabelPrintResult.Sending, updateTime: sql<string>`now() - ${ago}::interval` })
        .where('printNo', '=', data.printNo)
        .execute();
    await leave('1 second');
    expect((await print([DEVICE], { key })).code).toBe('100045');
    await leave('2 minutes');
    await expectNo('100052', () => print([DEVICE], { key }));
    expect((await journal())[0]?.result).toBe(LabelPrintResult.Unknown);
    expect(jobs).toHaveLength(1);
  });

  it('may be sent again where the printer was not reached', async () => {
    const answer = await expectNo('100052', () => print([DEVICE], { printer: 'off' }));
    expect(answer.msg).toContain('Printer off was not reached, and nothing was sent');
    expect((await journal())[0]).toMatchObject({ printer: 'off', result: LabelPrintResult.NotReached });
    const key = newKey();
    const bench = printers[0] as (typeof printers)[number];
    const { port } = bench;
    bench.port = printers[1]?.port ?? 0;
    await expectNo('100052', () => print([DEVICE], { key }));
    bench.port = port;
    expect((await print([DEVICE], { key })).code).toBe('000000');
    expect(jobs).toHaveLength(1);
  });

  it.each<[what: string, code: string, snList: string[], more: Asking & { printer?: string }]>([
    ['to a printer that nobody set up', '100002', [DEVICE], { printer: '127.0.0.1:9100' }],
    ['of no SN', '100001', [], {}],
    ['of an SN that nobody knows', '100002', [DEVICE, 'NOSUCHSN'], {}],
    ['of an SN that can be none', '100015', ['A B^XZ'], {}],
    ['of one SN twice', '100007', [DEVICE, DEVICE], {}],
    ['of an SN that has no room', '100015', ['A'.repeat(40)], {}],
    ['without the right', '100013', [DEVICE], { as: 'viewer' }],
    ['of more than 500', '100015', Array.from({ length: 501 }, (_, i) => `SN${i}`), {}],
  ])('are refused %s', async (_, code, snList, more) => {
    await expectRefused(testApp, code, () => print(snList, more));
    expect(jobs).toEqual([]);
  });

  it('are refused without a session, and for another site’s SN', async () => {
    await expectRefused(testApp, '401', () => testApp.send(sendNewLabels, { printer: 'bench-1', snList: [DEVICE] }));
    const sn = await stockMachine(testApp.db, Node.AwaitingTest, { siteId: 'NB' });
    await expectRefused(testApp, '100004', () => print([sn]));
    expect(jobs).toEqual([]);
  });

  it('are refused in words where no printer is set up', async () => {
    const { config } = testApp;
    const all = config.labelPrinters;
    config.labelPrinters = [];
    const answer = await expectRefused(testApp, '100052', () => print([DEVICE]));
    expect(answer.msg).toBe("No label printer is set up; print through the browser's dialog");
    config.labelPrinters = all;
  });

  it('stand in the journal of their own site alone', async () => {
    await print([DEVICE]);
    const seen = async (as: string) =>
      (await testApp.ask<{ items: unknown[] }>('GET', '/api/ubsLabelPrint/pager.json', {}, { as })).data.items.length;
    expect(await seen('warehouse')).toBeGreaterThan(0);
    expect(await seen('whNB')).toBe(0);
  });
});
