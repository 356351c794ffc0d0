import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InputOf } from '#domain/call.ts';
import { BillStatus } from '#domain/enums.ts';
import { Node } from '#domain/nodes.ts';
import { newKey, startTestApp, type Answer, type TestApp } from '#tests/support/app.ts';
import { heldUnit, proposal, stockMachine, unitOnBill, type HeldUnit } from '#tests/support/factories.ts';
import { expectRefused, readItem, readLedger, readTrace } from '#tests/support/guard.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { nofaultConfirm, scrapConfirm } from './contract.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp.close());

type Asking = { as?: string; key?: string };
type Proposed = Pick<HeldUnit, 'sn' | 'ckbId'> & { mtbId?: string | null };
const supervisor = { as: 'supervisor' };

const yesToScrap = { scrapStatus: '1', dutySourse: '1', dutySourseRemark: '进水腐蚀' };
const noToScrap = { scrapStatus: '2', declineScrapRemark: '还能修' };
const scrap = (
  { sn, ckbId, mtbId }: Proposed,
  word: Partial<InputOf<typeof scrapConfirm>> = yesToScrap,
  asking: Asking = supervisor,
) => testApp.send(scrapConfirm, { sn, ckbId, mtbId: mtbId ?? null, ...word }, asking);

const yesToNofault = { nofaultConfirmStatus: '1' };
const noToNofault = { nofaultConfirmStatus: '2', nofaultConfirmRemark: '不开机' };
const nofault = (
  { sn, ckbId, mtbId }: Proposed,
  word: Partial<InputOf<typeof nofaultConfirm>> = yesToNofault,
  asking: Asking = supervisor,
) => testApp.send(nofaultConfirm, { sn, ckbId, mtbId: mtbId ?? null, ...word }, asking);

const readLine = (ckbId: string, sn: string) =>
  testApp.db
    .selectFrom('rma_check_bill_line')
    .selectAll()
    .where('ckbId', '=', ckbId)
    .where('sn', '=', sn)
    .executeTakeFirstOrThrow();
const readCounts = (mtblId: string) =>
  testApp.db
    .selectFrom('rma_maintain_bill_line')
    .select(['receiveCount', 'deliverCount', 'scrapCount', 'discardCount'])
    .where('mtblId', '=', mtblId)
    .executeTakeFirstOrThrow();
const readStatus = async (mtbId: string) =>
  (
    await testApp.db
      .selectFrom('rma_maintain_bill')
      .select('billStatus')
      .where('mtbId', '=', mtbId)
      .executeTakeFirstOrThrow()
  ).billStatus;

type Kind = 'scrap' | 'nofault';
const other: Record<Kind, Kind> = { scrap: 'nofault', nofault: 'scrap' };
const yes = (kind: Kind, it: Proposed, asking: Asking = supervisor): Promise<Answer> =>
  kind === 'scrap' ? scrap(it, yesToScrap, asking) : nofault(it, yesToNofault, asking);
const no = (kind: Kind, it: Proposed, asking: Asking = supervisor): Promise<Answer> =>
  kind === 'scrap' ? scrap(it, noToScrap, asking) : nofault(it, noToNofault, asking);

