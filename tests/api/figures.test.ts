import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DataOf } from '#domain/call.ts';
import { dayOf } from '#domain/day.ts';
import { searchOf } from '#domain/drill.ts';
import { mayDo } from '#domain/rights.ts';
import { beginAddress, queuesFor, rightOf, rowsOfQueue } from '#domain/queues.ts';
import { formOf, kinds, ReportType, type Kind } from '#domain/reports.ts';
import type { Drill } from '#domain/wire.ts';
import type { previewCalls } from '#features/reports/contract.ts';
import type { dashBoard, workQueue } from '#server/dashboard/contract.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';

/** Every figure that a page shows opens exactly the rows that it counts, whoever looks. Rule: reports#drill, screens#home. */

const users = [
  ...['admin', 'office', 'warehouse', 'tech', 'techNB', 'supervisor', 'aftersales', 'finance', 'auditor', 'planner'],
  ...['supplier', 'viewer'],
];

interface Item {
  module?: string;
  children: Item[];
}
interface User {
  rights: ReadonlySet<string>;
  /** The modules whose lists stand in the menu. */
  menu: ReadonlySet<string>;
}

let testApp: TestApp;
const known = new Map<string, User>();
beforeAll(async () => {
  testApp = await startTestApp({}, { holdsDemo: true });
  for (const as of users) known.set(as, await readUser(as));
});
afterAll(() => testApp?.close());

async function readUser(as: string): Promise<User> {
  const info = await testApp.ask<{ access: string[] }>('GET', '/api/userInfo.json', {}, { as });
  const tree = await testApp.ask<{ items: Item[] }>('GET', '/api/sysMenu/queryTree.json', {}, { as });
  const modulesIn = (items: readonly Item[]): string[] =>
    items.flatMap((it) => [...(it.module ? [it.module] : []), ...modulesIn(it.children)]);
  return { rights: new Set(info.data.access), menu: new Set(modulesIn(tree.data.items)) };
}
const userOf = (as: string) => known.get(as) as User;

/** As many rows as the list shows that the figure opens. */
async function countBehind({ module, ...drill }: Drill, as: string): Promise<unknown> {
  const body = { adminAdvancedSearchGroup: searchOf({ module, ...drill }) };
  const answer = await testApp.ask<{ itemTotal: number } | null>('POST', `/api/${module}/advancedSearch.json`, body, {
    as,
  });
  return answer.code === '000000' ? answer.data?.itemTotal : answer.msg;
}

interface Shown {
  what: string;
  figure: unknown;
  drill: Drill;
}
/** What opens another number of rows than it says, or a list that is in no menu of who sees it. */
async function findWrong(shown: readonly Shown[], as: string): Promise<string[]> {
  const wrong: string[] = [];
  for (const { what, figure, drill } of shown) {
    const rows = await countBehind(drill, as);
    if (rows !== figure || !userOf(as).menu.has(drill.module)) wrong.push(`${what} says ${figure}, opens ${rows}`);
  }
  return wrong;
}

it('the walk is of everybody of the demo', async () => {
  const accounts = await testApp.db.selectFrom('admin_user').select('userId').where('status', '=', '1').execute();
  expect(accounts.map((it) => it.userId)).toEqual(expect.arrayContaining(users));
});

