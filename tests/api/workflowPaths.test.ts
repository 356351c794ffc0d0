import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Call, InputOf } from '#domain/call.ts';
import { slotsOf } from '#domain/assembly.ts';
import { Node, nodes } from '#domain/nodes.ts';
import { submitBurninBill } from '#features/aging/contract.ts';
import { assemble } from '#features/assemble/contract.ts';
import { check, getScrapRemark } from '#features/check/contract.ts';
import { nofaultConfirm, scrapConfirm } from '#features/confirm/contract.ts';
import { submitDeliverBill } from '#features/deliver/contract.ts';
import { editDeliver } from '#features/edit-delivery/contract.ts';
import { createMaintainBill } from '#features/maintain-bill/contract.ts';
import { submitExamineBill } from '#features/qc/contract.ts';
import { finishReceive, receive } from '#features/receive/contract.ts';
import { repair } from '#features/repair/contract.ts';
import { submitStoreBill } from '#features/store/contract.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { readCodeIds, expectRefused, readTrace } from '#tests/support/guard.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { uploadPicture } from '#tests/support/pictures.ts';

/**
 * Paths through the whole workshop, each step by its call, the node asked of the database after each. Rule: units#nodes.
 */
let testApp: TestApp;
let codes: Record<string, number>;
beforeAll(async () => {
  testApp = await startTestApp();
  codes = await readCodeIds(testApp);
});
afterAll(() => testApp.close());

interface Walker {
  sn: string;
  mtbId: string;
}
let made = 0;

/** A device that waits for its first test, on a bill whose receipt is closed. */
async function arrive(closed = true): Promise<Walker> {
  const sn = `RX19WALK${String(++made).padStart(5, '0')}`;
  await testApp.db
    .insertInto('ubs_item_object')
    .values({ sn, itemId: 1, salesCode: 'RX19', itemName: 'RX19 104T', type: '0', origin: '1' })
    .execute();
  const bill = await testApp.send(
    createMaintainBill,
    {
      receiveShipNo: `SFWALK${made}`,
      userName: '宁远矿业',
      rmaMaintainBillLineList: [{ salesCode: 'RX19', count: 1 }],
    },
    { as: 'office' },
  );
  const walker = { sn, mtbId: bill.data.mtbId };
  await testApp.send(...calls.receive(walker), { as: 'warehouse' });
  if (closed) await testApp.send(finishReceive, { maintainBillId: walker.mtbId }, { as: 'warehouse' });
  return walker;
}

const codeOf = (name: string) => codes[name] as number;
const asked = <C extends Call>(call: C, input: InputOf<C>): [C, InputOf<C>] => [call, input];

/** Every submit of a station for this device. */
const calls = {
  receive: ({ sn, mtbId }: Walker) =>
    asked(receive, {
      mtbId,
      rmaReceiveBillLineRequestList: [{ rmaReceiveBillLineItemRequestList: [{ receiveSn: sn, depreciation: 'B' }] }],
    }),
  check: async ({ sn }: Walker, code = 'FX54') =>
    asked(check, { sn, issueCodeIdList: [codeOf(code)], checkUrls: await uploadPicture(testApp, 'tech') }),
  repair: ({ sn }: Walker) =>
    asked(repair, {
      sn,
      partsList: [{ partsType: '7', repairMethod: '8', issueCodeIdList: [codeOf('RP01')], slot: 'U1' }],
    }),
  assemble: ({ sn }: Walker) =>
    asked(assemble, {
      sn,
      partsList: slotsOf(1).map(({ name, componentType, hasQrCode }) => ({
        sn: `${name}-${sn}`,
        component_type: componentType,
        qrCodeNum: hasQrCode ? 'Q'.repeat(17) : '',
      })),
    }),
  aging: ({ sn }: Walker, code = 'AT00') =>
    asked(submitBurninBill, { rmaBurninBillLineList: [{ sn, icdId: codeOf(code) }] }),
  qc: ({ sn }: Walker, code = 'QC00') =>
    asked(submitExamineBill, { rmaExamineBillLineList: [{ sn, icdId: codeOf(code) }] }),
  store: ({ sn }: Walker) => asked(submitStoreBill, { rmaStoreBillLineList: [{ sn }], packageCount: 20 }),
  deliver: ({ sn }: Walker, skbId = 'SKB0') =>
    asked(submitDeliverBill, { skbId, submitType: '0', rmaDeliverBillLineList: [{ deliverSn: sn, submitCount: 1 }] }),
};
type Station = keyof typeof calls;
const warehouse: readonly Station[] = ['receive', 'store', 'deliver'];
const whoAt = (station: Station) => ({ as: warehouse.includes(station) ? 'warehouse' : 'tech' });

