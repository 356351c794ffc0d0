import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BillStatus } from '#domain/enums.ts';
import { Node, nodes } from '#domain/nodes.ts';
import { newKey, startTestApp, type TestApp } from '#tests/support/app.ts';
import { heldUnit, maintainBill, stockMachine, unitOnBill } from '#tests/support/factories.ts';
import { expectRefused, readItem, readLedger, readTrace } from '#tests/support/guard.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { activateInventory, storeStart, validateInventorySn } from './contract.ts';

let testApp: TestApp;
beforeAll(async () => void (testApp = await startTestApp()));
afterAll(() => testApp.close());

const as = { as: 'warehouse' };
const start = (sn: string | null, subinventoryCode?: string, remark = 'found on the shelf', asking: object = as) =>
  testApp.send(storeStart, { sn, remark, subinventoryCode }, asking);
/** The latest step of the SN is rolled back. */
const takeBack = async (sn: string) => {
  const [step] = (await readTrace(testApp, sn)).history;
  const input = { id: String(step?.id), remark: 'wrong part' };
  return testApp.ask('GET', '/api/rmaTransaction/rollbackById.json', input, { as: 'admin' });
};
let made = 0;
async function archived(): Promise<string> {
  const sn = `RX19ARCH${String(++made).padStart(5, '0')}`;
  await testApp.db
    .insertInto('ubs_item_object')
    .values({ sn, itemId: 1, salesCode: 'RX19', itemName: 'RX19 104T', type: '0', origin: '1' })
    .execute();
  return sn;
}

describe('an SN is not activated', () => {
  it('without a session or the right', async () => {
    const sn = await stockMachine(testApp.db, Node.CanShip);
    await expectRefused(testApp, '401', () => start(sn, 'FG', '', {}));
    await expectRefused(testApp, '100013', () => start(sn, 'FG', '', { as: 'tech' }));
  });

  const onOpen = async (node: Node) => (await unitOnBill(testApp.db, { node })).sn;
  const noes: [what: string, code: string, snOf: () => Promise<string | null>][] = [
    ['when there is none', '100001', async () => null],
    ['when it is empty', '100001', async () => '  '],
    ['when it can be none', '100015', async () => 'RX 19'],
    ['when nobody knows it', '100002', async () => 'RX19NOBODY'],
    ['of another site', '100004', () => stockMachine(testApp.db, Node.CanShip, { siteId: 'NB' })],
    ['when it was shipped', '100005', async () => (await unitOnBill(testApp.db, { node: Node.Shipped })).sn],
    ['when it was shipped from stock', '100005', () => stockMachine(testApp.db, Node.Shipped)],
    ['while it waits for a supervisor', '100008', async () => (await heldUnit(testApp.db)).sn],
    ['on an open bill, on the shelf', '100009', () => onOpen(Node.CanShip)],
    ['on an open bill, in the chain', '100009', () => onOpen(Node.AwaitingTest)],
    [
      'scrapped on a bill that is open',
      '100009',
      async () => {
        const bill = await maintainBill(testApp.db);
        await unitOnBill(testApp.db, { node: Node.AwaitingTest, bill });
        return (await unitOnBill(testApp.db, { node: Node.Scrapped, bill })).sn;
      },
    ],
    ...nodes
      .filter((it) => !([Node.Scrapped, Node.CanShip, Node.Shipped] as Node[]).includes(it))
      .map((node): [string, string, () => Promise<string>] => [
        `from stock at node ${node}`,
        '100003',
        () => stockMachine(testApp.db, node),
      ]),
  ];
  it.each(noes)('%s [S-INV-02] [W-EVT-23]', async (_, code, snOf) => {
    const sn = await snOf();
    await expectRefused(testApp, code, () => start(sn, 'DEF'));
  });

  it('as a part of a device that is in the house; once that has left, as a loose one [W-EVT-23]', async () => {
    const sn = await stockMachine(testApp.db, Node.CanShip, { ivyId: null, type: '1' });
    const device = await unitOnBill(testApp.db, { node: Node.AwaitingTest });
    await testApp.db
      .insertInto('ubs_assembly')
      .values({ deviceSn: device.sn, componentSn: sn, componentType: 'COIT000000S0', bindTime: new Date() })
      .execute();
    const answer = await expectRefused(testApp, '100026', () => start(sn, 'FG'));
    expect(answer.msg).toContain(device.sn);
    const deviceIsAt = (ivyId: Node) =>
      testApp.db.updateTable('rma_inventory').set({ ivyId }).where('sn', '=', device.sn).execute();
    const isInside = async () =>
      (
        await testApp.db
          .selectFrom('ubs_assembly')
          .select('unbindTime')
          .where('componentSn', '=', sn)
          .executeTakeFirstOrThrow()
      ).unbindTime === null;
    await deviceIsAt(Node.Shipped);
    expect((await start(sn, 'FG')).code).toBe('000000');
    expect(await isInside()).toBe(false);
    expect((await takeBack(sn)).code).toBe('000000');
    expect((await readTrace(testApp, sn)).unit).toMatchObject({
      ivyId: null,
      subinventoryCode: null,
      storageType: null,
    });
    expect(await isInside()).toBe(true);
    await deviceIsAt(Node.AwaitingTest);
  });

  it('of no site, as it stands nowhere: it is of the site that finds it, until that is taken back [W-EVT-23]', async () => {
    const sn = await stockMachine(testApp.db, Node.CanShip, { ivyId: null, siteId: 'NB' });
    expect((await start(sn, 'FG')).code).toBe('000000');
    expect((await readTrace(testApp, sn)).unit).toMatchObject({ ivyId: '100', siteId: 'SZ' });
    expect((await takeBack(sn)).code).toBe('000000');
    expect((await readTrace(testApp, sn)).unit).toMatchObject({ ivyId: null, siteId: 'NB' });
  });

  it('for a warehouse that does not exist, or with a remark without end [W-EVT-23] [W-IMG-06]', async () => {
    const sn = await stockMachine(testApp.db, Node.CanShip);
    await expectRefused(testApp, '100015', () => start(sn, 'XX'));
    await expectRefused(testApp, '100015', () => start(sn, 'FG', 'x'.repeat(501)));
  });
});