/** What both confirmations refuse, whichever word is given, and how to come by it. */
const refused = (kind: Kind): [what: string, code: string, make: () => Promise<Proposed>][] => [
  ['no check bill', '100001', async () => ({ ...(await heldUnit(testApp.db, kind)), ckbId: ' ' })],
  ['an empty SN', '100001', async () => ({ ...(await heldUnit(testApp.db, kind)), sn: ' ' })],
  ['an SN that can be none', '100015', async () => ({ ...(await heldUnit(testApp.db, kind)), sn: 'SN 1/2' })],
  ['an SN that nobody knows', '100002', async () => ({ sn: 'RX19UNKNOWN', ckbId: 'CKB1' })],
  ['a unit of another site', '100004', () => heldUnit(testApp.db, kind, { siteId: 'NB' })],
  [
    'a shipped unit',
    '100005',
    async () => ({ ...(await unitOnBill(testApp.db, { node: Node.Shipped })), ckbId: 'CKB1' }),
  ],
  [
    'a scrapped unit',
    '100006',
    async () => ({ ...(await unitOnBill(testApp.db, { node: Node.Scrapped })), ckbId: 'CKB1' }),
  ],
  [
    'a unit that waits for its first test',
    '100022',
    async () => ({ ...(await unitOnBill(testApp.db, { node: Node.AwaitingCheck })), ckbId: 'CKB1' }),
  ],
  [
    'a unit in repair',
    '100022',
    async () => ({ ...(await unitOnBill(testApp.db, { node: Node.AwaitingRepair })), ckbId: 'CKB1' }),
  ],
  ['a unit that waits for the other confirmation', '100022', () => heldUnit(testApp.db, other[kind])],
  [
    'a check bill that is not the latest',
    '100022',
    async () => {
      const before = await heldUnit(testApp.db, kind);
      await proposal(testApp.db, kind, before);
      return before;
    },
  ],
  [
    'a maintain bill that is not its own',
    '100022',
    async () => ({ ...(await heldUnit(testApp.db, kind)), mtbId: 'MTB0' }),
  ],
  [
    'a unit of a finished bill',
    '100011',
    () => heldUnit(testApp.db, kind, { billStatus: BillStatus.Finished, item: { receiveStatus: '2' } }),
  ],
];
const all = (['scrap', 'nofault'] as const).flatMap((kind) => refused(kind).map((it) => [kind, ...it] as const));

describe('a confirmation', () => {
  it.each(['scrap', 'nofault'] as const)('of %s asks for a session and for its own right', async (kind) => {
    const unit = await heldUnit(testApp.db, kind);
    await expectRefused(testApp, '401', () => yes(kind, unit, {}));
    for (const as of ['tech', 'warehouse', 'office', 'aftersales']) {
      await expectRefused(testApp, '100013', () => yes(kind, unit, { as }));
      await expectRefused(testApp, '100013', () => no(kind, unit, { as }));
    }
  });

  it.each(all)('of %s refuses %s [W-EVT-11] [W-EVT-12] [W-EVT-13] [W-EVT-14]', async (kind, _, code, make) => {
    const it = await make();
    await expectRefused(testApp, code, () => yes(kind, it));
    await expectRefused(testApp, code, () => no(kind, it));
  });

  it.each(['scrap', 'nofault'] as const)(
    'of %s is given once, whatever it was [W-EVT-11] [W-EVT-12] [W-EVT-13] [W-EVT-14]',
    async (kind) => {
      for (const first of [yes, no]) {
        const unit = await heldUnit(testApp.db, kind);
        expect((await first(kind, unit)).code).toBe('000000');
        const again = await expectRefused(testApp, '100022', () => yes(kind, unit));
        expect(again.msg).toBe(`SN ${unit.sn} on check bill ${unit.ckbId} has already been confirmed`);
        await expectRefused(testApp, '100022', () => no(kind, unit));
      }
    },
  );

  it.each(['scrap', 'nofault'] as const)(
    'of %s that two supervisors give at the same moment is given by one of them',
    async (kind) => {
      for (let round = 0; round < 4; round++) {
        const unit = await heldUnit(testApp.db, kind);
        const answers = await Promise.all([yes(kind, unit), no(kind, unit), yes(kind, unit), no(kind, unit)]);
        expect(answers.map((it) => it.code).toSorted()).toEqual(['000000', '100022', '100022', '100022']);
        const { history, unit: now } = await readTrace(testApp, unit.sn);
        expect(history).toHaveLength(1);
        const winner = answers.findIndex((it) => it.code === '000000');
        const isYes = winner % 2 === 0;
        expect(now?.ivyId).toBe(isYes ? { scrap: '40', nofault: '70' }[kind] : '10');
        const line = await readLine(unit.ckbId, unit.sn);
        expect(line.scrapStatus ?? line.nofaultConfirmStatus).toBe(isYes ? '1' : '2');
      }
      expect(await brokenInvariants(testApp.db)).toEqual([]);
    },
  );

  it('that is repeated under its key gets the first answer', async () => {
    const unit = await heldUnit(testApp.db, 'scrap');
    const asking = { ...supervisor, key: newKey() };
    const first = await scrap(unit, yesToScrap, asking);
    expect(await scrap(unit, yesToScrap, asking)).toEqual(first);
    expect((await readTrace(testApp, unit.sn)).history).toHaveLength(1);
  });

  it.each(['scrap', 'nofault'] as const)('of %s is given to any site by provider staff', async (kind) => {
    const unit = await heldUnit(testApp.db, kind, { siteId: 'NB' });
    expect((await yes(kind, unit, { as: 'admin' })).code).toBe('000000');
    const { history } = await readTrace(testApp, unit.sn);
    expect(history).toMatchObject([{ siteId: 'NB', userId: 'admin' }]);
    expect(await readLedger(testApp, unit.ckbId)).toMatchObject([{ siteId: 'NB', userId: 'admin' }]);
  });
});

