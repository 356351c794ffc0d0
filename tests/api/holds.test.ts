import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { slotsOf } from '#domain/assembly.ts';
import { BillStatus } from '#domain/enums.ts';
import { Node } from '#domain/nodes.ts';
import { newCounts } from '#server/workflow/lines.ts';
import { startTestApp, type Answer, type TestApp } from '#tests/support/app.ts';
import { heldUnit, maintainBill, stockMachine, unitOnBill, type UnitOnBill } from '#tests/support/factories.ts';
import { fixedRoutes } from '#tests/support/features.ts';
import { expectRefused, readCodeIds } from '#tests/support/guard.ts';

/**
 * Every call that writes and can name a unit, against one that is spoken for. The calls are those that are mounted: a
 * new one has to be described here, or to say why a hold is nothing to it.
 */
let testApp: TestApp;
let codes: Record<string, number>;
beforeAll(async () => {
  testApp = await startTestApp();
  codes = await readCodeIds(testApp);
  await testApp.db
    .insertInto('admin_role')
    .values({ roleId: 'all', name: 'all', nameEn: 'all', allSites: '0' })
    .execute();
  await testApp.db.insertInto('role_right').values({ roleId: 'all', right: '*:*' }).execute();
  await testApp.db.updateTable('admin_user').set({ roleIds: 'all' }).where('userId', '=', 'office').execute();
  await testApp.db
    .insertInto('rma_stock_transfer_bill')
    .values({ sktbId: bills.transfer, billStatus: '1', deliverSiteId: 'SZ', receiveSiteId: 'NB' })
    .execute();
  await testApp.db
    .insertInto('rma_scrap_repair_bill')
    .values([
      { srbId: bills.scrapRepair, billStatus: '0', siteId: 'SZ' },
      { srbId: bills.consumed, billStatus: '1', siteId: 'SZ' },
    ])
    .execute();
});
afterAll(() => testApp.close());

const bills = {
  transfer: 'SKT2026112300001',
  scrapRepair: 'SRB2026112300001',
  consumed: 'SRB2026112300002',
} as const;
const kinds = Object.keys(bills) as (keyof typeof bills)[];
let boards = 0;
const code = (name: string) => codes[name] as number;

interface Described {
  /** Where the unit would stand for the call to go well. */
  node: Node;
  input: (unit: UnitOnBill) => object | Promise<object>;
}

/** A unit of another bill, or a stock board, that is free. */
const free = (node: Node) => unitOnBill(testApp.db, { node });
const parts = (sn: string) =>
  slotsOf(1).map(({ name, componentType, hasQrCode }) => ({
    sn: `${name}-${sn}`.toUpperCase(),
    component_type: componentType,
    qrCodeNum: hasQrCode ? 'Q'.repeat(17) : '',
  }));

