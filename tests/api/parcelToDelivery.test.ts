import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Node } from '#domain/nodes.ts';
import { startTestApp, type Answer, type TestApp } from '#tests/support/app.ts';
import { uploadPicture } from '#tests/support/pictures.ts';

/** Two devices of one bill, from the parcel to their delivery, over HTTP alone; what a workshop does in two days. */
let testApp: TestApp;
const sns = ['RX19P4A26110K0101', 'RX19P4A26110K0102'] as const;
const codes: Record<string, number> = {};

beforeAll(async () => {
  testApp = await startTestApp();
  await testApp.db
    .insertInto('ubs_item_object')
    .values(sns.map((sn) => ({ sn, itemId: 1, salesCode: 'RX19', itemName: 'RX19 104T', type: '0', origin: '1' })))
    .execute();
  for (const it of await testApp.db.selectFrom('ubs_issue_code').select(['code', 'codeId']).execute()) {
    codes[it.code ?? ''] = it.codeId ?? 0;
  }
});
afterAll(() => testApp.close());

const post = async (as: string, path: string, input: unknown) => {
  const answer = await testApp.ask<Record<string, never>>('POST', path, input, { as });
  expect(answer, `${path} answers ${answer.msg}`).toMatchObject({ code: '000000' });
  return answer.data as Record<string, unknown>;
};
const readNodes = async () => {
  const rows = await testApp.db.selectFrom('rma_inventory').select('ivyId').where('sn', 'in', sns).execute();
  return rows.map((it) => it.ivyId);
};