describe('an activated SN', () => {
  const froms: [what: string, from: Node | null][] = [
    ['that is scrap', Node.Scrapped],
    ['on the shelf', Node.CanShip],
    ['that is not in the house', null],
  ];
  const shelves = [
    ['DEF', '10', '1'],
    ['FG', '100', '0'],
    ['SCR', '40', '2'],
  ] as const;
  it.each(froms.flatMap(([what, from]) => shelves.map((it) => [what, from, ...it] as const)))(
    '%s (%s) stands where the warehouse %s says: %s [W-STO-08] [S-INV-04] [W-EVT-23]',
    async (_, from, shelf, to, storageType) => {
      const sn = await stockMachine(testApp.db, Node.CanShip, { ivyId: from });
      expect((await start(` ${sn.toLowerCase()} `, shelf)).data).toEqual({ sn, nextNode: to });
      const { unit, history } = await readTrace(testApp, sn);
      expect(unit).toMatchObject({ ivyId: to, subinventoryCode: shelf, storageType, mtbId: null, siteId: 'SZ' });
      expect(history).toMatchObject([
        {
          step: 'storeStart',
          fromNode: from,
          toNode: to,
          note: 'found on the shelf',
          userId: 'warehouse',
          mtbId: null,
        },
      ]);
      expect(await readLedger(testApp, sn)).toMatchObject([{ what: 'storeStart', module: 'rmaStoreBill' }]);
      expect(await testApp.db.selectFrom('rma_stockup_bill_line').selectAll().where('sn', '=', sn).execute()).toEqual(
        [],
      );
      expect(await brokenInvariants(testApp.db)).toEqual([]);
    },
  );

  it('goes by what the site says of the warehouse [W-EVT-23]', async () => {
    await testApp.db
      .insertInto('ubs_subinventory')
      .values({ siteId: 'SZ', subinventoryCode: 'DEF', name: 'repaired', storageType: '0' })
      .execute();
    const sn = await stockMachine(testApp.db, Node.Scrapped);
    expect((await start(sn, 'DEF')).data.nextNode).toBe('100');
    await testApp.db.deleteFrom('ubs_subinventory').where('siteId', '=', 'SZ').execute();
  });

  it('that only the archive knows comes into the house, to its first test where nothing else was said [W-EVT-23]', async () => {
    const sn = await archived();
    expect((await start(sn)).data.nextNode).toBe('10');
    expect((await readTrace(testApp, sn)).unit).toMatchObject({
      type: '0',
      salesCode: 'RX19',
      itemName: 'RX19 104T',
      siteId: 'SZ',
      subinventoryCode: 'DEF',
    });
  });

  it('that was scrapped on a finished bill leaves it; its item and line stay, and it is repaired as inventory scrap [W-EVT-23]', async () => {
    const { sn, mtbliId, mtblId, mtbId } = await unitOnBill(testApp.db, {
      node: Node.Scrapped,
      billStatus: BillStatus.Finished,
    });
    const lines = testApp.db.selectFrom('rma_maintain_bill_line').selectAll().where('mtblId', '=', mtblId);
    const [item, before] = [await readItem(testApp, mtbliId), await lines.execute()];
    await start(sn, 'DEF');
    expect((await readTrace(testApp, sn)).unit).toMatchObject({
      ivyId: '10',
      mtbId: null,
      mtblId: null,
      mtbliId: null,
    });
    expect([await readItem(testApp, mtbliId), await lines.execute()]).toEqual([item, before]);
    const bill = testApp.db.selectFrom('rma_maintain_bill').select('billStatus').where('mtbId', '=', mtbId);
    expect(await bill.executeTakeFirst()).toEqual({ billStatus: '2' });
    await testApp.db.updateTable('rma_inventory').set({ ivyId: Node.AwaitingRepair }).where('sn', '=', sn).execute();
    const scan = await testApp.ask('POST', '/api/rmaRepairBill/validateSn.json', { sn }, { as: 'tech' });
    expect(scan.data).toMatchObject({ repairTypeNeeded: '1', repairType: '3' });
    await testApp.db.updateTable('rma_inventory').set({ ivyId: Node.AwaitingCheck }).where('sn', '=', sn).execute();
  });

  it('is activated once under one key, and one of two who try at once does it', async () => {
    const sn = await archived();
    const once = { ...as, key: newKey() };
    const first = await start(sn, 'DEF', '', once);
    expect(await start(sn, 'DEF', '', once)).toEqual(first);
    await expectRefused(testApp, '100003', () => start(sn, 'DEF'));
    const other = await archived();
    const answers = await Promise.all([start(other, 'DEF'), start(other, 'DEF')]);
    expect(answers.filter((it) => it.code === '000000')).toHaveLength(1);
    expect((await readTrace(testApp, other)).history).toHaveLength(1);
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });
});

