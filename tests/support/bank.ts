import { expect } from 'vitest';
import { receiveWafers } from '#features/order-output/contract.ts';
import { merge, rollbackLot, rollbackMany } from '#features/wip-actions/contract.ts';
import { done, editBillStatus, sendSwitch } from '#features/work-order-actions/contract.ts';
import * as orders from '#features/work-orders/contract.ts';
import type { TestApp } from '#tests/support/app.ts';
import { bumpingHead, findChipFaults, good, openYard, packingHead } from '#tests/support/chips.ts';
import { meet } from '#tests/support/faults.ts';
import { isLockWaited } from '#tests/support/locks.ts';

type Yard = ReturnType<typeof openYard>;

/** Two lots that may be merged, one that nobody used, orders in every state, and what each has of the lots. */
async function openBank(yard: Yard, lot: string) {
  const wafers = await yard.ordered(8);
  const one = await yard.come(wafers, lot, '01-04');
  const two = await yard.come(wafers, lot, '05-06');
  const spare = await yard.come(wafers, lot, '07');
  const draft = String((await yard.bumpingOf(one, '1', ['02'])).data.id);
  const sent = await yard.bumping(one, '1', ['01']);
  const packing = await yard.assembly([{ wipId: two, waferId: '05' }]);
  const packed = await yard.record('icopAssemblyWorkOrder', { id: packing, positions: [good(two, 60, 0, 'G')] });
  const device = packed.data.wipIds[0] as string;
  const testing = await yard.finalTest('1', [{ wipId: device, group: 1, bin: 'G', chipQty: 40 }]);
  return { wafers, lot, one, two, spare, draft, sent, packing, device, testing };
}
type Bank = Awaited<ReturnType<typeof openBank>>;

type Send = (testApp: TestApp, bank: Bank, yard: Yard, as: string) => Promise<{ code: string }>;
const bumpingCp = 'icopBumpingCpWorkOrder';
const undoNewest =
  (lot: 'one' | 'two' | 'spare' | 'device'): Send =>
  async (testApp, bank, yard) =>
    testApp.send(rollbackLot, { id: await yard.latest(bank[lot]), remark: 'mistyped' }, { as: 'admin' });

interface BankCall {
  /** The orders and lots that it looks at. */
  of: readonly (keyof Bank)[];
  path: string;
  send: Send;
}

