import { describe, expect, it, vi } from 'vitest';
import { formOf, kinds, validateReport, type Kind } from './reports.ts';

const days = { startDate: '2026-11-01', endDate: '2026-11-30' };
const keysOf = (kind: Kind, input: object) =>
  validateReport(kind, input, 'Asia/Shanghai').map((it) => `${it.key} ${it.field}`);

describe('what a report is asked with', () => {
  it.each(kinds.filter((it) => formOf(it).range === 'days'))('%s needs both days in their order', (kind) => {
    const type = { reportType: '1' };
    expect(keysOf(kind, type)).toEqual(['required startDate', 'required endDate']);
    expect(keysOf(kind, { ...type, startDate: '2026-11-01' })).toEqual(['required endDate']);
    expect(keysOf(kind, { ...type, startDate: '2026-11-02', endDate: '2026-11-01' })).toEqual([
      'periodOrder startDate',
    ]);
    expect(keysOf(kind, { ...type, ...days })).toEqual([]);
  });

  it('the stock of now needs no days, and says so of wrong ones', () => {
    expect(keysOf('exportStockStatus', {})).toEqual([]);
    expect(keysOf('exportStockStatus', days)).toEqual([]);
    expect(keysOf('exportStockStatus', { startDate: 'x', endDate: 'y' })).toEqual([
      'format startDate',
      'format endDate',
    ]);
  });

  it.each([
    ['', []],
    ['2026-11-20 08:00:00', []],
    ['2026-11-20', ['format asOf']],
    ['2026-11-31 08:00:00', ['format asOf']],
    ['2099-01-01 00:00:00', ['asOfFuture asOf']],
    ['2026-11-01 00:00:00', ['asOfEarly asOf']],
  ])('the month statistics as of %j: %j', (asOf, problems) => {
    expect(keysOf('exportMonthStatistics', { ...days, asOf })).toEqual(problems);
    expect(keysOf('exportScrapAccuracy', { ...days, asOf })).toEqual([]);
  });

  it.each([
    [999, ['asOfFuture asOf']],
    [1000, []],
  ])('the month statistics as of a second that began %i ms ago: %j', (ago, problems) => {
    vi.useFakeTimers({ now: Date.parse('2026-11-20T08:00:00+08:00') + ago });
    try {
      expect(keysOf('exportMonthStatistics', { ...days, asOf: '2026-11-20 08:00:00' })).toEqual(problems);
    } finally {
      vi.useRealTimers();
    }
  });

  it('the repair rate takes months by their first day alone [P-EXP-13]', () => {
    expect(keysOf('exportRepairRateStatistics', { startDate: '2026-09-01', endDate: '2026-11-01' })).toEqual([]);
    expect(keysOf('exportRepairRateStatistics', days)).toEqual(['format endDate']);
  });

  it.each([
    ['', ['required reportType']],
    ['5', ['format reportType']],
    ['0', ['format reportType']],
    ['1', []],
    ['2', []],
    ['3', []],
    ['4', []],
    ['6', []],
  ])('the supplier statistics take type %j: %j [P-STA-03]', (reportType, keys) => {
    expect(keysOf('exportSupplierStatistics', { ...days, reportType })).toEqual(keys);
    expect(keysOf('exportMonthStatistics', { ...days, reportType })).toEqual([]);
  });
});
