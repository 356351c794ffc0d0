import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayOf } from '#domain/day.ts';
import type { Definition, Field } from '#domain/definition/grammar.ts';
import { cleanText } from '#domain/signs.ts';
import { readModel } from '#server/definitions/read.ts';
import { sentFields } from '#server/engine/form.ts';
import { alwaysOf, insertRow } from '#tests/support/always.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { fixedRoutes, genericActions, registers } from '#tests/support/features.ts';
import { digitsOf } from '#tests/support/hostile.ts';
import { turnOf } from '#tests/support/tries.ts';

type Row = Record<string, unknown>;

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp?.close());

const { definitions, options } = readModel(registers);
const fixed = new Set<string>(fixedRoutes.map((it) => it.call.path));
const modulesWith = (name: string) =>
  [...definitions.values()]
    .filter((it) => genericActions.find((action) => action.name === name)?.rightOf(it))
    .filter((it) => !it.viewOf && !fixed.has(`/api/${it.module}/${name}.json`))
    .map((it) => [it.module, it] as const);

let made = 0;
/** A value that a field takes, as the wire has it and as SQL has it. */
async function fitting(field: Field): Promise<{ wire: unknown; sql: unknown }> {
  const same = (value: unknown) => ({ wire: value, sql: value });
  if (field.ref) return same(await findTarget(field.ref));
  if (field.options) return same(options[field.options]?.[0]?.value);
  switch (field.type) {
    case 'Number':
    case 'Integer':
    case 'Long':
      made += 1;
      return same(field.unique ? 100_000 + made : Math.max(field.min ?? 1, 1));
    case 'BigDecimal':
      return same('1.5');
    case 'date':
    case 'dateTime':
      return { wire: Date.UTC(2026, 10, 20, 4), sql: '2026-11-20' };
    case 'Month':
      return same('2026-11');
    case 'password':
      return same('Fitting#2026');
    default:
      made += 1;
      return same(`X${made}`);
  }
}

/** A row to which a select may refer; made where there is none. */
async function findTarget({ module, value }: { module: string; value: string }): Promise<unknown> {
  const target = definitions.get(module) as Definition;
  const { table } = target;
  const one = () =>
    sql<Row>`SELECT ${sql.ref(value)} AS value FROM ${sql.table(table)}
              WHERE ${sql.ref(value)} IS NOT NULL LIMIT 1`.execute(testApp.db);
  const { rows } = await one();
  if (rows.length > 0) return String(rows[0]?.['value']);
  const row: Row = { ...alwaysOf(target, definitions), [value]: '1' };
  await insertRow(testApp.db, target, row, definitions);
  return '1';
}

const isNeeded = (field: Field): boolean => field.required === true || field.requiredWhen !== undefined;

async function addRow(definition: Definition): Promise<{ id: number; version: number }> {
  const { site } = definition;
  const own: Row = Array.isArray(site) ? Object.fromEntries(site.map((name) => [name, 'SZ'])) : {};
  const values: Row = { ...alwaysOf(definition, definitions), createBy: 'test', ...own };
  for (const [name, field] of sentFields(definition)) {
    if (isNeeded(field) && !(name in own)) values[name] = (await fitting(field)).sql;
  }
  const when = definition.buttons?.find((it) => it.script === 'modify')?.when ?? {};
  for (const [name, it] of Object.entries(when)) values[name] = [it].flat()[0] ?? '';
  return (await insertRow(testApp.db, definition, values, definitions)) as { id: number; version: number };
}

const valueIn = async ({ table }: Definition, name: string, id: unknown): Promise<unknown> =>
  (await sql<Row>`SELECT ${sql.ref(name)} AS value FROM ${sql.table(table)} WHERE id = ${id}`.execute(testApp.db))
    .rows[0]?.['value'];

const PLAIN = /^-?\d+(\.\d+)?$/;
const isEmpty = (it: unknown) => it === null || it === undefined || (typeof it === 'string' && it.trim() === '');

