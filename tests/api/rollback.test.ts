import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Call, InputOf } from '#domain/call.ts';
import { slotsOf } from '#domain/assembly.ts';
import { Node } from '#domain/nodes.ts';
import { submitBurninBill } from '#features/aging/contract.ts';
import { assemble } from '#features/assemble/contract.ts';
import { replaceSaleCode, terminate } from '#features/bill-actions/contract.ts';
import { check } from '#features/check/contract.ts';
import { nofaultConfirm, scrapConfirm } from '#features/confirm/contract.ts';
import { rebindSn, submitDeliverBill } from '#features/deliver/contract.ts';
import { editDeliver } from '#features/edit-delivery/contract.ts';
import { createMaintainBill } from '#features/maintain-bill/contract.ts';
import { modifyIvyId } from '#features/node-edit/contract.ts';
import { submitExamineBill } from '#features/qc/contract.ts';
import { finishReceive, receive } from '#features/receive/contract.ts';
import { repair } from '#features/repair/contract.ts';
import { submitStoreBill } from '#features/store/contract.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { heldUnit, proposal, stockMachine, unitOnBill } from '#tests/support/factories.ts';
import { readCodeIds, expectRefused, readLedger, readTrace } from '#tests/support/guard.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { uploadPicture } from '#tests/support/pictures.ts';
import type { Unseen } from '#tests/support/seen.ts';
import { rollbackTransaction } from '#features/rollback/contract.ts';

let testApp: TestApp;
let codes: Record<string, number>;
beforeAll(async () => {
  testApp = await startTestApp();
  codes = await readCodeIds(testApp);
});
afterAll(() => testApp.close());

const admin = { as: 'admin' };
const codeOf = (name: string) => codes[name] as number;

const readLatest = async (sn: string) => String((await readTrace(testApp, sn)).history[0]?.id);
const rollback = (id: string, remark = 'scanned by mistake', asking = admin) =>
  testApp.send(rollbackTransaction, { id, remark }, asking);

async function send<C extends Call>(call: C, input: Unseen<C>, as: string) {
  const answer = await testApp.send(call, input, { as });
  expect(answer, answer.msg).toMatchObject({ code: '000000' });
  return answer.data as Record<string, unknown>;
}

/** What is true of an SN and of its bill, without who wrote it last and how often. */
async function readState(sn: string, mtbId: string) {
  const apart = ['version', 'updateBy', 'updateTime', 'operateStatus', 'deliverSiteId', 'deliverShipId'];
  const rows = async (query: ReturnType<typeof sql>) => {
    const found = (await sql<Record<string, unknown>>`${query}`.execute(testApp.db)).rows;
    return found.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !apart.includes(name))));
  };
  return {
    unit: await rows(sql`SELECT * FROM rma_inventory WHERE sn = ${sn}`),
    items: await rows(sql`SELECT * FROM rma_maintain_bill_line_item WHERE "mtbId" = ${mtbId} ORDER BY id`),
    lines: await rows(sql`SELECT * FROM rma_maintain_bill_line WHERE "mtbId" = ${mtbId} ORDER BY id`),
    bill: await rows(sql`SELECT "billStatus" FROM rma_maintain_bill WHERE "mtbId" = ${mtbId}`),
    parts: await rows(sql`SELECT "deviceSn", "componentSn" FROM ubs_assembly
                           WHERE "deviceSn" = ${sn} AND "unbindTime" IS NULL ORDER BY "componentSn"`),
    tally: await rows(sql`SELECT sn, delivered, b.status, b."allCount" FROM rma_stockup_bill_line AS l
                            JOIN rma_stockup_bill AS b ON b."skbId" = l."skbId" WHERE l."mtbId" = ${mtbId} AND b.status <> '4'`),
    delivered: await rows(sql`SELECT sn FROM rma_deliver_bill_line WHERE "mtbId" = ${mtbId}`),
  };
}

