import { readXlsx } from 'hucre/xlsx';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DataOf } from '#domain/call.ts';
import { dayOf } from '#domain/day.ts';
import { Node, nodes } from '#domain/nodes.ts';
import { formOf, kinds, ReportType, type Kind } from '#domain/reports.ts';
import { columnsOf, type Params } from '#server/reports/report.ts';
import { reportOf } from '#server/reports/reportOf.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { unitOnBill } from '#tests/support/factories.ts';
import { daysAgo } from '#tests/support/history.ts';
import { previewCalls } from './contract.ts';

type Preview = DataOf<(typeof previewCalls)[Kind]>;

/** Five months of a workshop. */
let workshop: TestApp;
/** A workshop in which nothing has happened. */
let empty: TestApp;
beforeAll(async () => {
  workshop = await startTestApp({ exportWaitMs: 60_000 }, { holdsDemo: true, worksJobs: true });
  // Where its units stand depends on the hour: so that each node is tried, a unit stands at each in a preview's first rows.
  const { siteId } = await workshop.db
    .selectFrom('ubs_site')
    .select('siteId')
    .orderBy('siteId')
    .executeTakeFirstOrThrow();
  const unit = { storageType: '1' };
  for (const node of nodes) await unitOnBill(workshop.db, { node, siteId, salesCode: 'A1', unit });
  empty = await startTestApp();
});
afterAll(async () => {
  await workshop?.close();
  await empty?.close();
});

const today = dayOf(Date.now(), 'Asia/Shanghai');
const startOf = (monthsBack: number) => {
  const [year = 0, month = 0] = today.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 - monthsBack, 1)).toISOString().slice(0, 10);
};
// Midnight may pass while they run.
const days = { startDate: startOf(5), endDate: dayOf(Date.now() + 86_400_000, 'Asia/Shanghai') };
const months = { startDate: startOf(5), endDate: startOf(0) };
const inputOf = (kind: Kind, reportType = '1') => ({
  ...(formOf(kind).range === 'months' ? months : days),
  ...(formOf(kind).inputs.includes('reportType') && { reportType }),
});
/** Each report, the supplier statistics once a type. */
const asked = kinds.flatMap((kind): [kind: Kind, type: string][] =>
  formOf(kind).inputs.includes('reportType') ? Object.values(ReportType).map((it) => [kind, it]) : [[kind, '1']],
);

const ask = (app: TestApp, kind: Kind, input: object, as?: string, lang: 'zh' | 'en' = 'en') =>
  app.ask<Preview>('GET', previewCalls[kind].path, input, { ...(as && { as }), lang });
async function read(kind: Kind, input: object, as = 'admin', lang: 'zh' | 'en' = 'en'): Promise<Preview> {
  const { code, msg, data } = await ask(workshop, kind, input, as, lang);
  expect([kind, code], msg).toEqual([kind, '000000']);
  return data;
}

async function readFile(kind: Kind, input: object, lang: string) {
  const reply = await workshop.app.inject({
    method: 'GET',
    url: `/api/rmaReport/${kind}.json`,
    query: { ...(input as Record<string, string>), lang },
    headers: { token: await workshop.openToken('admin') },
  });
  expect(reply.statusCode).toBe(200);
  const [heading = [], ...rows] = (await readXlsx(reply.rawPayload)).sheets[0]?.rows ?? [];
  return { heading, rows };
}