describe('a device goes from parcel to delivery', () => {
  let mtbId = '';
  let skbId = '';

  it('is announced by its customer on a maintain bill, signed for and received', async () => {
    const made = await post('office', '/api/rmaMaintainBill/create.json', {
      receiveShipNo: 'SF1030001',
      userName: '宁远矿业',
      mobile: '13800000000',
      rmaMaintainBillLineList: [{ type: '0', salesCode: 'RX19', count: 2 }],
    });
    mtbId = String(made['mtbId']);
    const signed = await post('warehouse', '/api/rmaArrivalBill/signFor.json', {
      receiveShipNo: 'SF1030001',
      receivePackageCount: 1,
      remark: '外箱完好',
    });
    expect(signed['mtbId']).toBe(mtbId);
    const bill = await testApp.ask<{
      rmaMaintainBillLineList: { mtblId: string; count: number; receiveCount: number }[];
    }>('GET', '/api/rmaReceiveBill/queryByShipNo.json', { receiveShipNo: 'SF1030001' }, { as: 'warehouse' });
    const [line] = bill.data.rmaMaintainBillLineList;
    expect(line).toMatchObject({ count: 2, receiveCount: 0 });
    const received = await post('warehouse', '/api/rmaReceiveBill/receive.json', {
      mtbId,
      payment: '0',
      rmaReceiveBillLineRequestList: [
        {
          mtblId: line?.mtblId,
          type: '0',
          salesCode: 'RX19',
          rmaReceiveBillLineItemRequestList: sns.map((receiveSn) => ({
            receiveSn,
            salesCode: 'RX19',
            depreciation: 'B',
            type: '0',
          })),
        },
      ],
    });
    expect(received['receivedCount']).toBe(2);
    expect(await readNodes()).toEqual([Node.AwaitingCheck, Node.AwaitingCheck]);
    expect(await post('warehouse', '/api/rmaReceiveBill/finishReceive.json', { maintainBillId: mtbId })).toMatchObject({
      billStatus: '1',
    });
  });

  it('is checked, repaired and assembled', async () => {
    for (const [i, sn] of sns.entries()) {
      const checked = await post('tech', '/api/rmaCheckBill/check.json', {
        sn,
        checkType: '0',
        checkUrls: await uploadPicture(testApp, 'tech'),
        issueCodeIdList: [codes['FX54']],
      });
      expect(checked).toMatchObject({ nextNode: Node.AwaitingRepair, confirm: 'none' });
      const repaired = await post('tech', '/api/rmaRepairBill/repair.json', {
        sn,
        repairType: '2',
        partsList: [
          {
            sn,
            partsType: '7',
            repairMethod: '8',
            issueCodeIdList: [codes['RP01']],
            slot: 'U1',
            spendItemCount: 1,
            repairUrls: '',
          },
        ],
      });
      expect(repaired['nextNode']).toBe(Node.AwaitingAssembly);
      const part = (kind: string) => `${kind}2611000000000${i}`;
      const assembled = await post('tech', '/api/rmaAssembleBill/assemble.json', {
        sn,
        partsList: [
          { sn: part('PW'), component_type: 'COIT000000S1' },
          { sn: part('CT'), component_type: 'COIT000000RZ' },
          ...[1, 2, 3, 4].map((board) => ({
            sn: part(`B${board}`),
            component_type: 'COIT000000S0',
            qrCodeNum: `QR${board}0000000000000${i}`,
          })),
        ],
      });
      expect(assembled['nextNode']).toBe(Node.AwaitingTest);
    }
  });

  it('passes aging and QC, is stored and stands on a stock-up bill', async () => {
    expect(
      await post('tech', '/api/rmaBurninBill/submitBurninBill.json', {
        rmaBurninBillLineList: sns.map((sn) => ({ sn, icdId: codes['AT00'] })),
      }),
    ).toMatchObject({ passCount: 2, failCount: 0 });
    expect(
      await post('tech', '/api/rmaExamineBill/submitExamineBill.json', {
        rmaExamineBillLineList: sns.map((sn) => ({ sn, icdId: codes['QC00'] })),
      }),
    ).toMatchObject({ passCount: 2 });
    const stored = await post('warehouse', '/api/rmaStoreBill/submitStoreBill.json', {
      rmaStoreBillLineList: sns.map((sn) => ({ sn })),
      packageCount: 20,
      subinventoryCode: 'FG',
    });
    expect(stored['storedCount']).toBe(2);
    skbId = (stored['skbIdList'] as string[])[0] as string;
    expect(await readNodes()).toEqual([Node.CanShip, Node.CanShip]);
  });

  it('is delivered; the bill is finished, its counts are right, and the history shows every step with its operator [W-COM-02]', async () => {
    const lines = [];
    for (const sn of sns) {
      const checked = await post('warehouse', '/api/rmaDeliverBill/attemptDeliver.json', { sn, skbId });
      lines.push({
        deliverItemId: checked['deliverItemId'],
        deliverSn: sn,
        sklId: checked['sklId'],
        submitCount: 1,
        salesCode: 'RX19',
      });
    }
    const delivered = await post('warehouse', '/api/rmaDeliverBill/submitDeliverBill.json', {
      skbId,
      submitType: '0',
      rmaDeliverBillLineList: lines,
    });
    expect(delivered).toMatchObject({ deliveredCount: 2, remainCount: 0, stockupStatus: '2' });
    expect(await readNodes()).toEqual([Node.Shipped, Node.Shipped]);

    const bill: Answer<{ billStatus: string; rmaMaintainBillLineList: unknown[] }> = await testApp.ask(
      'GET',
      '/api/rmaMaintainBill/queryById.json',
      { id: mtbId },
      { as: 'office' },
    );
    expect(bill.data.billStatus).toBe('2');
    expect(bill.data.rmaMaintainBillLineList).toMatchObject([
      { count: 2, receiveCount: 2, deliverCount: 2, scrapCount: 0, discardCount: 0, buyOutCount: 0 },
    ]);

    const history: Answer<{
      events: { step: string; userId: string; fromNode: string | null; toNode: string | null }[];
    }> = await testApp.ask('GET', '/api/rmaMaintainBill/viewHistory.json', { sn: sns[0] }, { as: 'office' });
    expect(history.data.events.map((it) => [it.step, it.userId, it.toNode]).reverse()).toEqual([
      ['receive', 'warehouse', '10'],
      ['check', 'tech', '50'],
      ['repair', 'tech', '60'],
      ['assemble', 'tech', '70'],
      ['aging', 'tech', '80'],
      ['qc', 'tech', '90'],
      ['store', 'warehouse', '100'],
      ['deliver', 'warehouse', '900'],
    ]);
  });
});
