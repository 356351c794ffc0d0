import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { InputOf } from '#domain/call.ts';
import { Node } from '#domain/nodes.ts';
import { newKey, startTestApp, type TestApp } from '#tests/support/app.ts';
import { stockMachine, unitOnBill } from '#tests/support/factories.ts';
import { codeIdsOf, expectNo, expectRefused, guardCases, itemOf, ledgerOf, traceOf } from '#tests/support/guard.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { uploadPicture } from '#tests/support/pictures.ts';
import { snapshotOf } from '#tests/support/snapshot.ts';
import { attemptBurnin, loadIssueCodeList, submitBurninBill } from './contract.ts';

let house: TestApp;
let codes: Record<string, number>;
let picture: string;
beforeAll(async () => {
  house = await startTestApp();
  codes = await codeIdsOf(house);
  picture = await uploadPicture(house, 'tech');
});
afterAll(() => house.close());

type Line = InputOf<typeof submitBurninBill>['rmaBurninBillLineList'][number];
const line = (sn: string, code = 'AT00', more: Partial<Line> = {}): Line => ({ sn, icdId: codes[code], ...more });
const submit = (lines: Line[], asking: { as?: string; key?: string } = { as: 'tech' }) =>
  house.send(submitBurninBill, { rmaBurninBillLineList: lines }, asking);
const attempt = (sn: string, more: object = {}) =>
  house.send(attemptBurnin, { sn, icdId: codes['AT00'], ...more }, { as: 'tech' });
const ready = () => unitOnBill(house.db, { node: Node.AwaitingTest });
const cases = guardCases(() => house, Node.AwaitingTest);

describe('the codes of the aging test', () => {
  it('say which is a pass [W-BRN-08]', async () => {
    const { data } = await house.send(loadIssueCodeList, {}, { as: 'tech' });
    expect(data.issueCodeList.map((it) => [it.code, it.passFlag])).toEqual([
      ['AT00', '1'],
      ['AT01', '0'],
    ]);
  });
});

describe('the scan of a unit for aging', () => {
  it('asks for a session and for the right', async () => {
    const { sn } = await ready();
    await expectNo('401', () => house.send(attemptBurnin, { sn, icdId: codes['AT00'] }));
    await expectNo('100013', () => house.send(attemptBurnin, { sn, icdId: 1 }, { as: 'warehouse' }));
  });

  it.each(cases)('refuses %s', async (_, code, snOf) => {
    const sn = await snOf();
    await expectNo(code, () => attempt(sn));
  });

  it.each([
    ['no code', '100001', () => ({ icdId: null })],
    ["QC's code", '100027', () => ({ icdId: codes['QC00'] })],
    ['three pictures', '100017', () => ({ burninUrlList: [picture, `${picture}a`, `${picture}b`] })],
  ] as const)('refuses %s [W-BRN-05] [W-BRN-11]', async (_, code, more) => {
    const { sn } = await ready();
    await expectNo(code, () => attempt(sn, more()));
  });

  it('tells what the unit is and writes nothing [W-BRN-09]', async () => {
    const { sn, mtbId } = await ready();
    const before = await snapshotOf(house.db);
    const answer = await attempt(` ${sn.toLowerCase()} `, { burninUrlList: [picture] });
    expect(answer.data).toMatchObject({ sn, salesCode: 'RX19', mtbId, code: 'AT00', passFlag: '1' });
    expect(await snapshotOf(house.db)).toEqual(before);
  });
});