describe('a preview', () => {
  it.each(kinds)('%s is shown to nobody without a session or the report’s right', async (kind) => {
    expect(await ask(empty, kind, inputOf(kind))).toMatchObject({ status: 401, code: '401' });
    expect(await ask(empty, kind, inputOf(kind), 'viewer')).toMatchObject({ status: 403, code: '100013' });
  });

  it.each([
    ['exportMonthStatistics', {}, '100001'],
    ['exportMonthStatistics', { startDate: '2026-11-31', endDate: '2026-12-01' }, '100015'],
    ['exportMonthStatistics', { startDate: '2026-12-01', endDate: '2026-11-01' }, '100015'],
    ['exportMonthStatistics', { ...days, colour: 'red' }, '100015'],
    ['exportRepairRateStatistics', { startDate: '2026-11-02', endDate: '2026-11-30' }, '100015'],
    ['exportSupplierStatistics', days, '100001'],
    ['exportSupplierStatistics', { ...days, reportType: '5' }, '100015'],
  ] as [Kind, object, string][])('%s refuses %j as the report does', async (kind, input, code) => {
    expect(await ask(empty, kind, input, 'office')).toMatchObject({ status: 200, code });
  });

  it.each(asked)('%s of type %s begins as its file does, in both languages', async (kind, type) => {
    for (const lang of ['en', 'zh'] as const) {
      const [preview, file] = [
        await read(kind, inputOf(kind, type), 'admin', lang),
        await readFile(kind, inputOf(kind, type), lang),
      ];
      expect(preview.columns.map((it) => it.label)).toEqual(file.heading);
      const length = file.rows.length - preview.footer.length;
      expect([preview.rows.length, preview.hasMore]).toEqual([Math.min(20, length), length > 20]);
      const isMoving = preview.columns.map((it) => it.kind === 'moment' || it.kind === 'decimal');
      const lines = [...preview.rows.map((it) => it.cells), ...preview.footer];
      const written = [...file.rows.slice(0, preview.rows.length), ...file.rows.slice(length)];
      // A moment is the workshop's in a file, and an age has grown until it was written.
      const settled = (row: readonly unknown[]) => isMoving.map((it, i) => (it ? row[i] != null : (row[i] ?? null)));
      expect(lines.map(settled)).toEqual(written.map(settled));
    }
  });

  it('has rows of the asker’s sites alone', async () => {
    const mine = await unitOnBill(empty.db, { node: Node.AwaitingCheck, item: { receiveTime: daysAgo(10) } });
    await unitOnBill(empty.db, { node: Node.AwaitingCheck, siteId: 'NB', item: { receiveTime: daysAgo(10) } });
    const rowsFor = async (as: string, input: object) => {
      const { columns, rows } = (await ask(empty, 'exportUncheckedOvertime', { ...days, ...input }, as)).data;
      return rows.map((it) => it.cells[columns.findIndex(({ kind }) => kind === 'sn')]);
    };
    expect(await rowsFor('office', {})).toEqual([mine.sn]);
    expect(await rowsFor('office', { siteId: 'NB' })).toEqual([]);
    expect(await rowsFor('aftersales', {})).toHaveLength(2);
  });

  it('that takes too long is ended by the database, and says to make the file', async () => {
    const hurried = await startTestApp({ searchMs: 1500 });
    const asked = (lang?: 'zh') => ask(hurried, 'exportUncheckedOvertime', days, 'office', lang);
    await hurried.db.transaction().execute(async (trx) => {
      // Somebody rewrites the table: the preview has to wait, and waiting counts.
      await sql`LOCK TABLE rma_maintain_bill_line_item IN ACCESS EXCLUSIVE MODE`.execute(trx);
      const [en, zh] = await Promise.all([asked(), asked('zh')]);
      expect(en).toMatchObject({ status: 200, code: '100015', data: { problems: [{ key: 'previewSlow' }] } });
      expect([en.msg, zh.msg]).toEqual([
        'There are too many units for a preview: make the file, or take a shorter range',
        '设备数量太多，无法预览：请直接导出文件，或缩短日期范围',
      ]);
    });
    expect((await asked()).code).toBe('000000');
    await hurried.close();
  });
});

describe('the chart of a report', () => {
  const params = { reportType: '1' } as Params;

  it.each(kinds)('%s draws a number of its own by columns of its own', (kind) => {
    const report = reportOf(kind);
    if (!report.chart) return;
    const kindOf = new Map(columnsOf(report, params).map((it) => [it.key, it.kind]));
    expect(['integer', 'decimal', 'percent']).toContain(kindOf.get(report.chart.of));
    expect(report.chart.by.map((it) => kindOf.get(it)).filter((it) => it !== 'text' && it !== 'option')).toEqual([]);
  });

  it('is drawn of figures, and never of records', () => {
    const hasUnits = (kind: Kind) =>
      columnsOf(reportOf(kind), params).some((it) => it.kind === 'sn' || it.kind === 'bill');
    expect(kinds.filter((it) => Boolean(reportOf(it).chart) === hasUnits(it))).toEqual([]);
  });
});