/** What a column holds when it holds what was meant, what nobody sees in it aside; undefined where nothing can have been meant by it. */
function meant({ type, upperCase }: Field, sent: unknown): unknown {
  if (isEmpty(sent)) return null;
  const digits = typeof sent === 'number' ? String(sent) : typeof sent === 'string' ? cleanText(sent) : sent;
  if (typeof digits !== 'string') return undefined;
  switch (type) {
    case 'Number':
    case 'Integer':
    case 'Long':
      return typeof sent === 'number' ? sent + 0 : PLAIN.test(digits) ? Number(digits) + 0 : undefined;
    case 'BigDecimal':
      return PLAIN.test(digits) ? digitsOf(digits) : undefined;
    case 'date':
      return PLAIN.test(digits) ? dayOf(Number(digits), testApp.config.timeZone) : undefined;
    case 'dateTime':
      return PLAIN.test(digits) ? Number(digits) + 0 : undefined;
    default: {
      const text = type === 'LongString' ? digits : digits.trim();
      return upperCase ? text.toUpperCase() : text;
    }
  }
}

function held({ type }: Field, value: unknown): unknown {
  if (isEmpty(value)) return value === '' ? 'an empty text' : null;
  if (type === 'BigDecimal') return digitsOf(String(value));
  if (type === 'date') return dayOf(value as number, testApp.config.timeZone);
  return value;
}

/** At every field. */
const nothings: readonly unknown[] = [null, 0, '', '0'];
const values: readonly unknown[] = [
  ...[true, false, -0, 1, 1.5, -1, 2 ** 31, 2 ** 53, 1e308, 123456789012.123456],
  ...[' ', '1', '12.50', ' 1', '0x10', '1e3', '+1', '١٢', 'Infinity', 'true', '9'.repeat(20)],
  ...['4,20', '1,234', '1.234,56', '€5', '13%', '5.'],
  ...['\ud800', '\u202eabc', 'A'.repeat(10_000), [], [1], {}, { a: 1 }],
];

let place = 0;
/** Of these there are so many that they take turns. */
const shareOf = ({ type }: Field): number => (['String', 'LongString', 'select'].includes(type) ? 3 : 1);
const accepted = { all: 0, noughts: 0, empties: 0 };
const count = (sent: unknown) => {
  accepted.all += 1;
  if (sent === 0 || sent === '0') accepted.noughts += 1;
  if (sent === '' || sent === null) accepted.empties += 1;
};

describe('a field of a row that is changed holds what was sent, or it is refused', () => {
  it.each(modulesWith('modifyById'))('%s', async (module, definition) => {
    const row = await addRow(definition);
    let { version } = row;
    for (const [name, field] of sentFields(definition).filter(([, it]) => it.type !== 'password')) {
      place += 1;
      for (const sent of [...nothings, ...turnOf(values, place, shareOf(field))]) {
        const body = { id: row.id, version, [name]: sent };
        const answer = await testApp.ask<{ version: number }>('POST', `/api/${module}/modifyById.json`, body, {
          as: 'admin',
        });
        const what = `${module}.${name} ${JSON.stringify(sent)?.slice(0, 40)}: ${answer.msg}`;
        expect(answer.status, what).toBe(200);
        if (answer.code !== '000000') continue;
        count(sent);
        version = answer.data.version;
        expect([what, held(field, await valueIn(definition, name, row.id))]).toEqual([what, meant(field, sent)]);
      }
    }
  });

  it('and a good part was taken', () => {
    expect(accepted.all).toBeGreaterThan(1000);
    expect(accepted.noughts).toBeGreaterThan(100);
    expect(accepted.empties).toBeGreaterThan(100);
  });
});

describe('a field of a new row holds what was sent, or it is refused', () => {
  const some = [true, false, 0, '0', '', ' 1', '0x10', '1e3', 1.5];
  it.each(modulesWith('create'))('%s', async (module, definition) => {
    for (const [name, field] of sentFields(definition).filter(([, it]) => it.type !== 'password')) {
      place += 1;
      for (const sent of turnOf(some, place, shareOf(field))) {
        const body: Row = {};
        for (const [other, it] of sentFields(definition)) if (it.required) body[other] = (await fitting(it)).wire;
        body[name] = sent;
        const answer = await testApp.ask<{ id: number }>('POST', `/api/${module}/create.json`, body, { as: 'admin' });
        const what = `${module}.${name} ${JSON.stringify(sent)}: ${answer.msg}`;
        expect(answer.status, what).toBe(200);
        if (answer.code !== '000000') continue;
        const stored = held(field, await valueIn(definition, name, answer.data.id));
        // What the site of a row is, the session says where nothing is sent.
        if (name === 'siteId' && isEmpty(sent)) continue;
        expect([what, stored]).toEqual([what, meant(field, sent)]);
      }
    }
  });
});