describe('an aging submit', () => {
  it('asks for a session, for the right, and for units of the own site', async () => {
    const { sn } = await ready();
    await expectRefused(house, '401', () => submit([line(sn)], {}));
    await expectRefused(house, '100013', () => submit([line(sn)], { as: 'warehouse' }));
    await expectRefused(house, '100004', () => submit([line(sn)], { as: 'techNB' }));
  });

  it.each(cases)(
    'refuses %s, and with it the good ones of the same list [W-EVT-18] [W-EVT-19]',
    async (_, code, snOf) => {
      const { sn } = await ready();
      const bad = await snOf();
      await expectRefused(house, code, () => submit([line(sn), line(bad, 'AT01')]));
    },
  );

  const wrong: [what: string, code: string, lines: (sn: string) => Line[]][] = [
    ['an empty list', '100001', () => []],
    ['a row without a code', '100001', (sn) => [line(sn, 'AT00', { icdId: null })]],
    ['an SN twice', '100007', (sn) => [line(sn), line(` ${sn.toLowerCase()}`, 'AT01')]],
    ['a code that does not exist', '100027', (sn) => [line(sn, 'AT00', { icdId: 9999 })]],
    ["QC's code", '100027', (sn) => [line(sn, 'QC00')]],
    [
      'three pictures',
      '100017',
      (sn) => [line(sn, 'AT00', { burninUrlList: [picture, `${picture}a`, `${picture}b`] })],
    ],
    ['a picture that was never uploaded', '100002', (sn) => [line(sn, 'AT00', { burninUrls: '/file/x' })]],
  ];
  it.each(wrong)('refuses %s [W-BRN-06] [W-BRN-07] [W-EVT-18] [W-EVT-19]', async (_, code, lines) => {
    const { sn } = await ready();
    await expectRefused(house, code, () => submit(lines(sn)));
  });

  it('sends what ran well to inspection and the rest back to repair [W-BRN-02] [W-BRN-03] [W-BRN-04] [W-BRN-10] [W-EVT-18] [W-EVT-19]', async () => {
    const good = await ready();
    const bad = await ready();
    const answer = await submit([
      line(good.sn.toLowerCase(), 'AT00', { burninUrlList: [picture] }),
      line(bad.sn, 'AT01'),
    ]);
    expect(answer).toMatchObject({ code: '000000', data: { passCount: 1, failCount: 1 } });
    const { bnbId } = answer.data;
    for (const [unit, to, note] of [
      [good, Node.AwaitingInspection, 'AT00'],
      [bad, Node.AwaitingRepair, 'AT01'],
    ] as const) {
      const trace = await traceOf(house, unit.sn);
      expect(trace.unit).toMatchObject({ ivyId: to, mtbId: unit.mtbId, mtbliId: unit.mtbliId });
      expect(trace.history).toMatchObject([{ step: 'aging', billId: bnbId, fromNode: '70', toNode: to, note }]);
      expect(await itemOf(house, unit.mtbliId)).toMatchObject({ deliverStatus: '0', stockup: '0' });
    }
    const bill = await house.ask('GET', '/api/rmaBurninBill/queryById.json', { id: bnbId }, { as: 'tech' });
    expect(bill.data).toMatchObject({
      bnbId,
      userId: 'tech',
      rmaBurninBillLineList: [
        { sn: good.sn, salesCode: 'RX19', icdId: 'AT00', passFlag: '1', burninUrls: picture },
        { sn: bad.sn, icdId: 'AT01', passFlag: '0' },
      ],
    });
    expect(await ledgerOf(house, bnbId)).toMatchObject([{ what: 'burnin', userId: 'tech', siteId: 'SZ' }]);
    expect(await brokenInvariants(house.db)).toEqual([]);
  });

  it('takes a hundred units with as many statements as one', async () => {
    const query = vi.spyOn(pg.Client.prototype, 'query');
    const statementsFor = async (count: number) => {
      const sns: string[] = [];
      for (let i = 0; i < count; i++) sns.push(await stockMachine(house.db, Node.AwaitingTest));
      query.mockClear();
      expect((await submit(sns.map((sn) => line(sn)))).data).toMatchObject({ passCount: count, failCount: 0 });
      return query.mock.calls.length;
    };
    const forOne = await statementsFor(1);
    expect(forOne).toBeGreaterThan(5);
    expect(await statementsFor(100)).toBe(forOne);
  });

  it('is done once: a second one finds the units elsewhere, a repeated one gets the first answer', async () => {
    const { sn } = await ready();
    const asking = { as: 'tech', key: newKey() };
    const first = await submit([line(sn)], asking);
    expect(await submit([line(sn)], asking)).toEqual(first);
    await expectRefused(house, '100003', () => submit([line(sn)]));
    expect((await traceOf(house, sn)).history).toHaveLength(1);
  });
});