describe('the units behind a figure', () => {
  const drilling = kinds.filter((it) => reportOf(it).drill);

  it('are shown for the figures that a list can tell exactly', () => {
    expect(drilling).toEqual([
      'exportMonthStatistics',
      'exportRepairAndSaleStatistics',
      'exportRepairRateStatistics',
      'exportStockStatus',
      'exportInventoryBalance',
    ]);
  });

  interface Figure {
    key: string;
    figure: unknown;
    drill: Preview['rows'][number]['drills'][string];
  }
  const figuresOf = ({ columns, rows }: Preview): Figure[] =>
    rows.flatMap(({ cells, drills }) =>
      Object.entries(drills).map(([key, drill]) => ({
        key,
        figure: cells[columns.findIndex((it) => it.key === key)],
        drill,
      })),
    );

  /** The figures of which the list shows more, or fewer, or none. */
  async function findWrong(app: TestApp, figures: readonly Figure[], as: string): Promise<string[]> {
    const wrong: string[] = [];
    for (const { key, figure, drill } of figures) {
      const rules = drill.rules.map((it) => ({ connector: 'AND', ...it }));
      const { code, data } = await app.ask<{ itemTotal: number } | null>(
        'POST',
        `/api/${drill.module}/advancedSearch.json`,
        { adminAdvancedSearchGroup: { rules } },
        { as },
      );
      if (code !== '000000' || data?.itemTotal !== figure) {
        wrong.push(`${key} ${figure}, in the list ${code} ${data?.itemTotal}: ${JSON.stringify(drill)}`);
      }
    }
    return wrong;
  }

  it.each(drilling)('of %s are as many in the list as the figure says', async (kind) => {
    const figures = figuresOf(await read(kind, inputOf(kind)));
    expect(await findWrong(workshop, figures, 'admin')).toEqual([]);
    const tried = new Set(figures.map((it) => it.key));
    expect(Object.keys(reportOf(kind).drill?.of ?? {}).filter((it) => !tried.has(it))).toEqual([]);
    // Whoever sees one site counts its units alone.
    expect(await findWrong(workshop, figuresOf(await read(kind, inputOf(kind), 'office')), 'office')).toEqual([]);
  });

  it('are those of the very model, warehouse and type, also where one is missing or begins like another', async () => {
    const at = (node: Node, unit: object) => unitOnBill(empty.db, { node, unit });
    const lying: [salesCode: string | null, warehouse: string | null][] = [
      ['RX19', null],
      ['RX19-OLD', 'FG'],
      ['UNKNOWN', null],
      [null, 'FG'],
    ];
    for (const [salesCode, subinventoryCode] of lying) {
      for (const type of ['0', '1']) {
        await at(Node.AwaitingRepair, { salesCode, type, subinventoryCode, storageType: '1' });
        await at(Node.CanShip, { salesCode, type, subinventoryCode, storageType: '0' });
      }
    }
    for (const kind of ['exportStockStatus', 'exportInventoryBalance'] as const) {
      const { data } = await ask(empty, kind, inputOf(kind), 'office');
      const figures = figuresOf(data);
      expect(data.hasMore).toBe(false);
      expect(figures.some(({ drill }) => drill.rules.some((it) => it.relation === 'IS_NULL'))).toBe(true);
      expect(await findWrong(empty, figures, 'office')).toEqual([]);
    }
  });

  it('of what lies there are shown only while it is what lies there now', async () => {
    const yesterday = dayOf(Date.now() - 86_400_000, 'Asia/Shanghai');
    const { rows } = await read('exportInventoryBalance', { startDate: startOf(5), endDate: yesterday });
    expect(rows.length).toBeGreaterThan(3);
    expect(rows.flatMap((it) => Object.keys(it.drills))).toEqual([]);
  });
});