async function go(walker: Walker, station: Station, word?: string) {
  const [call, input] = await calls[station](walker, word as string);
  const answer = await testApp.send(call, input, whoAt(station));
  expect(answer, `${station}: ${answer.msg}`).toMatchObject({ code: '000000' });
  return answer.data as Record<string, unknown>;
}
async function readStatus({ mtbId }: Walker) {
  const bill = await testApp.db
    .selectFrom('rma_maintain_bill')
    .select('billStatus')
    .where('mtbId', '=', mtbId)
    .executeTakeFirstOrThrow();
  return bill.billStatus;
}

/** The counts of the walker's line and the state of its item. */
async function readItem({ mtbId }: Walker) {
  const line = testApp.db
    .selectFrom('rma_maintain_bill_line as l')
    .innerJoin('rma_maintain_bill_line_item as i', 'i.mtblId', 'l.mtblId')
    .select(['i.id', 'l.scrapCount', 'l.deliverCount', 'i.scrap', 'i.deliverStatus']);
  return line.where('l.mtbId', '=', mtbId).executeTakeFirstOrThrow();
}

/** A supervisor's word on what the check proposed. */
async function confirm(
  call: typeof scrapConfirm | typeof nofaultConfirm,
  { sn, mtbId, ckbId }: Walker & { ckbId?: unknown },
  word: Record<string, string>,
) {
  const answer = await testApp.send(call, { sn, mtbId, ckbId: String(ckbId), ...word }, { as: 'supervisor' });
  expect(answer, answer.msg).toMatchObject({ code: '000000' });
  return answer.data;
}

const readNode = async ({ sn }: Walker) => (await readTrace(testApp, sn)).unit?.ivyId;
async function walk(walker: Walker, way: [station: Station, node: Node, word?: string][]) {
  for (const [station, node, word] of way) {
    await go(walker, station, word);
    expect(await readNode(walker), station).toBe(node);
  }
}