describe('home', () => {
  type Row = Record<string, unknown> & { drills: Record<string, Drill> };
  const isRow = (it: unknown): it is Row => typeof it === 'object' && it !== null && 'drills' in it;
  /** All rows of figures in an answer, by where they stand. */
  const rowsIn = (it: unknown, path = ''): [string, Row][] =>
    Array.isArray(it)
      ? it.flatMap((one) => rowsIn(one, path))
      : isRow(it)
        ? [[path, it]]
        : typeof it === 'object' && it !== null
          ? Object.entries(it).flatMap(([key, inner]) => rowsIn(inner, key))
          : [];
  const numbersOf = ({ drills: _, waiting, ...row }: Row): [string, number][] =>
    Object.entries({ ...row, ...(waiting as object) }).flatMap(([key, it]) =>
      typeof it === 'number' ? [[key, it] as [string, number]] : [],
    );

  /** Moments, averages, sums, and units that came, each once: no list has a row for each. */
  const countNoRows = ['from', 'middle', 'slow', 'rate', 'online', 'arrived', 'arrivedBefore'];

  it.each(users)('opens for %s exactly what each of its figures counts', async (as) => {
    const { data } = await testApp.ask<DataOf<typeof dashBoard>>('GET', '/api/dashBoard.json', {}, { as });
    const rows = rowsIn(data);
    const shown = rows.flatMap(([path, row]) =>
      Object.entries(row.drills).map(([key, drill]) => ({
        what: `${path} ${JSON.stringify(row['node'] ?? row['from'] ?? '')} ${key}`,
        figure: Object.fromEntries(numbersOf(row))[key],
        drill,
      })),
    );
    expect(await findWrong(shown, as)).toEqual([]);
    // A number that counts something says which rows.
    const mute = rows.flatMap(([path, row]) =>
      numbersOf(row)
        .filter(([key, it]) => it > 0 && !countNoRows.includes(key) && !row.drills[key])
        .map(([key]) => `${path} ${key}`),
    );
    expect(mute).toEqual([]);
    // Everybody of the demo sees the inventory, so that nobody is walked for nothing.
    expect(shown.length).toBeGreaterThan(20);
    expect(new Set(rows.map(([path]) => path))).toEqual(
      new Set(['cards', 'turnaround', 'returns', ...(data.hashRate ? ['hashRate'] : [])]),
    );
  });

  it('counts what the database holds', async () => {
    const { data } = await testApp.ask<DataOf<typeof dashBoard>>('GET', '/api/dashBoard.json', {}, { as: 'office' });
    const cards = await sql<{ node: string; n: number }>`
      SELECT "ivyId" AS node, count(*)::int AS n FROM rma_inventory
       WHERE "siteId" = 'SZ' AND "ivyId" <> '900' GROUP BY 1 ORDER BY "ivyId"::int`.execute(testApp.db);
    expect(data.cards.map(({ node, count }) => ({ node, n: count }))).toEqual(cards.rows);
    for (const { count, waiting } of data.cards) expect(waiting.short + waiting.days + waiting.long).toBe(count);
    const months = await sql<{ first: number; again: number }>`
      SELECT count(*) FILTER (WHERE coalesce(i.continues, '0') <> '1')::int AS first,
             count(*) FILTER (WHERE i.continues = '1')::int AS again
        FROM rma_maintain_bill_line_item AS i JOIN rma_maintain_bill AS b USING ("mtbId")
       WHERE i."siteId" = 'SZ' AND b."billType" IS NULL AND i."receiveSn" IS NOT NULL AND i."receiveStatus" IN ('1', '3')
         AND date_trunc('month', i."receiveTime" AT TIME ZONE 'Asia/Shanghai')
             > date_trunc('month', now() AT TIME ZONE 'Asia/Shanghai') - interval '6 months'`.execute(testApp.db);
    const sum = (key: 'first' | 'again') => data.returns.reduce((all, it) => all + it[key], 0);
    expect({ first: sum('first'), again: sum('again') }).toEqual(months.rows[0]);
    const { rows: weeks } = await sql<{ n: number }>`
      SELECT count(*)::int AS n FROM rma_maintain_bill_line_item
       WHERE "siteId" = 'SZ' AND "receiveTime" IS NOT NULL AND "receiveStatus" IN ('1', '3')
         AND date_trunc('week', "deliverTime" AT TIME ZONE 'Asia/Shanghai')
             > date_trunc('week', now() AT TIME ZONE 'Asia/Shanghai') - interval '8 weeks'`.execute(testApp.db);
    expect(data.turnaround.reduce((all, it) => all + it.delivered, 0)).toBe(weeks[0]?.n);
  });

  it.each(users)('leads %s from each queue of a list to as many rows as wait in it', async (as) => {
    const { data } = await testApp.ask<DataOf<typeof workQueue>>('GET', '/api/workQueue.json', {}, { as });
    for (const queue of queuesFor(userOf(as).rights).filter((it) => it.of === 'listed')) {
      const standing = data.queues.find((it) => it.name === rightOf(queue));
      if (!standing?.count) continue;
      const { searchParams } = new URL(beginAddress(queue, standing.items), 'http://reflow.test');
      const filter = JSON.parse(searchParams.get('filter') ?? '') as Record<string, string>;
      const { data: page } = await testApp.ask<{ itemTotal: number }>(
        'GET',
        `/api/${queue.module}/pager.json`,
        filter,
        { as },
      );
      expect([standing.name, page.itemTotal]).toEqual([standing.name, standing.count]);
    }
  });
});