const described: Record<string, Described> = {
  'rmaReceiveBill/receive': {
    node: Node.Shipped,
    input: async ({ sn }) => ({
      mtbId: (await maintainBill(testApp.db, { billStatus: '0' })).mtbId,
      rmaReceiveBillLineRequestList: [{ rmaReceiveBillLineItemRequestList: [{ receiveSn: sn, depreciation: 'B' }] }],
    }),
  },
  'rmaReceiveBill/deleteReceived': {
    node: Node.AwaitingCheck,
    input: ({ sn, mtbId, mtblId }) => ({ mtbId, rmaReceiveBillLineRequestList: [{ mtblId, snList: [sn] }] }),
  },
  'rmaCheckBill/check': {
    node: Node.AwaitingCheck,
    input: ({ sn }) => ({ sn, issueCodeIdList: [code('FX01')], powerSn: `P-${sn}` }),
  },
  'rmaCheckBill/scrapConfirm': {
    node: Node.AwaitingCheck,
    input: ({ sn }) => ({ sn, ckbId: 'CKB0', scrapStatus: '1', dutySourse: '0', dutySourseRemark: 'x' }),
  },
  'rmaCheckBill/nofaultConfirm': {
    node: Node.AwaitingCheck,
    input: ({ sn }) => ({ sn, ckbId: 'CKB0', nofaultConfirmStatus: '1', nofaultConfirmRemark: 'x' }),
  },
  'rmaRepairBill/repair': {
    node: Node.AwaitingRepair,
    input: ({ sn }) => ({
      sn,
      partsList: [{ partsType: '7', repairMethod: '8', issueCodeIdList: [code('RP01')], slot: 'U1' }],
    }),
  },
  'rmaAssembleBill/assemble': {
    node: Node.AwaitingAssembly,
    input: ({ sn }) => ({ sn, partsList: parts(sn) }),
  },
  'rmaBurninBill/submitBurninBill': {
    node: Node.AwaitingTest,
    input: ({ sn }) => ({ rmaBurninBillLineList: [{ sn, icdId: code('AT00') }] }),
  },
  'rmaExamineBill/submitExamineBill': {
    node: Node.AwaitingInspection,
    input: ({ sn }) => ({ rmaExamineBillLineList: [{ sn, icdId: code('QC00') }] }),
  },
  'rmaStoreBill/submitStoreBill': {
    node: Node.AwaitingStorage,
    input: ({ sn }) => ({ rmaStoreBillLineList: [{ sn }], packageCount: 20 }),
  },
  'rmaStoreBill/storeStart': { node: Node.Scrapped, input: ({ sn }) => ({ sn, subinventoryCode: 'FG' }) },
  'rmaInventory/activate': { node: Node.Scrapped, input: ({ sn }) => ({ sn, subinventoryCode: 'FG' }) },
  'ubsItemObject/changeSn': {
    node: Node.AwaitingRepair,
    input: ({ sn }) => ({ cause: '1', oldSn: sn, newSn: `N${sn.slice(1, 17)}`.padEnd(17, '0') }),
  },
  'rmaDefectiveProductRepairBill/defectiveProductRepair': {
    node: Node.AwaitingCheck,
    input: ({ sn }) => ({ receiveShipId: 'SF', receiveShipNo: `SF-${sn}`, siteId: 'SZ', lineRequestList: [{ sn }] }),
  },
  'rmaDefectiveProductRepairBill/testAndStore': {
    node: Node.CanShip,
    input: ({ sn }) => ({ siteId: 'SZ', dataList: [{ itemRequestList: [{ sn }] }] }),
  },
  'rmaDeliverBill/submitDeliverBill': {
    node: Node.CanShip,
    input: async (unit) => ({
      skbId: await tallied(unit),
      submitType: '0',
      rmaDeliverBillLineList: [{ deliverSn: unit.sn }],
    }),
  },
  'rmaDeliverBill/rebindSn': {
    node: Node.CanShip,
    input: ({ sn }) => ({ sn, partsList: parts(sn) }),
  },
  'rmaStockTransferBill/deliverAccept': {
    node: Node.CanShip,
    input: async ({ sn }) => {
      const { sktbId, sktblId } = await transferOfOne();
      return { sktbId, deliverSiteId: 'SZ', lineList: [{ sktblId, snList: [sn] }] };
    },
  },
  'rmaScrapRepairBill/combineRepair': {
    node: Node.Scrapped,
    input: ({ sn }) => ({ siteId: 'SZ', count: 1, scrapRepairLineRequestList: [{ sn }] }),
  },
  'rmaSiteRepairBill/onSiteRepair': {
    node: Node.Shipped,
    input: async ({ sn }) => ({ mtbId: await orderOf(sn), ...visitOf(sn) }),
  },
  'rmaInventory/modifyIvyId': { node: Node.AwaitingRepair, input: ({ sn }) => ({ sn, ivyId: Node.AwaitingTest }) },
  'rmaTransaction/rollbackById': {
    node: Node.AwaitingRepair,
    input: async ({ sn, mtbId }) => ({ id: await stepOf(sn, mtbId), remark: 'x' }),
  },
  'rmaMaintainBillLineItem/updateSiteId': {
    node: Node.AwaitingRepair,
    input: ({ mtbliId }) => ({ rmaMaintainBillLineItemList: [{ mtbliId }], updateSiteId: 'NB' }),
  },
  'rmaMaintainBillLineItem/replaceSaleCode': {
    node: Node.AwaitingRepair,
    input: ({ mtbliId }) => ({
      rmaMaintainBillLineItemList: [{ mtbliId }],
      salesCode: 'RX21',
      replaceFlag: '0',
      salesCodeCount: 1,
    }),
  },
  'rmaMaintainBillLineItem/moveBill': {
    node: Node.AwaitingRepair,
    input: async ({ mtbliId }) => {
      const { mtbId, mtblId } = await free(Node.AwaitingRepair);
      return { ids: [mtbliId], mtbId, mtblId, moveBillFlag: '1' };
    },
  },
  'rmaMaintainBillLineItem/buyOut': {
    node: Node.AwaitingRepair,
    input: ({ mtblId, mtbliId }) => [{ mtblId, mtbliIdList: [mtbliId], remark: 'x' }] as never,
  },
  'rmaMaintainBillLineItem/rollbackToPreliminaryTest': {
    node: Node.AwaitingRepair,
    input: ({ sn, mtbliId, mtbId }) => [{ sn, mtbliId, mtbId }] as never,
  },
  'rmaMaintainBillLineItem/editDeliver': {
    node: Node.AwaitingRepair,
    input: ({ mtbliId }) => ({ id: mtbliId, deliverPriority: '2' }),
  },
  'rmaMaintainBill/terminate': { node: Node.AwaitingRepair, input: ({ mtbId }) => ({ mtbId, discardInHouse: '1' }) },
};

