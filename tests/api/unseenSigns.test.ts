import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#tests/support/app.ts';

let testApp: TestApp;
beforeAll(async () => void (testApp = await startTestApp()));
afterAll(() => testApp.close());

interface Said {
  mtbId?: string;
  items?: unknown[];
  total?: number;
  problems?: { key: string; field: string }[];
}
const ask = (method: 'GET' | 'POST', path: string, input: object, as: string) =>
  testApp.ask<Said>(method, path, input, { as });
/** As a paste, a scanner and a spreadsheet have the same number. */
const ways = ['SF77\u200b001', '\u0002SF77001\u0003', 'SF77001\u001d', '\u200eSF77001\ufeff', 'SF77\u2060001 '];

describe('a parcel whose number has what nobody sees', () => {
  it('is that of its bill, is signed for once, and is found by whichever way it is written', async () => {
    const made = await ask(
      'POST',
      '/api/rmaMaintainBill/create.json',
      {
        receiveShipNo: 'SF77001',
        userName: '宁\u200b远矿业\u200f',
        mobile: '13800000000',
        rmaMaintainBillLineList: [{ type: '0', salesCode: 'RX19', count: 1 }],
      },
      'office',
    );
    expect(made).toMatchObject({ code: '000000' });
    const signFor = (receiveShipNo: string) =>
      ask('POST', '/api/rmaArrivalBill/signFor.json', { receiveShipNo, receivePackageCount: 1 }, 'warehouse');
    const [first, ...others] = ways;
    expect(await signFor(String(first))).toMatchObject({ code: '000000', data: { mtbId: made.data.mtbId } });
    for (const it of others) expect((await signFor(it)).data.problems).toMatchObject([{ key: 'parcelSigned' }]);

    for (const it of [...ways, 'SF77001']) {
      const rule = { connector: 'AND', column: 'receiveShipNo', relation: 'LIKE', value: it };
      const adminAdvancedSearchGroup = { connector: 'AND', rules: [rule], groups: [] };
      const path = '/api/rmaArrivalBill';
      const found = [
        await ask('GET', `${path}/pager.json`, { receiveShipNo: it }, 'warehouse'),
        await ask('POST', `${path}/advancedSearch.json`, { adminAdvancedSearchGroup }, 'warehouse'),
      ];
      expect([it, ...found.map((answer) => answer.data.items?.length)]).toEqual([it, 1, 1]);
      const everywhere = await ask('GET', '/api/find.json', { text: it }, 'warehouse');
      expect([it, everywhere.data.items?.length]).toEqual([it, 2]);
    }
    const customer = { column: 'userName', relation: 'EQUAL_TO', value: '宁远\u00ad矿业' };
    const bills = await ask(
      'POST',
      '/api/rmaMaintainBill/advancedSearch.json',
      { adminAdvancedSearchGroup: { rules: [customer], groups: [] } },
      'office',
    );
    expect(bills.data.items).toHaveLength(1);
  });

  it('is refused by the name of the sign where it separates two parts of a label', async () => {
    const answer = await ask(
      'POST',
      '/api/rmaArrivalBill/signFor.json',
      { receiveShipNo: '00123\u001d420', receivePackageCount: 1 },
      'warehouse',
    );
    expect(answer.data.problems).toMatchObject([{ key: 'hiddenSign', field: 'receiveShipNo' }]);
    expect(answer.msg).toMatch(/GS \(U\+001D\)/);
  });
});
