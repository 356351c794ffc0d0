import { describe, expect, it } from 'vitest';
import { daysBetween, isDay, isMonth, validatePeriod, REPAIR_FEE_DAYS } from '#domain/period.ts';

describe('a day', () => {
  it.each([
    ['2026-11-21', true],
    ['2024-02-29', true],
    ['2026-02-29', false],
    ['2026-13-01', false],
    ['2026-1-1', false],
    ['21.11.2026', false],
    ['2026-11-21T00:00', false],
    ['', false],
  ])('%s is one: %s', (text, is) => {
    expect(isDay(text)).toBe(is);
  });

  it.each([
    ['2026-11', true],
    ['2026-00', false],
    ['2026-11-01', false],
  ])('and %s is a month: %s', (text, is) => {
    expect(isMonth(text)).toBe(is);
  });
});

describe('the range of an export', () => {
  it.each([
    [{}, ['required', 'required']],
    [{ startDate: '2026-11-01' }, ['required']],
    [{ startDate: '', endDate: '2026-11-01' }, ['required']],
    [{ startDate: '2026-11-31', endDate: 'tomorrow' }, ['format', 'format']],
    [{ startDate: '2026-11-02', endDate: '2026-11-01' }, ['periodOrder']],
    [{ startDate: '2026-11-01', endDate: '2026-11-01' }, []],
    [{ startDate: '2020-01-01', endDate: '2026-11-01' }, []],
  ])('%j: %j', (period, keys) => {
    expect(validatePeriod(period).map((it) => it.key)).toEqual(keys);
  });

  it('names the day that is missing', () => {
    expect(validatePeriod({ startDate: '2026-11-01' })[0]).toMatchObject({ field: 'endDate' });
  });

  it('may be 60 days at the repair-fee bills and not 61 [P-EXP-11]', () => {
    const upTo = (endDate: string) => validatePeriod({ startDate: '2026-09-01', endDate }, REPAIR_FEE_DAYS);
    expect(daysBetween('2026-09-01', '2026-10-31')).toBe(60);
    expect(upTo('2026-10-31')).toEqual([]);
    expect(upTo('2026-11-01')).toEqual([{ key: 'periodTooLong', field: 'endDate' }]);
  });
});
