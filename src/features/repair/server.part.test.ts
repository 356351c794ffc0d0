import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InputOf } from '#domain/call.ts';
import { Node } from '#domain/nodes.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { stockMachine, unitOnBill } from '#tests/support/factories.ts';
import { readCodeIds, expectRefused, guardCases, readItem, readLedger, readTrace } from '#tests/support/guard.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { repair, validateSn } from './contract.ts';

let testApp: TestApp;
let codes: Record<string, number>;
beforeAll(async () => {
  testApp = await startTestApp();
  codes = await readCodeIds(testApp);
});
afterAll(() => testApp.close());

type Input = InputOf<typeof repair>;
type Row = Input['partsList'][number];
const row = (more: Partial<Row> = {}): Row => ({
  partsType: '7',
  repairMethod: '8',
  issueCodeIdList: [codes['RP01'] as number],
  slot: 'U1',
  ...more,
});
const submit = (sn: string, rows: Row[] = [row()], more: Partial<Input> = {}, asking: object = { as: 'tech' }) =>
  testApp.send(repair, { sn, checkType: '1', partsList: rows, ...more }, asking);
let made = 0;
const boardSn = () => `HB19P${String(++made).padStart(12, '0')}`;
const asBoard = { salesCode: 'HB19', unit: { type: '1' } };
/** A board of a customer that waits for its repair. */
async function ready(more: object = {}) {
  const unit = await unitOnBill(testApp.db, { node: Node.AwaitingRepair, sn: boardSn(), ...asBoard, ...more });
  await testApp.db.updateTable('rma_maintain_bill_line').set({ type: '1' }).where('mtblId', '=', unit.mtblId).execute();
  return unit;
}
const readLines = (mtblId: string) =>
  testApp.db
    .selectFrom('rma_maintain_bill_line')
    .select(['count', 'receiveCount', 'scrapCount', 'discardCount', 'deliverCount'])
    .where('mtblId', '=', mtblId)
    .executeTakeFirstOrThrow();

describe('a part is not repaired', () => {
  it('without a session or the right [W-EVT-16]', async () => {
    const { sn } = await ready();
    await expectRefused(testApp, '401', () => submit(sn, undefined, {}, {}));
    await expectRefused(testApp, '100013', () => submit(sn, undefined, {}, { as: 'warehouse' }));
  });

  it.each(guardCases(() => testApp, Node.AwaitingRepair))('when it is %s [W-EVT-16]', async (_, code, snOf) => {
    const sn = await snOf();
    await expectRefused(testApp, code, () => submit(sn));
  });

  it('when it is a device, which is scanned in its own tab [W-EVT-16]', async () => {
    const { sn } = await unitOnBill(testApp.db, { node: Node.AwaitingRepair });
    const no = await expectRefused(testApp, '100015', () => submit(sn));
    expect(no.msg).toBe(`SN ${sn} is a device; scan it in the device tab`);
  });

  const wrong: [what: string, code: string, rowsOf: () => Row[]][] = [
    ['without rows', '100001', () => []],
    ['at a slot that its bill of material has not', '100016', () => [row({ slot: 'U1,U9' })]],
    ['at such a slot in a later row', '100016', () => [row(), row({ slot: 'C7' })]],
    ['without a slot', '100001', () => [row({ slot: ' , ' })]],
    ['replaced without a new SN', '100001', () => [row({ repairMethod: '2' })]],
    ['replaced by an SN of another length', '100015', () => [row({ repairMethod: '6', replaceSn: 'HB19' })]],
    [
      'replaced by two at once',
      '100015',
      () => [row({ repairMethod: '2', replaceSn: boardSn() }), row({ repairMethod: '6', replaceSn: boardSn() })],
    ],
  ];
  it.each(wrong)('%s [W-REP-14] [W-EVT-16]', async (_, code, rowsOf) => {
    const { sn } = await ready();
    await expectRefused(testApp, code, () => submit(sn, rowsOf()));
  });

  it('by the place of a part that is elsewhere [W-EVT-16]', async () => {
    const { sn } = await ready();
    const by = (replaceSn: string) => () => submit(sn, [row({ repairMethod: '2', replaceSn })]);
    const bound = boardSn();
    await testApp.db
      .insertInto('ubs_assembly')
      .values({
        deviceSn: 'RX19ELSE',
        componentSn: bound,
        componentType: 'COIT000000S0',
        bindTime: new Date() as never,
      })
      .execute();
    await expectRefused(testApp, '100026', by(bound));
    await expectRefused(testApp, '100026', by((await ready()).sn));
    await expectRefused(testApp, '100007', by(sn));
    const stock = async (node: Node, more: object = {}) => {
      const is = boardSn();
      await stockMachine(testApp.db, node, { sn: is, type: '1', ...more });
      return is;
    };
    await expectRefused(testApp, '100004', by(await stock(Node.CanShip, { siteId: 'NB' })));
    await expectRefused(testApp, '100005', by(await stock(Node.Shipped)));
    await expectRefused(testApp, '100006', by(await stock(Node.Scrapped)));
    await expectRefused(testApp, '100015', by(await stock(Node.CanShip, { type: '0' })));
  });
});

