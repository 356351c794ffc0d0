import type { CellValue } from 'hucre';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fileIdOf, splitUrls } from '#domain/images.ts';
import { readMigration } from '#server/db/migrate.ts';
import { newKey, startTestApp, type TestApp } from '#tests/support/app.ts';
import { sendFile, workbook, workbookAround } from '#tests/support/workbooks.ts';
import { untilWaiting } from '#tests/support/locks.ts';
import { uploadCertificate, uploadInvoice } from './contract.ts';
import { lockParcels } from './queries.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp({ exportWaitMs: 120_000 }, { worksJobs: true });
});
afterAll(() => testApp?.close());

const PDF = Buffer.from('%PDF-1.4\n%%EOF');
const APPENDIX = '/api/RmaAppendix/upload.json';
const papers = async (as: string, count = 1) =>
  (await sendFile<{ url: string }>(testApp, APPENDIX, Array<Buffer>(count).fill(PDF), { as, name: 'a.pdf' })).data.url;
let made = 0;

async function feeBill(billStatus: string, siteId = 'SZ', invoiceUrls: string | null = null) {
  const rfbId = `RFB20260101${String((made += 1)).padStart(5, '0')}`;
  const { id } = await testApp.db
    .insertInto('rma_repair_fee_bill')
    .values({ rfbId, siteId, billStatus, recPeriod: '2026-01', invoiceUrls, createBy: 'x' })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
async function costsBill(billStatus: string, siteId = 'SZ', recPeriod = '2025-01') {
  const lcbId = `LCB20260101${String((made += 1)).padStart(5, '0')}`;
  const { id } = await testApp.db
    .insertInto('rma_logistics_costs_bill')
    .values({ lcbId, siteId, billStatus, recPeriod, createBy: 'x' })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
const feeRow = (id: number) =>
  testApp.db.selectFrom('rma_repair_fee_bill').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const costsRow = (id: number) =>
  testApp.db.selectFrom('rma_logistics_costs_bill').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

describe('invoices are refused, and the bill stays as it is', () => {
  it.each<
    [string, { as?: string; siteId?: string; status?: string; urls: () => Promise<string> | string }, number, string]
  >([
    ['without a session', { urls: () => papers('office') }, 401, '401'],
    ['without the right', { as: 'tech', urls: () => papers('office') }, 403, '100013'],
    ['for a bill of another site', { as: 'office', siteId: 'NB', urls: () => papers('office') }, 200, '100002'],
    ['without a file', { as: 'office', urls: () => '' }, 200, '100001'],
    ['that were never uploaded', { as: 'office', urls: () => `/file/${'a'.repeat(32)}.pdf` }, 200, '100002'],
    ['from elsewhere', { as: 'office', urls: () => 'https://evil.example/a.pdf' }, 200, '100002'],
    ['that would run', { as: 'office', urls: () => 'javascript:alert(1)' }, 200, '100002'],
    ['that somebody else uploaded', { as: 'office', urls: () => papers('admin') }, 200, '100002'],
    [
      'that are a machine log',
      {
        as: 'office',
        urls: async () =>
          (
            await sendFile<{ url: string }>(testApp, '/api/RmaPicture/upload.json', [Buffer.from('log')], {
              as: 'tech',
              name: 'log.txt',
            })
          ).data.url,
      },
      200,
      '100002',
    ],
    [
      'that are more than ten',
      { as: 'office', urls: async () => [await papers('office', 10), await papers('office')].join('##') },
      200,
      '100017',
    ],
    ...['0', '1', '3', '5', '6'].map(
      (status): [string, { as: string; status: string; urls: () => Promise<string> }, number, string] => [
        `in state ${status}`,
        { as: 'office', status, urls: () => papers('office') },
        200,
        '100025',
      ],
    ),
  ])('%s', async (_, { as, siteId, status = '4', urls }, http, code) => {
    const id = await feeBill(status, siteId);
    const before = await feeRow(id);
    const answer = await testApp.send(uploadInvoice, { id: String(id), invoiceUrls: await urls() }, as ? { as } : {});
    expect([answer.status, answer.code], answer.msg).toEqual([http, code]);
    expect(await feeRow(id)).toEqual(before);
  });
});

describe('invoices', () => {
  it('lead a reviewed bill to its audit, and are then seen by whoever sees the list [P-UPL-16] [P-UPL-17]', async () => {
    const id = await feeBill('4');
    const invoiceUrls = await papers('office', 2);
    expect(invoiceUrls.split('##')).toHaveLength(2);
    const key = newKey();
    const send = () => testApp.send(uploadInvoice, { id: String(id), invoiceUrls }, { as: 'office', key });
    expect([(await send()).data, (await send()).data]).toEqual(Array(2).fill({ id, billStatus: '5' }));
    expect(await feeRow(id)).toMatchObject({ billStatus: '5', invoiceUrls, uploadInvoiceBy: 'office', version: 2 });
    expect((await feeRow(id)).uploadInvoiceTime).not.toBeNull();
    const statusFor = async (user: string) =>
      (
        await testApp.app.inject({
          url: invoiceUrls.split('##')[0] as string,
          headers: { token: await testApp.openToken(user) },
        })
      ).statusCode;
    expect([await statusFor('finance'), await statusFor('office')]).toEqual([200, 200]);
    expect([await statusFor('tech'), await statusFor('techNB')]).toEqual([404, 404]);
  });

  it('that did not pass are replaced, old ones kept beside new ones', async () => {
    const first = await feeBill('4');
    const old = await papers('office');
    await testApp.send(uploadInvoice, { id: String(first), invoiceUrls: old }, { as: 'office' });
    await testApp.db.updateTable('rma_repair_fee_bill').set({ billStatus: '4' }).where('id', '=', first).execute();
    const both = [old, await papers('office')];
    const again = await testApp.send(uploadInvoice, { id: String(first), invoiceUrls: both }, { as: 'office' });
    expect(again.data).toEqual({ id: first, billStatus: '5' });
    const second = await feeBill('4');
    const reuploaded = await testApp.send(uploadInvoice, { id: String(second), invoiceUrls: old }, { as: 'office' });
    expect(reuploaded.code).toBe('100007');
  });
});

describe('certificates', () => {
  it.each(['0', '3'])('of a bill in state %s lead it to its audit [P-UPL-16]', async (status) => {
    const id = await costsBill(status);
    const certificateUrls = await papers('office');
    const { data } = await testApp.send(uploadCertificate, { id: String(id), certificateUrls }, { as: 'office' });
    expect(data).toEqual({ id, billStatus: '1' });
    expect(await costsRow(id)).toMatchObject({ billStatus: '1', certificateUrls, uploadCertificateBy: 'office' });
  });

  it('are served to nobody once their costs, which a new file had sent back, are deleted', async () => {
    const id = await costsBill('0');
    const certificateUrls = await papers('office');
    await testApp.send(uploadCertificate, { id: String(id), certificateUrls }, { as: 'office' });
    await testApp.db.updateTable('rma_logistics_costs_bill').set({ billStatus: '0' }).where('id', '=', id).execute();
    const headers = { token: await testApp.openToken('office') };
    const statuses = () =>
      Promise.all(
        splitUrls(certificateUrls).map(async (url) => (await testApp.app.inject({ url, headers })).statusCode),
      );
    expect(new Set(await statuses())).toEqual(new Set([200]));
    await testApp.ask('POST', '/api/rmaLogisticsCostsBill/deleteById.json', { id }, { as: 'office' });
    expect(new Set(await statuses())).toEqual(new Set([404]));
  });

  it.each(['invoices', 'certificates'])('take no file of another row as %s, which says so', async (kind) => {
    const isInvoice = kind === 'invoices';
    const make = () => (isInvoice ? feeBill('4') : costsBill('0', 'SZ', `2019-0${(made % 9) + 1}`));
    const hand = async (id: number, urls: string) =>
      isInvoice
        ? testApp.send(uploadInvoice, { id: String(id), invoiceUrls: urls }, { as: 'office' })
        : testApp.send(uploadCertificate, { id: String(id), certificateUrls: urls }, { as: 'office' });
    const [first, second] = [await make(), await make()];
    const url = await papers('office');
    expect((await hand(first, url)).code).toBe('000000');
    expect(await hand(second, url)).toMatchObject({
      code: '100007',
      msg: expect.stringContaining('belongs to another row already') as string,
    });
    // A picture of a unit that a row has.
    const picture = await papers('office');
    await testApp.db.updateTable('file').set({ inUse: true }).where('id', '=', fileIdOf(picture)).execute();
    expect((await hand(second, picture)).code).toBe('100007');
    const file = testApp.db.selectFrom('file').select('right').where('id', '=', fileIdOf(picture));
    expect(await file.executeTakeFirst()).toEqual({ right: '' });
  });

  it('are of one row as well where rows named them before, in each of the fields that hold files', async () => {
    const fields = [...testApp.model.definitions.values()].flatMap(({ table, fields }) =>
      Object.entries(fields).flatMap(([name, { format }]) =>
        table && ['images', 'files'].includes(String(format)) ? [`('${table}', '${name}')`] : [],
      ),
    );
    expect(fields).toHaveLength(12);
    const migration = readMigration('0091_files_in_use.sql');
    expect(fields.filter((it) => !migration.includes(it))).toEqual([]);
    const [named, other] = [fileIdOf(await papers('office')), fileIdOf(await papers('office'))];
    const undo = new Error('undone');
    const run = testApp.db.transaction().execute(async (trx) => {
      const bill = { lcbId: 'LCB-NAMED', siteId: 'SZ', billStatus: '0', recPeriod: '2018-01' };
      const certificateUrls = `/file/${'0'.repeat(32)}.pdf##/file/${named}.pdf`;
      await trx
        .insertInto('rma_logistics_costs_bill')
        .values({ ...bill, certificateUrls })
        .execute();
      await sql`ALTER TABLE file DROP COLUMN "inUse"`.execute(trx);
      await sql.raw(migration).execute(trx);
      const files = trx.selectFrom('file').select(['id', 'inUse']).where('id', 'in', [named, other]);
      const found = await files.execute();
      expect(new Map(found.map((it) => [it.id, it.inUse]))).toEqual(
        new Map([
          [named, true],
          [other, false],
        ]),
      );
      throw undo;
    });
    await expect(run).rejects.toBe(undo);
  });

  it('take no file of another module, another site or an account with them, though their field names it', async () => {
    const right = 'rmaLogisticsCostsBill:list';
    const foreign = [
      { siteId: 'SZ', right: 'rmaRepairFeeBill:list', owner: null },
      { siteId: 'SZ', right: '', owner: null },
      { siteId: 'NB', right, owner: null },
      { siteId: 'SZ', right, owner: 'office' },
    ].map((it, i) => ({ ...it, id: `${i}f`.repeat(16), kind: 'pdf', name: '', mime: '', size: 0, createBy: 'office' }));
    await testApp.db.insertInto('file').values(foreign).execute();
    const id = await costsBill('0');
    const own = await papers('office');
    await testApp.send(uploadCertificate, { id: String(id), certificateUrls: own }, { as: 'office' });
    const certificateUrls = [own, ...foreign.map((it) => `/file/${it.id}.pdf`)].join('##');
    await testApp.db
      .updateTable('rma_logistics_costs_bill')
      .set({ billStatus: '0', certificateUrls })
      .where('id', '=', id)
      .execute();
    await testApp.ask('POST', '/api/rmaLogisticsCostsBill/deleteById.json', { id }, { as: 'office' });
    const ids = splitUrls(certificateUrls).map(fileIdOf);
    const nobodys = await testApp.db
      .selectFrom('file')
      .select('id')
      .where('id', 'in', ids)
      .where('owner', '=', '')
      .execute();
    expect(nobodys.map((it) => it.id).sort()).toEqual(splitUrls(own).map(fileIdOf).sort());
  });

  it.each([
    ['1', 'office', 'SZ', '100025'],
    ['2', 'office', 'SZ', '100025'],
    ['0', 'office', 'NB', '100002'],
    ['0', 'tech', 'SZ', '100013'],
  ])('are refused in state %s for %s at %s', async (status, as, siteId, code) => {
    const id = await costsBill(status, siteId);
    const certificateUrls = await papers('office');
    expect((await testApp.send(uploadCertificate, { id: String(id), certificateUrls }, { as })).code).toBe(code);
    expect((await costsRow(id)).billStatus).toBe(status);
  });
});

describe('the logistics costs of a month', () => {
  const COSTS = '/api/rmaLogisticsCostsBill/upload.json';
  const HEADS = ['发货物流单号', '物流商', '数量', '重量（kg）', '金额', '产品名称', '计费项目'];
  /** Each month has parcels of its own: none is billed twice. */
  const linesOf = (month: string): CellValue[][] => [
    [` sf001-${month}`, '顺丰', 3, 12.5, 100.25, 'RX19', '运费'],
    [`SF002-${month}`, 'north EXPRESS', 2, 8, 50, 'RX19', '运费+保价'],
  ];
  const lines = linesOf('x');
  const bring = async (recPeriod: string | undefined, rows = linesOf(recPeriod ?? ''), as = 'office', more = {}) =>
    sendFile<Record<string, unknown>>(testApp, COSTS, [await workbook([HEADS, ...rows])], {
      as,
      ...(recPeriod !== undefined && { fields: { recPeriod, ...more } }),
    });
  const bills = (recPeriod: string) =>
    testApp.db.selectFrom('rma_logistics_costs_bill').selectAll().where('recPeriod', '=', recPeriod).execute();
  const readLines = (lcbId: string) =>
    testApp.db
      .selectFrom('rma_logistics_costs_bill_line')
      .selectAll()
      .where('lcbId', '=', lcbId)
      .orderBy('id')
      .execute();

  it.each<[string, string | undefined, CellValue[][], string, string]>([
    ['without its month', undefined, lines, 'office', '100001'],
    ['of a month that does not exist', '2026-13', lines, 'office', '100015'],
    ['of a month that has not begun', '9999-01', lines, 'office', '100015'],
    ['without the right', '2026-10', lines, 'tech', '100013'],
  ])('are refused %s [P-UPL-14]', async (_, recPeriod, rows, as, code) => {
    expect((await bring(recPeriod, rows, as)).code).toBe(code);
    expect(await bills('2026-10')).toEqual([]);
  });

  it('are not taken from an old workbook, which does not tell formulas from values', async () => {
    const old = Buffer.concat([
      Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
      Buffer.from('Workbook', 'utf16le'),
      Buffer.alloc(600),
    ]);
    const sends = (path: string, fields = {}) => sendFile(testApp, path, [old], { as: 'office', fields });
    for (const answer of [
      await sends(COSTS, { recPeriod: '2021-03' }),
      await sends('/api/rmaPriceBill/upload.json', { dryRun: '1' }),
    ])
      expect(answer).toMatchObject({ code: '100015', msg: expect.stringMatching(/formula/) as string });
    expect(await bills('2021-03')).toEqual([]);
  });

  it('are refused by the rows that name another site than the one that they are brought for', async () => {
    const rows = linesOf('site').map((it, i) => [...it, i === 0 ? 'SZ' : 'NB']);
    const file = await workbook([[...HEADS, '站点'], ...rows]);
    const { data } = await sendFile<Record<string, unknown>>(testApp, COSTS, [file], {
      as: 'office',
      fields: { recPeriod: '2021-04' },
    });
    expect(data).toMatchObject({ imported: 0, bad: 1, problems: [{ row: 3 }], ignored: [] });
    expect(await bills('2021-04')).toEqual([]);
  });

  it('are asked for by a dialog that asks for the month as well [P-UPL-14]', async () => {
    const { data } = await testApp.ask('GET', '/api/rmaLogisticsCostsBill/toUpload.json', {}, { as: 'office' });
    expect(data['items']).toContainEqual(
      expect.objectContaining({ queryName: 'recPeriod', type: 'Month', required: true }),
    );
  });

  it('are said to be imported only where they are: not for another month, nor once their bill has gone', async () => {
    const { data } = await bring('2024-01');
    expect(data).toMatchObject({ imported: 2 });
    const [bill] = await bills('2024-01');
    for (const table of ['rma_logistics_costs_bill_line', 'rma_logistics_costs_bill'] as const)
      await testApp.db
        .deleteFrom(table)
        .where('lcbId', '=', bill?.lcbId ?? '')
        .execute();
    const confirm = (recPeriod: string) =>
      testApp.ask('POST', COSTS, { url: data['url'], recPeriod }, { as: 'office', key: `of ${recPeriod}` });
    expect((await confirm('2024-01')).code).toBe('100007');
    expect((await confirm('2024-02')).data).toMatchObject({ imported: 2 });
    expect([await bills('2024-01'), await bills('2024-02')].map((it) => it.length)).toEqual([0, 1]);
  });

  it('become one bill with its sums; unknown numbers are marked; a new file replaces the lines [P-UPL-14]', async () => {
    await testApp.db
      .insertInto('rma_deliver_bill')
      .values({ dvbId: 'DVB2026010100001', userId: 'warehouse', siteId: 'SZ', deliverShipNo: 'SF001-2026-09' })
      .execute();
    await testApp.db
      .insertInto('ubs_shipment')
      .values({ shipId: 'NORTH', name: '北方快运', nameEn: 'North Express', createBy: 'office' })
      .execute();
    const first = await bring('2026-09');
    expect(first.data).toMatchObject({
      rows: 2,
      imported: 2,
      bad: 0,
      url: expect.stringMatching(/^\/file\//) as string,
    });
    const [bill, ...others] = await bills('2026-09');
    expect(others).toEqual([]);
    expect(bill).toMatchObject({
      siteId: 'SZ',
      billStatus: '0',
      totalCount: 5,
      totalAmount: '150.250000',
      createBy: 'office',
    });
    const stored = await readLines(String(bill?.lcbId));
    expect(stored.map((it) => [it.deliverShipNo, it.amount, it.isKnown])).toEqual([
      ['SF001-2026-09', '100.250000', '1'],
      ['SF002-2026-09', '50.000000', '0'],
    ]);
    // A courier that is known by name gets its code, another stays as it was written.
    expect(stored.map((it) => [it.logisticsProviders, it.chargeItems])).toEqual([
      ['顺丰', '1'],
      ['NORTH', '2'],
    ]);
    await bring('2026-09', [['SF003', '顺丰', 1, 1, 9, 'RX21', '运费']]);
    const [again] = await bills('2026-09');
    expect(again).toMatchObject({ id: bill?.id, totalCount: 1, totalAmount: '9.000000' });
    expect((await readLines(String(bill?.lcbId))).map((it) => it.deliverShipNo)).toEqual(['SF003']);
  });

  describe('are in one currency, which each line says', () => {
    const currenciesOf = async (recPeriod: string) => {
      const [bill] = await bills(recPeriod);
      const of = await readLines(String(bill?.lcbId));
      return [bill?.currency, ...of.map((it) => it.currency)];
    };
    const suggested = async () => {
      const path = '/api/rmaLogisticsCostsBill/toUpload.json';
      const { data } = await testApp.ask<{ items: { queryName: string }[] }>('GET', path, {}, { as: 'office' });
      return data.items.find((it) => it.queryName === 'currency');
    };

    it('that is chosen beside the file, and none where nobody ever said one', async () => {
      await bring('2023-01');
      expect(await currenciesOf('2023-01')).toEqual([null, null, null]);
      expect(await suggested()).toMatchObject({ type: 'select', required: false, value: null });
      expect((await bring('2023-01', linesOf('2023-01'), 'office', { currency: 'yuan' })).code).toBe('100015');
      expect((await bring('2023-01', linesOf('2023-01'), 'office', { currency: 'CNY' })).code).toBe('000000');
      expect(await currenciesOf('2023-01')).toEqual(['CNY', 'CNY', 'CNY']);
    });

    it('so that an amount with the sign of another is refused by its cell, and nothing is written', async () => {
      const rows = linesOf('2023-11').map((it, i) => it.with(4, ['¥9.50', '€9.50'][i] ?? null));
      const sent = await bring('2023-11', rows, 'office', { currency: 'CNY' });
      expect(sent.data['problems']).toMatchObject([
        {
          row: 3,
          msg: 'Cell E3 (Amount) is in €, but its row is in CNY; enter the amount in CNY, or correct the currency',
        },
      ]);
      expect(await bills('2023-11')).toEqual([]);
    });

    it('or, where none is chosen, that of the month, else the one that the site said last', async () => {
      await bring('2023-02', linesOf('2023-02'), 'office', { currency: 'EUR' });
      await testApp.db
        .insertInto('rma_logistics_costs_bill')
        .values({ lcbId: 'LCB-NB', billStatus: '0', siteId: 'NB', recPeriod: '2023-04', currency: 'USD' })
        .execute();
      await bring('2023-01', [['SF004', '顺丰', 1, 1, 9, 'RX21', '运费']]);
      expect(await currenciesOf('2023-01')).toEqual(['CNY', 'CNY']);
      await bring('2023-03');
      expect(await currenciesOf('2023-03')).toEqual(['EUR', 'EUR', 'EUR']);
      expect(await suggested()).toMatchObject({
        value: 'EUR',
        options: expect.arrayContaining([{ value: 'CNY', optionName: 'CNY' }]) as unknown,
      });
    });

    it('so that an amount is read with its sign wherever the line is shown', async () => {
      const [bill] = await bills('2023-01');
      const { data } = await testApp.ask<{
        rmaLogisticsCostsBillLineList: { amount: string; currency: string }[];
        view: { lines: { rmaLogisticsCostsBillLineList: { title: Record<string, string> } } };
      }>('GET', '/api/rmaLogisticsCostsBill/queryById.json', { id: bill?.id }, { as: 'office' });
      expect(data.rmaLogisticsCostsBillLineList).toMatchObject([{ amount: '9.000000', currency: 'CNY' }]);
      expect(data.view.lines.rmaLogisticsCostsBillLineList.title).toMatchObject({ currency: 'Currency' });
    });
  });

  describe('that replace those of the month', () => {
    interface Found {
      url: string;
      imported: number;
      replaces: { msg: string } | null;
    }
    const look = async (recPeriod: string, rows: CellValue[][], as = 'admin', more: Record<string, string> = {}) => {
      const fields = { recPeriod, dryRun: '1', ...more };
      return (await sendFile<Found>(testApp, COSTS, [await workbook([HEADS, ...rows])], { as, fields })).data;
    };
    const confirm = (url: string, recPeriod: string, more: object = {}) =>
      testApp.ask<Found>('POST', COSTS, { url, recPeriod, ...more }, { as: 'admin' });
    const parcel = (no: string, amount: number): CellValue[] => [no, '顺丰', 1, 1, amount, 'RX21', '运费'];
    const halves = (of: string) => [parcel(`HALF1-${of}`, 1000), parcel(`HALF2-${of}`, 2000)];
    const standing = async (recPeriod: string) => {
      const [bill] = await bills(recPeriod);
      const lines = await readLines(String(bill?.lcbId));
      return [bill?.currency, bill?.totalAmount, lines.map((it) => it.deliverShipNo)];
    };
    const told = (lcbId: unknown, month: string, was: string, now: string) =>
      `Bill ${String(lcbId)} of ${month} is there already: its lines (${was}) go, those of this file (${now}) take their place`;

    it('say in the preview which bill, its lines and its sum, and what comes instead; nothing where there is none', async () => {
      expect((await look('2008-01', [parcel('ONE-01', 5)])).replaces).toBe(null);
      await bring('2008-01', halves('01'), 'office', { currency: 'CNY' });
      const [bill] = await bills('2008-01');
      const { url, replaces } = await look('2008-01', [parcel('ONE-01', 5)], 'admin', { currency: 'USD' });
      expect(replaces?.msg).toBe(told(bill?.lcbId, '2008-01', '2, ¥3,000.00', '1, $5.00'));
      expect(await standing('2008-01')).toEqual(['CNY', '3000.000000', ['HALF1-01', 'HALF2-01']]);
      const done = await confirm(url, '2008-01', { currency: 'USD' });
      expect(done.data).toMatchObject({ imported: 1, replaces: { msg: replaces?.msg } });
      expect(await standing('2008-01')).toEqual(['USD', '5.000000', ['ONE-01']]);
    });

    it('are kept in the ledger, with who had brought them', async () => {
      const [bill] = await bills('2008-01');
      const entries = await testApp.db
        .selectFrom('ledger')
        .selectAll()
        .where('recordId', '=', String(bill?.id))
        .where('module', '=', 'rmaLogisticsCostsBill')
        .orderBy('id')
        .execute();
      expect(entries.map((it) => [it.userId, it.what])).toEqual([
        ['office', 'upload'],
        ['admin', 'upload'],
      ]);
      expect(entries[1]?.before).toMatchObject({
        ...{ createBy: 'office', currency: 'CNY', totalAmount: '3000.000000' },
        lines: [
          { deliverShipNo: 'HALF1-01', amount: '1000.000000', chargeItems: '1', currency: 'CNY' },
          { deliverShipNo: 'HALF2-01', amount: '2000.000000', chargeItems: '1', currency: 'CNY' },
        ],
      });
    });

    it('replace what the preview has told alone: what somebody else brought or changed meanwhile stays', async () => {
      const { url } = await look('2008-02', [parcel('ONE-02', 5)]);
      await bring('2008-02', halves('02'), 'office', { currency: 'CNY' });
      const [bill] = await bills('2008-02');
      const first = await confirm(url, '2008-02');
      const now = told(bill?.lcbId, '2008-02', '2, ¥3,000.00', '1, ¥5.00');
      expect(first.code).toBe('100025');
      expect(first.msg).toBe(
        `What this file replaces has changed after the preview, so nothing was imported. ${now}. Look at the file again`,
      );
      const again = await look('2008-02', [parcel('ONE-02', 5)]);
      expect(again.replaces?.msg).toBe(now);
      await bring('2008-02', [parcel('BIG-02', 88_888), parcel('SMALL-02', 2)]);
      expect((await confirm(again.url, '2008-02')).code).toBe('100025');
      expect(await standing('2008-02')).toEqual(['CNY', '88890.000000', ['BIG-02', 'SMALL-02']]);
      await testApp.db.deleteFrom('rma_logistics_costs_bill_line').where('lcbId', '=', String(bill?.lcbId)).execute();
      await testApp.db.deleteFrom('rma_logistics_costs_bill').where('recPeriod', '=', '2008-02').execute();
      const gone = await confirm(again.url, '2008-02');
      expect(gone).toMatchObject({ code: '100025', msg: expect.stringMatching(/nothing to replace by now/) as string });
    });

    it('also where that comes between the judgement of the file and its writing', async () => {
      await bring('2008-05', halves('05'), 'office', { currency: 'CNY' });
      const { url } = await look('2008-05', [parcel('ONE-05', 5)]);
      const { run } = await testApp.db.transaction().execute(async (db) => {
        await lockParcels({ db });
        const started = confirm(url, '2008-05');
        await untilWaiting(testApp.db);
        const changed = db.updateTable('rma_logistics_costs_bill').set({ totalAmount: '9', version: 7 });
        await changed.where('recPeriod', '=', '2008-05').execute();
        return { run: started };
      });
      expect((await run).code).toBe('100025');
      expect(await standing('2008-05')).toEqual(['CNY', '9.000000', ['HALF1-05', 'HALF2-05']]);
    });

    it('nor for another month or in another currency than was looked at', async () => {
      await bring('2008-03', halves('03'), 'office', { currency: 'CNY' });
      const elsewhere = await look('2008-04', [parcel('ONE-03', 5)]);
      expect((await confirm(elsewhere.url, '2008-03')).code).toBe('100025');
      const { url } = await look('2008-03', [parcel('ONE-03', 5)]);
      expect((await confirm(url, '2008-03', { currency: 'USD' })).code).toBe('100025');
      expect(await standing('2008-03')).toEqual(['CNY', '3000.000000', ['HALF1-03', 'HALF2-03']]);
      expect((await confirm(url, '2008-03')).code).toBe('000000');
    });
  });

  it('with a bad row change nothing', async () => {
    await bring('2026-08');
    const bad = await bring('2026-08', [...linesOf('2026-08'), [null, '顺丰', -1, 1, 'much', 'RX21', '运费']]);
    expect(bad.data).toMatchObject({ rows: 3, bad: 1, imported: 0 });
    expect((bad.data['problems'] as { row: number; msg: string }[])[0]).toMatchObject({
      row: 4,
      msg: expect.stringMatching(/Amount.*Outbound waybill.*Count/) as string,
    });
    expect((await bills('2026-08'))[0]).toMatchObject({ totalCount: 5 });
  });

  it.each(['合计', '总计：', '本页小计', ' Total', 'Grand total:', 'Sub-Total', 'SUM'])(
    'are parcels: what all come to, in a row %s, is none',
    async (sum) => {
      const sent = await bring('2021-07', [...linesOf('2021-07'), [sum, null, 5, 20.5, 150.25, null, null]]);
      expect(sent.data).toMatchObject({ rows: 3, bad: 1, imported: 0, problems: [{ row: 4 }] });
      expect((sent.data['problems'] as { msg: string }[])[0]?.msg).toMatch(/is a sum, no parcel; take the row out$/);
      expect(await bills('2021-07')).toEqual([]);
    },
  );

  it('are told before which waybills nobody knows, and are imported with them', async () => {
    await testApp.db
      .insertInto('rma_deliver_bill')
      .values({ dvbId: 'DVB2021080100001', userId: 'warehouse', siteId: 'SZ', deliverShipNo: 'SF001-2021-08' })
      .execute();
    const { data } = await bring(
      '2021-08',
      [...linesOf('2021-08'), ['TOTAL9', '顺丰', 1, 1, 9, 'RX21', '运费']],
      'office',
      {
        dryRun: '1',
      },
    );
    expect(data).toMatchObject({
      ...{ bad: 0, noted: 2 },
      notes: [
        { row: 3, msg: 'No delivery has waybill SF002-2021-08; the review marks its line' },
        { row: 4, msg: 'No delivery has waybill TOTAL9; the review marks its line' },
      ],
    });
  });

  it('are read where nobody is shown them, and the preview says so, once of the sheet, its columns and its rows', async () => {
    const cell = (it: CellValue) =>
      typeof it === 'number' ? `<c><v>${it}</v></c>` : `<c t="inlineStr"><is><t>${String(it)}</t></is></c>`;
    const rows = [HEADS, ...linesOf('2021-09')].map(
      (it, i) => `<row hidden="${i === 2 ? 1 : 0}">${it.map(cell).join('')}</row>`,
    );
    rows.push(`<row>${['ZZ404', ...(linesOf('2021-09')[0] ?? []).slice(1)].map(cell).join('')}</row>`);
    const known = { dvbId: 'DVB2021090100001', userId: 'warehouse', siteId: 'SZ' };
    await testApp.db
      .insertInto('rma_deliver_bill')
      .values({ ...known, deliverShipNo: String(linesOf('2021-09')[1]?.[0]) })
      .execute();
    const look = async ({
      state,
      columns = '',
      lang = 'en',
    }: {
      state?: string;
      columns?: string;
      lang?: 'zh' | 'en';
    }) => {
      const sheet = `<worksheet>${columns}<sheetData>${rows.join('')}</sheetData></worksheet>`;
      const fields = { recPeriod: '2021-09', dryRun: '1' };
      const { data } = await sendFile<{ rows: number; notes: { row: number; msg: string }[] }>(
        testApp,
        COSTS,
        [workbookAround(sheet, [], state)],
        { as: 'office', fields, lang },
      );
      const told = data.notes.flatMap(({ row, msg }) =>
        /hidden|隐藏/.test(msg) ? [[row, msg.split(/[;；] ?/).filter((it) => /hidden|隐藏/.test(it))]] : [],
      );
      return [data.notes.map((it) => it.row), told];
    };
    const hidden = 'Rows that are hidden in the workbook (1: 3) are imported like the others';
    expect(await look({})).toEqual([[2, 4], [[2, [hidden]]]]);
    // The last one has no head, so that nothing of it is read.
    const columns = '<cols><col min="4" max="5" hidden="1"/><col min="7" max="9" width="0"/></cols>';
    expect((await look({ columns }))[1]).toEqual([
      [
        2,
        [
          'Columns that are hidden in the workbook (3: D 重量（kg）, E 金额, G 计费项目) are imported like the others',
          hidden,
        ],
      ],
    ]);
    expect((await look({ columns, lang: 'zh' }))[1]?.[0]).toEqual([
      2,
      [
        '表格中有 3 列被隐藏（D 重量（kg）、E 金额、G 计费项目），仍会与其他列一起导入',
        '表格中有 1 行被隐藏（3），仍会与其他行一起导入',
      ],
    ]);
    expect(await look({ state: 'hidden', columns })).toEqual([
      [2, 4],
      [[2, ['The first sheet of the workbook is hidden, and it is the one that is imported']]],
    ]);
  });

  it('are no credits: an amount below nothing is refused with its row, which names the correction of the bill', async () => {
    const bad = await bring('2026-07', [...lines, ['SF009', '顺丰', 1, 1, -5, 'RX21', '运费']]);
    expect(bad.data).toMatchObject({ rows: 3, bad: 1, imported: 0 });
    const [problem] = bad.data['problems'] as { row: number; msg: string }[];
    expect(problem).toMatchObject({ row: 4, msg: expect.stringMatching(/correct/i) as string });
    expect(await bills('2026-07')).toEqual([]);
  });

  it('are amounts that can be paid: a fraction of a cent is refused with its row', async () => {
    const bad = await bring('2026-07', [...lines, ['SF009', '顺丰', 1, 1, 40.405, 'RX21', '运费']]);
    expect(bad.data).toMatchObject({ rows: 3, bad: 1, imported: 0 });
    expect((bad.data['problems'] as { row: number; msg: string }[])[0]).toMatchObject({
      row: 4,
      msg: expect.stringContaining('at most 2 decimals') as string,
    });
    expect(await bills('2026-07')).toEqual([]);
  });

  describe('bill a parcel once for each charge', () => {
    const parcel = (no: string, charge: string | null = '运费'): CellValue[] => [no, '顺丰', 1, 1, 20, 'RX21', charge];
    const saysOf = ({ data }: { data: Record<string, unknown> }) =>
      (data['problems'] as { row: number; msg: string }[]).map((it) => `${it.row}: ${it.msg}`);

    it('within a file', async () => {
      const twice = await bring('2022-01', [
        parcel('DUP1'),
        parcel('DUP1', '保价'),
        parcel(' dup1'),
        parcel('DUP2', null),
      ]);
      expect(twice.data).toMatchObject({ rows: 4, bad: 1, imported: 0 });
      expect(saysOf(twice)).toEqual([expect.stringMatching(/^4: .*DUP1.* row 2$/)]);
    });

    it('over all bills, also of other sites, and names the one that has it; a new file of the month replaces its own', async () => {
      const { code } = await bring('2022-02', [parcel('DUP3'), parcel('DUP4', null)]);
      expect(code).toBe('000000');
      const [there] = await bills('2022-02');
      const again = await bring('2022-03', [parcel('DUP3'), parcel('DUP3', '保价'), parcel('DUP4', null)]);
      expect(again.data).toMatchObject({ rows: 3, bad: 2, imported: 0 });
      const named = expect.stringContaining(String(there?.lcbId)) as string;
      expect(saysOf(again)).toEqual([named, named]);
      await costsBill('2', 'NB', '2021-12');
      const { lcbId } = await testApp.db
        .selectFrom('rma_logistics_costs_bill')
        .select('lcbId')
        .where('recPeriod', '=', '2021-12')
        .executeTakeFirstOrThrow();
      await testApp.db
        .insertInto('rma_logistics_costs_bill_line')
        .values({ lcbId, deliverShipNo: 'DUP6', amount: '20', chargeItems: '1' })
        .execute();
      expect(saysOf(await bring('2022-03', [parcel('DUP6')]))).toEqual([expect.stringContaining(lcbId)]);
      expect((await bring('2022-02', [parcel('DUP3')])).data).toMatchObject({ imported: 1 });
    });

    it('however the charge is written', async () => {
      const written = await bring('2022-06', [
        parcel('DUP7', 'Customs'),
        parcel('DUP7', ' CUSTOMS'),
        parcel('DUP8', '运 费'),
        parcel('ＤＵＰ８', 'ＦＲＥＩＧＨＴ'),
        parcel('DUP11', '运费＋保价'),
        parcel('DUP11', ' 运费 + 保价'),
      ]);
      expect(saysOf(written)).toEqual([
        expect.stringMatching(/^3: .*DUP7.* row 2$/),
        expect.stringMatching(/^5: .*DUP8.* row 4$/),
        expect.stringMatching(/^7: .*DUP11.* row 6$/),
      ]);
      expect((await bring('2022-06', [parcel('DUP7', 'Customs')])).code).toBe('000000');
      const [there] = await bills('2022-06');
      const again = await bring('2022-07', [parcel('DUP7', 'ＣＵＳＴＯＭＳ')]);
      expect(saysOf(again)).toEqual([expect.stringContaining(String(there?.lcbId))]);
    });

    it('where no charge is freight, and freight with insurance is both, within a file and over bills', async () => {
      const charges = [null, '运费', 'Freight and insurance', '保价'];
      const rows = charges.flatMap((first, i) =>
        charges
          .slice(i)
          .map((second, k): [CellValue[], CellValue[]] => [
            parcel(`PAIR${i}${i + k}`, first),
            parcel(`PAIR${i}${i + k}`, second),
          ]),
      );
      // All but what is freight beside what is insurance.
      const wrong = rows.map((_, i) => i).filter((i) => ![3, 6].includes(i));
      const both = await bring('2022-06', rows.flat());
      expect(saysOf(both)).toEqual(wrong.map((i) => expect.stringContaining(`${i * 2 + 3}: `) as string));
      expect(
        (
          await bring(
            '2022-06',
            rows.map(([first]) => first),
          )
        ).data,
      ).toMatchObject({ imported: 10 });
      const again = await bring(
        '2022-07',
        rows.map(([, second]) => second),
      );
      expect(saysOf(again)).toEqual(wrong.map((i) => expect.stringMatching(`^${i + 2}: .* LCB`) as string));
    });

    it.each(['Transport', '-', '运费 / freight', 'Fuel surcharge'])(
      'and refuse the charge %s, which is none, with its cell and what to write',
      async (charge) => {
        const { data } = await bring('2022-12', [parcel('DUP10', charge)]);
        expect(data).toMatchObject({ imported: 0, bad: 1 });
        expect(data['problems']).toEqual([
          expect.objectContaining({
            row: 2,
            fields: ['chargeItems'],
            msg: `Charge items "${charge}" is none of: Freight, Freight and insurance, Insurance, Customs, Storage`,
          }),
        ]);
      },
    );

    it('however its number is grouped, and is known', async () => {
      await testApp.db
        .insertInto('rma_deliver_bill')
        .values({ dvbId: 'DVB-DUP', siteId: 'SZ', userId: 'warehouse', deliverShipNo: 'DUP1001' })
        .execute();
      expect((await bring('2022-08', [parcel('DUP1001')])).data).toMatchObject({ imported: 1 });
      const [there] = await bills('2022-08');
      const lcbId = String(there?.lcbId);
      expect(await readLines(lcbId)).toMatchObject([{ deliverShipNo: 'DUP1001', isKnown: '1' }]);
      expect(saysOf(await bring('2022-09', [parcel('dup 10\u300001')]))).toEqual([expect.stringContaining(lcbId)]);
      expect((await bring('2022-08', [parcel(' DUP 1001 ')])).data).toMatchObject({ imported: 1 });
      expect(await readLines(lcbId)).toMatchObject([{ deliverShipNo: 'DUP1001', isKnown: '1' }]);
    });

    it('and signed for, however its number is grouped', async () => {
      const row = { dvbId: 'DVB-SIGNED', siteId: 'SZ', userId: 'warehouse', deliverShipNo: 'DUP2002' };
      await testApp.db.insertInto('rma_deliver_bill').values(row).execute();
      const file = await workbook([
        ['发货物流单号', '客户签收时间'],
        ['dup 20\u300002', '2026-01-01 10:00'],
      ]);
      const sent = await sendFile(testApp, '/api/rmaDeliverBill/uploadSignForTime.json', [file], { as: 'admin' });
      expect(sent.data).toMatchObject({ imported: 1, problems: [] });
    });

    it('also where its charge had no code yet when it was billed', async () => {
      expect((await bring('2022-10', [parcel('DUP9'), parcel('DUP9', '关税')])).data).toMatchObject({ imported: 2 });
      const [there] = await bills('2022-10');
      const lcbId = String(there?.lcbId);
      for (const written of ['Freight', ' 运  费'])
        for (const parcels of [[parcel('DUP9')], [parcel('DUP9', 'FREIGHT')]]) {
          await testApp.db
            .updateTable('rma_logistics_costs_bill_line')
            .set({ chargeItems: written })
            .where('lcbId', '=', lcbId)
            .where('chargeItems', '<>', '4')
            .execute();
          expect(saysOf(await bring('2022-11', parcels))).toEqual([expect.stringContaining(lcbId)]);
        }
    });

    it('also where two files of two months come at once', async () => {
      const both = await Promise.all(['2022-04', '2022-05'].map((it) => bring(it, [parcel('DUP5')])));
      expect(both.map((it) => it.data['imported'] ?? 0).sort()).toEqual([0, 1]);
    });
  });

  it.each(['1', '2'])('are refused while the bill is in state %s', async (status) => {
    const recPeriod = `2024-0${status}`;
    const id = await costsBill(status, 'SZ', recPeriod);
    expect((await bring(recPeriod)).code).toBe('100025');
    expect(await costsRow(id)).toMatchObject({ billStatus: status, totalCount: null });
  });

  it('of another site stay its own', async () => {
    const id = await costsBill('0', 'NB', '2024-05');
    await bring('2024-05');
    expect((await bills('2024-05')).map((it) => it.siteId).sort()).toEqual(['NB', 'SZ']);
    expect(await costsRow(id)).toMatchObject({ totalCount: null });
  });
});
