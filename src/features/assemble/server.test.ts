import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InputOf } from '#domain/call.ts';
import { slotsOf } from '#domain/assembly.ts';
import { Node } from '#domain/nodes.ts';
import { newKey, startTestApp, type TestApp } from '#tests/support/app.ts';
import { stockMachine, unitOnBill } from '#tests/support/factories.ts';
import { expectNo, expectRefused, guardCases, readItem, readLedger, readTrace } from '#tests/support/guard.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { takeSnapshot } from '#tests/support/snapshot.ts';
import { assemble, validatePart, validateSn } from './contract.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp.close());

type Part = InputOf<typeof assemble>['partsList'][number];
let made = 0;
/** The parts of a device, each with an SN that nobody has used. */
const parts = (boards = 4): Part[] => {
  const set = ++made;
  return slotsOf(boards).map(({ name, componentType, hasQrCode }) => ({
    sn: `${name}-T${set}`,
    component_type: componentType,
    ...(hasQrCode && { qrCodeNum: `${name}${String(set).padStart(17 - name.length, '0')}` }),
  }));
};
const withPart = (index: number, change: Partial<Part>) =>
  parts().map((it, i) => (i === index ? { ...it, ...change } : it));
const submit = (sn: string, partsList: Part[], asking: object = { as: 'tech' }) =>
  testApp.send(assemble, { sn, partsList }, asking);
const ready = (more: object = {}) => unitOnBill(testApp.db, { node: Node.AwaitingAssembly, ...more });
const readBindings = (deviceSn: string) =>
  testApp.db.selectFrom('ubs_assembly').selectAll().where('deviceSn', '=', deviceSn).orderBy('id').execute();
const bound = async (componentSn: string) => {
  const query = testApp.db.selectFrom('ubs_assembly').select('deviceSn').where('componentSn', '=', componentSn);
  return (await query.where('unbindTime', 'is', null).executeTakeFirst())?.deviceSn;
};
const cases = guardCases(() => testApp, Node.AwaitingAssembly);

describe('the scan of a device for assembly', () => {
  it('asks for a session and for the right', async () => {
    const { sn } = await ready();
    await expectNo('401', () => testApp.send(validateSn, { sn }));
    await expectNo('100013', () => testApp.send(validateSn, { sn }, { as: 'warehouse' }));
  });

  it.each(cases)('refuses %s', async (_, code, snOf) => {
    const sn = await snOf();
    await expectNo(code, () => testApp.send(validateSn, { sn }, { as: 'tech' }));
  });

  it('tells how many boards the model has and what is bound, and writes nothing [W-ASM-13]', async () => {
    const { sn, mtbId } = await ready();
    await testApp.db
      .insertInto('ubs_assembly')
      .values({ deviceSn: sn, componentSn: 'OLD-P1', componentType: 'COIT000000S1', bindTime: new Date() })
      .execute();
    const before = await takeSnapshot(testApp.db);
    const { data } = await testApp.send(validateSn, { sn: ` ${sn.toLowerCase()}` }, { as: 'tech' });
    expect(data).toMatchObject({
      sn,
      mtbId,
      item: { itemId: 1, salesCode: 'RX19', boardCount: 4 },
      boundParts: [{ componentType: 'COIT000000S1', componentSn: 'OLD-P1', qrCodeNum: null }],
    });
    expect(await takeSnapshot(testApp.db)).toEqual(before);
  });
});

describe('the scan of a part for a device', () => {
  it('refuses what may not be put into it, takes what nobody knows, and writes nothing', async () => {
    const [{ sn }, other] = [await ready(), await ready()];
    const ask = (componentSn: string, asking: object = { as: 'tech' }) =>
      testApp.send(validatePart, { sn, componentSn }, asking);
    await testApp.db
      .insertInto('ubs_assembly')
      .values({ deviceSn: other.sn, componentSn: 'ELSEWHERE-1', componentType: 'COIT000000S1', bindTime: new Date() })
      .execute();
    const before = await takeSnapshot(testApp.db);
    await expectNo('401', () => ask('NEW-1', {}));
    await expectNo('100013', () => ask('NEW-1', { as: 'warehouse' }));
    expect((await ask(' new-1')).data).toEqual({ componentSn: 'NEW-1' });
    for (const it of [other.sn, 'ELSEWHERE-1', sn]) expect((await ask(it)).code, it).not.toBe('000000');
    expect(await takeSnapshot(testApp.db)).toEqual(before);
  });
});

