import { expect, it } from 'vitest';
import { kinds } from '#domain/reports.ts';
import { reportOf } from '#server/reports/reportOf.ts';

it('these figures of reports open the rows that they count, and no others', () => {
  const opening = kinds.flatMap((kind) => {
    const { drill } = reportOf(kind);
    return drill ? [[kind, Object.keys(drill.of).join(' ')] as const] : [];
  });
  expect(Object.fromEntries(opening)).toEqual({
    exportMonthStatistics:
      'checked repaired nofault assembled agingPassed agingFailed qcPassed qcFailed stored received delivered',
    exportRepairAndSaleStatistics: 'sold',
    exportRepairRateStatistics: 'installed',
    exportStockStatus: 'node10 node40 node50 node60 node70 node80 node90 node100 total',
    exportInventoryBalance: 'closing',
  });
});
