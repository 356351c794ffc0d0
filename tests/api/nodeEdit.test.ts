import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Node, nodes } from '#domain/nodes.ts';
import { rollbackTransaction } from '#features/rollback/contract.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { heldUnit, stockMachine, unitOnBill } from '#tests/support/factories.ts';
import { expectRefused, itemOf, ledgerOf, traceOf } from '#tests/support/guard.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { modifyIvyId } from '#features/node-edit/contract.ts';

let house: TestApp;
beforeAll(async () => void (house = await startTestApp()));
afterAll(() => house.close());

const admin = { as: 'admin' };
const edit = (sn: string, ivyId: string, remark?: string) => house.send(modifyIvyId, { sn, ivyId, remark }, admin);
const billOf = (mtbId: string) =>
  house.db.selectFrom('rma_maintain_bill').selectAll().where('mtbId', '=', mtbId).executeTakeFirstOrThrow();

describe('the node of a unit is not set', () => {
  it('without a token or by anybody but an administrator [W-EVT-36]', async () => {
    const { sn } = await unitOnBill(house.db, { node: Node.AwaitingRepair });
    await expectRefused(house, '401', () => house.send(modifyIvyId, { sn, ivyId: '60' }));
    for (const as of ['tech', 'supervisor', 'office', 'warehouse', 'aftersales', 'viewer']) {
      await expectRefused(house, '100013', () => house.send(modifyIvyId, { sn, ivyId: '60' }, { as }));
    }
  });

  it('without an SN or a node, of an SN nobody knows, to a node that does not exist or where it is [W-EVT-36]', async () => {
    const { sn } = await unitOnBill(house.db, { node: Node.AwaitingRepair });
    await expectRefused(house, '100001', () => edit(' ', '60'));
    await expectRefused(house, '100001', () => edit(sn, ''));
    await expectRefused(house, '100002', () => edit('RX19NOBODY', '60'));
    for (const node of ['30', '0', '1000', 'x']) await expectRefused(house, '100015', () => edit(sn, node));
    const same = await expectRefused(house, '100007', () => edit(sn, '50'));
    expect(same.msg).toBe(`SN ${sn} is at "Awaiting repair" already; choose another node`);
  });

  it('of a part that is inside a device [W-EVT-36]', async () => {
    const sn = await stockMachine(house.db, Node.CanShip, { ivyId: null, type: '1' });
    await house.db
      .insertInto('ubs_assembly')
      .values({ deviceSn: 'RX19AROUND', componentSn: sn, componentType: 'COIT000000S0', bindTime: new Date() })
      .execute();
    const no = await expectRefused(house, '100026', () => edit(sn, Node.CanShip));
    expect(no.msg).toBe(`Part ${sn} is bound to device RX19AROUND`);
    const { sn: away } = await unitOnBill(house.db, { node: Node.Shipped });
    const { sn: deviceSn } = await unitOnBill(house.db, { node: Node.AwaitingTest });
    await house.db
      .insertInto('ubs_assembly')
      .values({ deviceSn, componentSn: away, componentType: 'COIT000000S0', bindTime: new Date() })
      .execute();
    await expectRefused(house, '100026', () => edit(away, Node.AwaitingTest));
  });

  it('at another site by somebody who sees only his own [W-EVT-36]', async () => {
    await house.db.insertInto('role_right').values({ roleId: 'office', right: 'rmaInventory:modifyIvyId' }).execute();
    const { sn } = await unitOnBill(house.db, { node: Node.AwaitingRepair, siteId: 'NB' });
    await expectRefused(house, '100004', () => house.send(modifyIvyId, { sn, ivyId: '60' }, { as: 'office' }));
  });
});

