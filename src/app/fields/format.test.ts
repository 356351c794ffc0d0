// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Column } from '#app/engine/wire.ts';
import { fromDateText, momentOf, shortMomentOf, textOf, toDateText, urlsOf } from '#app/fields/format.ts';
import { currentUser, type UserState } from '#app/session.ts';

const column = (type: Column['type'], more: Partial<Column> = {}): Column => ({
  name: 'it',
  label: 'It',
  type,
  ...more,
});
const options = [{ value: '1', optionName: 'New' }];
const moment = new Date(2026, 10, 21, 9, 5, 7).getTime();

afterEach(() => {
  currentUser.set(null);
  vi.useRealTimers();
});

describe('a value in words', () => {
  it.each([
    [column('dateTime'), moment, '2026-11-21 09:05:07'],
    [column('String', { name: 'outTime' }), moment, '2026-11-21 09:05:07'],
    [column('String', { name: 'outTime' }), 'unknown', 'unknown'],
    [column('BigDecimal'), '1234567.5', '$1,234,567.50'],
    [column('BigDecimal'), '-1234567.5', '-$1,234,567.50'],
    [column('BigDecimal', { format: 'percent' }), '13.000000', '13%'],
    [column('BigDecimal', { format: 'percent' }), '0.500000', '0.5%'],
    [column('Integer'), 1234, '1,234'],
    [column('Integer', { name: 'itemId' }), 2001, '2001'],
    [column('select', { options }), '1', 'New'],
    [column('select', { options }), '9', '9'],
    [
      column('List', { each: '{waferId}:{inputQty}/{remainQty}' }),
      [
        { waferId: '01', inputQty: 30, remainQty: 60 },
        { waferId: '02', inputQty: 70, remainQty: 0 },
      ],
      '01:30/60, 02:70/0',
    ],
    [column('List', { each: '{waferId}' }), [], ''],
    [column('String'), 'as it is', 'as it is'],
    [column('String'), null, ''],
  ])('%o %j is %s', (of, value, text) => {
    expect(textOf(of, value)).toBe(text);
  });

  it.each([
    ['CNY', '¥1,234.50'],
    ['EUR', '€1,234.50'],
    ['CHF', 'CHF 1,234.50'],
    ['JPY', 'JPY 1,234.5'],
    [null, '$1,234.50'],
  ])('shows an amount with the sign of its currency %s', (currency, text) => {
    expect(textOf(column('BigDecimal'), '1234.5', {}, currency)).toBe(text);
  });

  it('takes the label of another module’s row from the page', () => {
    expect(textOf(column('select'), 'SZ', { it: { SZ: 'Shenzhen' } })).toBe('Shenzhen');
  });

  it.each([
    ['2026-11-21 09:05', new Date(2025, 11, 31, 23, 59)],
    ['11-21 09:05', new Date(2026, 0, 1)],
    ['11-21 09:05', new Date(2026, 11, 31, 23, 59)],
    ['2026-11-21 09:05', new Date(2027, 0, 1)],
  ])('is %s in a list at %s: without seconds, its year where it is not the present one [P-LST-05]', (text, now) => {
    vi.useFakeTimers({ toFake: ['Date'], now });
    expect(shortMomentOf(moment)).toBe(text);
    expect(shortMomentOf('never')).toBe('never');
    expect(shortMomentOf(null)).toBe('');
  });
});

describe.each(['Asia/Shanghai', 'Europe/Berlin', 'America/Los_Angeles'])('in a browser in %s', (zone) => {
  beforeEach(() => {
    vi.stubEnv('TZ', zone);
    currentUser.set({ timeZone: 'Asia/Shanghai' } as UserState);
  });
  afterEach(() => vi.unstubAllEnvs());
  const midnight = Date.UTC(2026, 10, 20, 16);

  it('the browser is there', () => {
    const hours = { 'Asia/Shanghai': 0, 'Europe/Berlin': 17, 'America/Los_Angeles': 8 }[zone];
    expect(new Date(midnight).getHours()).toBe(hours);
  });

  it('a calendar day is the workshop’s', () => {
    expect(textOf(column('date'), midnight)).toBe('2026-11-21');
    expect(toDateText('day', midnight)).toBe('2026-11-21');
    expect(fromDateText('day', '2026-11-21')).toBe(midnight);
  });

  it.each(['Asia/Shanghai', 'Europe/Berlin', 'America/Santiago'])(
    'each edge of days of a workshop in %s is in the day that is shown, and a day is sent as the workshop’s',
    (timeZone) => {
      currentUser.set({ timeZone } as UserState);
      const edges = ['03-08', '03-29', '09-06', '10-25', '11-01', '12-31'].map((it) => `2026-${it}`);
      for (const day of edges) {
        const sent = (time: string) => Number(fromDateText('moment', `${day} ${time}`));
        const [from, last] = [sent('00:00:00'), sent('23:59:59')];
        expect([day, fromDateText('day', day)]).toEqual([day, from]);
        const shown = [from - 1, from, last, last + 999, last + 1000].map((it) => momentOf(it).split(' ')[0] === day);
        expect([day, shown]).toEqual([day, [false, true, true, true, false]]);
      }
    },
  );

  it('a moment is on the workshop’s clock', () => {
    expect(momentOf(midnight)).toBe('2026-11-21 00:00:00');
    expect(toDateText('moment', midnight - 1)).toBe('2026-11-20 23:59:59');
    expect(fromDateText('moment', '2026-11-21 00:00:00')).toBe(midnight);
    // No hour of the workshop is left out where the browser's clock is put forward.
    expect(fromDateText('moment', '2026-03-29 02:30:00')).toBe(Date.UTC(2026, 2, 28, 18, 30));
    expect(fromDateText('moment', '2026-03-08 02:30:00')).toBe(Date.UTC(2026, 2, 7, 18, 30));
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 11, 31, 15, 59) });
    expect(shortMomentOf(midnight)).toBe('11-21 00:00');
    vi.setSystemTime(Date.UTC(2026, 11, 31, 16));
    expect(shortMomentOf(midnight)).toBe('2026-11-21 00:00');
    vi.useRealTimers();
  });
});

describe('pictures', () => {
  it('are one text joined by ##', () => {
    expect(urlsOf('/file/a##/file/b.txt##')).toEqual(['/file/a', '/file/b.txt']);
    expect(urlsOf(null)).toEqual([]);
  });
});