it('home opens for everybody just the rows of each queue, or says that no list shows them', async () => {
  const opened = new Set<string>();
  for (const as of users) {
    const { data } = await testApp.ask<DataOf<typeof workQueue>>('GET', '/api/workQueue.json', {}, { as });
    const account = testApp.db.selectFrom('admin_user').select('siteId').where('userId', '=', as);
    const { siteId } = await account.executeTakeFirstOrThrow();
    const shown = queuesFor(userOf(as).rights).flatMap((queue) => {
      const figure = data.queues.find((it) => it.name === rightOf(queue))?.count ?? 0;
      const drill = rowsOfQueue(queue, String(siteId));
      const isOpen = drill && userOf(as).menu.has(drill.module);
      return isOpen && figure > 0 ? [{ what: rightOf(queue), figure, drill }] : [];
    });
    expect([as, await findWrong(shown, as)]).toEqual([as, []]);
    for (const it of shown) opened.add(it.what);
  }
  expect(opened.size).toBeGreaterThan(8);
});

it.each(users)('the tabs of each list count for %s the rows that they show', async (as) => {
  const { rights } = userOf(as);
  const tabbed = [...testApp.model.definitions.values()].filter(
    ({ module, list }) => list?.tabs && mayDo(rights, `${module}:list`),
  );
  const wrong: string[] = [];
  let tabs = 0;
  for (const { module, list } of tabbed) {
    const { data } = await testApp.ask<{ counts: Record<string, number> }>(
      'POST',
      `/api/${module}/tabCounts.json`,
      {},
      { as },
    );
    for (const [value, count] of Object.entries(data.counts)) {
      const page = await testApp.ask<{ itemTotal: number }>(
        'GET',
        `/api/${module}/pager.json`,
        { pageCount: '1', [list?.tabs as string]: value },
        { as },
      );
      tabs += 1;
      if (page.data?.itemTotal !== count) wrong.push(`${module} ${value}: ${count}, ${page.data?.itemTotal}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(tabs).toBeGreaterThan(10);
});

describe('reports', () => {
  const today = dayOf(Date.now(), 'Asia/Shanghai');
  const firstOf = (monthsBack: number) => {
    const [year = 0, month = 0] = today.split('-').map(Number);
    return new Date(Date.UTC(year, month - 1 - monthsBack, 1)).toISOString().slice(0, 10);
  };
  // Midnight may pass while they run.
  const tomorrow = dayOf(Date.now() + 86_400_000, 'Asia/Shanghai');
  const inputOf = (kind: Kind) => ({
    startDate: firstOf(5),
    endDate: formOf(kind).range === 'months' ? firstOf(0) : tomorrow,
    ...(formOf(kind).inputs.includes('reportType') && { reportType: ReportType.Receive }),
  });
  type Preview = DataOf<(typeof previewCalls)[Kind]>;

  it.each(users)('open for %s exactly what each of their figures counts', async (as) => {
    const allowed = kinds.filter((it) => mayDo(userOf(as).rights, `rmaReport:${it}`));
    const shown: Shown[] = [];
    for (const kind of allowed) {
      const path = `/api/rmaReport/${kind.replace('export', 'preview')}.json`;
      const { code, data, msg } = await testApp.ask<Preview>('GET', path, inputOf(kind), { as });
      expect([kind, code], msg).toEqual([kind, '000000']);
      const placeOf = new Map(data.columns.map((it, i) => [it.key, i]));
      for (const { cells, drills } of data.rows) {
        for (const [key, drill] of Object.entries(drills)) {
          shown.push({ what: `${kind} ${key}`, figure: cells[placeOf.get(key) ?? -1], drill });
        }
      }
    }
    expect(await findWrong(shown, as)).toEqual([]);
    const drilling = ['exportMonthStatistics', 'exportStockStatus', 'exportInventoryBalance'] as const;
    if (drilling.some((it) => allowed.includes(it))) expect(shown.length).toBeGreaterThan(10);
  });
});
