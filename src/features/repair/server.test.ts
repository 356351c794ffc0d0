import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
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
import { takeSnapshot } from '#tests/support/snapshot.ts';
import { repair, validateSn } from './contract.ts';

let testApp: TestApp;
let codes: Record<string, number>;
let picture: string;
beforeAll(async () => {
  testApp = await startTestApp();
  codes = await readCodeIds(testApp);
  const bills = ['C', 'D'].map((ckbId) => ({ ckbId, siteId: 'SZ', userId: 'tech' }));
  await testApp.db.insertInto('rma_check_bill').values(bills).execute();
});
afterAll(() => testApp.close());
// It belongs to the one row that it is handed in with.
beforeEach(async () => {
  picture = await uploadPicture(testApp, 'tech');
});

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
  testApp.send(repair, { sn, partsList: rows, ...more }, asking);
const ready = (more: object = {}) => unitOnBill(testApp.db, { node: Node.AwaitingRepair, ...more });
const cases = guardCases(() => testApp, Node.AwaitingRepair);

let boards = 0;
/** A board's SN of 17 characters that nobody has used. */
const boardSn = () => `HB19T${String(++boards).padStart(12, '0')}`;
const bind = (deviceSn: string, componentSn: string) =>
  testApp.db
    .insertInto('ubs_assembly')
    .values({ deviceSn, componentSn, componentType: 'COIT000000S0', bindTime: new Date(), createBy: 'test' })
    .execute();
const readBindings = (deviceSn: string) =>
  testApp.db.selectFrom('ubs_assembly').selectAll().where('deviceSn', '=', deviceSn).orderBy('id').execute();
const archive = (sn: string, salesCode = 'HB19') =>
  testApp.db
    .insertInto('ubs_item_object')
    .values({ sn, salesCode, itemName: 'board', type: '1', origin: '1' })
    .execute();

describe('the scan of a unit for repair', () => {
  it('asks for a session and for the right', async () => {
    const { sn } = await ready();
    await expectNo('401', () => testApp.send(validateSn, { sn }));
    await expectNo('100013', () => testApp.send(validateSn, { sn }, { as: 'warehouse' }));
  });

  it.each(cases)('refuses %s', async (_, code, snOf) => {
    const sn = await snOf();
    await expectNo(code, () => testApp.send(validateSn, { sn }, { as: 'tech' }));
  });

  it('refuses a board in the tab of devices, and a device in that of parts [W-REP-01]', async () => {
    const [board, device] = [await ready({ unit: { type: '1' } }), await ready()];
    const scan = (sn: string, checkType: string) => testApp.send(validateSn, { sn, checkType }, { as: 'tech' });
    const no = await expectNo('100015', () => scan(board.sn, '0'));
    expect(no.msg).toContain('is a board');
    expect((await expectNo('100015', () => scan(device.sn, '1'))).msg).toContain('is a device');
    expect((await scan(board.sn, '1')).data).toMatchObject({ sn: board.sn, type: '1' });
  });

  it('tells what the tests found, and writes nothing [W-REP-16]', async () => {
    const { sn, mtbId } = await ready();
    await testApp.db
      .insertInto('rma_check_bill_line')
      .values({ ckbId: 'C', sn, icdIds: 'FX54,CL15', disposition: 'repair' })
      .execute();
    await testApp.db
      .insertInto('rma_transaction')
      .values({
        sn,
        step: 'aging',
        note: 'AT01',
        fromNode: '70',
        toNode: '50',
        operateStatus: 'Normal',
        siteId: 'SZ',
        eventTime: new Date(),
      })
      .execute();
    // Another device was checked with this SN as its power.
    await testApp.db.insertInto('rma_check_bill_line').values({ ckbId: 'D', sn, icdIds: 'FX01' }).execute();
    await bind(sn, boardSn());
    const before = await takeSnapshot(testApp.db);
    const { data } = await testApp.send(validateSn, { sn: sn.toLowerCase() }, { as: 'tech' });
    expect(data).toMatchObject({ sn, type: '0', mtbId, repairTypeNeeded: '0', item: { itemId: 1, salesCode: 'RX19' } });
    expect(data.checkIssueCodes.map((it) => it.code)).toEqual(['FX54', 'CL15']);
    expect(data.lastFailIssueCodes.map((it) => it.code)).toEqual(['AT01']);
    expect(data.components).toHaveLength(1);
    expect(await takeSnapshot(testApp.db)).toEqual(before);
    await testApp.db.deleteFrom('rma_transaction').where('sn', '=', sn).execute();
  });
});

