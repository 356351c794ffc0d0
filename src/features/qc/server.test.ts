import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
import { takeSnapshot } from '#tests/support/snapshot.ts';
import { checkExamination, loadIssueCodeList, submitExamineBill } from './contract.ts';

let testApp: TestApp;
let codes: Record<string, number>;
beforeAll(async () => {
  testApp = await startTestApp();
  codes = await readCodeIds(testApp);
});
afterAll(() => testApp.close());

type Line = InputOf<typeof submitExamineBill>['rmaExamineBillLineList'][number];
const line = (sn: string, code = 'QC00', more: Partial<Line> = {}): Line => ({ sn, icdId: codes[code], ...more });
const submit = (lines: Line[], asking: { as?: string; key?: string } = { as: 'tech' }) =>
  testApp.send(submitExamineBill, { rmaExamineBillLineList: lines }, asking);
const check = (sn: string, more: object = {}) =>
  testApp.send(checkExamination, { sn, icdId: codes['QC00'], ...more }, { as: 'tech' });
const ready = () => unitOnBill(testApp.db, { node: Node.AwaitingInspection });
const cases = guardCases(() => testApp, Node.AwaitingInspection);

describe('the codes of the QC test', () => {
  it('say which is a pass [W-EXM-07]', async () => {
    const { data } = await testApp.send(loadIssueCodeList, {}, { as: 'tech' });
    expect(data.issueCodeList.map((it) => [it.code, it.passFlag])).toEqual([
      ['QC00', '1'],
      ['QC01', '0'],
    ]);
  });
});

describe('the scan of a unit for QC', () => {
  it('asks for a session and for the right', async () => {
    const { sn } = await ready();
    await expectNo('401', () => testApp.send(checkExamination, { sn, icdId: codes['QC00'] }));
    await expectNo('100013', () => testApp.send(checkExamination, { sn, icdId: 1 }, { as: 'warehouse' }));
  });

  it.each(cases)('refuses %s', async (_, code, snOf) => {
    const sn = await snOf();
    await expectNo(code, () => check(sn));
  });

  it.each([
    ['no code', '100001', () => ({ icdId: null })],
    ['the code of aging', '100027', () => ({ icdId: codes['AT00'] })],
  ] as const)('refuses %s [W-EXM-04]', async (_, code, more) => {
    const { sn } = await ready();
    await expectNo(code, () => check(sn, more()));
  });

  it('tells what the unit is and writes nothing [W-EXM-08]', async () => {
    const { sn, mtbId } = await ready();
    const before = await takeSnapshot(testApp.db);
    const answer = await check(` ${sn.toLowerCase()} `);
    expect(answer.data).toMatchObject({ sn, salesCode: 'RX19', mtbId, code: 'QC00', passFlag: '1' });
    expect(await takeSnapshot(testApp.db)).toEqual(before);
  });
});

describe('a QC submit', () => {
  it('asks for a session, for the right, and for units of the own site', async () => {
    const { sn } = await ready();
    await expectRefused(testApp, '401', () => submit([line(sn)], {}));
    await expectRefused(testApp, '100013', () => submit([line(sn)], { as: 'warehouse' }));
    await expectRefused(testApp, '100004', () => submit([line(sn)], { as: 'techNB' }));
  });

  it.each(cases)(
    'refuses %s, and with it the good ones of the same list [W-EVT-20] [W-EVT-21]',
    async (_, code, snOf) => {
      const { sn } = await ready();
      const bad = await snOf();
      await expectRefused(testApp, code, () => submit([line(sn), line(bad, 'QC01')]));
    },
  );

  const wrong: [what: string, code: string, lines: (sn: string) => Line[]][] = [
    ['an empty list', '100001', () => []],
    ['a row without a code', '100001', (sn) => [line(sn, 'QC00', { icdId: null })]],
    ['an SN twice', '100007', (sn) => [line(sn), line(` ${sn.toLowerCase()}`, 'QC01')]],
    ['a code that does not exist', '100027', (sn) => [line(sn, 'QC00', { icdId: 9999 })]],
    ['the code of aging', '100027', (sn) => [line(sn, 'AT00')]],
  ];
  it.each(wrong)('refuses %s [W-EXM-05] [W-EXM-06] [W-EVT-20] [W-EVT-21]', async (_, code, lines) => {
    const { sn } = await ready();
    await expectRefused(testApp, code, () => submit(lines(sn)));
  });

  it('sends what is good to storage and the rest back to repair [W-EXM-02] [W-EXM-03] [W-EXM-09] [W-EVT-20] [W-EVT-21]', async () => {
    const good = await ready();
    const bad = await ready();
    const answer = await submit([line(good.sn.toLowerCase(), 'QC00'), line(bad.sn, 'QC01')]);
    expect(answer).toMatchObject({ code: '000000', data: { passCount: 1, failCount: 1 } });
    const { exbId } = answer.data;
    for (const [unit, to, note] of [
      [good, Node.AwaitingStorage, 'QC00'],
      [bad, Node.AwaitingRepair, 'QC01'],
    ] as const) {
      const trace = await readTrace(testApp, unit.sn);
      expect(trace.unit).toMatchObject({ ivyId: to, mtbId: unit.mtbId, mtbliId: unit.mtbliId });
      expect(trace.history).toMatchObject([{ step: 'qc', billId: exbId, fromNode: '80', toNode: to, note }]);
      expect(await readItem(testApp, unit.mtbliId)).toMatchObject({ deliverStatus: '0', stockup: '0' });
    }
    const bill = await testApp.ask('GET', '/api/rmaExamineBill/queryById.json', { id: exbId }, { as: 'tech' });
    expect(bill.data).toMatchObject({
      exbId,
      userId: 'tech',
      rmaExamineBillLineList: [
        { sn: good.sn, salesCode: 'RX19', icdId: 'QC00', passFlag: '1' },
        { sn: bad.sn, icdId: 'QC01', passFlag: '0' },
      ],
    });
    const made = testApp.db.selectFrom('rma_examine_bill').select('createBy').where('exbId', '=', exbId);
    expect(await made.execute()).toEqual([{ createBy: 'tech' }]);
    expect(await readLedger(testApp, exbId)).toMatchObject([{ what: 'examine', userId: 'tech', siteId: 'SZ' }]);
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('takes a hundred units in a handful of statements', async () => {
    const sns: string[] = [];
    for (let i = 0; i < 100; i++) sns.push(await stockMachine(testApp.db, Node.AwaitingInspection));
    const answer = await submit(sns.map((sn) => line(sn)));
    expect(answer.data).toMatchObject({ passCount: 100, failCount: 0 });
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