describe('from the inventory', () => {
  const look = (sn: string, asking: object = as) => testApp.send(validateInventorySn, { sn }, asking);

  it('an SN is validated, with the node where it stands, and nothing is stored [S-INV-03]', async () => {
    const sn = await stockMachine(testApp.db, Node.Scrapped, { subinventoryCode: 'SCR' });
    const before = await readTrace(testApp, sn);
    expect(await look(` ${sn.toLowerCase()}`)).toMatchObject({
      code: '000000',
      data: { sn, ivyId: '40', type: '0', salesCode: 'RX19', subinventoryCode: 'SCR' },
    });
    expect(await look(await archived())).toMatchObject({
      code: '000000',
      data: { ivyId: null, subinventoryCode: null },
    });
    expect(await readTrace(testApp, sn)).toEqual(before);
  });

  it('is refused for what could not be activated, and without the right [S-INV-03]', async () => {
    const sn = await stockMachine(testApp.db, Node.CanShip);
    await expectRefused(testApp, '100013', () => look(sn, { as: 'tech' }));
    await expectRefused(testApp, '100001', () => look(' '));
    await expectRefused(testApp, '100002', () => look('RX19NOBODY'));
    const gone = await stockMachine(testApp.db, Node.Shipped);
    const held = (await heldUnit(testApp.db)).sn;
    const onBill = (await unitOnBill(testApp.db, { node: Node.CanShip })).sn;
    await expectRefused(testApp, '100005', () => look(gone));
    await expectRefused(testApp, '100008', () => look(held));
    await expectRefused(testApp, '100009', () => look(onBill));
  });

  it('activates as the store does [S-INV-04] [W-EVT-23]', async () => {
    const sn = await archived();
    const input = { sn, remark: 'found', subinventoryCode: 'FG' };
    await expectRefused(testApp, '100013', () => testApp.send(activateInventory, input, { as: 'tech' }));
    await expectRefused(testApp, '100001', () => testApp.send(activateInventory, { ...input, sn: '' }, as));
    expect(await testApp.send(activateInventory, input, as)).toMatchObject({
      code: '000000',
      data: { nextNode: '100' },
    });
    const { unit, history } = await readTrace(testApp, sn);
    expect(unit).toMatchObject({ ivyId: '100', subinventoryCode: 'FG', mtbId: null });
    expect(history).toMatchObject([{ step: 'storeStart', note: 'found' }]);
    expect((await takeBack(sn)).code).toBe('000000');
  });
});
