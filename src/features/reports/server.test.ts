import { readXlsx } from 'hucre/xlsx';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Node } from '#domain/nodes.ts';
import { formOf, kinds, type Kind } from '#domain/reports.ts';
import { sitesOf } from '#server/reports/params.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { unitOnBill } from '#tests/support/factories.ts';
import { daysAgo, happened } from '#tests/support/history.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp({}, { worksJobs: true });
});
afterAll(() => testApp?.close());

const days = { startDate: '2026-09-01', endDate: '2026-11-30' };
const months = { startDate: '2026-09-01', endDate: '2026-11-01' };
const inputOf = (kind: Kind) => ({ ...(formOf(kind).range === 'months' ? months : days), reportType: '1' });
const pathOf = (kind: Kind) => `/api/rmaReport/${kind}.json`;
const refused = (kind: Kind, input: object, as?: string) =>
  testApp.ask('GET', pathOf(kind), input, { ...(as && { as }) });

async function readFile(kind: Kind, input: object, as: string, lang = 'en') {
  const query = Object.fromEntries(Object.entries({ ...input, lang }).map(([name, it]) => [name, String(it)]));
  const headers = { token: await testApp.openToken(as) };
  const reply = await testApp.app.inject({ method: 'GET', url: pathOf(kind), query, headers });
  const isFile = String(reply.headers['content-type']).includes('spreadsheetml');
  const book = isFile ? await readXlsx(reply.rawPayload) : null;
  const [heading = [], ...rows] = book?.sheets[0]?.rows ?? [];
  return { status: reply.statusCode, name: String(reply.headers['content-disposition']), heading, rows };
}

