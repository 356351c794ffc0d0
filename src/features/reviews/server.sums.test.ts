import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { expectNo } from '#tests/support/guard.ts';
import { projectSums } from './contract.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp.close());

const sumsOf = (id: number, as = 'office') => testApp.send(projectSums, { id }, { as });
const bill = async (rfbId: string, siteId = 'SZ') => {
  const row = { rfbId, billStatus: '0', siteId, currency: 'CNY', createBy: 'office' };
  const made = await testApp.db.insertInto('rma_repair_fee_bill').values(row).returning('id').executeTakeFirstOrThrow();
  return made.id;
};
const lines = (rfbId: string, all: readonly [project: string | null, amount: string][]) =>
  testApp.db
    .insertInto('rma_repair_fee_bill_line')
    .values(
      all.map(([repairProject, includingTaxAmount], i) => ({
        ...{ rfbId, sn: `${rfbId}-${i}`, repairProject, includingTaxAmount, quantity: 1, isPriced: '1' },
      })),
    )
    .execute();
/** Added up by hand, in whole millionths. */
const added = (amounts: readonly string[]): string => {
  const sum = amounts.reduce((all, it) => {
    const [whole = '', rest = ''] = it.split('.');
    return all + BigInt(whole + rest.padEnd(6, '0'));
  }, 0n);
  const text = String(sum).padStart(7, '0');
  return `${text.slice(0, -6)}.${text.slice(-6)}`;
};

describe('what a repair-fee bill comes to for each project', () => {
  it('is exact where floats are not, expenses apart and counted as no units', async () => {
    const id = await bill('RFB-SUMS');
    // Floats make 0.30000000000000004 of the first two, and lose the cents of the last three.
    const device = ['0.1', '0.2', '999999.99', '33.335', '0.005'];
    const board = Array.from({ length: 700 }, (_, i) => `${i % 97}.${String(i % 100).padStart(2, '0')}`);
    const expenses = ['106', '0.7', '0.1'];
    const of = (project: string | null, all: readonly string[]) => all.map((it) => [project, it] as [null, string]);
    await lines('RFB-SUMS', [...of('2', board), ...of(null, expenses), ...of('1', device)]);
    const other = await bill('RFB-OTHER');
    await lines('RFB-OTHER', [['1', '5000']]);

    const { code, data } = await sumsOf(id);
    expect(code).toBe('000000');
    expect(data).toEqual({
      projects: [
        { repairProject: '1', units: 5, includingTaxAmount: added(device) },
        { repairProject: '2', units: 700, includingTaxAmount: added(board) },
      ],
      expenses: { units: 0, includingTaxAmount: added(expenses) },
      total: { units: 705, includingTaxAmount: added([...device, ...board, ...expenses]) },
    });
    expect((await sumsOf(other)).data.total).toEqual({ units: 1, includingTaxAmount: added(['5000']) });
  });

  it('is nothing for a bill without lines', async () => {
    const { data } = await sumsOf(await bill('RFB-EMPTY'));
    expect(data).toEqual({ projects: [], expenses: null, total: { units: 0, includingTaxAmount: '0' } });
  });

  it('is for those who may read the bill, within their sites', async () => {
    const id = await bill('RFB-FAR', 'NB');
    await expectNo('401', () => testApp.send(projectSums, { id }));
    await expectNo('100013', () => sumsOf(id, 'tech'));
    await expectNo('100002', () => sumsOf(999_999, 'admin'));
    await expectNo('100002', () => sumsOf(id, 'office'));
    expect((await sumsOf(id, 'admin')).code).toBe('000000');
  });
});
