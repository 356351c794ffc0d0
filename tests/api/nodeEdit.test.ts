import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Node, nodes } from '#domain/nodes.ts';
import { rollbackTransaction } from '#features/rollback/contract.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { heldUnit, stockMachine, unitOnBill } from '#tests/support/factories.ts';
import { expectRefused, readItem, readLedger, readTrace } from '#tests/support/guard.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { modifyIvyId } from '#features/node-edit/contract.ts';

let testApp: TestApp;
beforeAll(async () => void (testApp = await startTestApp()));
afterAll(() => testApp.close());

const admin = { as: 'admin' };
const edit = (sn: string, ivyId: string, remark?: string) => testApp.send(modifyIvyId, { sn, ivyId, remark }, admin);
const readBill = (mtbId: string) =>
  testApp.db.selectFrom('rma_maintain_bill').selectAll().where('mtbId', '=', mtbId).executeTakeFirstOrThrow();

describe('the node of a unit is not set', () => {
  it('without a token or by anybody but an administrator [W-EVT-36]', async () => {
    const { sn } = await unitOnBill(testApp.db, { node: Node.AwaitingRepair });
    await expectRefused(testApp, '401', () => testApp.send(modifyIvyId, { sn, ivyId: '60' }));
    for (const as of ['tech', 'supervisor', 'office', 'warehouse', 'aftersales', 'viewer']) {
      await expectRefused(testApp, '100013', () => testApp.send(modifyIvyId, { sn, ivyId: '60' }, { as }));
    }
  });

  it('without an SN or a node, of an SN nobody knows, to a node that does not exist or where it is [W-EVT-36]', async () => {
    const { sn } = await unitOnBill(testApp.db, { node: Node.AwaitingRepair });
    await expectRefused(testApp, '100001', () => edit(' ', '60'));
    await expectRefused(testApp, '100001', () => edit(sn, ''));
    await expectRefused(testApp, '100002', () => edit('RX19NOBODY', '60'));
    for (const node of ['30', '0', '1000', 'x']) await expectRefused(testApp, '100015', () => edit(sn, node));
    const same = await expectRefused(testApp, '100007', () => edit(sn, '50'));
    expect(same.msg).toBe(`SN ${sn} is at "Awaiting repair" already; choose another node`);
  });

  it('of a part that is inside a device [W-EVT-36]', async () => {
    const sn = await stockMachine(testApp.db, Node.CanShip, { ivyId: null, type: '1' });
    await testApp.db
      .insertInto('ubs_assembly')
      .values({ deviceSn: 'RX19AROUND', componentSn: sn, componentType: 'COIT000000S0', bindTime: new Date() })
      .execute();
    const no = await expectRefused(testApp, '100026', () => edit(sn, Node.CanShip));
    expect(no.msg).toBe(`Part ${sn} is bound to device RX19AROUND`);
    const { sn: away } = await unitOnBill(testApp.db, { node: Node.Shipped });
    const { sn: deviceSn } = await unitOnBill(testApp.db, { node: Node.AwaitingTest });
    await testApp.db
      .insertInto('ubs_assembly')
      .values({ deviceSn, componentSn: away, componentType: 'COIT000000S0', bindTime: new Date() })
      .execute();
    await expectRefused(testApp, '100026', () => edit(away, Node.AwaitingTest));
  });

  it('at another site by somebody who sees only his own [W-EVT-36]', async () => {
    await testApp.db.insertInto('role_right').values({ roleId: 'office', right: 'rmaInventory:modifyIvyId' }).execute();
    const { sn } = await unitOnBill(testApp.db, { node: Node.AwaitingRepair, siteId: 'NB' });
    await expectRefused(testApp, '100004', () => testApp.send(modifyIvyId, { sn, ivyId: '60' }, { as: 'office' }));
  });
});

