import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { InputOf } from '#domain/call.ts';
import { Node } from '#domain/nodes.ts';
import { newKey, startTestApp, type TestApp } from '#tests/support/app.ts';
import { stockMachine, unitOnBill } from '#tests/support/factories.ts';
import {
  readCodeIds,
  expectNo,
  expectRefused,
  guardCases,
  readItem,
  readLedger,
  readTrace,
} from '#tests/support/guard.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { uploadPicture } from '#tests/support/pictures.ts';
import { hopsNotTaken } from '#tests/support/scanDrawing.ts';
import { takeSnapshot } from '#tests/support/snapshot.ts';
import { checkBurnin, loadIssueCodeList, submitBurninBill } from './contract.ts';

let testApp: TestApp;
let codes: Record<string, number>;
let picture: string;
beforeAll(async () => {
  testApp = await startTestApp();
  codes = await readCodeIds(testApp);
});
afterAll(() => testApp.close());
// It belongs to the one row that it is handed in with.
beforeEach(async () => {
  picture = await uploadPicture(testApp, 'tech');
});

type Line = InputOf<typeof submitBurninBill>['rmaBurninBillLineList'][number];
const line = (sn: string, code = 'AT00', more: Partial<Line> = {}): Line => ({ sn, icdId: codes[code], ...more });
const submit = (lines: Line[], asking: { as?: string; key?: string } = { as: 'tech' }) =>
  testApp.send(submitBurninBill, { rmaBurninBillLineList: lines }, asking);
const check = (sn: string, more: object = {}) =>
  testApp.send(checkBurnin, { sn, icdId: codes['AT00'], ...more }, { as: 'tech' });
const ready = () => unitOnBill(testApp.db, { node: Node.AwaitingTest });
const cases = guardCases(() => testApp, Node.AwaitingTest);

describe('the codes of the aging test', () => {
  it('say which is a pass [W-BRN-08]', async () => {
    const { data } = await testApp.send(loadIssueCodeList, {}, { as: 'tech' });
    expect(data.issueCodeList.map((it) => [it.code, it.passFlag])).toEqual([
      ['AT00', '1'],
      ['AT01', '0'],
    ]);
  });
});

describe('the scan of a unit for aging', () => {
  it('asks for a session and for the right', async () => {
    const { sn } = await ready();
    await expectNo('401', () => testApp.send(checkBurnin, { sn, icdId: codes['AT00'] }));
    await expectNo('100013', () => testApp.send(checkBurnin, { sn, icdId: 1 }, { as: 'warehouse' }));
  });

  it.each(cases)('refuses %s', async (_, code, snOf) => {
    const sn = await snOf();
    await expectNo(code, () => check(sn));
  });

  it.each([
    ['no code', '100001', () => ({ icdId: null })],
    ["QC's code", '100027', () => ({ icdId: codes['QC00'] })],
    ['three pictures', '100017', () => ({ burninUrlList: [picture, `${picture}a`, `${picture}b`] })],
  ] as const)('refuses %s [W-BRN-05] [W-BRN-11]', async (_, code, more) => {
    const { sn } = await ready();
    await expectNo(code, () => check(sn, more()));
  });

  it('goes the way that the README draws, with three statements', async () => {
    const [first, second] = [await ready(), await ready()];
    // The session is known by then.
    await check(first.sn);
    const query = vi.spyOn(pg.Client.prototype, 'query');
    const scan = async () => expect((await check(second.sn)).code).toBe('000000');
    expect(await hopsNotTaken('server', scan)).toEqual([]);
    expect(query).toHaveBeenCalledTimes(3);
  });

  it('tells what the unit is and writes nothing [W-BRN-09]', async () => {
    const { sn, mtbId } = await ready();
    const before = await takeSnapshot(testApp.db);
    const answer = await check(` ${sn.toLowerCase()} `, { burninUrlList: [picture] });
    expect(answer.data).toMatchObject({ sn, salesCode: 'RX19', mtbId, code: 'AT00', passFlag: '1' });
    expect(await takeSnapshot(testApp.db)).toEqual(before);
  });
});

describe('an aging submit', () => {
  it('asks for a session, for the right, and for units of the own site', async () => {
    const { sn } = await ready();
    await expectRefused(testApp, '401', () => submit([line(sn)], {}));
    await expectRefused(testApp, '100013', () => submit([line(sn)], { as: 'warehouse' }));
    await expectRefused(testApp, '100004', () => submit([line(sn)], { as: 'techNB' }));
  });

  it.each(cases)(
    'refuses %s, and with it the good ones of the same list [W-EVT-18] [W-EVT-19]',
    async (_, code, snOf) => {
      const { sn } = await ready();
      const bad = await snOf();
      await expectRefused(testApp, code, () => submit([line(sn), line(bad, 'AT01')]));
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
    await expectRefused(testApp, code, () => submit(lines(sn)));
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
      const trace = await readTrace(testApp, unit.sn);
      expect(trace.unit).toMatchObject({ ivyId: to, mtbId: unit.mtbId, mtbliId: unit.mtbliId });
      expect(trace.history).toMatchObject([{ step: 'aging', billId: bnbId, fromNode: '70', toNode: to, note }]);
      expect(await readItem(testApp, unit.mtbliId)).toMatchObject({ deliverStatus: '0', stockup: '0' });
    }
    const bill = await testApp.ask('GET', '/api/rmaBurninBill/queryById.json', { id: bnbId }, { as: 'tech' });
    expect(bill.data).toMatchObject({
      bnbId,
      userId: 'tech',
      rmaBurninBillLineList: [
        { sn: good.sn, salesCode: 'RX19', icdId: 'AT00', passFlag: '1', burninUrls: picture },
        { sn: bad.sn, icdId: 'AT01', passFlag: '0' },
      ],
    });
    expect(await readLedger(testApp, bnbId)).toMatchObject([{ what: 'burnin', userId: 'tech', siteId: 'SZ' }]);
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('takes a hundred units with as many statements as one', async () => {
    const query = vi.spyOn(pg.Client.prototype, 'query');
    const statementsFor = async (count: number) => {
      const sns: string[] = [];
      for (let i = 0; i < count; i++) sns.push(await stockMachine(testApp.db, Node.AwaitingTest));
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
    await expectRefused(testApp, '100003', () => submit([line(sn)]));
    expect((await readTrace(testApp, sn)).history).toHaveLength(1);
  });
});