describe('a report', () => {
  it.each(kinds)('%s is made for nobody without a session or the right', async (kind) => {
    expect(await refused(kind, inputOf(kind))).toMatchObject({ status: 401, code: '401' });
    expect(await refused(kind, inputOf(kind), 'viewer')).toMatchObject({ status: 403, code: '100013' });
  });

  it('is refused by each role’s own rights', async () => {
    expect(await refused('exportMonthStatistics', days, 'warehouse')).toMatchObject({ code: '100013' });
    expect((await readFile('exportStockStatus', {}, 'warehouse')).status).toBe(200);
  });

  it.each([
    ['exportMonthStatistics', {}, '100001'],
    ['exportMonthStatistics', { startDate: '2026-11-01' }, '100001'],
    ['exportMonthStatistics', { startDate: '2026-11-31', endDate: '2026-12-01' }, '100015'],
    ['exportMonthStatistics', { startDate: '01.11.2026', endDate: '2026-12-01' }, '100015'],
    ['exportMonthStatistics', { startDate: '2026-12-01', endDate: '2026-11-01' }, '100015'],
    ['exportMonthStatistics', { ...days, colour: 'red' }, '100015'],
    ['exportRepairRateStatistics', days, '100015'],
    ['exportSupplierStatistics', days, '100001'],
    ['exportSupplierStatistics', { ...days, reportType: '5' }, '100015'],
  ] as [Kind, object, string][])('%s refuses %j', async (kind, input, code) => {
    expect(await refused(kind, input, 'office')).toMatchObject({ status: 200, code });
    expect(await testApp.db.selectFrom('job').selectAll().where('state', '=', 'queued').execute()).toEqual([]);
  });

  it.each(kinds)('%s is a workbook with its columns in both languages [P-STA-02]', async (kind) => {
    const en = await readFile(kind, inputOf(kind), 'admin');
    const zh = await readFile(kind, inputOf(kind), 'admin', 'zh');
    expect([en.status, zh.status]).toEqual([200, 200]);
    expect(en.heading.length).toBeGreaterThan(6);
    expect(zh.heading).toHaveLength(en.heading.length);
    expect(zh.heading.join()).toMatch(/[\u3400-\u9fff]/);
    expect(en.heading.join()).not.toMatch(/[\u3400-\u9fff]/);
    const label = testApp.model.definitions.get('rmaReport')?.buttons?.find((it) => it.btnNo === kind)?.label;
    expect(decodeURIComponent(en.name)).toMatch(new RegExp(`''${label?.en}_20\\d{12}\\.xlsx$`));
    expect(decodeURIComponent(zh.name)).toContain(`''${label?.zh}_20`);
  });

  it('takes every parameter of the statistics [P-STA-01]', async () => {
    const input = {
      ...days,
      siteId: 'SZ',
      reportType: '3',
      salesCodeDesc: 'RX19',
      repairSiteIds: 'SZ,NB',
      mtbId: 'MTB1',
      btmMtbId: 'W1',
      btmUserId: 'acct',
    };
    for (const kind of kinds.filter((it) => formOf(it).range !== 'months')) {
      expect((await readFile(kind, input, 'admin')).status, kind).toBe(200);
    }
  });

  it('holds rows of the asker’s sites alone, with labels, moments and numbers', async () => {
    const own = await unitOnBill(testApp.db, {
      node: Node.AwaitingCheck,
      item: { receiveTime: daysAgo(10), warranty: '1' },
    });
    const foreign = await unitOnBill(testApp.db, {
      node: Node.AwaitingCheck,
      siteId: 'NB',
      item: { receiveTime: daysAgo(10) },
    });
    const day = (ago: number) => daysAgo(ago).slice(0, 10);
    const input = { startDate: day(20), endDate: day(0) };
    const mine = await readFile('exportUncheckedOvertime', input, 'office');
    const cell = (heading: string) => mine.rows[0]?.[mine.heading.indexOf(heading)];
    expect(mine.rows.map((it) => it[mine.heading.indexOf('SN')])).toEqual([own.sn]);
    expect(cell('Warranty')).toBe('In warranty');
    expect(cell('Current node')).toBe('Awaiting initial test');
    expect(cell('Days waiting')).toBe(10);
    expect(cell('Received at')).toBeInstanceOf(Date);
    for (const siteId of ['NB', 'NOWHERE']) {
      expect((await readFile('exportUncheckedOvertime', { ...input, siteId }, 'office')).rows).toEqual([]);
    }
    const all = await readFile('exportUncheckedOvertime', { ...input, siteId: 'NB' }, 'aftersales');
    expect(all.rows.map((it) => it[all.heading.indexOf('SN')])).toEqual([foreign.sn]);
  });

  it('ends with its footer, shares as percentages', async () => {
    const unit = await unitOnBill(testApp.db, { node: Node.CanShip });
    await happened(testApp.db, unit, [['store', daysAgo(8)]]);
    const input = { startDate: daysAgo(20).slice(0, 10), endDate: daysAgo(0).slice(0, 10) };
    const { heading, rows } = await readFile('exportUndeliveredOvertime', input, 'office');
    expect(rows).toHaveLength(2);
    expect(rows[1]?.[heading.indexOf('Overdue units')]).toBe(1);
    const second = await readFile('exportSecondRepair', input, 'office');
    expect(second.heading).toContain('Second repair rate (%)');
  });

  it('says in its name and in its rows as of which moment it was asked', async () => {
    const { name, heading, rows } = await readFile(
      'exportMonthStatistics',
      { ...days, asOf: '2026-11-20 08:00:00' },
      'admin',
    );
    expect(decodeURIComponent(name)).toContain('Month statistics as of 2026-11-20 08 00 00');
    expect(rows[0]?.[heading.indexOf('As of')]).toEqual(new Date('2026-11-20T08:00:00Z'));
    expect(heading).not.toContain('Average TAT (days)');
    expect(await refused('exportMonthStatistics', { ...days, asOf: '2099-01-01 00:00:00' }, 'office')).toMatchObject({
      code: '100015',
      msg: 'The moment must not be in the future',
    });
  });

  it('stands among the report downloads, where only its owner sees it', async () => {
    await readFile('exportMonthStatistics', { ...days, siteId: 'US' }, 'office');
    const listed = async (as: string) => {
      const answer = await testApp.ask<{ items: { reportName: string; status: string }[] }>(
        'GET',
        '/api/rmaReportDownload/pager.json',
        { pageStart: 0, pageCount: 50 },
        { as },
      );
      return answer.data.items.filter((it) => it.reportName === 'Month statistics').map((it) => it.status);
    };
    expect(await listed('office')).toContain('done');
    expect(await listed('supervisor')).toEqual([]);
  });
});

describe('a report that takes long', () => {
  it('answers 504 with words while its job goes on, and is the same job when it is asked for again [P-STA-05]', async () => {
    const slow = await startTestApp({ exportWaitMs: 1 });
    try {
      const ask = () => slow.ask('GET', pathOf('exportMonthStatistics'), days, { as: 'office' });
      const [first, second] = [await ask(), await ask()];
      for (const it of [first, second]) {
        expect(it).toMatchObject({ status: 504 });
        expect(it.msg).toBe('Export is slow, you can fetch it later from the report download page');
      }
      const jobs = await slow.db.selectFrom('job').select(['kind', 'state', 'userId', 'title']).execute();
      expect(jobs).toEqual([{ kind: 'report', state: 'queued', userId: 'office', title: 'Month statistics' }]);
    } finally {
      await slow.close();
    }
  });
});

describe('the sites of a report', () => {
  it.each([
    ['all', {}, 'all'],
    ['all', { siteId: 'NB' }, ['NB']],
    ['all', { repairSiteIds: 'NB, US,' }, ['NB', 'US']],
    [['SZ'], {}, ['SZ']],
    [['SZ', 'NB'], { repairSiteIds: 'NB,US' }, ['NB']],
    [['SZ'], { siteId: 'NB' }, []],
  ] as ['all' | string[], object, 'all' | string[]][])('of who sees %j and asks %j are %j', (seen, asked, sites) => {
    expect(sitesOf(seen, asked)).toEqual(sites);
  });
});