describe('a scrap confirmation', () => {
  const wrong: [what: string, code: string, word: Partial<InputOf<typeof scrapConfirm>>][] = [
    ['no status [W-SCR-08]', '100001', { scrapStatus: '' }],
    ['status 0 [W-SCR-08]', '100001', { ...yesToScrap, scrapStatus: '0' }],
    ['a status that there is not', '100015', { ...yesToScrap, scrapStatus: '3' }],
    ['a yes without whose fault it is [W-SCR-10]', '100001', { ...yesToScrap, dutySourse: '' }],
    ['a yes without the scrap situation [W-SCR-10]', '100001', { ...yesToScrap, dutySourseRemark: '  ' }],
    ['a fault that there is not [W-SCR-05]', '100015', { ...yesToScrap, dutySourse: '2' }],
    ['a no without its reason [W-SCR-09]', '100001', { ...noToScrap, declineScrapRemark: ' ' }],
    ['a remark of more than 500 characters', '100015', { ...yesToScrap, dutySourseRemark: '长'.repeat(501) }],
  ];
  it.each(wrong)('refuses %s [W-EVT-11] [W-EVT-12]', async (_, code, word) => {
    const unit = await heldUnit(testApp.db, 'scrap');
    await expectRefused(testApp, code, () => scrap(unit, word));
  });

  it('keeps the unit as scrap and finishes the bill with its last one [W-SCR-07] [W-SCR-11] [W-SCR-12] [W-EVT-11]', async () => {
    const first = await heldUnit(testApp.db, 'scrap');
    const last = await heldUnit(testApp.db, 'scrap', { bill: first });
    const answer = await scrap(first, { ...yesToScrap, declineScrapRemark: 'not asked for' });
    expect(answer).toMatchObject({
      code: '000000',
      data: { sn: first.sn, nextNode: '40', billStatus: BillStatus.Received },
    });
    const { unit, history } = await readTrace(testApp, first.sn);
    expect(unit).toMatchObject({ ivyId: '40', storageType: '2', mtbId: first.mtbId, version: 2 });
    expect(history).toMatchObject([
      {
        step: 'scrapConfirm',
        billId: first.ckbId,
        mtbId: first.mtbId,
        fromNode: '10',
        toNode: '40',
        operateStatus: 'Normal',
        userId: 'supervisor',
        note: '进水腐蚀',
      },
    ]);
    expect(await readLine(first.ckbId, first.sn)).toMatchObject({ ...yesToScrap, declineScrapRemark: null });
    expect(await readItem(testApp, first.mtbliId)).toMatchObject({ scrap: '1', deliverStatus: '3', stockup: '0' });
    expect(await readCounts(first.mtblId)).toEqual({
      receiveCount: 1,
      deliverCount: 0,
      scrapCount: 1,
      discardCount: 0,
    });
    expect(await readLedger(testApp, first.ckbId)).toMatchObject([{ what: 'scrapConfirm', module: 'rmaCheckBill' }]);

    expect((await scrap(last)).data).toMatchObject({ billStatus: BillStatus.Finished });
    expect(await readStatus(first.mtbId)).toBe(BillStatus.Finished);
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('does not finish a bill that is still received [W-EVT-11]', async () => {
    const unit = await heldUnit(testApp.db, 'scrap', { billStatus: BillStatus.Awaiting });
    expect((await scrap(unit)).data).toMatchObject({ nextNode: '40', billStatus: BillStatus.Awaiting });
  });

  it('sends a unit that its owner wants back to the store, unrepaired [W-EVT-11]', async () => {
    const held = await heldUnit(testApp.db, 'scrap', { item: { returness: '1' } });
    const answer = await scrap(held, { ...yesToScrap, dutySourse: '0' });
    expect(answer.data).toEqual({ sn: held.sn, nextNode: '90', billStatus: BillStatus.Received });
    expect((await readTrace(testApp, held.sn)).unit).toMatchObject({ ivyId: '90', storageType: '1' });
    expect(await readItem(testApp, held.mtbliId)).toMatchObject({ scrap: '1', deliverStatus: '0' });
    expect(await readCounts(held.mtblId)).toMatchObject({ scrapCount: 1, discardCount: 0 });
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('lets the machine go out that was tallied in place of the scrapped one', async () => {
    const item = { exchange: '1', stockup: '1', deliverStatus: '1' };
    const unit = await unitOnBill(testApp.db, { node: Node.AwaitingCheck, item });
    const { sn, mtbId, mtblId, mtbliId } = unit;
    const skbId = 'SKB-AHEAD';
    const bill = {
      skbId,
      mtbId,
      deliverShipNo: skbId,
      siteId: 'SZ',
      deliverSiteId: 'SZ',
      status: '0',
      allCount: 1,
      deliveredCount: 0,
    };
    await testApp.db.insertInto('rma_stockup_bill').values(bill).execute();
    const line = { skblId: 'SKL-AHEAD', skbId, mtbId, mtblId, mtbliId, sn, delivered: '0' };
    await testApp.db.insertInto('rma_stockup_bill_line').values(line).execute();
    const ckbId = await proposal(testApp.db, 'scrap', unit);
    expect((await scrap({ ...unit, ckbId })).data).toMatchObject({ nextNode: '40', billStatus: BillStatus.Received });
    expect(await readItem(testApp, unit.mtbliId)).toMatchObject({ scrap: '1', deliverStatus: '1', stockup: '1' });
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('takes a stock machine, which has no bill', async () => {
    const sn = await stockMachine(testApp.db, Node.AwaitingCheck);
    const ckbId = await proposal(testApp.db, 'scrap', { sn });
    expect((await scrap({ sn, ckbId })).data).toEqual({ sn, nextNode: '40', billStatus: null });
    expect((await readTrace(testApp, sn)).unit).toMatchObject({ ivyId: '40', storageType: '2' });
  });

  it('that is declined releases the unit and keeps the reason [W-SCR-12] [W-EVT-12]', async () => {
    const held = await heldUnit(testApp.db, 'scrap');
    const answer = await scrap(held, { ...noToScrap, ...{ dutySourse: '1', dutySourseRemark: 'not asked for' } });
    expect(answer.data).toEqual({ sn: held.sn, nextNode: '10', billStatus: BillStatus.Received });
    expect(await readLine(held.ckbId, held.sn)).toMatchObject({
      ...noToScrap,
      dutySourse: null,
      dutySourseRemark: null,
    });
    const { unit, history } = await readTrace(testApp, held.sn);
    expect(unit).toMatchObject({ ivyId: '10', storageType: '1' });
    expect(history).toMatchObject([{ step: 'scrapConfirm', fromNode: '10', toNode: '10', note: '还能修' }]);
    expect(await readItem(testApp, held.mtbliId)).toMatchObject({ scrap: '0', deliverStatus: '0' });
    expect(await readCounts(held.mtblId)).toMatchObject({ scrapCount: 0 });
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('takes its choices as numbers as well', async () => {
    const { sn, ckbId } = await heldUnit(testApp.db, 'scrap');
    const input = { sn, ckbId, scrapStatus: 1, dutySourse: 0, dutySourseRemark: 'burnt' };
    const answer = await testApp.ask('POST', '/api/rmaCheckBill/scrapConfirm.json', input, supervisor);
    expect(answer).toMatchObject({ code: '000000', data: { nextNode: '40' } });
    expect(await readLine(ckbId, sn)).toMatchObject({ scrapStatus: '1', dutySourse: '0' });
  });
});

describe('a no-fault confirmation', () => {
  const wrong: [what: string, code: string, word: Partial<InputOf<typeof nofaultConfirm>>][] = [
    ['no status [W-NFC-04]', '100001', { nofaultConfirmStatus: '' }],
    ['status 0 [W-NFC-04]', '100001', { nofaultConfirmStatus: '0', nofaultConfirmRemark: 'x' }],
    ['a status that there is not', '100015', { nofaultConfirmStatus: '7' }],
    ['a no without its reason [W-NFC-05]', '100001', { nofaultConfirmStatus: '2', nofaultConfirmRemark: ' ' }],
  ];
  it.each(wrong)('refuses %s [W-EVT-13] [W-EVT-14]', async (_, code, word) => {
    const unit = await heldUnit(testApp.db, 'nofault');
    await expectRefused(testApp, code, () => nofault(unit, word));
  });

  it('sends the unit to its aging test, with or without a remark [W-NFC-03] [W-NFC-05] [W-NFC-06] [W-NFC-07] [W-EVT-13]', async () => {
    for (const remark of [null, '跑了一晚没有异常']) {
      const held = await heldUnit(testApp.db, 'nofault');
      const answer = await nofault(held, { nofaultConfirmStatus: '1', nofaultConfirmRemark: remark });
      expect(answer).toMatchObject({
        code: '000000',
        data: { sn: held.sn, nextNode: '70', billStatus: BillStatus.Received },
      });
      const { unit, history } = await readTrace(testApp, held.sn);
      expect(unit).toMatchObject({ ivyId: '70', storageType: '1' });
      expect(history).toMatchObject([
        { step: 'nofaultConfirm', billId: held.ckbId, fromNode: '10', toNode: '70', userId: 'supervisor' },
      ]);
      expect(await readLine(held.ckbId, held.sn)).toMatchObject({
        nofaultConfirmStatus: '1',
        nofaultConfirmRemark: remark,
      });
      expect(await readItem(testApp, held.mtbliId)).toMatchObject({ scrap: '0', deliverStatus: '0' });
      expect(await readLedger(testApp, held.ckbId)).toMatchObject([{ what: 'nofaultConfirm', module: 'rmaCheckBill' }]);
    }
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('that is declined releases the unit and keeps the reason [W-NFC-07] [W-EVT-14]', async () => {
    const held = await heldUnit(testApp.db, 'nofault');
    expect((await nofault(held, noToNofault)).data).toMatchObject({ nextNode: '10' });
    expect(await readLine(held.ckbId, held.sn)).toMatchObject(noToNofault);
    const { unit, history } = await readTrace(testApp, held.sn);
    expect(unit?.ivyId).toBe('10');
    expect(history).toMatchObject([{ step: 'nofaultConfirm', fromNode: '10', toNode: '10', note: '不开机' }]);
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });
});

describe('the lists of proposals', () => {
  it.each([
    ['rmaScrapConfirm', 'scrapConfirm', 'scrapStatus'],
    ['rmaNofaultConfirm', 'nofaultConfirm', 'nofaultConfirmStatus'],
  ])('%s offers its button to a supervisor, for what still waits', async (module, script, status) => {
    const path = '/api/sysBtn/queryByMenuNo.json';
    const toolbar = async (as: string) =>
      (await testApp.ask<{ items: { btnNo: string }[] }>('GET', path, { menuNo: `${module}List` }, { as })).data.items;
    const offered = expect.objectContaining({ btnNo: script, rows: 1, when: { [status]: '0' } });
    expect(await toolbar('supervisor')).toContainEqual(offered);
    expect((await toolbar('office')).map((it) => it.btnNo)).toEqual(['export']);
  });
});
