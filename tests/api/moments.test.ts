// @vitest-environment jsdom
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SearchGroup, SearchItem, SearchMetadata } from '#app/engine/wire.ts';
import { dayFromSql, dayOf, momentText } from '#domain/day.ts';
import type { Definition } from '#domain/definition/grammar.ts';
import { readModel } from '#server/definitions/read.ts';
import { readableField } from '#server/engine/describe.ts';
import { searchableNames } from '#server/engine/filters.ts';
import { alwaysOf, insertRow } from '#tests/support/always.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { registers } from '#tests/support/features.ts';
import { turnOf } from '#tests/support/tries.ts';

/**
 * Rows at the edges of days, weeks, months and years, on both sides of the two days on which the clock is changed, in every
 * list that has a day: each is in one day, one week, one month and one year of the workshop's calendar, whatever the browser's
 * zone is, as the search form and the builder of conditions ask for them. Reports and charts: momentsOfFigures.test.ts.
 */
const timeZone = 'Europe/Berlin';
type Type = (text: string) => unknown;
/** The browser's own inputs: asked as they are run, as the server's types have no screens. */
interface DateInputs {
  signIn: (timeZone: string) => void;
  drawSearch: (item: SearchItem) => Type;
  searchOf: (entered: Record<string, unknown>, items: readonly SearchItem[]) => Record<string, unknown>;
  inputOf: (metadata: SearchMetadata, name: string) => string | undefined;
  drawCondition: (metadata: SearchMetadata, name: string, relation: string) => Type;
  conditionsOf: (
    metadata: SearchMetadata,
    rules: readonly { field: string; operator: string; value: unknown }[],
  ) => SearchGroup;
}
const inputs = (await vi.importActual<{ dateInputs: DateInputs }>('#app/testing/dateInputs.tsx')).dateInputs;

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp({ timeZone }, { worksJobs: true });
});
beforeEach(() => inputs.signIn(timeZone));
afterEach(() => vi.unstubAllEnvs());
afterAll(() => testApp?.close());

const { definitions } = readModel(registers);
const days = ['2026-03-29', '2026-03-30', '2026-10-25', '2026-10-26', '2026-11-01', '2026-11-02', '2026-12-31'];
const midnights = [...days, '2027-01-01'].map((it) => dayFromSql(it, timeZone));
const edges = midnights.flatMap((at) => [-1000, -1, 0, 1].map((it) => at + it));

/** Where the browser is, whose own days are others. */
const browserZones = ['Asia/Shanghai', 'Europe/Berlin', 'America/Los_Angeles'];

/** First and last day of what holds all edges, cut in four ways. */
type Period = readonly [from: string, to: string];
const addDays = (day: string, count: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + count * 86_400_000).toISOString().slice(0, 10);
const held = [...new Set(edges.map((it) => dayOf(it, timeZone)))].toSorted();
const mondayOf = (day: string) => addDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7));
const partOf: Record<'days' | 'weeks' | 'months' | 'years', (day: string) => Period> = {
  days: (day) => [day, day],
  weeks: (day) => [mondayOf(day), addDays(mondayOf(day), 6)],
  months: (day) => [`${day.slice(0, 7)}-01`, addDays(`${addDays(`${day.slice(0, 7)}-01`, 31).slice(0, 7)}-01`, -1)],
  years: (day) => [`${day.slice(0, 4)}-01-01`, `${day.slice(0, 4)}-12-31`],
};
const partitions = Object.entries(partOf).map(
  ([name, of]) => [name, [...new Map(held.map((it) => [of(it)[0], of(it)])).values()]] as const,
);

const dateKinds: Partial<Record<string, 'day' | 'moment' | 'month'>> = {
  date: 'day',
  dateTime: 'moment',
  Month: 'month',
};
const kindOf = (definition: Definition, name: string) => dateKinds[readableField(definition, name)?.type ?? ''];
/** The fields of a list that are days, moments or months, as its searches offer them. */
const datesOf = (definition: Definition) =>
  [...searchableNames(definition, { definitions })].filter((name) => kindOf(definition, name));
const all = [...definitions.values()].filter((it) => it.list);
const lists = all.map((it) => [it.module, it, datesOf(it)] as const).filter(([, , names]) => names.length > 0);