let made = 0;
async function arrive(): Promise<{ sn: string; mtbId: string }> {
  const sn = `RX19BACK${String(++made).padStart(4, '0')}`;
  await testApp.db
    .insertInto('ubs_item_object')
    .values({ sn, itemId: 1, salesCode: 'RX19', itemName: 'RX19 104T', type: '0', origin: '1' })
    .execute();
  const lines = [{ salesCode: 'RX19', count: 1 }];
  const head = { receiveShipNo: `SFBACK${made}`, userName: '宁远矿业' };
  const { mtbId } = await send(createMaintainBill, { ...head, rmaMaintainBillLineList: lines }, 'office');
  return { sn, mtbId: mtbId as string };
}

const parts = (sn: string, mark: string) =>
  slotsOf(1).map(({ name, componentType, hasQrCode }) => ({
    sn: `${name}-${mark}-${sn}`.toUpperCase(),
    component_type: componentType,
    qrCodeNum: hasQrCode ? 'Q'.repeat(17) : '',
  }));

/** Every station's step, as a device goes through the workshop. */
const way = {
  receive: (sn: string, mtbId: string) =>
    send(
      receive,
      {
        mtbId,
        rmaReceiveBillLineRequestList: [{ rmaReceiveBillLineItemRequestList: [{ receiveSn: sn, depreciation: 'B' }] }],
      },
      'warehouse',
    ),
  check: async (sn: string) =>
    send(
      check,
      { sn, issueCodeIdList: [codeOf('FX54')], checkUrls: await uploadPicture(testApp, 'tech'), powerSn: `P-${sn}` },
      'tech',
    ),
  repair: (sn: string) =>
    send(
      repair,
      {
        sn,
        partsList: [{ partsType: '7', repairMethod: '8', issueCodeIdList: [codeOf('RP01')], slot: 'U1' }],
      },
      'tech',
    ),
  assemble: (sn: string, _: string, mark = 'A') => send(assemble, { sn, partsList: parts(sn, mark) }, 'tech'),
  aging: (sn: string) => send(submitBurninBill, { rmaBurninBillLineList: [{ sn, icdId: codeOf('AT00') }] }, 'tech'),
  qc: (sn: string) => send(submitExamineBill, { rmaExamineBillLineList: [{ sn, icdId: codeOf('QC00') }] }, 'tech'),
  store: (sn: string) => send(submitStoreBill, { rmaStoreBillLineList: [{ sn }], packageCount: 20 }, 'warehouse'),
  deliver: async (sn: string) => {
    const line = await testApp.db
      .selectFrom('rma_stockup_bill_line')
      .select('skbId')
      .where('sn', '=', sn)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    const skbId = line.skbId;
    return send(
      submitDeliverBill,
      { skbId, submitType: '0', rmaDeliverBillLineList: [{ deliverSn: sn }] },
      'warehouse',
    );
  },
};

