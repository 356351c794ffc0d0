import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { dayFromSql, dayOf, endOfDay, momentFromText, momentText } from '#domain/day.ts';
import type { Definition } from '#domain/definition/grammar.ts';
import { readModel } from '#server/definitions/read.ts';
import { readableField } from '#server/engine/describe.ts';
import { searchableNames } from '#server/engine/filters.ts';
import { alwaysOf, insertRow } from '#tests/support/always.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { registers } from '#tests/support/features.ts';
import { turnOf } from '#tests/support/tries.ts';

/** A workshop whose clock is changed twice a year, which Shanghai's is not. */
const timeZone = 'Europe/Berlin';
let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp({ timeZone }, { worksJobs: true });
});
afterAll(() => testApp?.close());

const { definitions } = readModel(registers);
const all = [...definitions.values()]
  .filter((it) => !it.viewOf)
  .flatMap((definition) =>
    [...searchableNames(definition, { definitions })]
      .filter((name) => readableField(definition, name)?.type === 'dateTime')
      .map((name) => [definition.module, name, definition] as const),
  );
/** When a row was made and changed every table tells; of these a part takes its turn. */
const isOwn = ([, name, { fields }]: (typeof all)[number]) => name in fields;
const columns = [
  ...all.filter(isOwn),
  ...turnOf(
    all.filter((it) => !isOwn(it)),
    0,
    4,
  ),
];

/** A day, a week, a month, a year, and both sides of the two days on which the clock is changed. */
const days = ['2026-03-29', '2026-03-30', '2026-10-25', '2026-10-26', '2026-11-01', '2026-11-02', '2026-12-31'];
const midnights = [...days, '2027-01-01'].map((it) => dayFromSql(it, timeZone));
const rows = midnights.flatMap((at) => [-1000, -1, 0, 1].map((it) => at + it));

interface Page {
  items: { id: number }[];
}

/** The rows of this test that a search finds, as the moments that they hold. */
async function foundIn(ids: ReadonlyMap<number, number>, answer: Promise<{ msg?: unknown; data: Page }>) {
  const { data, msg } = await answer;
  expect(data?.items, String(msg)).toBeTruthy();
  return data.items.flatMap(({ id }) => ids.get(id) ?? []).sort();
}

async function addRows(definition: Definition, name: string): Promise<Map<number, number>> {
  const ids = new Map<number, number>();
  const sites = Array.isArray(definition.site) ? definition.site : [];
  for (const at of rows) {
    const kinds = Object.entries(definition.rowsOf?.when ?? {}).map(([field, values]) => [field, [values].flat()[0]]);
    const values = {
      ...alwaysOf(definition, definitions),
      ...Object.fromEntries([...sites.map((it) => [it, 'SZ']), ...kinds]),
    };
    const row = await insertRow(testApp.db, definition, { ...values, [name]: new Date(at) }, definitions);
    if (row) ids.set(row.id, at);
  }
  return ids;
}

const page = { pageStart: '0', pageCount: '200', sortBy: 'id', order: 'desc' };

/** Where the browser is, whose own days are others. */
const browserZones = ['Asia/Shanghai', 'Europe/Berlin', 'America/Los_Angeles'];
afterEach(() => vi.unstubAllEnvs());
const typed = (day: string, time: string) => momentFromText(`${day} ${time}`, timeZone);

/** As the specification writes a period: its end is the last second, 23:59:59, of which all counts. As it is typed in a browser. */
const periodOf = (name: string, from: number, next: number) => ({
  [`${name}Start`]: typed(dayOf(from, timeZone), '00:00:00'),
  [`${name}End`]: typed(dayOf(next - 1, timeZone), '23:59:59'),
});
const askSimply = (module: string, name: string, from: number, next: number) =>
  testApp.ask<Page>('GET', `/api/${module}/pager.json`, { ...page, ...periodOf(name, from, next) }, { as: 'admin' });

/** A day by its name, else in one of two ways, in turn. */
function askAdvanced(module: string, column: string, from: number, next: number, i: number) {
  const rule = (relation: string, at: number | string) => ({ connector: 'AND', column, relation, value: String(at) });
  const day = dayOf(from, timeZone);
  const inTurn =
    i % 4 < 2
      ? [rule('GREATER_THAN_OR_EQUAL_TO', from), rule('LESS_THAN', next)]
      : [rule('GREATER_THAN', from - 1000), rule('LESS_THAN_OR_EQUAL_TO', next - 1000)];
  const rules = endOfDay(day, timeZone) === next ? [rule('EQUAL_TO', day)] : inTurn;
  const path = `/api/${module}/advancedSearch.json?${new URLSearchParams(page).toString()}`;
  return testApp.ask<Page>(
    'POST',
    path,
    { adminAdvancedSearchGroup: { connector: 'AND', rules, groups: [] } },
    { as: 'admin' },
  );
}