describe('a part that is repaired', () => {
  it('goes to its test without assembly; its bill stays as it is [W-EVT-16]', async () => {
    const { sn, mtbId, mtbliId, mtblId } = await ready();
    const before = await readLines(mtblId);
    const { data } = await submit(sn, [row({ slot: 'u1，U3', repairMethod: '3' }), row({ partsType: '15', slot: '' })]);
    expect(data).toMatchObject({ sn, nextNode: '70' });
    const { unit, history } = await readTrace(testApp, sn);
    expect(unit).toMatchObject({ ivyId: '70', mtbId, mtbliId });
    expect(history).toMatchObject([{ step: 'repair', billId: data.rpbId, fromNode: '50', toNode: '70' }]);
    expect(await readItem(testApp, mtbliId)).toMatchObject({ exchange: '0', deliverStatus: '0' });
    expect(await readLines(mtblId)).toEqual(before);
    const bill = await testApp.ask<Record<string, unknown[]>>(
      'GET',
      '/api/rmaRepairBill/queryById.json',
      { id: data.rpbId },
      { as: 'tech' },
    );
    expect(bill.data['rmaRepairBillLineList']).toMatchObject([
      { partsType: '7', slot: 'U1,U3', spendCount: 2 },
      { partsType: '15', slot: null },
    ]);
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('that keeps its place is itself, though a chip of it was replaced [W-EVT-16]', async () => {
    const { sn, mtbliId } = await ready();
    expect((await submit(sn, [row({ repairMethod: '2', replaceSn: 'XXXX' })])).data).toMatchObject({ sn });
    expect((await readTrace(testApp, sn)).unit).toMatchObject({ ivyId: '70', mtbliId });
    expect(await readItem(testApp, mtbliId)).toMatchObject({ exchange: '0' });
  });

  it.each(['2', '6'])(
    'is scrap when it was replaced, and its item goes on with the new one, mode %s [W-EVT-16]',
    async (repairMethod) => {
      const { sn, mtbId, mtblId, mtbliId } = await ready();
      const before = await readLines(mtblId);
      const now = boardSn();
      const { data } = await submit(sn, [row({ repairMethod, replaceSn: ` ${now.toLowerCase()} ` })]);
      expect(data).toMatchObject({ sn: now, nextNode: '70' });
      const old = await readTrace(testApp, sn);
      expect(old.unit).toMatchObject({ ivyId: '40', storageType: '2', mtbId: null, mtblId: null, mtbliId: null });
      expect(old.history).toMatchObject([{ step: 'repair', billId: data.rpbId, fromNode: '50', toNode: '40', mtbId }]);
      const { unit, history } = await readTrace(testApp, now);
      expect(unit).toMatchObject({ ivyId: '70', type: '1', salesCode: 'HB19', siteId: 'SZ', mtbId, mtblId, mtbliId });
      expect(history).toMatchObject([{ step: 'repair', billId: data.rpbId, fromNode: null, toNode: '70', mtbId }]);
      expect(await readItem(testApp, mtbliId)).toMatchObject({
        exchange: '1',
        receiveSn: sn,
        deliverStatus: '0',
        scrap: '0',
      });
      expect(await readLines(mtblId)).toEqual(before);
      expect(await readLedger(testApp, data.rpbId)).toMatchObject([{ what: 'repair' }]);
      expect(await brokenInvariants(testApp.db)).toEqual([]);
    },
  );

  it('may be replaced by a board of the site’s own stock [W-EVT-16]', async () => {
    const { sn, mtbliId } = await ready();
    const stock = boardSn();
    await stockMachine(testApp.db, Node.CanShip, { sn: stock, type: '1', subinventoryCode: 'FG', storageType: '0' });
    await submit(sn, [row({ repairMethod: '2', replaceSn: stock })]);
    const { unit, history } = await readTrace(testApp, stock);
    expect(unit).toMatchObject({ ivyId: '70', mtbliId, subinventoryCode: null, storageType: '1' });
    expect(history[0]).toMatchObject({ fromNode: '100', toNode: '70' });
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('of the site’s own stock has a repair type [W-EVT-16]', async () => {
    const sn = boardSn();
    await stockMachine(testApp.db, Node.AwaitingRepair, { sn, type: '1', salesCode: 'HB19' });
    const scan = await testApp.send(validateSn, { sn, checkType: '1' }, { as: 'tech' });
    expect(scan.data).toMatchObject({ repairTypeNeeded: '1', repairType: '2', slotList: ['U1', 'U2', 'U3', 'U4'] });
    await expectRefused(testApp, '100015', () => submit(sn, undefined, { repairType: '7' }));
    expect((await submit(sn)).data.nextNode).toBe('70');
  });
});