describe('an administrator sets the node of a unit', () => {
  it.each(nodes.flatMap((from) => nodes.filter((to) => to !== from).map((to) => [from, to] as const)))(
    'from %s to %s, and everything that belongs to the node follows; rolled back, it stands as before [P-MOD-04, P-ENU-07] [W-EVT-36]',
    async (from, to) => {
      const { sn, mtbliId, mtbId } = await unitOnBill(testApp.db, { node: from });
      const { data } = await edit(sn, to, 'wrong label');
      expect(data).toMatchObject({ sn, ivyId: to });
      const { unit, history } = await readTrace(testApp, sn);
      expect(unit?.ivyId).toBe(to);
      expect(history[0]).toMatchObject({
        step: 'modifyNode',
        fromNode: from,
        toNode: to,
        operateStatus: 'Normal',
        note: 'wrong label',
      });
      const ended = to === '900' || to === '40';
      const expected: Partial<Record<Node, object>> = {
        '100': { deliverStatus: '1', stockup: '1' },
        '900': { deliverStatus: '2', stockup: '0' },
        '40': { deliverStatus: '3', stockup: '0', scrap: '1' },
      };
      expect(await readItem(testApp, mtbliId)).toMatchObject(expected[to] ?? { deliverStatus: '0', stockup: '0' });
      expect((await readBill(mtbId)).billStatus).toBe(ended ? '2' : '1');
      expect(await brokenInvariants(testApp.db)).toEqual([]);

      const id = String(history[0]?.id);
      expect((await testApp.send(rollbackTransaction, { id, remark: 'back' }, admin)).code).toBe('000000');
      expect((await readTrace(testApp, sn)).unit?.ivyId).toBe(from);
      expect((await readBill(mtbId)).billStatus).toBe(from === '900' || from === '40' ? '2' : '1');
      expect(await brokenInvariants(testApp.db)).toEqual([]);
    },
  );

  it('who waits for a supervisor waits no more, until it is rolled back [W-EVT-36]', async () => {
    const { sn } = await heldUnit(testApp.db, 'nofault');
    expect((await edit(sn, '70')).code).toBe('000000');
    const id = String((await readTrace(testApp, sn)).history[0]?.id);
    expect((await edit(sn, '10')).code).toBe('000000');
    const line = () => testApp.db.selectFrom('rma_check_bill_line').selectAll().where('sn', '=', sn).executeTakeFirst();
    expect(await line()).toMatchObject({ nofaultConfirmStatus: null });
    const latest = String((await readTrace(testApp, sn)).history[0]?.id);
    for (const it of [latest, id]) await testApp.send(rollbackTransaction, { id: it, remark: 'back' }, admin);
    expect(await line()).toMatchObject({ nofaultConfirmStatus: '0' });
    expect((await readTrace(testApp, sn)).unit?.ivyId).toBe('10');
  });

  it('of the site’s own stock as well, with no bill to follow [W-EVT-36]', async () => {
    const sn = await stockMachine(testApp.db, Node.AwaitingTest);
    expect((await edit(sn, '100')).data).toMatchObject({ ivyId: '100', billStatus: null });
    expect((await readTrace(testApp, sn)).unit).toMatchObject({
      ivyId: '100',
      subinventoryCode: 'FG',
      storageType: '0',
    });
    expect(await readLedger(testApp, sn)).toMatchObject([{ what: 'modifyIvyId' }]);
  });

  it('gives the unit its warehouse back when it is rolled back, and none to what lay in none [W-EVT-37]', async () => {
    const lay = { subinventoryCode: 'ODD', storageType: '2' };
    const shelved = await stockMachine(testApp.db, Node.CanShip, lay);
    const onItsWay = await stockMachine(testApp.db, Node.AwaitingTest, { subinventoryCode: null, storageType: null });
    const edits: [string, string, object, string | null][] = [
      [shelved, '70', lay, 'ODD'],
      [onItsWay, '100', { subinventoryCode: null, storageType: null }, '-'],
    ];
    for (const [sn, to, was, kept] of edits) {
      expect((await edit(sn, to)).code).toBe('000000');
      const { unit, history } = await readTrace(testApp, sn);
      expect(unit).not.toMatchObject(was);
      expect(history[0]).toMatchObject({ step: 'modifyNode', fromSubinventoryCode: kept });
      expect(
        (await testApp.send(rollbackTransaction, { id: String(history[0]?.id), remark: 'back' }, admin)).code,
      ).toBe('000000');
      expect((await readTrace(testApp, sn)).unit).toMatchObject(was);
    }
  });

  it('at another site: what is written carries that site [W-EVT-36]', async () => {
    const { sn, mtbId } = await unitOnBill(testApp.db, { node: Node.AwaitingStorage, siteId: 'NB' });
    await edit(sn, '100');
    expect((await readTrace(testApp, sn)).history[0]).toMatchObject({ siteId: 'NB', userId: 'admin' });
    const stockup = await testApp.db
      .selectFrom('rma_stockup_bill')
      .select('siteId')
      .where('mtbId', '=', mtbId)
      .executeTakeFirstOrThrow();
    expect(stockup.siteId).toBe('NB');
  });

  it('of a unit that was bought out: its item stays bought out [W-EVT-36]', async () => {
    const { sn, mtbliId, mtblId, mtbId } = await unitOnBill(testApp.db, {
      node: Node.CanShip,
      billStatus: '2',
      item: { deliverStatus: '4' },
      unit: { mtbId: null, mtblId: null, mtbliId: null },
    });
    expect((await edit(sn, '50')).data).toMatchObject({ ivyId: '50', billStatus: null });
    expect(await readItem(testApp, mtbliId)).toMatchObject({ deliverStatus: '4' });
    expect((await readBill(mtbId)).billStatus).toBe('2');
    const line = testApp.db.selectFrom('rma_maintain_bill_line').select('buyOutCount').where('mtblId', '=', mtblId);
    expect(await line.executeTakeFirst()).toEqual({ buyOutCount: 1 });
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });
});
