import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayOf } from '#domain/day.ts';
import { numberOn, openNumbers, type Numbers } from '#server/db/numbers.ts';
import { createPreparedDatabase, type OpenedDatabase } from '#tests/support/openedDatabase.ts';

const ZONE = 'Asia/Shanghai';
let database: OpenedDatabase;
let client: OpenedDatabase['client'];
let numbers: Numbers;
beforeAll(async () => {
  database = await createPreparedDatabase();
  ({ client } = database);
  numbers = openNumbers(database.url, ZONE);
});
afterAll(async () => {
  await numbers.close();
  await database.close();
});

describe('a bill’s number', () => {
  it('is its prefix, the workshop’s day and five digits', async () => {
    const before = dayOf(Date.now(), ZONE).replaceAll('-', '');
    const number = await numbers.next('CKB');
    const after = dayOf(Date.now(), ZONE).replaceAll('-', '');
    expect([`CKB${before}00001`, `CKB${after}00001`]).toContain(number);
  });

  it('is given once, however many ask at the same moment, at two servers', async () => {
    const other = openNumbers(database.url, ZONE);
    const all = await Promise.all([
      ...Array.from({ length: 25 }, () => numbers.next('RPB')),
      ...Array.from({ length: 25 }, () => other.next('RPB')),
    ]);
    await other.close();
    expect(new Set(all).size).toBe(50);
    expect(all.toSorted().map((it) => Number(it.slice(-5)))).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
  });

  it('counts each prefix for itself, and many at once in a row', async () => {
    expect((await numbers.next('STB')).slice(-5)).toBe('00001');
    expect((await numbers.many('STB', 3)).map((it) => it.slice(-5))).toEqual(['00002', '00003', '00004']);
    expect(await numbers.many('STB', 0)).toEqual([]);
    expect((await numbers.next('STB')).slice(-5)).toBe('00005');
  });

  it('begins anew with each day, and that of an earlier day goes on from there', async () => {
    await numbers.many('DVB', 7);
    await client.query(`UPDATE bill_number SET day = day - 1 WHERE prefix = 'DVB'`);
    expect((await numbers.next('DVB')).slice(-5)).toBe('00001');
    const { rows } = await client.query(`SELECT last FROM bill_number WHERE prefix = 'DVB' ORDER BY day`);
    expect(rows).toEqual([{ last: 7 }, { last: 1 }]);
  });

  it('says the day on which a moment falls in the workshop', () => {
    const lateInLondon = Date.parse('2026-11-20T17:30:00Z');
    expect(numberOn('MTB', lateInLondon, ZONE, 3)).toBe('MTB2026112100003');
    expect(numberOn('MTB', lateInLondon, 'Europe/London', 123_456)).toBe('MTB20261120123456');
  });
});