/** Parts that a call puts into a device or takes out of it, which are units as well. */
const namesPart: Record<string, Described> = {
  'rmaRepairBill/repair': {
    node: Node.CanShip,
    input: async ({ sn: replaceSn }) => ({
      sn: (await free(Node.AwaitingRepair)).sn,
      partsList: [{ partsType: '7', repairMethod: '2', issueCodeIdList: [code('RP01')], slot: 'U1', replaceSn }],
    }),
  },
  'rmaAssembleBill/assemble': {
    node: Node.CanShip,
    input: async ({ sn: part }) => {
      const { sn } = await free(Node.AwaitingAssembly);
      const [first, ...rest] = parts(sn).filter((it) => it.qrCodeNum !== '');
      const others = parts(sn).filter((it) => it.qrCodeNum === '');
      const list = [...others, { ...first, sn: part }, ...rest];
      return { sn, partsList: list };
    },
  },
  'rmaSiteRepairBill/onSiteRepair': {
    node: Node.CanShip,
    input: async ({ sn: componentSn }) => {
      const { sn } = await free(Node.Shipped);
      const board = { componentSn, componentType: 'COIT000000S0', qrCodeNum: 'Q'.repeat(17), name: 'board1' };
      return { mtbId: await orderOf(sn), ...visitOf(sn), assembleInfoList: [board] };
    },
  },
};

/** An order that is awaited, of which an item names this device. */
async function orderOf(sn: string): Promise<string> {
  const { db } = testApp;
  const { mtbId } = await maintainBill(db, { billStatus: '0' });
  const line = { mtblId: `MBL-${mtbId}`, mtbId };
  await db
    .insertInto('rma_maintain_bill_line')
    .values({ ...newCounts, ...line, type: '0', salesCode: 'RX19', count: 1 })
    .execute();
  const item = { ...line, mtbliId: `MBI-${mtbId}`, siteId: 'SZ', receiveSn: sn };
  await db
    .insertInto('rma_maintain_bill_line_item')
    .values({ ...item, receiveStatus: '0', deliverStatus: '0' })
    .execute();
  return mtbId;
}
const visitOf = (productSn: string) => ({
  productSn,
  checkIssueCodeIdList: [code('FX01')],
  repairInfoList: [
    {
      ...{ componentSn: 'HB-1', componentType: '7', repairMethod: '8', slot: 'U1' },
      repairIssueCodeIdList: [code('RP01')],
    },
  ],
});