/** What the engine only reads from a view, where a row is put instead. */
const behind: Record<string, (at: Date) => ReturnType<typeof sql>> = {
  // A failed one that names a file stays, however old: the worker takes away those that are over while the test runs.
  rmaReportDownload: (at) => sql`
    INSERT INTO job (kind, title, module, "userId", "siteId", scope, lang, input, state, "fileId", "createdAt", "expiresAt")
    VALUES ('export', 'edge', 'ubsItem', 'admin', 'SZ', '{}', 'en', '{}', 'failed', 'edge', ${at}, ${at}) RETURNING id`,
  sysLedger: (at) => sql`
    INSERT INTO ledger ("userId", "siteId", what, module, "recordId", "requestId", at)
    VALUES ('admin', 'SZ', 'edge', 'ubsItem', '1', 'edge', ${at}) RETURNING id`,
  sysPublish: (at) => sql`INSERT INTO definition_publish ("userId", at) VALUES ('admin', ${at}) RETURNING id`,
  sysModule: (at) => sql`
    WITH published AS (INSERT INTO definition_publish ("userId", at) VALUES ('admin', ${at}) RETURNING id)
    INSERT INTO definition_module (module, name, "nameEn", "tableName", origin, "publishId")
    SELECT 'edge' || id, 'edge', 'edge', 'edge', '3', id FROM published RETURNING id`,
};

/** A row at each edge, all of its dates there: by its id, when. A table that takes one row alone keeps the first. */
async function addRows(definition: Definition, names: readonly string[]): Promise<Map<number, number>> {
  const ids = new Map<number, number>();
  const sites = Array.isArray(definition.site) ? definition.site : [];
  const kinds = Object.entries(definition.rowsOf?.when ?? {}).map(([field, values]) => [field, [values].flat()[0]]);
  for (const at of edges) {
    const day = dayOf(at, timeZone);
    const dates = names.map((name) => {
      const kind = kindOf(definition, name);
      return [name, kind === 'moment' ? new Date(at) : kind === 'month' ? day.slice(0, 7) : day];
    });
    const values = {
      ...alwaysOf(definition, definitions),
      ...Object.fromEntries([...sites.map((it) => [it, 'SZ']), ...kinds, ...dates]),
    };
    const put = behind[definition.module]?.(new Date(at));
    const row = put
      ? (await put.execute(testApp.db)).rows[0]
      : await insertRow(testApp.db, definition, values, definitions);
    if (row) ids.set(Number((row as { id: number }).id), at);
  }
  return ids;
}

/** What an input hands on when this is typed in it, in a browser of each zone: the same in all. Those that are alike are asked once. */
const handedOn = new Map<string, unknown>();
const drawn = new Map<string, Type>();
afterEach(() => drawn.clear());
function typeIn(kind: string, text: string, draw: () => Type): unknown {
  const key = `${kind} ${text}`;
  if (handedOn.has(key)) return handedOn.get(key);
  const type = drawn.get(kind) ?? draw();
  drawn.set(kind, type);
  const values = browserZones.map((zone) => {
    vi.stubEnv('TZ', zone);
    return type(text);
  });
  expect(values, key).toEqual(values.map(() => values[0]));
  handedOn.set(key, values[0]);
  return values[0];
}

const textOf = (type: string, day: string) => (type === 'Month' ? day.slice(0, 7) : day);

/** What the search form sends of a period; null where it has no field for it. */
function searchFor(items: readonly SearchItem[], name: string, [from, to]: Period): Record<string, unknown> | null {
  const asked = items.filter(({ queryName }) => [name, `${name}Start`, `${name}End`].includes(queryName));
  const [first] = asked;
  if (!first) return null;
  // Of days and months the form asks for one.
  if (asked.length === 1 && textOf(first.type, from) !== textOf(first.type, to)) return null;
  const entered = asked.map((item) => {
    const end = item.queryName.slice(name.length);
    const text = textOf(item.type, end === 'End' ? to : from);
    return [item.queryName, typeIn(`search ${item.type} ${end}`, text, () => inputs.drawSearch(item))];
  });
  return inputs.searchOf(Object.fromEntries(entered) as Record<string, unknown>, items);
}

const relationsInTurn = [
  ['GREATER_THAN_OR_EQUAL_TO', 'LESS_THAN_OR_EQUAL_TO'],
  ['GREATER_THAN', 'LESS_THAN'],
] as const;

/** What the builder of conditions sends of a period: a day by its name or as a range, in turn, and a range in two ways. */
function conditionsFor(metadata: SearchMetadata, name: string, [from, to]: Period, turn: number) {
  const input = inputs.inputOf(metadata, name);
  if (!input) return null;
  const written = (day: string) => (input === 'month' ? day.slice(0, 7) : day);
  const [atLeast, atMost] = relationsInTurn[turn % 2] as (typeof relationsInTurn)[number];
  const isOutside = atLeast === 'GREATER_THAN';
  const asked =
    written(from) === written(to) && turn % 3 > 0
      ? ([['EQUAL_TO', from]] as const)
      : ([
          [atLeast, isOutside ? addDays(from, -1) : from],
          [atMost, isOutside ? addDays(to, 1) : to],
        ] as const);
  const rules = asked.map(([relation, day]) => {
    const draw = () => inputs.drawCondition(metadata, name, relation);
    return { field: name, operator: relation, value: typeIn(`condition ${input} ${relation}`, written(day), draw) };
  });
  return inputs.conditionsOf(metadata, rules);
}

