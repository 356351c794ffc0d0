import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteReceived, receive } from '#features/receive/contract.ts';
import { rollbackTransaction } from '#features/rollback/contract.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { maintainBill } from '#tests/support/factories.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp.close());

let made = 0;
/** A bill that is open for receiving, and SNs of ours that come in on it. */
async function parcel(count: number) {
  const { mtbId } = await maintainBill(testApp.db, { billStatus: '0' });
  const sns = Array.from({ length: count }, () => `RX19WDR${String(++made).padStart(10, '0')}`);
  const archived = { itemId: 1, salesCode: 'RX19', itemName: 'RX19 104T', type: '0', origin: '1' };
  await testApp.db
    .insertInto('ubs_item_object')
    .values(sns.map((sn) => ({ ...archived, sn })))
    .execute();
  return { mtbId, sns };
}
async function take(mtbId: string, sns: string[]): Promise<string> {
  const items = sns.map((receiveSn) => ({ receiveSn, depreciation: 'B' }));
  const input = { mtbId, payment: '1', payAmount: '20.00' };
  const answer = await testApp.send(
    receive,
    { ...input, rmaReceiveBillLineRequestList: [{ rmaReceiveBillLineItemRequestList: items }] },
    { as: 'warehouse' },
  );
  expect(answer, answer.msg).toMatchObject({ code: '000000' });
  return answer.data.rvbId;
}
const withdrawals: [string, (mtbId: string, sns: string[]) => Promise<void>][] = [
  [
    'taken off its receipt',
    async (mtbId, snList) => {
      const off = { mtbId, rmaReceiveBillLineRequestList: [{ count: snList.length, snList }] };
      expect(await testApp.send(deleteReceived, off, { as: 'warehouse' })).toMatchObject({ code: '000000' });
    },
  ],
  [
    'rolled back',
    async (_, sns) => {
      for (const sn of sns) {
        const { id } = await testApp.db
          .selectFrom('rma_transaction')
          .select('id')
          .where('sn', '=', sn)
          .orderBy('id', 'desc')
          .executeTakeFirstOrThrow();
        const answer = await testApp.send(rollbackTransaction, { id: String(id), remark: 'wrong' }, { as: 'admin' });
        expect(answer, answer.msg).toMatchObject({ code: '000000' });
      }
    },
  ],
];
/** What the receive bills of a maintain bill say, with what they cost. */
const readBills = async (mtbId: string) => {
  const { rows } = await sql<{ rvbId: string; paid: string; counts: number[]; sns: string[] }>`
    SELECT b."rvbId", b."payAmount"::text AS paid,
           (SELECT coalesce(array_agg(l."receiveCount"::int), '{}') FROM rma_receive_bill_line AS l
             WHERE l."rvbId" = b."rvbId") AS counts,
           (SELECT coalesce(array_agg(i."receiveSn" ORDER BY i.id), '{}') FROM rma_receive_bill_line_item AS i
             WHERE i."rvbId" = b."rvbId") AS sns
      FROM rma_receive_bill AS b WHERE b."mtbId" = ${mtbId} ORDER BY b.id`.execute(testApp.db);
  return rows;
};

describe.each(withdrawals)('a unit that is %s', (_, withdraw) => {
  it('leaves its receive bill, which goes with its freight when it is empty', async () => {
    const { mtbId, sns } = await parcel(2);
    for (let round = 0; round < 2; round++) {
      await take(mtbId, sns);
      await withdraw(mtbId, sns);
      expect(await readBills(mtbId)).toEqual([]);
    }
    const rvbId = await take(mtbId, sns);
    const bills = await readBills(mtbId);
    expect(bills).toMatchObject([{ rvbId, counts: [2], sns }]);
    expect(bills.reduce((sum, it) => sum + Number(it.paid), 0)).toBe(20);
  });

  it('leaves the others of its parcel there, and the freight with them; the ledger keeps what went', async () => {
    const { mtbId, sns } = await parcel(3);
    const [gone = '', ...left] = sns;
    const rvbId = await take(mtbId, sns);
    await withdraw(mtbId, [gone]);
    const [bill] = await readBills(mtbId);
    expect(bill).toMatchObject({ rvbId, counts: [2], sns: left });
    expect(Number(bill?.paid)).toBe(20);
    const ledger = await testApp.db
      .selectFrom('ledger')
      .select('before')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    expect(ledger.before).toMatchObject({ taken: [{ rvbId, receiveSn: gone }] });
  });
});