describe('an administrator sets the node of a unit', () => {
  it.each(nodes.flatMap((from) => nodes.filter((to) => to !== from).map((to) => [from, to] as const)))(
    'from %s to %s, and everything that belongs to the node follows; rolled back, it stands as before [P-MOD-04, P-ENU-07] [W-EVT-36]',
    async (from, to) => {
      const { sn, mtbliId, mtbId } = await unitOnBill(house.db, { node: from });
      const { data } = await edit(sn, to, 'wrong label');
      expect(data).toMatchObject({ sn, ivyId: to });
      const { unit, history } = await traceOf(house, sn);
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
      expect(await itemOf(house, mtbliId)).toMatchObject(expected[to] ?? { deliverStatus: '0', stockup: '0' });
      expect((await billOf(mtbId)).billStatus).toBe(ended ? '2' : '1');
      expect(await brokenInvariants(house.db)).toEqual([]);

      const id = String(history[0]?.id);
      expect((await house.send(rollbackTransaction, { id, remark: 'back' }, admin)).code).toBe('000000');
      expect((await traceOf(house, sn)).unit?.ivyId).toBe(from);
      expect((await billOf(mtbId)).billStatus).toBe(from === '900' || from === '40' ? '2' : '1');
      expect(await brokenInvariants(house.db)).toEqual([]);
    },
  );

  it('who waits for a supervisor waits no more, until it is rolled back [W-EVT-36]', async () => {
    const { sn } = await heldUnit(house.db, 'nofault');
    expect((await edit(sn, '70')).code).toBe('000000');
    const id = String((await traceOf(house, sn)).history[0]?.id);
    expect((await edit(sn, '10')).code).toBe('000000');
    const line = () => house.db.selectFrom('rma_check_bill_line').selectAll().where('sn', '=', sn).executeTakeFirst();
    expect(await line()).toMatchObject({ nofaultConfirmStatus: null });
    const latest = String((await traceOf(house, sn)).history[0]?.id);
    for (const it of [latest, id]) await house.send(rollbackTransaction, { id: it, remark: 'back' }, admin);
    expect(await line()).toMatchObject({ nofaultConfirmStatus: '0' });
    expect((await traceOf(house, sn)).unit?.ivyId).toBe('10');
  });

  it('of the site’s own stock as well, with no bill to follow [W-EVT-36]', async () => {
    const sn = await stockMachine(house.db, Node.AwaitingTest);
    expect((await edit(sn, '100')).data).toMatchObject({ ivyId: '100', billStatus: null });
    expect((await traceOf(house, sn)).unit).toMatchObject({ ivyId: '100', subinventoryCode: 'FG', storageType: '0' });
    expect(await ledgerOf(house, sn)).toMatchObject([{ what: 'modifyIvyId' }]);
  });

  it('at another site: what is written carries that site [W-EVT-36]', async () => {
    const { sn, mtbId } = await unitOnBill(house.db, { node: Node.AwaitingStorage, siteId: 'NB' });
    await edit(sn, '100');
    expect((await traceOf(house, sn)).history[0]).toMatchObject({ siteId: 'NB', userId: 'admin' });
    const stockup = await house.db
      .selectFrom('rma_stockup_bill')
      .select('siteId')
      .where('mtbId', '=', mtbId)
      .executeTakeFirstOrThrow();
    expect(stockup.siteId).toBe('NB');
  });

  it('of a unit that was bought out: its item stays bought out [W-EVT-36]', async () => {
    const { sn, mtbliId, mtblId, mtbId } = await unitOnBill(house.db, {
      node: Node.CanShip,
      billStatus: '2',
      item: { deliverStatus: '4' },
      unit: { mtbId: null, mtblId: null, mtbliId: null },
    });
    expect((await edit(sn, '50')).data).toMatchObject({ ivyId: '50', billStatus: null });
    expect(await itemOf(house, mtbliId)).toMatchObject({ deliverStatus: '4' });
    expect((await billOf(mtbId)).billStatus).toBe('2');
    const line = house.db.selectFrom('rma_maintain_bill_line').select('buyOutCount').where('mtblId', '=', mtblId);
    expect(await line.executeTakeFirst()).toEqual({ buyOutCount: 1 });
    expect(await brokenInvariants(house.db)).toEqual([]);
  });
});