/** Calls that name a unit and to which a hold is nothing. */
const apart: Record<string, string> = {
  'ubsItemObject/createNonOfficial': 'Makes an SN that nobody knows.',
  'rmaMaintainBillLineItem/supplementCheckPicture': 'Adds pictures to what was found.',
  'rmaScrapRepairBill/outsourcingAccept':
    'Names what its own bill speaks for; parts are asked as an assembly asks them.',
  'rmaMaintainBillLineItem/syncSn': 'Tells the website what is so.',
  'ubsItem/printLabels': 'A label says what the SN is; nothing is done to its unit.',
  'rmaReceiveBill/printLabels': 'A label says what the SN is; nothing is done to its unit.',
  'ubsItemObject/reprintLabels': 'A label says what the SN is; nothing is done to its unit.',
  'ubsItemObject/printChangedLabel': 'A label says what the SN is; nothing is done to its unit.',
};

const NAMES = /"(?:\w*[sS]n|snList|mtbliId|mtbliIdList)":/;
const BY_BILL = new Set([
  'rmaMaintainBill/terminate',
  'rmaMaintainBillLineItem/moveBill',
  'rmaTransaction/rollbackById',
]);
const nameOf = (path: string) => path.replace('/api/', '').replace('.json', '');
const naming = fixedRoutes
  .filter(({ call }) => call.writes && !call.path.startsWith('/rest/'))
  .map(({ call }) => ({ call, name: nameOf(call.path) }))
  .filter(
    ({ call, name }) =>
      BY_BILL.has(name) || name.startsWith('rmaMaintainBillLineItem/') || NAMES.test(JSON.stringify(call.input)),
  );

/** A transfer from SZ that takes one device, and its line. */
async function transferOfOne(): Promise<{ sktbId: string; sktblId: string }> {
  const line = { salesCode: 'RX19', itemType: '0', storageType: '1', count: 1 };
  const sites = { deliverSiteId: 'SZ', receiveSiteId: 'NB' };
  const input = { ...sites, rmaStockTransferLineRequestList: [line] };
  const { data } = await testApp.ask<{ sktbId: string }>('POST', '/api/rmaStockTransferBill/initiate.json', input, {
    as: 'office',
  });
  return testApp.db
    .selectFrom('rma_stock_transfer_bill_line')
    .select(['sktbId', 'sktblId'])
    .where('sktbId', '=', data.sktbId)
    .executeTakeFirstOrThrow();
}

async function stepOf(sn: string, mtbId: string): Promise<string> {
  const at = { sn, mtbId, siteId: 'SZ', step: 'check', billId: 'CKB0', fromNode: '10', toNode: '50' };
  const row = await testApp.db
    .insertInto('rma_transaction')
    .values({ ...at, operateStatus: 'Normal', eventTime: sql<string>`now()` as never, userId: 'tech' })
    .returning('id')
    .executeTakeFirstOrThrow();
  return String(row.id);
}

async function tallied({ sn, mtbId, mtblId, mtbliId, itemId }: UnitOnBill): Promise<string> {
  const skbId = `SKB-H${sn}`;
  await testApp.db
    .insertInto('rma_stockup_bill')
    .values({ skbId, mtbId, siteId: 'SZ', status: '0', deliverShipNo: `SF-${sn}` })
    .execute();
  await testApp.db
    .insertInto('rma_stockup_bill_line')
    .values({ skblId: `L-${sn}`, skbId, mtbId, mtblId, mtbliId, itemId, sn, salesCode: 'RX19', delivered: '0' })
    .execute();
  return skbId;
}

async function hold(sn: string, kind: keyof typeof bills): Promise<void> {
  await testApp.db
    .updateTable('rma_inventory')
    .set({ holdKind: kind, holdBillId: bills[kind], holdTime: sql<Date>`now()` })
    .where('sn', '=', sn)
    .execute();
}

const ask = async (name: string, input: object): Promise<Answer> => {
  const { call } = naming.find((it) => it.name === name) as (typeof naming)[number];
  return testApp.send(call, input, { as: 'office' });
};