describe('an assembly', () => {
  it('asks for a session, for the right, and for a device of the own site', async () => {
    const { sn } = await ready();
    await expectRefused(testApp, '401', () => submit(sn, parts(), {}));
    await expectRefused(testApp, '100013', () => submit(sn, parts(), { as: 'warehouse' }));
    await expectRefused(testApp, '100004', () => submit(sn, parts(), { as: 'techNB' }));
  });

  it.each(cases)('refuses %s [W-EVT-17]', async (_, code, snOf) => {
    const sn = await snOf();
    await expectRefused(testApp, code, () => submit(sn, parts()));
  });

  const wrong: [what: string, code: string, list: (sn: string) => Part[]][] = [
    ['no parts', '100001', () => []],
    ['a part without its SN', '100001', () => withPart(3, { sn: ' ' })],
    ['a part SN that can be none', '100015', () => withPart(0, { sn: 'P 1' })],
    ['a QR code of 18 characters', '100015', () => withPart(2, { qrCodeNum: 'Q'.repeat(18) })],
    ['a board without a QR code', '100015', () => withPart(2, { qrCodeNum: '' })],
    ['a component type that does not exist', '100015', () => withPart(0, { component_type: 'POWER' })],
    ['a device without controls', '100015', () => parts().filter((_, i) => i !== 1)],
    ['five boards', '100015', () => parts(5)],
    ['two powers', '100015', () => withPart(1, { component_type: 'COIT000000S1' })],
    ['the device as its own part', '100007', (sn) => withPart(0, { sn })],
    [
      'one board in two places',
      '100007',
      () => parts().map((it, i) => (i > 3 ? { ...it, sn: i > 4 ? ' board-x ' : 'BOARD-X' } : it)),
    ],
  ];
  it.each(wrong)('refuses %s [W-EVT-17]', async (_, code, listOf) => {
    const { sn } = await ready();
    await expectRefused(testApp, code, () => submit(sn, listOf(sn)));
  });

  it('refuses a board scanned as a device [W-EVT-17]', async () => {
    const { sn } = await ready({ unit: { type: '1' } });
    await expectRefused(testApp, '100015', () => submit(sn, parts()));
  });

  it('refuses a part of another device, and a customer’s unit as a part [W-EVT-17]', async () => {
    const other = await ready();
    const removed = parts();
    await submit(other.sn, removed);
    const guest = await unitOnBill(testApp.db, { node: Node.AwaitingCheck, unit: { type: '1' } });
    const { sn } = await ready();
    const answer = await expectRefused(testApp, '100026', () => submit(sn, withPart(0, { sn: removed[0]?.sn ?? '' })));
    expect(answer.msg).toContain(other.sn);
    await expectRefused(testApp, '100026', () => submit(sn, withPart(2, { sn: guest.sn })));
  });

  const shelf = (node: Node, more: object = {}) => stockMachine(testApp.db, node, { type: '1', ...more });
  const elsewhere: [what: string, code: string, snOf: () => Promise<string>][] = [
    ['a machine of the shelf', '100015', () => shelf(Node.CanShip, { type: '0' })],
    ['a part of another site', '100004', () => shelf(Node.CanShip, { siteId: 'NB' })],
    ['a part that is scrap', '100006', () => shelf(Node.Scrapped)],
  ];
  it.each(elsewhere)('takes %s for no power, controls or board [W-EVT-17]', async (_, code, snOf) => {
    const { sn } = await ready();
    for (const position of [0, 1, 2]) {
      const part = await snOf();
      await expectRefused(testApp, code, () => submit(sn, withPart(position, { sn: part })));
    }
  });

  it('takes a part of the site’s own stock, one that left by itself once, and one that it has bound already wherever that is kept [W-EVT-17]', async () => {
    const { sn } = await ready();
    const [stock, away] = [await shelf(Node.CanShip), await shelf(Node.CanShip, { siteId: 'NB' })];
    await testApp.db
      .insertInto('ubs_assembly')
      .values({ deviceSn: sn, componentSn: away, componentType: 'COIT000000S0', bindTime: new Date() })
      .execute();
    const back = await shelf(Node.Shipped, { siteId: 'NB' });
    const list = parts().map((it, i) => ({ ...it, sn: [it.sn, back, stock, away][i] ?? it.sn }));
    expect((await submit(sn, list)).code).toBe('000000');
  });

  it('takes parts of the stock off their shelf: they stand nowhere by themselves while they are inside [W-EVT-17]', async () => {
    const { sn } = await ready();
    const onShelf = { subinventoryCode: 'FG2', storageType: '0' };
    const [stock, back] = [await shelf(Node.CanShip, onShelf), await shelf(Node.Shipped)];
    const list = parts().map((it, i) => ({ ...it, sn: [it.sn, back, stock][i] ?? it.sn }));
    const { asbId } = (await submit(sn, list)).data;
    const { unit, history } = await readTrace(testApp, stock);
    expect(unit).toMatchObject({ ivyId: null, subinventoryCode: null, storageType: null, siteId: 'SZ' });
    const said = { step: 'assemble', billId: asbId, fromNode: '100', toNode: null, note: sn, userId: 'tech' };
    expect(history).toMatchObject([said]);
    expect((await readTrace(testApp, back)).unit).toMatchObject({ ivyId: Node.Shipped });
    const [{ before } = { before: null }] = await readLedger(testApp, asbId);
    expect(before).toMatchObject({ sn, shelves: [{ sn: stock, ...onShelf }] });
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('sends parts of the stock that it takes out to their check, as the history says, until it is rolled back [W-EVT-17]', async () => {
    const { sn } = await ready();
    const [stock, shelved] = [await shelf(Node.CanShip), await shelf(Node.CanShip)];
    const list = parts().map((it, i) => ({ ...it, sn: [it.sn, it.sn, stock, shelved][i] ?? it.sn }));
    const first = (await submit(sn, list)).data.asbId;
    await testApp.db.updateTable('rma_inventory').set({ ivyId: Node.AwaitingAssembly }).where('sn', '=', sn).execute();
    await testApp.db
      .updateTable('rma_transaction')
      .set({ toNode: Node.AwaitingAssembly })
      .where('billId', '=', first)
      .where('sn', '=', sn)
      .execute();
    const second = (
      await submit(
        sn,
        parts().map((it, i) => (i === 3 ? { ...it, sn: shelved } : it)),
      )
    ).data.asbId;
    const { unit, history } = await readTrace(testApp, stock);
    expect(unit).toMatchObject({ ivyId: Node.AwaitingCheck, mtbId: null, siteId: 'SZ' });
    const said = { step: 'assemble', note: sn, userId: 'tech' };
    expect(history).toMatchObject([
      { ...said, billId: second, fromNode: null, toNode: '10' },
      { ...said, billId: first, fromNode: '100', toNode: null },
    ]);
    expect((await readTrace(testApp, shelved)).unit).toMatchObject({ ivyId: null });
    expect(await brokenInvariants(testApp.db)).toEqual([]);

    const undo = async (of: string) => {
      const step = await testApp.db
        .selectFrom('rma_transaction')
        .select('id')
        .where('sn', '=', of)
        .where('billId', '=', second)
        .executeTakeFirstOrThrow();
      const input = { id: String(step.id), remark: 'mistaken' };
      return testApp.ask('GET', '/api/rmaTransaction/rollbackById.json', input, { as: 'admin' });
    };
    const part = await expectRefused(testApp, '100025', () => undo(stock));
    expect(part.msg).toContain(sn);
    expect(await undo(sn)).toMatchObject({ code: '000000' });
    expect((await readTrace(testApp, stock)).unit).toMatchObject({ ivyId: null });
    expect(await bound(stock)).toBe(sn);
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('sends the device to its test with its parts bound [W-ASM-05] [W-ASM-06] [W-ASM-08] [W-ASM-14] [W-EVT-17]', async () => {
    const { sn, mtbId, mtbliId } = await ready({ item: { powerSn: 'OLD' } });
    await testApp.db
      .insertInto('ubs_assembly')
      .values({ deviceSn: sn, componentSn: `OLD-${sn}`, componentType: 'COIT000000S1', bindTime: new Date() })
      .execute();
    await testApp.db
      .insertInto('ubs_item_object')
      .values({ sn: 'POWER-KNOWN', salesCode: 'PW3', itemName: 'Power 3', type: '1', origin: '1' })
      .execute();
    const list = withPart(0, { sn: 'power-known' }).map((it, i) =>
      i === 5 ? { ...it, sn: 'xxxx', qrCodeNum: '' } : it,
    );
    const answer = await submit(sn.toLowerCase(), list);
    expect(answer).toMatchObject({ code: '000000', data: { sn, nextNode: Node.AwaitingTest } });
    const { asbId } = answer.data;

    const { unit, history } = await readTrace(testApp, sn);
    expect(unit).toMatchObject({ ivyId: Node.AwaitingTest, mtbId, mtbliId });
    expect(history).toMatchObject([{ step: 'assemble', billId: asbId, fromNode: '60', toNode: '70', userId: 'tech' }]);
    expect(await readItem(testApp, mtbliId)).toMatchObject({ powerSn: 'POWER-KNOWN', deliverStatus: '0' });
    const [old, ...now] = await readBindings(sn);
    expect(old).toMatchObject({ componentSn: `OLD-${sn}`, unbindTime: expect.any(Number) });
    expect(now.map((it) => [it.componentSn, it.componentType, it.qrCodeNum, it.unbindTime])).toEqual(
      list.slice(0, 5).map((it) => [it.sn.toUpperCase(), it.component_type, it.qrCodeNum?.toUpperCase() ?? null, null]),
    );
    const bill = await testApp.ask<{ rmaAssembleBillLineList: Record<string, unknown>[] }>(
      'GET',
      '/api/rmaAssembleBill/queryById.json',
      { id: asbId },
      { as: 'tech' },
    );
    expect(bill.data).toMatchObject({ asbId, sn, userId: 'tech' });
    expect(bill.data.rmaAssembleBillLineList).toHaveLength(6);
    expect(bill.data.rmaAssembleBillLineList[0]).toMatchObject({
      sn: 'POWER-KNOWN',
      salesCode: 'PW3',
      salesDescription: 'Power 3',
    });
    expect(bill.data.rmaAssembleBillLineList[5]).toMatchObject({ sn: 'XXXX', qrCodeNum: 'XXXX' });
    expect(await readLedger(testApp, asbId)).toMatchObject([{ what: 'assemble', userId: 'tech' }]);
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('gives parts that the archive does not know a record of their own', async () => {
    const { sn } = await ready();
    const list = parts(1);
    await submit(sn, list);
    const known = await testApp.db
      .selectFrom('ubs_item_object')
      .select('sn')
      .where(
        'sn',
        'in',
        list.map((it) => it.sn.toUpperCase()),
      )
      .execute();
    expect(known).toHaveLength(3);
  });

  it('may bind the same parts to the same device again', async () => {
    const { sn } = await ready();
    const list = parts();
    await submit(sn, list);
    await testApp.db.updateTable('rma_inventory').set({ ivyId: Node.AwaitingAssembly }).where('sn', '=', sn).execute();
    expect((await submit(sn, list)).code).toBe('000000');
    expect((await readBindings(sn)).filter((it) => it.unbindTime === null)).toHaveLength(6);
    await testApp.db.deleteFrom('rma_transaction').where('sn', '=', sn).execute();
  });

  it('is done once: a second one finds the device elsewhere, a repeated one gets the first answer', async () => {
    const { sn } = await ready();
    const asking = { as: 'tech', key: newKey() };
    const list = parts();
    const first = await submit(sn, list, asking);
    expect(await submit(sn, list, asking)).toEqual(first);
    await expectRefused(testApp, '100003', () => submit(sn, list));
    expect((await readTrace(testApp, sn)).history).toHaveLength(1);
  });

  it('binds a part once when two technicians scan it at the same moment', async () => {
    const [one, two] = [await ready(), await ready()];
    const power = { sn: 'POWER-RACE', component_type: 'COIT000000S1' };
    const answers = await Promise.all([one, two].map(({ sn }) => submit(sn, withPart(0, power))));
    expect(answers.map((it) => it.code).toSorted()).toEqual(['000000', '100026']);
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });
});