describe('a device', () => {
  it('is repaired and delivered, and with it its bill is finished [W-PTH-01]', async () => {
    const walker = await arrive();
    expect(await readNode(walker)).toBe('10');
    await walk(walker, [
      ['check', '50'],
      ['repair', '60'],
      ['assemble', '70'],
      ['aging', '80'],
      ['qc', '90'],
    ]);
    const { skbIdList } = await go(walker, 'store');
    const [skbId] = skbIdList as [string];
    expect(await readNode(walker)).toBe('100');
    expect(await readStatus(walker)).toBe('1');
    await go(walker, 'deliver', skbId);
    expect([await readNode(walker), await readStatus(walker)]).toEqual(['900', '2']);
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('that failed aging is repaired and assembled once more [W-PTH-02]', async () => {
    const walker = await arrive();
    await walk(walker, [
      ['check', '50'],
      ['repair', '60'],
      ['assemble', '70'],
      ['aging', '50', 'AT01'],
      ['repair', '60'],
      ['assemble', '70'],
      ['aging', '80', 'AT00'],
    ]);
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('that failed QC goes back to repair [W-PTH-03]', async () => {
    const walker = await arrive();
    await walk(walker, [
      ['check', '50'],
      ['repair', '60'],
      ['assemble', '70'],
      ['aging', '80'],
      ['qc', '50', 'QC01'],
    ]);
  });

  it('that is scrap is kept, and its bill is finished with it [W-PTH-04]', async () => {
    const walker = await arrive();
    const { ckbId, confirm: proposed } = await go(walker, 'check', 'UM17');
    expect([proposed, await readNode(walker)]).toEqual(['scrap', '10']);
    const [call, input] = await calls.check(walker);
    await expectRefused(testApp, '100008', () => testApp.send(call, input, { as: 'tech' }));
    const word = { scrapStatus: '1', dutySourse: '1', dutySourseRemark: 'burnt' };
    const answer = await confirm(scrapConfirm, { ...walker, ckbId }, word);
    expect(answer).toEqual({ sn: walker.sn, nextNode: '40', billStatus: '2' });
    expect([await readNode(walker), await readStatus(walker)]).toEqual(['40', '2']);
    expect(await readItem(walker)).toMatchObject({ scrapCount: 1, deliverStatus: '3', scrap: '1' });
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('that is scrap and wanted back goes to its owner unrepaired [W-PTH-05]', async () => {
    const walker = await arrive();
    const { id } = await readItem(walker);
    const edited = await testApp.send(editDeliver, { id: String(id), returness: '1' }, { as: 'office' });
    expect(edited.code).toBe('000000');
    const { ckbId } = await go(walker, 'check', 'UM17');
    const word = { scrapStatus: '1', dutySourse: '3', dutySourseRemark: 'burnt' };
    await confirm(scrapConfirm, { ...walker, ckbId }, word);
    expect([await readNode(walker), await readStatus(walker)]).toEqual(['90', '1']);
    const { skbIdList } = await go(walker, 'store');
    expect(await readNode(walker)).toBe('100');
    await go(walker, 'deliver', (skbIdList as [string])[0]);
    expect([await readNode(walker), await readStatus(walker)]).toEqual(['900', '2']);
    expect(await readItem(walker)).toMatchObject({ scrapCount: 1, deliverCount: 1, deliverStatus: '2' });
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('whose scrapping was declined is checked again, with the reason in sight [W-PTH-06]', async () => {
    const walker = await arrive();
    const { ckbId } = await go(walker, 'check', 'UM17');
    await confirm(scrapConfirm, { ...walker, ckbId }, { scrapStatus: '2', declineScrapRemark: '还能修' });
    expect(await readNode(walker)).toBe('10');
    const remark = await testApp.send(getScrapRemark, { sn: walker.sn }, { as: 'tech' });
    expect(remark.data).toEqual({ declineScrapRemark: '还能修', nofaultConfirmRemark: null });
    await walk(walker, [['check', '50', 'FX54']]);
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('without a fault goes to its aging test, or is checked again [W-PTH-07]', async () => {
    const [clean, faulty] = [await arrive(), await arrive()];
    const found = await go(clean, 'check', 'NTF');
    expect([found['confirm'], await readNode(clean)]).toEqual(['nofault', '10']);
    await confirm(nofaultConfirm, { ...clean, ckbId: found['ckbId'] }, { nofaultConfirmStatus: '1' });
    expect(await readNode(clean)).toBe('70');
    await walk(clean, [['aging', '80']]);

    const { ckbId } = await go(faulty, 'check', 'NTF');
    const word = { nofaultConfirmStatus: '2', nofaultConfirmRemark: '不开机' };
    await confirm(nofaultConfirm, { ...faulty, ckbId }, word);
    expect(await readNode(faulty)).toBe('10');
    const why = await testApp.send(getScrapRemark, { sn: faulty.sn }, { as: 'tech' });
    expect(why.data.nofaultConfirmRemark).toBe('不开机');
    await walk(faulty, [['check', '50', 'FX54']]);
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('is taken by no station but its own, at each node of its way from the dock to its delivery [W-PTH-12]', async () => {
    const walker = await arrive(false);
    const open = new Set<Node>(nodes);
    const refusalAt = (station: Station, node: Node) => {
      if (station === 'receive') return node === Node.Shipped ? null : '100009';
      return node === Node.Shipped ? '100005' : '100003';
    };
    const way: [own: Station, node: Node][] = [
      ['check', '10'],
      ['repair', '50'],
      ['assemble', '60'],
      ['aging', '70'],
      ['qc', '80'],
      ['store', '90'],
      ['deliver', '100'],
    ];
    const tryOthers = async (own: Station | null, node: Node) => {
      expect(await readNode(walker)).toBe(node);
      open.delete(node);
      for (const station of Object.keys(calls) as Station[]) {
        const code = refusalAt(station, node);
        if (station === own || code === null) continue;
        const [call, input] = await calls[station](walker);
        await expectRefused(testApp, code, () => testApp.send(call, input, whoAt(station)));
      }
    };
    let skbId = '';
    for (const [own, node] of way) {
      await tryOthers(own, node);
      const data = await go(walker, own, own === 'deliver' ? skbId : undefined);
      skbId = (data['skbIdList'] as string[] | undefined)?.[0] ?? skbId;
    }
    await tryOthers(null, Node.Shipped);
    expect([...open]).toEqual([Node.Scrapped]);
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });
});