describe('a rollback is refused', () => {
  it('without a token, without the right, without a remark, of a step that nobody knows [W-EVT-37]', async () => {
    const { sn, mtbId } = await arrive();
    await way.receive(sn, mtbId);
    const id = await readLatest(sn);
    await expectRefused(testApp, '401', () => testApp.send(rollbackTransaction, { id, remark: 'x' }));
    for (const as of ['tech', 'supervisor', 'office', 'aftersales']) {
      await expectRefused(testApp, '100013', () => rollback(id, 'x', { as }));
    }
    await expectRefused(testApp, '100001', () => rollback(id, '  '));
    await expectRefused(testApp, '100001', () => rollback('', 'x'));
    await expectRefused(testApp, '100002', () => rollback('987654321', 'x'));
  });

  it("of another site's step, as if it did not exist [W-EVT-37]", async () => {
    await testApp.db.insertInto('role_right').values({ roleId: 'office', right: 'rmaTransaction:rollback' }).execute();
    const { sn } = await unitOnBill(testApp.db, { node: Node.AwaitingRepair, siteId: 'NB' });
    await testApp.send(modifyIvyId, { sn, ivyId: '60' }, admin);
    const id = await readLatest(sn);
    await expectRefused(testApp, '100002', () => rollback(id, 'x', { as: 'office' }));
    await testApp.db.deleteFrom('role_right').where('right', '=', 'rmaTransaction:rollback').execute();
  });

  it('a second time, in the words of the specification [P-MOD-03] [W-EVT-37]', async () => {
    const { sn, mtbId } = await arrive();
    await way.receive(sn, mtbId);
    await way.check(sn);
    const id = await readLatest(sn);
    expect((await rollback(id)).code).toBe('000000');
    const again = await expectRefused(testApp, '100014', () => rollback(id));
    expect(again.msg).toBe('The transaction has been rolled back, repeat not allowed');
    await expectRefused(testApp, '100014', () => readLatest(sn).then((own) => rollback(own)));
  });

  it('of a step after which something else was done [W-EVT-37]', async () => {
    const { sn, mtbId } = await arrive();
    await way.receive(sn, mtbId);
    const first = await readLatest(sn);
    await way.check(sn);
    const answer = await expectRefused(testApp, '100025', () => rollback(first));
    expect(answer.msg).toContain('Check');
  });

  it('of an assembly whose former part is in another device by now [W-EVT-37]', async () => {
    const { sn, mtbId } = await arrive();
    for (const step of ['receive', 'check', 'repair', 'assemble'] as const) await way[step](sn, mtbId);
    await send(submitBurninBill, { rmaBurninBillLineList: [{ sn, icdId: codeOf('AT01') }] }, 'tech');
    await way.repair(sn);
    await way.assemble(sn, mtbId, 'B');
    const id = await readLatest(sn);
    const board = parts(sn, 'A')[0]?.sn as string;
    await testApp.db.insertInto('ubs_assembly').values({ deviceSn: 'ELSEWHERE', componentSn: board }).execute();
    await expectRefused(testApp, '100026', () => rollback(id));
    await testApp.db.deleteFrom('ubs_assembly').where('deviceSn', '=', 'ELSEWHERE').execute();
    const before = (await readTrace(testApp, sn)).unit?.ivyId;
    expect((await rollback(id)).code).toBe('000000');
    expect([before, (await readTrace(testApp, sn)).unit?.ivyId]).toEqual(['70', '60']);
    const bound = await readState(sn, mtbId);
    expect(bound.parts.map((it) => it['componentSn'])).toEqual(
      parts(sn, 'A')
        .map((it) => it.sn)
        .toSorted(),
    );
  });
});

/** A board of the stock on a shelf of its own. */
const stockBoard = async (more: object = {}) => {
  const sn = `HB19BACK${String(++made).padStart(9, '0')}`;
  await stockMachine(testApp.db, Node.CanShip, { sn, type: '1', salesCode: 'HB19', ...onShelf, ...more });
  return sn;
};
const onShelf = { subinventoryCode: 'FG2', storageType: '0' };
const unitNow = async (sn: string) => (await readTrace(testApp, sn)).unit;

