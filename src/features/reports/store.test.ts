import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { kinds } from './rules.ts';
import { reportOf } from './store.ts';
import { columnsOf, type Params } from './store.report.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
const params: Params = {
  startDate: '2026-10-01',
  endDate: '2026-10-31',
  from: new Date('2026-09-30T16:00:00Z'),
  until: new Date('2026-10-31T16:00:00Z'),
  sites: ['SZ'],
  lang: 'en',
  timeZone: 'Asia/Shanghai',
  reportType: '1',
  salesCodeDesc: 'x_%',
  mtbId: 'a',
  btmMtbId: '',
  btmUserId: '',
};
describe('q', () => {
  it.each(kinds)('%s', async (kind) => {
    for (const reportType of ['1', '2', '3', '4', '6'] as const) {
      await reportOf(kind)
        .rows({ ...params, reportType })
        .execute(app.db);
      await reportOf(kind)
        .rows({ ...params, sites: 'all', reportType, salesCodeDesc: '', mtbId: '' })
        .execute(app.db);
      await reportOf(kind).footer?.(params).execute(app.db);
      expect(columnsOf(reportOf(kind), { ...params, reportType }).length).toBeGreaterThan(3);
    }
  });
});
