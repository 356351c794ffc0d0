import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InputOf } from '#domain/call.ts';
import { BillStatus } from '#domain/enums.ts';
import { newKey, startTestApp, type TestApp } from '#tests/support/app.ts';
import { maintainBill } from '#tests/support/factories.ts';
import { expectRefused, readLedger } from '#tests/support/guard.ts';
import { accept, signFor } from './contract.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp.close());

let parcels = 0;
const newNo = () => `SF${String(++parcels).padStart(6, '0')}`;
type Input = InputOf<typeof signFor>;
const sign = (receiveShipNo: string, more: Partial<Input> = {}, asking: object = { as: 'warehouse' }) =>
  testApp.send(signFor, { receiveShipNo, receivePackageCount: 2, ...more }, asking);
const take = (id: number, asking: object = { as: 'warehouse' }) => testApp.send(accept, { id }, asking);
const readBill = (mtbId: string) =>
  testApp.db.selectFrom('rma_maintain_bill').selectAll().where('mtbId', '=', mtbId).executeTakeFirstOrThrow();
const readArrival = (id: number) =>
  testApp.db.selectFrom('rma_arrival_bill').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const addLine = (mtbId: string, count: number, receiveCount: number) =>
  testApp.db
    .insertInto('rma_maintain_bill_line')
    .values({
      mtblId: `MBL-${mtbId}`,
      mtbId,
      type: '0',
      salesCode: 'RX19',
      count,
      receiveCount,
      deliverCount: 0,
      scrapCount: 0,
      discardCount: 0,
      buyOutCount: 0,
    })
    .execute();

describe('signing for a parcel', () => {
  it('asks for a session and for the right', async () => {
    await expectRefused(testApp, '401', () => sign(newNo(), {}, {}));
    await expectRefused(testApp, '100013', () => sign(newNo(), {}, { as: 'tech' }));
  });

  const wrong: [what: string, code: string, input: object][] = [
    ['no ship no', '100001', { receiveShipNo: '  ' }],
    ['no count', '100001', { receivePackageCount: null }],
    ['the count 0', '100001', { receivePackageCount: 0 }],
    ['a count below 0', '100015', { receivePackageCount: -1 }],
    ['half a package', '100015', { receivePackageCount: 1.5 }],
    ['a remark of 501 characters', '100015', { remark: 'x'.repeat(501) }],
    ['a ship no of 65 characters', '100015', { receiveShipNo: 'S'.repeat(65) }],
  ];
  it.each(wrong)('refuses %s [W-EVT-01]', async (_, code, input) => {
    await expectRefused(testApp, code, () => sign(newNo(), input));
  });

  it('says of a remark that is too long just that, and of what is no remark at all that it is none', async () => {
    const refusalText = async (remark: unknown, lang: 'zh' | 'en' = 'en') => {
      const { msg, data } = await sign(newNo(), { remark } as Partial<Input>, { as: 'warehouse', lang });
      const { problems } = data as unknown as { problems: { msg: string }[] };
      expect(problems.map((it) => it.msg)).toEqual([msg]);
      return msg;
    };
    expect(await refusalText('x'.repeat(501))).toBe('Remark is too long: at most 500 characters');
    expect(await refusalText('x'.repeat(501), 'zh')).toContain('备注');
    expect(await refusalText({})).toBe('Remark does not meet the rules');
  });

  it('writes down the parcel, and the number of packages on its bill [W-SGN-04] [W-SGN-05] [W-EVT-01]', async () => {
    const no = newNo();
    const { mtbId } = await maintainBill(testApp.db, { receiveShipNo: no, billStatus: BillStatus.Awaiting });
    const answer = await sign(`  ${no.toLowerCase()} `, { receivePackageCount: 3, remark: ' 外箱破损 ' });
    expect(answer).toMatchObject({ code: '000000', data: { receiveShipNo: no, mtbId } });
    const { id, abId } = answer.data;
    expect(abId).toMatch(/^ABL\d{13}$/);
    expect(await readArrival(id)).toMatchObject({
      abId,
      receiveShipNo: no,
      receivePackageCount: 3,
      remark: '外箱破损',
      status: '0',
      mtbId,
      siteId: 'SZ',
      userId: 'warehouse',
      signTime: expect.any(Number),
    });
    expect(await readBill(mtbId)).toMatchObject({ receivePackageCount: 3, billStatus: BillStatus.Awaiting });
    expect(await readLedger(testApp, abId)).toMatchObject([{ what: 'signFor', userId: 'warehouse', siteId: 'SZ' }]);
  });

  it('takes a parcel of which there is no bill, and leaves the bill of another site alone [W-EVT-01]', async () => {
    expect((await sign(newNo())).data.mtbId).toBeNull();
    const no = newNo();
    const { mtbId } = await maintainBill(testApp.db, { receiveShipNo: no, siteId: 'NB' });
    expect((await sign(no)).data.mtbId).toBeNull();
    expect((await readBill(mtbId)).receivePackageCount).toBeNull();
  });

  it('is done once at a site: a second time is refused, a repeated one gets the first answer [W-EVT-01]', async () => {
    const no = newNo();
    const asking = { as: 'warehouse', key: newKey() };
    const first = await sign(no, {}, asking);
    expect(await sign(no, {}, asking)).toEqual(first);
    const answer = await expectRefused(testApp, '100007', () => sign(no));
    expect(answer.msg).toContain(no);
    expect((await sign(no, {}, { as: 'whNB' })).code).toBe('000000');
  });

  it('is done once when two sign at the same moment [W-EVT-01]', async () => {
    const no = newNo();
    const answers = await Promise.all(Array.from({ length: 5 }, () => sign(no)));
    expect(answers.map((it) => it.code).toSorted()).toEqual(['000000', ...Array.from({ length: 4 }, () => '100007')]);
  });

  it('keeps what it wrote to be read in the detail [W-SGN-06]', async () => {
    const no = newNo();
    const { id, abId } = (await sign(no, { remark: '好' })).data;
    const detail = await testApp.ask('GET', '/api/rmaArrivalBill/queryById.json', { id }, { as: 'warehouse' });
    expect(detail.data).toMatchObject({ abId, receiveShipNo: no, receivePackageCount: 2, remark: '好' });
    expect(detail.data['signTime']).toEqual(expect.any(Number));
  });
});