interface Page {
  items: { id: number }[];
}
const page = { pageStart: '0', pageCount: '200' };
const tally = { lists: 0, fields: 0, searches: 0, conditions: 0, files: 0 };

it.each(lists)('%s: each row is in one day, one week, one month and one year', async (module, definition, names) => {
  const ids = await addRows(definition, names);
  expect(ids.size).toBeGreaterThan(0);
  const get = <T>(path: string, query: object = {}) =>
    testApp.ask<T>('GET', `/api/${module}/${path}`, query, { as: 'admin' });
  const { items } = (await get<{ items: SearchItem[] }>('searchItems.json')).data;
  const metadata = (await get<SearchMetadata>('toAdvancedSearch.json')).data;
  const foundIn = async (answer: Promise<{ msg?: unknown; data: Page }>) => {
    const { data, msg } = await answer;
    expect(data?.items, String(msg)).toBeTruthy();
    return data.items.flatMap(({ id }) => ids.get(Number(id)) ?? []).sort();
  };
  const script = definition.buttons?.find((it) => it.script === 'export' || it.script === 'exportDirect')?.script;
  tally.lists += 1;

  for (const name of names) {
    const nth = (tally.fields += 1);
    const rows = [...ids.values()];
    const searched: Record<string, number[]> = {};
    const built: Record<string, number[]> = {};
    // Of when a row was made and changed, which every table has, a partition in turn.
    const isMonth = kindOf(definition, name) === 'month';
    const fitting = partitions.filter(([it]) => !isMonth || it === 'months' || it === 'years');
    const isOwn = name in definition.fields;
    for (const [p, [partition, periods]] of fitting.entries()) {
      const isInTurn = turnOf(fitting, nth, fitting.length).some(([it]) => it === partition);
      if (!isOwn && !isInTurn) continue;
      for (const [i, period] of periods.entries()) {
        const expected = rows
          .filter((it) => period[0] <= dayOf(it, timeZone) && dayOf(it, timeZone) <= period[1])
          .sort();
        const told = `${name} in ${period.join()}`;
        const query = searchFor(items, name, period);
        if (query) {
          expect([told, await foundIn(get('pager.json', { ...page, ...query }))]).toEqual([told, expected]);
          (searched[partition] ??= []).push(...expected);
          tally.searches += 1;
        }
        // What the form asks for as well is built in turn, all else by days at least.
        const adminAdvancedSearchGroup =
          isInTurn || (!query && p === 0) ? conditionsFor(metadata, name, period, nth + i) : null;
        if (!adminAdvancedSearchGroup) continue;
        const path = `/api/${module}/advancedSearch.json?${new URLSearchParams(page).toString()}`;
        const answer = testApp.ask<Page>('POST', path, { adminAdvancedSearchGroup }, { as: 'admin' });
        expect([told, await foundIn(answer)]).toEqual([told, expected]);
        (built[partition] ??= []).push(...expected);
        tally.conditions += 1;
      }
    }
    // The days, the weeks, the months and the years come to the same: all rows, each once.
    for (const it of [...Object.values(searched), ...Object.values(built)]) expect(it.sort()).toEqual(rows.sort());
    const [, periods] = fitting[nth % fitting.length] as (typeof partitions)[number];
    const query = searchFor(items, name, periods[nth % periods.length] as Period);
    if (!query || !script) continue;
    const shown = await get<{ itemTotal: number }>('pager.json', query);
    const named = { ...(script === 'exportDirect' && { script }), columns: definition.list?.columns[0] };
    const file = await get<{ rows: number }>(`${script}.json`, { ...query, ...named });
    expect([file.code, file.data?.rows], String(file.msg)).toEqual(['000000', shown.data.itemTotal]);
    tally.files += 1;
  }
});

it('walks every list that has a day, and asks each of its days by one of the two', () => {
  expect([lists.length > 70, lists.flatMap(([, , names]) => names).length > 130]).toEqual([true, true]);
  expect(partitions.map(([name, periods]) => [name, periods.length])).toEqual([
    ['days', 12],
    ['weeks', 6],
    ['months', 5],
    ['years', 2],
  ]);
  // Where the tests of the lists ran: one by one they are asked for alone.
  if (tally.lists < lists.length) return;
  expect([tally.searches > 500, tally.conditions > 1200, tally.files > 35]).toEqual([true, true, true]);
});

it.each(browserZones)('a browser in %s has days of its own', (zone) => {
  vi.stubEnv('TZ', zone);
  const hours = midnights.map((it) => new Date(it).getHours());
  expect(hours.every((it) => it === 0)).toBe(zone === timeZone);
  for (const at of edges) expect([at, momentText(at, timeZone).split(' ')[0]]).toEqual([at, dayOf(at, timeZone)]);
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