/** How many rows the list and its file have of a period; the list alone where it has no file. */
async function countTwice(definition: Definition, name: string, from: number, next: number): Promise<number[]> {
  const { module, buttons, list } = definition;
  const period = periodOf(name, from, next);
  const get = <T>(path: string, query: object) => testApp.ask<T>('GET', path, { ...period, ...query }, { as: 'admin' });
  const shown = await get<{ itemTotal: number }>(`/api/${module}/pager.json`, {});
  const script = buttons?.find((it) => it.script === 'export' || it.script === 'exportDirect')?.script;
  if (!script) return [shown.data.itemTotal, shown.data.itemTotal];
  const named = { ...(script === 'exportDirect' && { script }), columns: list?.columns[0] };
  const file = await get<{ rows: number }>(`/api/${module}/${script}.json`, named);
  expect(file.code, String(file.msg)).toBe('000000');
  return [shown.data.itemTotal, file.data.rows];
}

it.each(browserZones)('a browser in %s has days of its own, and shows and sends the workshop’s', (zone) => {
  vi.stubEnv('TZ', zone);
  const hours = midnights.map((it) => new Date(it).getHours());
  expect(hours.every((it) => it === 0)).toBe(zone === timeZone);
  for (const at of rows) expect([at, momentText(at, timeZone).split(' ')[0]]).toEqual([at, dayOf(at, timeZone)]);
  for (const at of midnights) {
    const day = dayOf(at, timeZone);
    expect([typed(day, '00:00:00'), typed(day, '23:59:59')]).toEqual([at, endOfDay(day, timeZone) - 1000]);
  }
});

it.each(columns)('%s by %s: each row is in one period', async (module, name, definition) => {
  const ids = await addRows(definition, name);
  // A table that takes one row alone keeps the first.
  const held = [...ids.values()];
  expect(held.length).toBeGreaterThan(0);
  const periods = midnights.slice(1).map((next, i) => [midnights[i] as number, next] as const);
  const expected = periods.map(([from, next]) => held.filter((it) => it >= from && it < next).sort());
  const nth = columns.findIndex((it) => it[0] === module && it[1] === name);
  const isEven = nth % 2 === 0;
  vi.stubEnv('TZ', browserZones[nth % browserZones.length]);
  const found = [];
  for (const [i, [from, next]] of periods.entries()) {
    const ask = (i % 2 === 0) === isEven ? askSimply : askAdvanced;
    found.push(await foundIn(ids, ask(module, name, from, next, i)));
  }
  expect(found).toEqual(expected);
  // A file is of one of them, in turn.
  const [from, next] = periods[nth % periods.length] as readonly [number, number];
  const [shown, written] = await countTwice(definition, name, from, next);
  expect(shown).toBeGreaterThanOrEqual(expected[nth % periods.length]?.length ?? 0);
  expect(written).toBe(shown);
});

describe('where clocks are put forward at midnight, west of UTC', () => {
  /** This day has no midnight: it begins at 01:00. */
  const [day, zone] = ['2026-09-06', 'America/Santiago'];
  const before = '2026-09-05';
  let workshop: TestApp;
  beforeAll(async () => {
    workshop = await startTestApp({ timeZone: zone });
  });
  afterAll(() => workshop?.close());

  it('a row is in the day that its clock shows', async () => {
    const begin = Date.parse('2026-09-06T04:00:00Z');
    const definition = definitions.get('rmaMiscellaneousExpensesBill') as Definition;
    const ids = new Map<number, number>();
    for (const at of [begin - 1_800_000, begin - 1, begin, begin + 1_800_000]) {
      const values = { ...alwaysOf(definition, definitions), siteId: 'SZ', createTime: new Date(at) };
      const row = await insertRow(workshop.db, definition, values, definitions);
      ids.set(Number(row?.id), at - begin);
    }
    const found = async (value: string) => {
      const rules = [{ connector: 'AND', column: 'createTime', relation: 'EQUAL_TO', value }];
      const path = '/api/rmaMiscellaneousExpensesBill/advancedSearch.json';
      const body = { adminAdvancedSearchGroup: { connector: 'AND', rules, groups: [] } };
      const { data } = await workshop.ask<Page>('POST', path, body, { as: 'admin' });
      return data.items.flatMap(({ id }) => ids.get(id) ?? []).toSorted((a, b) => a - b);
    };
    expect(await found(before)).toEqual([-1_800_000, -1]);
    expect(await found(day)).toEqual([0, 1_800_000]);
  });

  it('a day that is saved as it was read stays that day', async () => {
    const definition = definitions.get('rmaPriceBill') as Definition;
    const values = { ...alwaysOf(definition, definitions), siteId: 'SZ', billStatus: '0', effectiveDate: day };
    const row = await insertRow(workshop.db, definition, { ...values, expirationDate: '2027-01-01' }, definitions);
    const id = Number(row?.id);
    const form = await workshop.ask<{ item: Record<string, unknown> }>(
      'GET',
      '/api/rmaPriceBill/toModify.json',
      { id },
      { as: 'admin' },
    );
    const { version, effectiveDate } = form.data.item;
    const body = { id, version, effectiveDate, unitPriceWithTax: '7' };
    const saved = await workshop.ask('POST', '/api/rmaPriceBill/modifyById.json', body, { as: 'admin' });
    expect(saved.code, saved.msg).toBe('000000');
    const { rows: kept } = await sql<{ day: string }>`
      SELECT "effectiveDate"::text AS day FROM rma_price_bill WHERE id = ${id}`.execute(workshop.db);
    expect(kept).toEqual([{ day }]);
  });
});

it('walks all that have a time', () => {
  expect([all.filter(isOwn).length > 50, all.length > 110]).toEqual([true, true]);
});