describe('a unit that is spoken for', () => {
  it('is described for each call that is mounted and can name one', () => {
    expect(naming.map((it) => it.name).filter((it) => !(it in described) && !(it in apart))).toEqual([]);
    const mounted = new Set(naming.map((it) => it.name));
    expect([...Object.keys(described), ...Object.keys(apart)].filter((it) => !mounted.has(it))).toEqual([]);
  });

  const everyKind = (names: readonly string[]) => kinds.flatMap((kind) => names.map((name) => [kind, name] as const));

  it.each(everyKind(Object.keys(described)))('by %s is refused with its number by %s', async (kind, name) => {
    const { node, input } = described[name] as Described;
    const billStatus = name === 'rmaReceiveBill/deleteReceived' ? BillStatus.Awaiting : BillStatus.Received;
    const unit = await unitOnBill(testApp.db, { node, billStatus });
    await testApp.db
      .insertInto('ubs_item_object')
      .values({ sn: unit.sn, itemId: 1, salesCode: 'RX19', itemName: 'RX19', type: '0', origin: '1' })
      .execute();
    const sent = await input(unit);
    await hold(unit.sn, kind);
    const answer = await expectRefused(testApp, '100008', () => ask(name, sent));
    expect(answer.msg).toContain(unit.sn);
    expect(answer.msg).toContain(bills[kind]);
  });

  it.each(['scrap', 'nofault'] as const)(
    'by a transfer is refused with its number to the supervisor of its other site, who says a word on %s',
    async (kind) => {
      const { sn, ckbId } = await heldUnit(testApp.db, kind, { siteId: 'NB' });
      await hold(sn, 'transfer');
      const words = { scrap: { scrapStatus: '2', declineScrapRemark: 'x' }, nofault: { nofaultConfirmStatus: '1' } };
      const path = `/api/rmaCheckBill/${kind}Confirm.json`;
      const answer = await expectRefused(testApp, '100008', () =>
        testApp.ask('POST', path, { sn, ckbId, ...words[kind] }, { as: 'supervisor', lang: 'en' }),
      );
      expect(answer.msg).toContain(bills.transfer);
    },
  );

  it.each(everyKind(Object.keys(namesPart)))('by %s is no part for %s', async (kind, name) => {
    const { node, input } = namesPart[name] as Described;
    const sn = await stockMachine(testApp.db, node, {
      sn: `HB19P4A2611${String(++boards).padStart(6, '0')}`,
      type: '1',
      salesCode: 'HB19',
    });
    const sent = await input({ sn } as UnitOnBill);
    await hold(sn, kind);
    const answer = await expectRefused(testApp, '100008', () => ask(name, sent));
    expect(answer.msg).toContain(bills[kind]);
  });

  /** These end a proposal, or close the bill with it. */
  const ends = new Set([
    ...['rmaCheckBill/scrapConfirm', 'rmaCheckBill/nofaultConfirm', 'rmaInventory/modifyIvyId'],
    ...['rmaMaintainBillLineItem/rollbackToPreliminaryTest', 'rmaMaintainBill/terminate'],
    ...['rmaMaintainBillLineItem/editDeliver', 'rmaTransaction/rollbackById'],
  ]);
  /** What is in the workshop does not come in, and what was checked is not taken off its receipt. */
  const inItsOwnWords: Record<string, string> = {
    'rmaReceiveBill/receive': '100009',
    'rmaReceiveBill/deleteReceived': '100003',
  };
  const byProposal = Object.keys(described).filter((it) => !ends.has(it));
  it.each((['scrap', 'nofault'] as const).flatMap((kind) => byProposal.map((name) => [kind, name] as const)))(
    'by a proposal of %s is refused by %s',
    async (kind, name) => {
      const isTakenOff = name === 'rmaReceiveBill/deleteReceived';
      const billStatus = isTakenOff ? BillStatus.Awaiting : BillStatus.Received;
      const unit = await heldUnit(testApp.db, kind, { billStatus });
      await testApp.db
        .insertInto('ubs_item_object')
        .values({ sn: unit.sn, itemId: 1, salesCode: 'RX19', itemName: 'RX19', type: '0', origin: '1' })
        .execute();
      const sent = await (described[name] as Described).input(unit);
      const answer = await expectRefused(testApp, inItsOwnWords[name] ?? '100008', () => ask(name, sent));
      expect(answer.msg).toContain(unit.sn);
    },
  );
});