/** Every call that changes the bank, by what it is called in a sentence. */
export const bankCalls: Record<string, BankCall> = {
  'a bumping order': {
    of: ['one'],
    path: orders.createBumpingCpOrder.path,
    send: (testApp, { one }, _, as) => {
      const input = { ...bumpingHead, processType: '1', waferPn: 'P1', waferList: [{ wipId: one, waferId: '03' }] };
      return testApp.send(orders.createBumpingCpOrder, input, { as });
    },
  },
  'an assembly order': {
    of: ['one', 'two'],
    path: orders.createAssemblyOrder.path,
    send: (testApp, { one, two }, _, as) => {
      const waferList = [two, one].map((wipId) => ({ wipId, waferId: wipId === one ? '03' : '06', inputQty: 60 }));
      const input = { ...packingHead, processType: '1', waferPn: 'P1', devicePn: 'D1', waferList };
      return testApp.send(orders.createAssemblyOrder, input, { as });
    },
  },
  'a final test': {
    of: ['device'],
    path: orders.createFtOrder.path,
    send: (testApp, { device }, _, as) => {
      const line = { wipId: device, group: 1, bin: 'G', ftTestProgram: 'FT1' };
      const input = { ...packingHead, processType: '1', ftType: '1', devicePn: 'D1', ftWorkOrderLineGroupList: [line] };
      return testApp.send(orders.createFtOrder, input, { as });
    },
  },
  'wafers that come': {
    of: ['wafers'],
    path: receiveWafers.path,
    send: (testApp, { wafers, lot }, _, as) =>
      testApp.send(receiveWafers, { id: wafers, waferLotId: lot, waferIds: '08', dies: 100 }, { as }),
  },
  'a report of bumping': {
    of: ['sent', 'one'],
    path: `/api/${bumpingCp}/recordOutput.json`,
    send: (_, { sent, one }, yard, as) =>
      yard.record(bumpingCp, { id: sent, positions: [good(`${one}/01`, 80, 20)] }, { as }),
  },
  'a report of assembly': {
    of: ['packing', 'two'],
    path: '/api/icopAssemblyWorkOrder/recordOutput.json',
    send: (_, { packing, two }, yard, as) =>
      yard.record('icopAssemblyWorkOrder', { id: packing, positions: [good(two, 30, 10, 'G')] }, { as }),
  },
  'a report of a final test': {
    of: ['testing', 'device'],
    path: '/api/icopFtWorkOrder/recordOutput.json',
    send: (_, { testing }, yard, as) =>
      yard.record('icopFtWorkOrder', { id: testing, positions: [good('1', 35, 5, '1')] }, { as }),
  },
  'a draft that is sent': {
    of: ['draft'],
    path: sendSwitch(bumpingCp).path,
    send: (testApp, { draft }, _, as) => testApp.send(sendSwitch(bumpingCp), { id: draft }, { as }),
  },
  'a draft that holds other wafers': {
    of: ['draft', 'one'],
    path: orders.modifyBumpingCpLines.path,
    send: (testApp, { draft, one }, _, as) => {
      const input = { id: draft, waferList: [{ wipId: one, waferId: '03', inputQty: 40 }] };
      return testApp.send(orders.modifyBumpingCpLines, input, { as });
    },
  },
  'a draft that gets another supplier': {
    of: ['draft', 'one'],
    path: orders.modifyBumpingCpLines.path,
    send: (testApp, { draft }, _, as) => {
      const input = { id: draft, supplierId: 'S2', linesGo: true, waferList: [] };
      return testApp.send(orders.modifyBumpingCpLines, input, { as });
    },
  },
  'an order that is taken back': {
    of: ['sent'],
    path: sendSwitch(bumpingCp).path,
    send: (testApp, { sent }, _, as) => testApp.send(sendSwitch(bumpingCp), { id: sent }, { as }),
  },
  'an order that is closed': {
    of: ['packing'],
    path: done('icopAssemblyWorkOrder').path,
    send: (testApp, { packing }, _, as) => testApp.send(done('icopAssemblyWorkOrder'), { id: packing }, { as }),
  },
  'an order that is cancelled': {
    of: ['sent', 'one'],
    path: editBillStatus(bumpingCp).path,
    send: (testApp, { sent }, _, as) => testApp.send(editBillStatus(bumpingCp), { id: sent, billStatus: '4' }, { as }),
  },
  'a test that is cancelled': {
    of: ['testing', 'device'],
    path: editBillStatus('icopFtWorkOrder').path,
    send: (testApp, { testing }, _, as) =>
      testApp.send(editBillStatus('icopFtWorkOrder'), { id: testing, billStatus: '4' }, { as }),
  },
  'a merge': {
    of: ['one', 'two', 'spare'],
    path: merge.path,
    send: async (testApp, { one, two, spare }, yard, as) =>
      testApp.send(merge, { id: String((await yard.lotRow(two)).id), wipIds: `${spare},${one}` }, { as }),
  },
  'a rollback of what an order took': { of: ['sent', 'one'], path: rollbackLot.path, send: undoNewest('one') },
  'a rollback of what a test took': { of: ['testing', 'device'], path: rollbackLot.path, send: undoNewest('device') },
  'a rollback of all that an order reported': {
    of: ['packing', 'device', 'testing'],
    path: rollbackMany.path,
    send: async (testApp, { device, packing }) => {
      const { db } = testApp;
      const order = db.selectFrom('icop_assembly_work_order').select('workOrderNo').where('id', '=', Number(packing));
      const { workOrderNo } = await order.executeTakeFirstOrThrow();
      const entries = await db
        .selectFrom('icop_transaction')
        .select(['id', 'version'])
        .where('operateStatus', '=', 'Normal')
        .where((it) =>
          it.or([
            it('wipId', '=', device),
            it.and([it('workOrderNo', '=', workOrderNo), it('transactionType', '<>', 'RESERVE')]),
          ]),
        )
        .execute();
      const ids = entries.map((it) => it.id);
      const versions = Object.fromEntries(entries.map((it) => [it.id, it.version]));
      // The order may have reported nothing that stands.
      return testApp.send(rollbackMany, { ids: ids.length > 0 ? ids : [1], versions, remark: 'all' }, { as: 'admin' });
    },
  },
  'a rollback of what came': { of: ['wafers', 'spare'], path: rollbackLot.path, send: undoNewest('spare') },
};

/** The calls that share an order or a lot with this one, itself among them. */
export const rivalsOf = (name: string): string[] =>
  Object.keys(bankCalls).filter((it) => bankCalls[it]?.of.some((one) => bankCalls[name]?.of.includes(one)));

/** What each call does in one bank, in its own words; a bank is made for each meeting. */
export function openBanks(testApp: TestApp) {
  const yard = openYard(testApp);
  let made = 0;
  /**
   * Two calls on one bank: the first is held before the statement that `holds` chooses. Whoever is refused, every die is
   * somewhere afterwards and nobody waited in a circle.
   */
  const together = async (first: string, second: string, holds: (text: string) => boolean) => {
    const bank = await openBank(yard, `BANK${++made}`);
    const ask = (name: string, as: string) => () =>
      (bankCalls[name] as BankCall).send(testApp, bank, yard, as).then((it) => it.code);
    const waits = () => isLockWaited(testApp.db);
    const { answers, deadlocks } = await meet({ waits, holds }, ask(first, 'planner'), ask(second, 'admin'));
    const told = `${first}, then ${second}: ${answers.join(' and ')}`;
    for (const it of answers) expect(it, told).toMatch(/^(000000|1000\d\d)$/);
    expect({ faults: await findChipFaults(testApp.db), deadlocks }, told).toEqual({ faults: [], deadlocks: 0 });
    return answers;
  };
  return { together };
}