describe('a repair', () => {
  it('takes the codes that the tests found on this unit, and of no other', async () => {
    const [{ sn }, other] = [await ready(), await ready()];
    const found = { ckbId: 'C', icdIds: 'FX54', disposition: 'repair' };
    await testApp.db
      .insertInto('rma_check_bill_line')
      .values({ ...found, sn })
      .execute();
    const rows = [row({ issueCodeIdList: [codes['FX54'] as number, codes['RP01'] as number] })];
    await expectRefused(testApp, '100027', () => submit(other.sn, rows));
    const { data } = await submit(sn, rows);
    const line = testApp.db.selectFrom('rma_repair_bill_line').select('icdIds').where('rpbId', '=', data.rpbId);
    expect(await line.executeTakeFirst()).toEqual({ icdIds: 'FX54,RP01' });
  });

  it('asks for a session, for the right, and for a unit of the own site', async () => {
    const { sn } = await ready();
    await expectRefused(testApp, '401', () => submit(sn, [row()], {}, {}));
    await expectRefused(testApp, '100013', () => submit(sn, [row()], {}, { as: 'warehouse' }));
    await expectRefused(testApp, '100004', () => submit(sn, [row()], {}, { as: 'techNB' }));
  });

  it.each(cases)('refuses %s [W-EVT-15]', async (_, code, snOf) => {
    const sn = await snOf();
    await expectRefused(testApp, code, () => submit(sn));
  });

  const good = 'HB19GOOD000000001';
  const wrong: [what: string, code: string, rows: () => Row[]][] = [
    ['no row', '100001', () => []],
    ['a row without a board type', '100001', () => [row({ partsType: '' })]],
    ['a row without a repair mode', '100001', () => [row({ repairMethod: null })]],
    ['a row without issue codes', '100001', () => [row({ issueCodeIdList: [] })]],
    ['a row without a slot', '100001', () => [row({ slot: ' ' })]],
    ['a replacing without the new part', '100001', () => [row({ repairMethod: '2' })]],
    ['a board type that does not exist', '100015', () => [row({ partsType: '77' })]],
    ['a repair mode that does not exist', '100015', () => [row({ repairMethod: '98' })]],
    ['a replace SN of 16 characters', '100015', () => [row({ repairMethod: '2', replaceSn: 'A'.repeat(16) })]],
    ['a part SN that can be none', '100015', () => [row({ sn: 'A B' })]],
    ["a code of the first test's", '100027', () => [row({ issueCodeIdList: [codes['FX54'] as number] })]],
    ['a code that does not exist', '100027', () => [row(), row({ issueCodeIdList: [9999] })]],
    ['a row that spends nothing', '100015', () => [row({ spendItemCount: 0 })]],
    ['a row that spends 2147483648 pieces', '100015', () => [row({ spendItemCount: 2 ** 31 })]],
    ['a row that spends 1e300 pieces', '100015', () => [row({ spendItemCount: 1e300 })]],
    ['five pictures', '100017', () => [row({ repairUrls: '/file/1##/file/2##/file/3##/file/4##/file/5' })]],
    ['a picture that was never uploaded', '100002', () => [row({ repairUrls: '/file/1' })]],
    [
      'one new part for two places',
      '100007',
      () => [row({ repairMethod: '2', replaceSn: good }), row({ repairMethod: '6', replaceSn: good })],
    ],
  ];
  it.each(wrong)('refuses %s [W-EVT-15]', async (_, code, rowsOf) => {
    const { sn } = await ready();
    await expectRefused(testApp, code, () => submit(sn, rowsOf()));
  });

  it('takes a row that says of no pieces how many', async () => {
    for (const spendItemCount of [null, undefined]) {
      const { sn } = await ready();
      expect((await submit(sn, [row({ spendItemCount })])).code).toBe('000000');
    }
  });

  it('refuses a board scanned as a device [W-EVT-15]', async () => {
    const { sn } = await ready({ unit: { type: '1' } });
    await expectRefused(testApp, '100015', () => submit(sn, [row()], { checkType: '0' }));
  });

  it('refuses a slot that the bill of material of the board has not [W-EVT-15]', async () => {
    const { sn } = await ready();
    const board = boardSn();
    await archive(board);
    await expectRefused(testApp, '100016', () => submit(sn, [row({ sn: board, slot: 'U1,U99' })]));
    expect((await submit(sn, [row({ sn: board, slot: 'u1，U2' })])).code).toBe('000000');
  });

  it('refuses a new part that is bound to another device, or is a customer’s unit [W-EVT-15]', async () => {
    const { sn } = await ready();
    const other = await ready();
    const [bound, own] = [boardSn(), boardSn()];
    await bind(other.sn, bound);
    await bind(sn, own);
    const guest = await unitOnBill(testApp.db, { node: Node.AwaitingTest, sn: boardSn(), unit: { type: '1' } });
    for (const replaceSn of [bound, own, guest.sn]) {
      await expectRefused(testApp, '100026', () => submit(sn, [row({ repairMethod: '2', replaceSn })]));
    }
  });

  const shelved = (more: object = {}) =>
    stockMachine(testApp.db, Node.CanShip, { sn: boardSn(), type: '1', salesCode: 'HB19', ...more });
  const others: [what: string, code: string, old: () => Promise<string>][] = [
    ['a machine of the shelf', '100015', () => stockMachine(testApp.db, Node.CanShip)],
    ['a machine of another site', '100015', () => stockMachine(testApp.db, Node.CanShip, { siteId: 'NB' })],
    [
      'a customer’s device that was shipped',
      '100015',
      async () => (await unitOnBill(testApp.db, { node: Node.Shipped })).sn,
    ],
    ['a customer’s device in the house', '100026', async () => (await ready()).sn],
    [
      'a device that the archive alone knows',
      '100015',
      async () => {
        const sn = boardSn();
        await testApp.db
          .insertInto('ubs_item_object')
          .values({ sn, salesCode: 'RX19', type: '0', origin: '1' })
          .execute();
        return sn;
      },
    ],
    ['a board of another site', '100004', () => shelved({ siteId: 'NB' })],
    ['a board that was shipped', '100005', () => shelved({ ivyId: Node.Shipped })],
    ['a board that is scrap', '100006', () => shelved({ ivyId: Node.Scrapped })],
    ['a board of the shelf', '100020', () => shelved()],
    ['a board that waits for its test', '100020', () => shelved({ ivyId: Node.AwaitingTest })],
  ];
  it.each(others)('scraps no other thing for a board of the device: %s [W-EVT-15]', async (_, code, oldOf) => {
    const { sn } = await ready();
    const old = await oldOf();
    await expectRefused(testApp, code, () => submit(sn, [row({ sn: old, repairMethod: '2', replaceSn: boardSn() })]));
  });

  it('scraps nothing for an old board that is XXXX, and binds the new one [W-EVT-15]', async () => {
    const { sn } = await ready();
    const now = boardSn();
    expect((await submit(sn, [row({ sn: 'xxxx', repairMethod: '2', replaceSn: now })])).code).toBe('000000');
    expect((await readTrace(testApp, 'XXXX')).unit).toBeUndefined();
    expect(await readBindings(sn)).toMatchObject([{ componentSn: now, unbindTime: null }]);
  });

  it('scraps a bound board that came from the shelf, and one that was taken off the record again [W-EVT-15]', async () => {
    const { sn } = await ready();
    const [bound, gone] = [await shelved(), await shelved({ ivyId: null })];
    await bind(sn, bound);
    const rows = [bound, gone].map((old) => row({ sn: old, repairMethod: '2', replaceSn: boardSn() }));
    expect((await submit(sn, rows)).code).toBe('000000');
    for (const old of [bound, gone]) {
      expect((await readTrace(testApp, old)).unit).toMatchObject({ ivyId: Node.Scrapped, storageType: '2' });
    }
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  const news: [what: string, code: string, replaceSn: () => Promise<string>][] = [
    ['a machine', '100015', () => shelved({ type: '0' })],
    ['a board of another site', '100004', () => shelved({ siteId: 'NB' })],
    ['a board that was shipped', '100005', () => shelved({ ivyId: Node.Shipped })],
    ['a board that is scrap', '100006', () => shelved({ ivyId: Node.Scrapped })],
  ];
  it.each(news)('puts %s into no device [W-EVT-15]', async (_, code, snOf) => {
    const { sn } = await ready();
    const replaceSn = await snOf();
    await expectRefused(testApp, code, () => submit(sn, [row({ repairMethod: '2', replaceSn })]));
  });

  it('puts a board of the site’s own stock into the device [W-EVT-15]', async () => {
    const { sn } = await ready();
    const replaceSn = await shelved();
    expect((await submit(sn, [row({ repairMethod: '2', replaceSn })])).code).toBe('000000');
    expect(await readBindings(sn)).toMatchObject([{ componentSn: replaceSn, unbindTime: null }]);
    const { unit, history } = await readTrace(testApp, replaceSn);
    expect(unit).toMatchObject({ ivyId: null });
    expect(history).toMatchObject([{ step: 'repair', fromNode: '100', toNode: null, note: sn }]);
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('sends the device to assembly and keeps every row [W-REP-03] [W-REP-04] [W-REP-07] [W-REP-17] [W-EVT-15]', async () => {
    const { sn, mtbId, mtbliId } = await ready();
    const rows = [
      row({
        partsTypeName: '算力板1',
        repairMethod: '3',
        repairMethodName: '换位',
        issueCodeName: 'x',
        slot: 'u1,U2',
        repairMarking: 'M7',
        spendItemDescription: 'ASIC',
        spendItemCount: 9,
        repairUrls: [picture],
      }),
      row({ partsType: '15', slot: '', repairMethod: '99', spendItemCount: 1 }),
    ];
    const answer = await submit(` ${sn.toLowerCase()}`, rows, { repairType: '3' });
    expect(answer).toMatchObject({ code: '000000', data: { sn, nextNode: Node.AwaitingAssembly } });
    const { rpbId } = answer.data;
    const { unit, history } = await readTrace(testApp, sn);
    expect(unit).toMatchObject({ ivyId: Node.AwaitingAssembly, mtbId, mtbliId });
    expect(history).toMatchObject([{ step: 'repair', billId: rpbId, fromNode: '50', toNode: '60', userId: 'tech' }]);
    const bill = await testApp.ask('GET', '/api/rmaRepairBill/queryById.json', { id: rpbId }, { as: 'tech' });
    expect(bill.data).toMatchObject({
      rpbId,
      mtbId,
      sn,
      userId: 'tech',
      repairType: '2',
      rmaRepairBillLineList: [
        {
          partsType: '7',
          icdIds: 'RP01',
          icdDescriptions: 'RP01',
          slot: 'U1,U2',
          repairMethod: '3',
          repairMarking: 'M7',
          spendItemDescription: 'ASIC',
          spendCount: 2,
          repairUrls: picture,
        },
        { partsType: '15', slot: null, spendCount: 1 },
      ],
    });
    expect(await readItem(testApp, mtbliId)).toMatchObject({ deliverStatus: '0', exchange: '0', scrap: '0' });
    expect(await readLedger(testApp, rpbId)).toMatchObject([{ what: 'repair', userId: 'tech' }]);
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it.each(['2', '6'])(
    'takes a replaced board out as scrap and binds the new one, by mode %s [W-EVT-15]',
    async (mode) => {
      const { sn, mtblId } = await ready();
      const [old, now, stays] = [boardSn(), boardSn(), boardSn()];
      await bind(sn, old);
      await bind(sn, stays);
      const lineBefore = await testApp.db
        .selectFrom('rma_maintain_bill_line')
        .selectAll()
        .where('mtblId', '=', mtblId)
        .executeTakeFirst();
      const answer = await submit(sn, [row({ sn: old, repairMethod: mode, replaceSn: now.toLowerCase() })]);
      expect(answer.code).toBe('000000');
      expect(await readBindings(sn)).toMatchObject([
        { componentSn: old, unbindTime: expect.any(Number) },
        { componentSn: stays, unbindTime: null },
        { componentSn: now, unbindTime: null, componentType: 'COIT000000S0', billId: answer.data.rpbId },
      ]);
      const trace = await readTrace(testApp, old);
      expect(trace.unit).toMatchObject({
        ivyId: Node.Scrapped,
        storageType: '2',
        mtbId: null,
        siteId: 'SZ',
        type: '1',
      });
      expect(trace.history).toMatchObject([{ step: 'repair', fromNode: null, toNode: '40' }]);
      const lineAfter = await testApp.db
        .selectFrom('rma_maintain_bill_line')
        .selectAll()
        .where('mtblId', '=', mtblId)
        .executeTakeFirst();
      expect(lineAfter).toEqual(lineBefore);
      const known = await testApp.db.selectFrom('ubs_item_object').select('origin').where('sn', '=', now).execute();
      expect(known).toEqual([{ origin: '4' }]);
      expect(await brokenInvariants(testApp.db)).toEqual([]);
    },
  );

  it('binds and scraps nothing for XXXX', async () => {
    const { sn } = await ready();
    const old = boardSn();
    await bind(sn, old);
    expect((await submit(sn, [row({ sn: old, repairMethod: '2', replaceSn: 'xxxx' })])).code).toBe('000000');
    expect(await readBindings(sn)).toMatchObject([{ componentSn: old, unbindTime: null }]);
    expect((await readTrace(testApp, old)).unit).toBeUndefined();
  });

  it('asks the repair type of a stock machine alone [W-REP-05]', async () => {
    const readRepairType = async (repairType?: string) => {
      const sn = await stockMachine(testApp.db, Node.AwaitingRepair);
      const { rpbId } = (await submit(sn, [row()], { repairType })).data;
      const bill = await testApp.db
        .selectFrom('rma_repair_bill')
        .select('repairType')
        .where('rpbId', '=', rpbId)
        .execute();
      return bill[0]?.repairType;
    };
    expect([await readRepairType(), await readRepairType('1')]).toEqual(['2', '1']);
    const sn = await stockMachine(testApp.db, Node.AwaitingRepair);
    await expectRefused(testApp, '100015', () => submit(sn, [row()], { repairType: '4' }));
    const scan = await testApp.send(validateSn, { sn }, { as: 'tech' });
    expect(scan.data.repairTypeNeeded).toBe('1');
  });

  it('is done once: a second one finds the unit elsewhere, a repeated one gets the first answer', async () => {
    const { sn } = await ready();
    const asking = { as: 'tech', key: newKey() };
    const first = await submit(sn, [row()], {}, asking);
    expect(await submit(sn, [row()], {}, asking)).toEqual(first);
    await expectRefused(testApp, '100003', () => submit(sn));
    expect((await readTrace(testApp, sn)).history).toHaveLength(1);
  });

  it('puts one new board into one device when two technicians scan it at the same moment', async () => {
    const [one, two] = [await ready(), await ready()];
    const replaceSn = boardSn();
    const answers = await Promise.all([one, two].map(({ sn }) => submit(sn, [row({ repairMethod: '2', replaceSn })])));
    expect(answers.map((it) => it.code).toSorted()).toEqual(['000000', '100026']);
  });
});