describe('parts of the stock', () => {
  const withBoard = (sn: string, mark: string, board: string) =>
    parts(sn, mark).map((it, i) => (i === 2 ? { ...it, sn: board } : it));
  async function toAssembly() {
    const { sn, mtbId } = await arrive();
    for (const step of ['receive', 'check', 'repair'] as const) await way[step](sn, mtbId);
    return sn;
  }

  it('lie where they lay when the assembly that took them is rolled back, and only with it [W-EVT-37]', async () => {
    const [sn, board] = [await toAssembly(), await stockBoard()];
    await send(assemble, { sn, partsList: withBoard(sn, 'A', board) }, 'tech');
    const latest = await readLatest(board);
    const alone = await expectRefused(testApp, '100025', () => rollback(latest));
    expect(alone.msg).toContain(`goes with device ${sn}`);
    expect((await rollback(await readLatest(sn))).code).toBe('000000');
    expect(await unitNow(board)).toMatchObject({ ivyId: '100', siteId: 'SZ', mtbId: null, ...onShelf });
    expect((await readTrace(testApp, board)).history).toMatchObject([
      { step: 'rollback', fromNode: null, toNode: '100', operateStatus: 'Rollbacked' },
      { step: 'assemble', fromNode: '100', toNode: null, operateStatus: 'Rollbacked' },
    ]);
    expect((await readState(sn, '')).parts).toEqual([]);
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('go back to their shelf with the make-up that took them [W-EVT-37]', async () => {
    const [{ sn }, board] = [await unitOnBill(testApp.db, { node: Node.CanShip }), await stockBoard()];
    await send(rebindSn, { sn, partsList: withBoard(sn, 'A', board) }, 'warehouse');
    expect((await rollback(await readLatest(sn))).code).toBe('000000');
    expect(await unitNow(board)).toMatchObject({ ivyId: '100', ...onShelf });
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('go back with the repair that put them in, as what it took out does; neither goes alone [W-EVT-37]', async () => {
    const { sn, mtbId } = await arrive();
    for (const step of ['receive', 'check'] as const) await way[step](sn, mtbId);
    const [old, now] = [`HB19OLD${String(++made).padStart(10, '0')}`, await stockBoard()];
    await testApp.db
      .insertInto('ubs_assembly')
      .values({ deviceSn: sn, componentSn: old, componentType: 'COIT000000S0', bindTime: new Date() })
      .execute();
    const row = { partsType: '7', repairMethod: '2', issueCodeIdList: [codeOf('RP01')], slot: 'U1' };
    await send(repair, { sn, partsList: [{ ...row, sn: old, replaceSn: now }] }, 'tech');
    for (const part of [old, now])
      await expectRefused(testApp, '100025', () => readLatest(part).then((id) => rollback(id)));
    expect((await rollback(await readLatest(sn))).code).toBe('000000');
    expect(await unitNow(now)).toMatchObject({ ivyId: '100', ...onShelf });
    expect(await unitNow(old)).toMatchObject({ ivyId: null });
    expect((await readState(sn, mtbId)).parts).toEqual([{ deviceSn: sn, componentSn: old }]);
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it.each([
    ['may be shipped', async (sn: string) => void (await send(modifyIvyId, { sn, ivyId: Node.CanShip }, 'admin'))],
    ['is scrap', async (sn: string) => void (await send(modifyIvyId, { sn, ivyId: Node.Scrapped }, 'admin'))],
  ])('are bound again by no rollback once a former one %s [W-EVT-37]', async (_, goesOn) => {
    const [sn, board] = [await toAssembly(), await stockBoard()];
    await send(assemble, { sn, partsList: withBoard(sn, 'A', board) }, 'tech');
    await send(submitBurninBill, { rmaBurninBillLineList: [{ sn, icdId: codeOf('AT01') }] }, 'tech');
    await way.repair(sn);
    await way.assemble(sn, '', 'B');
    await goesOn(board);
    await expectRefused(testApp, '100025', () => readLatest(sn).then((id) => rollback(id)));
    expect((await rollback(await readLatest(board))).code).toBe('000000');
    expect((await rollback(await readLatest(sn))).code).toBe('000000');
    expect((await readState(sn, '')).parts).toContainEqual({ deviceSn: sn, componentSn: board });
    expect(await unitNow(board)).toMatchObject({ ivyId: null });
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });
});

describe('a rollback makes everything as it was before', () => {
  it('each station’s step, from delivery back to the dock [P-MOD-02] [W-EVT-37]', async () => {
    const { sn, mtbId } = await arrive();
    const before: Awaited<ReturnType<typeof readState>>[] = [];
    const steps = Object.keys(way) as (keyof typeof way)[];
    for (const step of steps) {
      before.push(await readState(sn, mtbId));
      await way[step](sn, mtbId);
      if (step === 'receive') await send(finishReceive, { maintainBillId: mtbId }, 'warehouse');
    }
    const { history } = await readTrace(testApp, sn);
    expect((await readState(sn, mtbId)).bill).toEqual([{ billStatus: '2' }]);
    const normal = history.filter((it) => it.operateStatus === 'Normal');
    for (const [i, step] of [...steps.entries()].toReversed()) {
      const id = String(normal[steps.length - 1 - i]?.id);
      const answer = await rollback(id);
      expect(answer, `${step}: ${answer.msg}`).toMatchObject({ code: '000000', data: { sn } });
      expect(await brokenInvariants(testApp.db), step).toEqual([]);
      const now = await readState(sn, mtbId);
      if (step === 'receive') {
        expect(now.unit[0]).toMatchObject({ ivyId: null, mtbId: null });
        expect(now.bill).toEqual([{ billStatus: '3' }]);
        expect(now.items[0]).toMatchObject({ receiveStatus: '2', receiveSn: null });
      } else {
        expect(step === 'check' ? { ...now, bill: [] } : now, step).toEqual(
          step === 'check' ? { ...before[i], bill: [] } : before[i],
        );
      }
    }
    const last = (await readTrace(testApp, sn)).history;
    expect(last).toHaveLength(steps.length * 2);
    expect(last.every((it) => it.operateStatus === 'Rollbacked')).toBe(true);
    expect(last[0]).toMatchObject({ step: 'rollback', note: 'scanned by mistake', userId: 'admin' });
  });

  it('a device knows the power of its own check, not that of a device whose power it was taken for [W-EVT-37]', async () => {
    const [{ sn, mtbId }, other] = [await arrive(), await arrive()];
    for (const step of ['receive', 'check', 'repair'] as const) await way[step](sn, mtbId);
    await way.receive(other.sn, other.mtbId);
    const power = { powerSn: sn, powerIssueCodeList: [codeOf('FX01')] };
    await send(check, { sn: other.sn, issueCodeIdList: [codeOf('FX01')], ...power }, 'tech');
    await way.assemble(sn, mtbId);
    expect((await rollback(await readLatest(sn))).code).toBe('000000');
    expect((await readState(sn, mtbId)).items).toMatchObject([{ powerSn: `P-${sn}` }]);
  });

  it('a proposed scrap is held no more, and the same unit can be checked again [W-EVT-37]', async () => {
    const { sn, mtbId } = await arrive();
    await way.receive(sn, mtbId);
    await send(
      check,
      { sn, issueCodeIdList: [codeOf('UM17')], checkUrls: await uploadPicture(testApp, 'tech') },
      'tech',
    );
    const checkUrls = await uploadPicture(testApp, 'tech');
    await expectRefused(testApp, '100008', () =>
      testApp.send(check, { sn, issueCodeIdList: [codeOf('FX54')], checkUrls }, { as: 'tech' }),
    );
    expect((await rollback(await readLatest(sn))).code).toBe('000000');
    await way.check(sn);
    expect((await readTrace(testApp, sn)).unit?.ivyId).toBe('50');
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('the bill shows that its latest step was rolled back, until the next one [P-MOD-01] [W-EVT-37]', async () => {
    const { sn, mtbId } = await arrive();
    await way.receive(sn, mtbId);
    await way.check(sn);
    const id = await readLatest(sn);
    await rollback(id);
    const shown = async () =>
      (
        await testApp.db
          .selectFrom('rma_maintain_bill')
          .select('operateStatus')
          .where('mtbId', '=', mtbId)
          .executeTakeFirstOrThrow()
      ).operateStatus;
    expect(await shown()).toBe('Rollbacked');
    expect(await readLedger(testApp, id)).toMatchObject([{ what: 'rollback', module: 'rmaTransaction' }]);
    await way.check(sn);
    expect(await shown()).toBe('Normal');
  });

  const words = {
    'a scrap that was kept': [scrapConfirm, { scrapStatus: '1', dutySourse: '1', dutySourseRemark: 'water' }, '40'],
    'a scrap that goes back': [scrapConfirm, { scrapStatus: '1', dutySourse: '1', dutySourseRemark: 'water' }, '90'],
    'a scrap that was declined': [scrapConfirm, { scrapStatus: '2', declineScrapRemark: 'look again' }, '10'],
    'a no-fault': [nofaultConfirm, { nofaultConfirmStatus: '1' }, '70'],
    'a no-fault that was declined': [
      nofaultConfirm,
      { nofaultConfirmStatus: '2', nofaultConfirmRemark: 'it does not start' },
      '10',
    ],
  } as const;
  it.each(Object.entries(words))(
    '%s waits for its supervisor again, and its bill is open [W-EVT-37]',
    async (_, word) => {
      const [call, said, node] = word;
      const item = { returness: node === '90' ? '1' : '0' };
      const kind = call === scrapConfirm ? 'scrap' : 'nofault';
      const { sn, mtbId, ckbId } = await heldUnit(testApp.db, kind, { item });
      const before = [await readState(sn, mtbId), await readLine(ckbId)];
      await send(call, { sn, mtbId, ckbId, ...said }, 'supervisor');
      expect((await readTrace(testApp, sn)).unit?.ivyId).toBe(node);
      expect((await readState(sn, mtbId)).bill).toEqual([{ billStatus: node === '40' ? '2' : '1' }]);
      expect((await rollback(await readLatest(sn))).code).toBe('000000');
      expect([await readState(sn, mtbId), await readLine(ckbId)]).toEqual(before);
      const checkUrls = await uploadPicture(testApp, 'tech');
      await expectRefused(testApp, '100008', () =>
        testApp.send(check, { sn, issueCodeIdList: [codeOf('FX54')], checkUrls }, { as: 'tech' }),
      );
      await send(call, { sn, mtbId, ckbId, ...said }, 'supervisor');
      expect(await brokenInvariants(testApp.db)).toEqual([]);
    },
  );

  it('an item is promised again what it was before a machine went for it [W-EVT-37]', async () => {
    const { sn, mtbId } = await arrive();
    for (const step of Object.keys(way) as (keyof typeof way)[]) {
      if (step !== 'deliver') await way[step](sn, mtbId);
    }
    const { mtbliId } = await testApp.db
      .selectFrom('rma_inventory')
      .select('mtbliId')
      .where('sn', '=', sn)
      .executeTakeFirstOrThrow();
    const promise = { salesCode: 'RX21', replaceFlag: '0', salesCodeCount: 1 };
    const rmaMaintainBillLineItemList = [{ mtbliId: mtbliId as string }];
    await send(replaceSaleCode, { rmaMaintainBillLineItemList, ...promise }, 'admin');
    const before = await readState(sn, mtbId);
    expect(before.items[0]).toMatchObject({ exchange: '1', deliverSalesCode: 'RX21' });
    const { skbId } = await readTally(sn);
    const another = await stockMachine(testApp.db, Node.CanShip, { salesCode: 'RX21', itemName: 'RX21' });
    const rmaDeliverBillLineList = [{ deliverSn: another }];
    await send(submitDeliverBill, { skbId: skbId, submitType: '0', rmaDeliverBillLineList }, 'warehouse');
    expect((await readState(sn, mtbId)).items[0]).toMatchObject({ deliverStatus: '2', deliverSn: another });
    const standsAt = (ivyId: string | null) =>
      testApp.db.updateTable('rma_inventory').set({ ivyId }).where('sn', '=', sn).execute();
    const { sn: deviceSn } = await unitOnBill(testApp.db, { node: Node.AwaitingTest });
    await testApp.db
      .insertInto('ubs_assembly')
      .values({ deviceSn, componentSn: another, bindTime: new Date() })
      .execute();
    await expectRefused(testApp, '100026', () => readLatest(another).then((id) => rollback(id)));
    await testApp.db.deleteFrom('ubs_assembly').where('componentSn', '=', another).execute();
    // Its own unit is stock, and may have gone into a device.
    await standsAt(null);
    await expectRefused(testApp, '100025', () => readLatest(another).then((id) => rollback(id)));
    await standsAt(Node.CanShip);
    expect((await rollback(await readLatest(another))).code).toBe('000000');
    expect(await readState(sn, mtbId)).toEqual(before);

    await send(modifyIvyId, { sn, ivyId: Node.Shipped }, 'admin');
    expect((await rollback(await readLatest(sn))).code).toBe('000000');
    expect((await readState(sn, mtbId)).items[0]).toMatchObject({ exchange: '1', deliverSalesCode: 'RX21' });
  });

  const everyStep = Object.keys(way) as (keyof typeof way)[];
  const stored = async () => {
    const unit = await arrive();
    for (const step of everyStep) if (step !== 'deliver') await way[step](unit.sn, unit.mtbId);
    await send(finishReceive, { maintainBillId: unit.mtbId }, 'warehouse');
    return unit;
  };

  it.each([Node.Scrapped, Node.CanShip, Node.AwaitingRepair])(
    'a delivery whose unit was put to %s since, once that is taken back too [W-EVT-37]',
    async (node) => {
      const { sn, mtbId } = await stored();
      const onShelf = await readState(sn, mtbId);
      await way.deliver(sn);
      const delivery = await readLatest(sn);
      const delivered = await readState(sn, mtbId);
      await send(modifyIvyId, { sn, ivyId: node }, 'admin');
      expect((await rollback(await readLatest(sn))).code).toBe('000000');
      expect(await readState(sn, mtbId)).toEqual(delivered);
      expect(await brokenInvariants(testApp.db)).toEqual([]);
      const answer = await rollback(delivery);
      expect(answer, answer.msg).toMatchObject({ code: '000000' });
      expect(await readState(sn, mtbId)).toEqual(onShelf);
      expect(await brokenInvariants(testApp.db)).toEqual([]);
    },
  );

  it('a node edit of what had left, not once its stock-up bill was cancelled [W-EVT-37]', async () => {
    const [gone, waiting] = [await stored(), await stored()];
    const { skbId } = await readTally(gone.sn);
    const { skbId: emptied } = await readTally(waiting.sn);
    await testApp.db.updateTable('rma_stockup_bill_line').set({ skbId }).where('sn', '=', waiting.sn).execute();
    await testApp.db.updateTable('rma_stockup_bill').set({ status: '4' }).where('skbId', '=', emptied).execute();
    await testApp.db
      .updateTable('rma_maintain_bill_line_item')
      .set({ deliverMtbId: gone.mtbId })
      .where('mtbId', '=', waiting.mtbId)
      .execute();
    await way.deliver(gone.sn);
    await send(modifyIvyId, { sn: gone.sn, ivyId: Node.AwaitingRepair }, 'admin');
    const bills = testApp.db.updateTable('rma_stockup_bill').where('skbId', '=', skbId);
    await bills.set({ status: '4' }).execute();
    const before = await readState(gone.sn, gone.mtbId);
    await expectRefused(testApp, '100025', async () => rollback(await readLatest(gone.sn)));
    expect(await readState(gone.sn, gone.mtbId)).toEqual(before);
    await bills.set({ status: '0' }).execute();
    expect((await rollback(await readLatest(gone.sn))).code).toBe('000000');
    expect(await readTally(gone.sn)).toMatchObject({ skbId, delivered: '1' });
  });

  it('a node edit of what had left, not once another machine has left for its item [W-EVT-37]', async () => {
    const { sn, mtbId } = await stored();
    const { mtbliId } = (await item(mtbId)) as { mtbliId: string };
    await way.deliver(sn);
    await send(modifyIvyId, { sn, ivyId: Node.CanShip }, 'admin');
    await testApp.db
      .updateTable('rma_maintain_bill_line_item')
      .set({ exchange: '1', deliverSalesCode: 'RX21' })
      .where('mtbliId', '=', mtbliId)
      .execute();
    const { skbId } = await readTally(sn);
    const another = await stockMachine(testApp.db, Node.CanShip, { salesCode: 'RX21', itemName: 'RX21' });
    const rmaDeliverBillLineList = [{ deliverSn: another }];
    await send(submitDeliverBill, { skbId: skbId, submitType: '0', rmaDeliverBillLineList }, 'warehouse');
    const before = await readState(sn, mtbId);
    expect(before.unit).toMatchObject([{ ivyId: Node.CanShip, mtbId: null }]);
    const edited = await readLatest(sn);
    await expectRefused(testApp, '100025', () => rollback(edited));
    expect(await readState(sn, mtbId)).toEqual(before);
    expect((await rollback(await readLatest(another))).code).toBe('000000');
    expect((await rollback(edited)).code).toBe('000000');
    expect((await readTrace(testApp, sn)).unit).toMatchObject({ ivyId: Node.Shipped, mtbId });
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  const item = (mtbId: string) =>
    testApp.db
      .selectFrom('rma_maintain_bill_line_item')
      .selectAll()
      .where('mtbId', '=', mtbId)
      .executeTakeFirstOrThrow();
  const edit = async (mtbId: string, asked: InputOf<typeof editDeliver>) =>
    send(editDeliver, { ...asked, id: (await item(mtbId)).mtbliId }, 'admin');

  it.each([
    ['a node edit', ({ sn }: { sn: string }) => send(modifyIvyId, { sn, ivyId: Node.AwaitingRepair }, 'admin')],
    ['a force close', ({ mtbId }: { mtbId: string }) => send(terminate, { mtbId, discardInHouse: '1' }, 'admin')],
  ])('%s of what is not to ship yet: it waits on its shelf as before [W-EVT-37]', async (_, action) => {
    const unit = await stored();
    await edit(unit.mtbId, { deliverStatus: '0' });
    const before = await readState(unit.sn, unit.mtbId);
    expect(before).toMatchObject({ items: [{ deliverStatus: '0', stockup: '0' }], tally: [] });
    await action(unit);
    expect((await rollback(await readLatest(unit.sn))).code).toBe('000000');
    expect(await readState(unit.sn, unit.mtbId)).toEqual(before);
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('a node edit, but what the office has paused since stays paused, and what it has freed goes [W-EVT-37]', async () => {
    const { sn, mtbId } = await stored();
    await send(modifyIvyId, { sn, ivyId: Node.AwaitingRepair }, 'admin');
    await edit(mtbId, { deliverPriority: '2' });
    expect((await rollback(await readLatest(sn))).code).toBe('000000');
    expect(await item(mtbId)).toMatchObject({ deliverStatus: '0', stockup: '0' });
    await send(modifyIvyId, { sn, ivyId: Node.AwaitingRepair }, 'admin');
    await edit(mtbId, { deliverPriority: '0' });
    expect((await rollback(await readLatest(sn))).code).toBe('000000');
    expect(await item(mtbId)).toMatchObject({ deliverStatus: '1', stockup: '1' });
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('a delivery of what the office has paused since: it waits on its shelf and stays paused [W-EVT-37]', async () => {
    const { sn, mtbId } = await stored();
    await way.deliver(sn);
    const delivery = await readLatest(sn);
    await send(modifyIvyId, { sn, ivyId: Node.CanShip }, 'admin');
    await edit(mtbId, { deliverPriority: '2' });
    expect((await rollback(await readLatest(sn))).code).toBe('000000');
    expect((await rollback(delivery)).code).toBe('000000');
    expect(await item(mtbId)).toMatchObject({ deliverPriority: '2', deliverStatus: '0', stockup: '0' });
    await edit(mtbId, { deliverPriority: '0' });
    expect(await item(mtbId)).toMatchObject({ deliverStatus: '1', stockup: '1' });
    await way.deliver(sn);
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('a stock machine that was scrapped lies where it lay', async () => {
    const sn = await stockMachine(testApp.db, Node.AwaitingCheck, { storageType: '1' });
    const ckbId = await proposal(testApp.db, 'scrap', { sn });
    const word = { scrapStatus: '1', dutySourse: '0', dutySourseRemark: 'burnt' };
    await send(scrapConfirm, { sn, ckbId, ...word }, 'supervisor');
    expect((await readTrace(testApp, sn)).unit).toMatchObject({ ivyId: '40', storageType: '2' });
    expect((await rollback(await readLatest(sn))).code).toBe('000000');
    expect((await readTrace(testApp, sn)).unit).toMatchObject({ ivyId: '10', storageType: '1' });
  });
});

const readTally = (sn: string) =>
  testApp.db
    .selectFrom('rma_stockup_bill_line')
    .selectAll()
    .where('sn', '=', sn)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();

async function readLine(ckbId: string) {
  const {
    version: _,
    updateBy: _by,
    updateTime: _at,
    ...line
  } = await testApp.db
    .selectFrom('rma_check_bill_line')
    .selectAll()
    .where('ckbId', '=', ckbId)
    .executeTakeFirstOrThrow();
  return line;
}
