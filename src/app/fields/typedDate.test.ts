import { describe, expect, it } from 'vitest';
import { rangesOf, readTypedDate, type DateKind, type Edge } from '#app/fields/typedDate.ts';

describe('a typed date', () => {
  it.each<[DateKind, string, string, Edge?]>([
    ['day', '2026-11-03', '2026-11-03'],
    ['day', ' 2026/11/3 ', '2026-11-03'],
    ['day', '20261103', '2026-11-03'],
    ['day', '2026.11.03', '2026-11-03'],
    ['day', '２０２６年11月3日', '2026-11-03'],
    ['day', '2028-02-29', '2028-02-29'],
    ['day', '2026-02-29', ''],
    ['day', '2026-13-01', ''],
    ['day', '2026-11', ''],
    ['day', 'tomorrow', ''],
    ['month', '2026-11', '2026-11'],
    ['month', '2026年1月', '2026-01'],
    ['month', '2026.11', '2026-11'],
    ['month', '2026-13', ''],
    ['moment', '2026-11-03 09:05:07', '2026-11-03 09:05:07'],
    ['moment', '2026-11-03T09:05', '2026-11-03 09:05:00'],
    ['moment', '2026-11-03', '2026-11-03 00:00:00'],
    ['moment', '2026-11-03 13:15', '2026-11-03 13:15:00', 'start'],
    ['moment', '2026-11-03', '2026-11-03 23:59:59', 'end'],
    ['moment', '2026-11-03 08:00', '2026-11-03 08:00:59', 'end'],
    ['moment', '2026/11/3', '2026-11-03', 'whole'],
    ['moment', '2026-11-31', '', 'whole'],
    ['moment', '2026-11-03 08:00', '2026-11-03 08:00:00', 'whole'],
    ['moment', '2026-11-03 24:00:00', ''],
  ])('as a %s: %j is %j', (kind, text, meant, edge) => {
    expect(readTypedDate(kind, text, edge)).toBe(meant);
  });
});

describe('the ranges that are offered', () => {
  it('end today or with the month before, over the turn of a year as well', () => {
    expect(rangesOf('2026-01-05')).toEqual({
      today: { startDate: '2026-01-05', endDate: '2026-01-05' },
      yesterday: { startDate: '2026-01-04', endDate: '2026-01-04' },
      last7: { startDate: '2025-12-30', endDate: '2026-01-05' },
      last30: { startDate: '2025-12-07', endDate: '2026-01-05' },
      thisMonth: { startDate: '2026-01-01', endDate: '2026-01-05' },
      lastMonth: { startDate: '2025-12-01', endDate: '2025-12-31' },
    });
  });
});