describe('accepting a parcel', () => {
  const signed = async (bill: object | null) => {
    const no = newNo();
    const made = bill && (await maintainBill(testApp.db, { receiveShipNo: no, ...bill }));
    return { id: (await sign(no)).data.id, mtbId: made?.mtbId ?? '', no };
  };

  it('asks for a session, for the right, and for a parcel of the own site', async () => {
    const { id } = await signed(null);
    await expectRefused(testApp, '401', () => take(id, {}));
    await expectRefused(testApp, '100013', () => take(id, { as: 'tech' }));
    await expectRefused(testApp, '100002', () => take(id, { as: 'whNB' }));
    await expectRefused(testApp, '100002', () => take(999_999));
  });

  const opened: [what: string, billStatus: string, counts: [number, number], after: string][] = [
    ['a bill that was not received', '3', [2, 0], '4'],
    ['a received bill with a short line', '1', [2, 1], '4'],
    ['a received bill that is complete', '1', [2, 2], '1'],
    ['a bill that awaits receipt', '0', [2, 0], '0'],
    ['a bill that is open again already', '4', [2, 1], '4'],
  ];
  it.each(opened)('finds %s (%s) and leaves it right [W-EVT-02]', async (_, billStatus, [count, received], after) => {
    const { id, mtbId } = await signed({ billStatus });
    await addLine(mtbId, count, received);
    expect((await take(id)).data).toEqual({ id, status: '1', mtbId, billStatus: after });
    expect((await readBill(mtbId)).billStatus).toBe(after);
    expect((await readArrival(id)).status).toBe('1');
  });

  it('is refused a second time, and for a finished bill [W-SGN-07] [W-EVT-02]', async () => {
    const { id } = await signed(null);
    expect((await take(id)).data).toEqual({ id, status: '1', mtbId: null, billStatus: null });
    await expectRefused(testApp, '100022', () => take(id));
    const finished = await signed({ billStatus: BillStatus.Finished });
    await expectRefused(testApp, '100011', () => take(finished.id));
  });

  it('finds the bill that came after the parcel was signed for [W-EVT-02]', async () => {
    const { id, no } = await signed(null);
    const { mtbId } = await maintainBill(testApp.db, { receiveShipNo: no, billStatus: BillStatus.NotReceived });
    expect((await take(id)).data).toMatchObject({ mtbId, billStatus: BillStatus.ReceivedLater });
    expect(await readArrival(id)).toMatchObject({ mtbId });
  });
});
