import { expect } from 'vitest';
import { slotsOf } from '#domain/assembly.ts';
import { Node } from '#domain/nodes.ts';
import { DraftStatus } from '#domain/enums.ts';
import { FORMAT } from '#features/studio/contract.ts';
import { startTestApp, type Answer, type TestApp } from '#tests/support/app.ts';
import { heldUnit, maintainBill, packageFacts, stockMachine, unitOnBill } from '#tests/support/factories.ts';
import { readCodeIds } from '#tests/support/guard.ts';
import { uploadPicture } from '#tests/support/pictures.ts';
import { sendFile } from '#tests/support/workbooks.ts';

const PDF = Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF');

export let testApp: TestApp;
let codes: Record<string, number>;
let secret: string;
export async function openActions(): Promise<void> {
  testApp = await startTestApp();
  codes = await readCodeIds(testApp);
  secret = await testApp.openSecret();
  // A first session is opened by a statement that is not the handler's.
  await Promise.all(
    ['office', 'warehouse', 'tech', 'supervisor', 'aftersales', 'admin'].map((it) => testApp.openToken(it)),
  );
}

export interface Submit {
  as: string;
  path: string;
  input: Record<string, unknown>;
  method?: 'GET' | 'POST';
  /** The call takes a paper beside its fields. */
  document?: Buffer;
}

let made = 0;
const next = (prefix: string, digits = 4): string => `${prefix}${String(++made).padStart(digits, '0')}`;
export const unit = (node: Node, more: Partial<Parameters<typeof unitOnBill>[1]> = {}) =>
  unitOnBill(testApp.db, { node, ...more });
export const ask = ({ as, path, input, method = 'POST', document }: Submit, key?: string): Promise<Answer> => {
  const [address, asking] = [`/api/${path}.json`, { as, secret, ...(key && { key }) }];
  if (document) return sendFile(testApp, address, [document], { ...asking, name: 'a.pdf', fields: input as never });
  return testApp.ask(method, address, input, asking);
};

async function done(it: Submit): Promise<Record<string, unknown>> {
  const answer = await ask(it);
  expect(answer, answer.msg).toMatchObject({ code: '000000' });
  return answer.data as Record<string, unknown>;
}

/** Something to do: its input is about things of its own, new each time. */
export interface TestAction extends Omit<Submit, 'input'> {
  input: () => Promise<Record<string, unknown>>;
}
export const begun = async (it: TestAction): Promise<Submit> => ({ ...it, input: await it.input() });
const post =
  (as: string) =>
  (path: string, input: TestAction['input'], more: Pick<TestAction, 'method' | 'document'> = {}): TestAction => ({
    as,
    path,
    input,
    ...more,
  });
const [admin, office, warehouse, tech, supervisor, aftersales] = (
  ['admin', 'office', 'warehouse', 'tech', 'supervisor', 'aftersales'] as const
).map(post) as [Post, Post, Post, Post, Post, Post];
type Post = ReturnType<typeof post>;
const GET = { method: 'GET' } as const;

const signFor = warehouse('rmaArrivalBill/signFor', async () => ({
  receiveShipNo: next('SFPARCEL'),
  receivePackageCount: 2,
  remark: null,
}));
const receive = warehouse('rmaReceiveBill/receive', async () => {
  const sn = next('RX19FAULT');
  const { mtbId } = await maintainBill(testApp.db, { billStatus: '0' });
  const archived = { sn, itemId: 1, salesCode: 'RX19', itemName: 'RX19 104T', type: '0', origin: '1' };
  await testApp.db.insertInto('ubs_item_object').values(archived).execute();
  const item = { receiveSn: sn, depreciation: 'B' };
  return { mtbId, rmaReceiveBillLineRequestList: [{ rmaReceiveBillLineItemRequestList: [item] }] };
});
const deliver = warehouse('rmaDeliverBill/submitDeliverBill', async () => {
  const { sn, skbId } = await stored();
  return { skbId, submitType: '0', rmaDeliverBillLineList: [{ deliverSn: sn }] };
});
const check = tech('rmaCheckBill/check', async () => ({
  sn: (await unit(Node.AwaitingCheck)).sn,
  issueCodeIdList: [codes['FX409']],
  checkUrls: '',
}));
const record = { partsType: '7', repairMethod: '8', slot: 'U1' };
const scrap = { scrapStatus: '1', dutySourse: '1', dutySourseRemark: 'burnt' };
const confirm = (kind: 'scrap' | 'nofault', word: object) =>
  supervisor(`rmaCheckBill/${kind}Confirm`, async () => {
    const { sn, ckbId } = await heldUnit(testApp.db, kind);
    return { sn, ckbId, ...word };
  });
const print = warehouse('printBarcode', async () => {
  const item = {
    itemId: 8000 + ++made,
    salesCode: next('PRINTED'),
    name: 'printed',
    type: '0',
    snControl: '1',
    modelCode: 'RX19',
  };
  await testApp.db
    .insertInto('ubs_item')
    .values({ ...item, productVerList: '4A' })
    .execute();
  return { saleItemId: item.itemId, type: '1', productVer: '4A', qty: 2, mode: 0 };
});
const stop = onStockup('stopStockupBill', async () => (await stored()).skbId);
const cancel = onStockup('cancelStockupBill', async () => (await stored()).skbId);
const review = (word: object) =>
  aftersales('rmaSelfPickup/selfPickupReview', async () => ({ id: await pickup((await stored()).mtbId), ...word }));

/** Something to do for each handler of the chain, and for each of its ways that writes otherwise. */
export const actions: Record<string, TestAction> = {
  create: office('rmaMaintainBill/create', async () => ({
    receiveShipNo: next('SFFAULT'),
    userName: '宁远矿业',
    rmaMaintainBillLineList: [{ salesCode: 'RX19', count: 2 }],
  })),
  signFor,
  accept: warehouse('rmaArrivalBill/accept', async () => ({ id: (await done(await begun(signFor)))['id'] })),
  'accept of late goods': warehouse('rmaArrivalBill/accept', async () => {
    const parcel = await begun(signFor);
    const receiveShipNo = parcel.input['receiveShipNo'] as string;
    await maintainBill(testApp.db, { billStatus: '3', receiveShipNo });
    return { id: (await done(parcel))['id'] };
  }),
  printBarcode: print,
  reprintBarCode: warehouse(
    'reprintBarCode',
    async () => {
      const { snList } = await done(await begun(print));
      const [sn] = snList as [string];
      const archived = testApp.db.selectFrom('ubs_item_object').select('id').where('sn', '=', sn);
      return { snDetailId: String((await archived.executeTakeFirstOrThrow()).id) };
    },
    GET,
  ),
  createNonOfficial: warehouse('ubsItemObject/createNonOfficial', async () => ({ sn: next('STRANGER'), type: '0' })),
  receive,
  'receipt of boards': warehouse('rmaReceiveBill/receive', async () => {
    const { mtbId } = await maintainBill(testApp.db, { billStatus: '0' });
    const line = { type: '1', salesCode: 'HB19', repairableCount: 2, unRepairableCount: 1 };
    return { mtbId, rmaReceiveBillLineRequestList: [line] };
  }),
  deleteReceived: warehouse('rmaReceiveBill/deleteReceived', async () => {
    const { snList, mtbId } = await done(await begun(receive));
    return { mtbId, rmaReceiveBillLineRequestList: [{ snList }] };
  }),
  finishReceive: warehouse('rmaReceiveBill/finishReceive', async () => ({
    maintainBillId: (await done(await begun(receive)))['mtbId'],
  })),
  exchangeReceive: office(
    'rmaReceiveBill/exchangeReceive',
    async () => ({ id: (await done(await begun(receive)))['rvbId'] }),
    GET,
  ),
  check,
  'check that proposes to scrap': tech('rmaCheckBill/check', async () => ({
    sn: (await unit(Node.AwaitingCheck)).sn,
    issueCodeIdList: [codes['UM17']],
    checkUrls: await uploadPicture(testApp, 'tech'),
  })),
  scrapConfirm: confirm('scrap', scrap),
  'scrapConfirm, declined': confirm('scrap', { scrapStatus: '2', declineScrapRemark: 'only dirty' }),
  nofaultConfirm: confirm('nofault', { nofaultConfirmStatus: '1' }),
  'nofaultConfirm, declined': confirm('nofault', { nofaultConfirmStatus: '2', nofaultConfirmRemark: 'fan' }),
  supplementCheckPicture: office('rmaMaintainBillLineItem/supplementCheckPicture', async () => ({
    id: String((await unit(Node.AwaitingRepair, { item: { checkTime: new Date().toISOString() as never } })).itemId),
    checkUrls: await uploadPicture(testApp, 'office'),
  })),
  repair: tech('rmaRepairBill/repair', async () => ({
    sn: (await unit(Node.AwaitingRepair)).sn,
    partsList: [
      { ...record, issueCodeIdList: [codes['RP01']] },
      {
        ...{ sn: next('OLDBOARD', 9), partsType: '7', repairMethod: '2' },
        ...{ issueCodeIdList: [codes['RP02']], slot: 'U2', replaceSn: await stockBoard() },
      },
    ],
  })),
  'exchange of a part': tech('rmaRepairBill/repair', async () => ({
    sn: (await unit(Node.AwaitingRepair, { salesCode: 'HB19', unit: { type: '1' } })).sn,
    partsList: [{ ...record, repairMethod: '2', issueCodeIdList: [codes['RP01']], replaceSn: next('HB19NEW', 10) }],
  })),
  assemble: tech('rmaAssembleBill/assemble', async () => readParts((await unit(Node.AwaitingAssembly)).sn)),
  aging: tech('rmaBurninBill/submitBurninBill', async () => ({
    rmaBurninBillLineList: [{ sn: (await unit(Node.AwaitingTest)).sn, icdId: codes['AT00'] }],
  })),
  qc: tech('rmaExamineBill/submitExamineBill', async () => ({
    rmaExamineBillLineList: [{ sn: (await unit(Node.AwaitingInspection)).sn, icdId: codes['QC01'] }],
  })),
  store: warehouse('rmaStoreBill/submitStoreBill', async () => ({
    rmaStoreBillLineList: [{ sn: (await unit(Node.AwaitingStorage)).sn }],
    packageCount: 20,
  })),
  storeStart: warehouse('rmaStoreBill/storeStart', async () => ({
    sn: await stockMachine(testApp.db, Node.CanShip),
    remark: 'again',
    subinventoryCode: 'DEF',
  })),
  'storeStart of a part whose device has left': warehouse('rmaStoreBill/storeStart', async () => {
    const sn = await stockBoard();
    const { sn: deviceSn } = await unit(Node.Shipped);
    await testApp.db.updateTable('rma_inventory').set({ ivyId: null }).where('sn', '=', sn).execute();
    await testApp.db.insertInto('ubs_assembly').values({ deviceSn, componentSn: sn, bindTime: new Date() }).execute();
    return { sn, subinventoryCode: 'FG' };
  }),
  rebindSn: warehouse('rmaDeliverBill/rebindSn', async () => readParts((await stored()).sn)),
  deliver,
  'delivery of boards by their number': warehouse('rmaDeliverBill/submitDeliverBill', async () => {
    const { skbId } = await stored({ salesCode: 'HB19', unit: { type: '1' }, line: { type: '1' } });
    return { skbId, submitType: '2', rmaDeliverBillLineList: [{ salesCode: 'HB19', submitCount: 1 }] };
  }),
  'stop of a stock-up bill': stop,
  'reset of a stopped stock-up bill': onStockup(
    'resetStockupBill',
    async () => (await done(await begun(stop)))['skbId'],
  ),
  'cancel of a stock-up bill': cancel,
  'reset of a cancelled stock-up bill': onStockup(
    'resetStockupBill',
    async () => (await done(await begun(cancel)))['skbId'],
  ),
  'finish of a stock-up bill': onStockup('finishBill', async () => {
    const { skbId, sn, ...first } = await stored();
    await stored({ bill: first });
    const input = { skbId, submitType: '0', rmaDeliverBillLineList: [{ deliverSn: sn }] };
    await done({ ...deliver, input });
    return skbId;
  }),
  'modify of a stock-up bill': warehouse('rmaStockupBill/modifyById', async () => {
    const { id, version } = await stockupRow((await stored()).skbId);
    return { id, version, deliverShipId: 'SF', deliverShipNo: next('WAYBILL') };
  }),
  'bulk stop of stock-up bills': admin('rmaStockupBill/bulk', async () => {
    const ids = [await stored(), await stored()].map(async (it) => (await stockupRow(it.skbId)).id);
    return { action: 'stopStockupBill', ids: await Promise.all(ids) };
  }),
  'a new catalogue item': admin('ubsItem/create', async () => newItem()),
  'delete of a catalogue item': admin('ubsItem/deleteById', async () => ({ id: await addItem(newItem()) })),
  'delete of countries': admin('ubsCountry/deleteAll', async () => {
    const rows = [next('COUNTRY'), next('COUNTRY')].map((it) => ({ countryId: it, name: it }));
    const ids = await testApp.db.insertInto('ubs_country').values(rows).returning('id').execute();
    return { ids: ids.map((it) => Number(it.id)) };
  }),
  'sync of a catalogue code': admin('ubsItem/syncCode', async () => ({ id: String(await catalogueItem()) }), GET),
  'rollback of a delivery': admin('rmaTransaction/rollbackById', async () => readLastStep(deliver), GET),
  'node edit': admin('rmaInventory/modifyIvyId', async () => ({ sn: (await stored()).sn, ivyId: Node.Scrapped })),
  'delivery edit': admin('rmaMaintainBillLineItem/editDeliver', async () => ({
    id: (await stored()).mtbliId,
    deliverPriority: '2',
  })),
  'buy-out': aftersales('rmaMaintainBillLineItem/buyOut', async () => {
    const { mtblId, mtbliId } = await stored();
    return { list: [{ mtblId, mtbliIdList: [mtbliId], remark: 'not worth it' }] };
  }),
  'force close': aftersales('rmaMaintainBill/terminate', async () => ({
    mtbId: (await stored()).mtbId,
    discardInHouse: '1',
  })),
  'return to first test': aftersales('rmaMaintainBillLineItem/rollbackToPreliminaryTest', async () => {
    const { sn, mtbliId, mtbId } = await stored();
    return { list: [{ sn, mtbliId, mtbId }] };
  }),
  'change of item': aftersales('rmaMaintainBillLineItem/replaceSaleCode', async () => ({
    rmaMaintainBillLineItemList: [{ mtbliId: (await unit(Node.AwaitingRepair)).mtbliId }],
    ...{ salesCode: 'RX21', replaceFlag: '1', salesCodeCount: 1 },
  })),
  'move to another bill': aftersales('rmaMaintainBillLineItem/moveBill', async () => {
    const [moved, target] = [await stored(), await unit(Node.AwaitingRepair)];
    const flags = { moveBillFlag: '1', deliverFlag: '1', splitDeliverFlag: '0' };
    return { ids: [moved.mtbliId], mtbId: target.mtbId, mtblId: target.mtblId, ...flags };
  }),
  'change of store': aftersales('rmaMaintainBillLineItem/updateSiteId', async () => ({
    rmaMaintainBillLineItemList: [{ mtbliId: (await stored()).mtbliId }],
    updateSiteId: 'NB',
  })),
  "change of a bill's site": admin('rmaMaintainBill/updateSiteId', async () => ({
    id: await newBill(),
    siteId: 'NB',
  })),
  'registration of a pending package': office('rmaUnhandledPackageBill/createUnhandledPackageBill', async () => ({
    ...{ ...packageFacts, languageType: 'en' },
    receiveShipNo: next('SFREGISTER'),
  })),
  'status of a pending package': office('rmaUnhandledPackageBill/editInSiteStatus', async () => {
    const { mtbId } = await maintainBill(testApp.db, { billStatus: '0' });
    const row = { ...packageFacts, receiveShipNo: next('SFFAULT'), upbId: next('UPBFAULT'), siteId: 'SZ', status: '0' };
    const { id } = await testApp.db
      .insertInto('rma_unhandled_package_bill')
      .values(row)
      .returning('id')
      .executeTakeFirstOrThrow();
    return { id: String(id), status: '1', mtbId };
  }),
  selfPickupReview: review({
    selfPickupStatus: '1',
    pickupAddress: 'the dock',
    pickupTime: Date.now() + 86_400_000,
  }),
  'selfPickupReview, refused': review({ selfPickupStatus: '2', rejectionReason: 'not ready' }),
  'document of a self-pickup': aftersales(
    'rmaSelfPickup/uploadDocument',
    async () => ({ id: await pickup((await unit(Node.AwaitingRepair)).mtbId) }),
    { document: PDF },
  ),
  'paper of a bill': office('rmaMaintainBill/uploadOne', async () => ({ id: await newBill() }), { document: PDF }),
  'sync of a bill': office('rmaMaintainBill/syncToWeb', async () => ({
    mtbId: (await unit(Node.AwaitingRepair)).mtbId,
  })),
  'sync of a line': office('rmaMaintainBillLine/syncToWeb', async () => ({
    mtblId: (await unit(Node.AwaitingRepair)).mtblId,
  })),
  syncSn: office('rmaMaintainBillLineItem/syncSn', async () => ({ sn: (await unit(Node.AwaitingRepair)).sn })),
};

/** Units outside the line: own goods, transfers between sites, and what is called otherwise from now on. */
const TRANSFER = 'rmaStockTransferBill';
const REGISTRATION = 'rmaDefectiveProductRepairBill';
const initiate = office(`${TRANSFER}/initiate`, async () => ({
  deliverSiteId: 'SZ',
  receiveSiteId: 'NB',
  rmaStockTransferLineRequestList: [{ salesCode: 'RX19', itemType: '0', storageType: '1', count: 2 }],
}));
const goods = (node: Node, storageType: string, subinventoryCode: string | null = null) =>
  stockMachine(testApp.db, node, { storageType, subinventoryCode });
const deliverAccept = warehouse(`${TRANSFER}/deliverAccept`, async () => {
  const { sktbId } = await done(await begun(initiate));
  const { sktblId } = await testApp.db
    .selectFrom('rma_stock_transfer_bill_line')
    .select('sktblId')
    .where('sktbId', '=', sktbId as string)
    .executeTakeFirstOrThrow();
  const snList = [await goods(Node.CanShip, '1', 'FG'), await goods(Node.CanShip, '1', 'FG')];
  return { sktbId, deliverSiteId: 'SZ', lineList: [{ sktblId, snList }] };
});
const underWay = async () => {
  const { sktbId } = await done(await begun(deliverAccept));
  const { id } = await testApp.db
    .selectFrom('rma_stock_transfer_bill')
    .select('id')
    .where('sktbId', '=', sktbId as string)
    .executeTakeFirstOrThrow();
  return { id: String(id), sktbId };
};
const SCRAP = 'rmaScrapRepairBill';
const combineRepair = warehouse(`${SCRAP}/combineRepair`, async () => {
  const sns = [
    await goods(Node.Scrapped, '2', 'SCR'),
    await goods(Node.Scrapped, '2'),
    await goods(Node.Scrapped, '2'),
  ];
  return { siteId: 'SZ', count: 3, scrapRepairLineRequestList: sns.map((sn) => ({ sn })) };
});
const acceptedUnit = async (srbId: string) => {
  const lines = await testApp.db
    .selectFrom('rma_scrap_repair_bill_line')
    .select('sn')
    .where('srbId', '=', srbId)
    .orderBy('id')
    .execute();
  const [productSn = '', donor = ''] = lines.map((it) => it.sn);
  return {
    productSn,
    assistSnList: [donor],
    checkIssueCodeIdList: [codes['FX409']],
    repairInfoList: [{ partsType: '7', repairMethod: '8', issueCodeIdList: [codes['RP01']], slot: 'U1' }],
    assembleInfoList: slotsOf(4).map(({ name, componentType, hasQrCode }) => ({
      sn: `${name}-${productSn}`,
      component_type: componentType,
      qrCodeNum: hasQrCode ? 'Q'.repeat(17) : '',
    })),
  };
};
const VISIT = 'rmaSiteRepairBill';
/** A device that was shipped, on an open order that names it, with a part of the stock that goes into it. */
const onSiteRepair = post('tech')(`${VISIT}/onSiteRepair`, async () => {
  const { sn } = await unit(Node.Shipped);
  const { mtbId, mtblId } = await unit(Node.AwaitingTest, { item: { receiveStatus: '0', receiveSn: sn } });
  await testApp.db.deleteFrom('rma_inventory').where('mtblId', '=', mtblId).execute();
  await testApp.db.updateTable('rma_maintain_bill').set({ billStatus: '0' }).where('mtbId', '=', mtbId).execute();
  const part = await goods(Node.CanShip, '0', 'FG');
  await testApp.db.updateTable('rma_inventory').set({ type: '1' }).where('sn', '=', part).execute();
  return {
    mtbId,
    productSn: sn,
    checkIssueCodeIdList: [codes['FX409']],
    repairInfoList: [
      { componentSn: part, componentType: '7', repairMethod: '8', repairIssueCodeIdList: [codes['RP01']], slot: 'U1' },
    ],
    assembleInfoList: [{ componentSn: part, componentType: 'COIT000000S0', qrCodeNum: 'Q'.repeat(17), name: 'board1' }],
  };
});
const registerDefectives = warehouse(`${REGISTRATION}/defectiveProductRepair`, async () => ({
  ...{ receiveShipId: 'SF', receiveShipNo: next('SFDEFECT'), siteId: 'SZ' },
  lineRequestList: [{ sn: await goods(Node.AwaitingCheck, '1') }],
}));
const archived = async (sn: string) =>
  testApp.db
    .insertInto('ubs_item_object')
    .values({ sn, itemId: 1, salesCode: 'RX19', itemName: 'RX19 104T', type: '0', origin: '1' })
    .returning('id')
    .executeTakeFirstOrThrow();
const changeSn = office('ubsItemObject/changeSn', async () => {
  const { sn } = await unit(Node.AwaitingRepair);
  await archived(sn);
  return { cause: '1', oldSn: sn, newSn: next('RX19NEWNAME', 6) };
});
Object.assign(actions, {
  initiate,
  deliverAccept,
  receiverAccept: post('whNB')(`${TRANSFER}/receiverAccept`, async () => {
    const { sktbId } = await underWay();
    const items = await testApp.db
      .selectFrom('rma_stock_transfer_bill_line_item')
      .select('id')
      .where('sktbId', '=', sktbId as string)
      .execute();
    return { sktbId, receiveSiteId: 'NB', idList: items.map((it) => Number(it.id)) };
  }),
  returnTransfer: admin(`${TRANSFER}/returnTransfer`, async () => ({ id: (await underWay()).id })),
  cancelTransfer: office(`${TRANSFER}/cancelTransfer`, async () => ({
    id: String((await done(await begun(initiate)))['id']),
  })),
  combineRepair,
  outsourcingAccept: post('tech')(`${SCRAP}/outsourcingAccept`, async () => {
    const { srbId } = await done(await begun(combineRepair));
    return { srbId, siteId: 'SZ', list: [await acceptedUnit(srbId as string)] };
  }),
  cancelScrapRepair: warehouse(`${SCRAP}/cancelScrapRepair`, async () => ({
    id: String((await done(await begun(combineRepair)))['id']),
  })),
  onSiteRepair,
  finishOnSiteRepair: post('tech')(`${VISIT}/finishOnSiteRepair`, async () => ({
    mtbId: (await done(await begun(onSiteRepair)))['mtbId'],
  })),
  registerDefectives,
  registerTestPackage: warehouse(`${REGISTRATION}/testAndStore`, async () => ({
    siteId: 'SZ',
    dataList: [{ salesCode: 'RX19', itemRequestList: [{ sn: await goods(Node.CanShip, '0', 'FG') }] }],
  })),
  'deletion of a registration': warehouse(`${REGISTRATION}/deleteById`, async () => ({
    id: (await done(await begun(registerDefectives)))['id'],
  })),
  changeSn,
  'change of an SN, taken back': admin(
    'ubsSnChangeLog/rollbackById',
    async () => {
      const change = await begun(changeSn);
      await done(change);
      const row = await testApp.db
        .selectFrom('ubs_sn_change_log')
        .select('id')
        .where('newSn', '=', change.input['newSn'] as string)
        .executeTakeFirstOrThrow();
      return { id: String(row.id), remark: 'by mistake' };
    },
    GET,
  ),
  ingest: admin('hashRate/ingest', async () => ({
    samples: [1, 2].map((it) => ({
      userOid: next('RACK'),
      workerId: next('WORKER'),
      timestamp: Date.now(),
      hashRate: it,
    })),
  })),
  'a change in a draft': admin('sysModule/saveChange', async () => {
    const { id } = await testApp.db
      .insertInto('sys_draft')
      .values({ name: next('DRAFT'), status: DraftStatus.Open })
      .returning('id')
      .executeTakeFirstOrThrow();
    const label = { zh: '快递', en: 'Couriers' };
    return { draftId: id, module: 'ubsShipment', version: 0, change: { label } };
  }),
  'a new module in a draft': admin('sysModule/create', async () => {
    const module = next('visitor').replaceAll(/[^A-Za-z0-9]/g, '');
    const label = { zh: '访客', en: 'Visitors' };
    const definition = { module, label, table: module.toLowerCase(), site: 'all', fields: {} };
    return { name: module, group: 'items', definition };
  }),
  'a draft from elsewhere': admin('sysDraft/importDraft', async () => ({
    name: next('IMPORT'),
    format: FORMAT,
    changes: [{ module: 'ubsShipment', change: { label: { zh: '快递', en: 'Couriers' } } }],
  })),
  reprintLabels: warehouse('ubsItemObject/reprintLabels', async () => {
    const { sn } = await unit(Node.AwaitingRepair);
    await archived(sn);
    return { printer: '', snList: [sn] };
  }),
  generateSn: office('ubsItemObject/generateSn', async () => {
    const { sn } = await unit(Node.AwaitingRepair);
    return { itemObjectId: Number((await archived(sn)).id) };
  }),
} satisfies typeof actions);

/** Each kind of step is undone by statements of its own; the delivery's stand for all where there is less time. */
const undone = [
  ...['receive', 'receipt of boards', 'check', 'scrapConfirm', 'nofaultConfirm, declined', 'repair'],
  ...['exchange of a part', 'assemble', 'aging', 'qc', 'store', 'storeStart', 'rebindSn', 'node edit', 'buy-out'],
  'force close',
];
export const undoings: Record<string, TestAction> = Object.fromEntries(
  undone.map((name) => [
    `rollback of ${name}`,
    admin('rmaTransaction/rollbackById', () => readLastStep(actions[name] as TestAction), GET),
  ]),
);

/** Writing calls of the features that need no action here, and why. */
export const excepted: readonly [calls: RegExp, reason: string][] = [
  [/^icop/, 'the semiconductor orders are a chain of their own'],
  [
    /^rma(PriceBill|RepairFeeBill|LogisticsCostsBill|MiscellaneousExpensesBill|CorrectionBill)\//,
    'money: no unit and no bill of the chain is touched',
  ],
  [/^sysServiceToken\//, "who reports is the administration's: one row and its secret"],
  [/^adminRole\//, "what roles may do is the administration's"],
  [
    /^(ubsItem|rmaReceiveBill)\/printLabels$|^ubsItemObject\/printChangedLabel$/,
    'reprintLabels for another reason: the same handler',
  ],
  [/^rmaInventory\/activate$/, 'storeStart by its other name: the same handler'],
  [/^rmaSelfPickup\/review$/, 'selfPickupReview by its other name: the same handler'],
];

async function readLastStep(action: TestAction) {
  await done(await begun(action));
  const step = await testApp.db
    .selectFrom('rma_transaction')
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  return { id: String(step.id), remark: 'by mistake' };
}

/** A unit on the shelf and on its stock-up bill. */
async function stored({ line, ...more }: Parameters<typeof unit>[1] & { line?: { type: string } } = {}) {
  const found = await unit(Node.AwaitingStorage, more);
  if (line) {
    await testApp.db.updateTable('rma_maintain_bill_line').set(line).where('mtblId', '=', found.mtblId).execute();
  }
  const { skbIdList } = await done({
    as: 'warehouse',
    path: 'rmaStoreBill/submitStoreBill',
    input: { rmaStoreBillLineList: [{ sn: found.sn }], packageCount: 20 },
  });
  return { ...found, skbId: (skbIdList as string[])[0] as string };
}

function onStockup(action: string, skbIdOf: () => Promise<unknown>): TestAction {
  return warehouse(`rmaStockupBill/${action}`, async () => ({ id: await skbIdOf() }), GET);
}

const stockupRow = (skbId: string) =>
  testApp.db
    .selectFrom('rma_stockup_bill')
    .select(['id', 'version'])
    .where('skbId', '=', skbId)
    .executeTakeFirstOrThrow();

/** A board of the stock. */
const stockBoard = () =>
  stockMachine(testApp.db, Node.CanShip, { sn: next('HB19STK', 10), type: '1', salesCode: 'HB19' });

/** The parts of a device, its board from the stock. */
async function readParts(sn: string) {
  const board = await stockBoard();
  const partsList = slotsOf(1).map(({ name, componentType, hasQrCode }) => ({
    sn: hasQrCode ? board : `${name}-${sn}`,
    component_type: componentType,
    qrCodeNum: hasQrCode ? 'Q'.repeat(17) : '',
  }));
  return { sn, partsList };
}

/** A customer's wish to fetch what is on a bill. */
async function pickup(mtbId: string): Promise<string> {
  const request = { spkId: next('SPKFAULT'), selfPickupStatus: '0', siteId: 'SZ', companyName: '宁远矿业', mtbId };
  const { id } = await testApp.db
    .insertInto('rma_self_pickup')
    .values(request)
    .returning('id')
    .executeTakeFirstOrThrow();
  return String(id);
}

/** A customer's bill that still waits for its parcel. */
async function newBill(): Promise<string> {
  const row = { mtbId: next('MTB-FAULT'), siteId: 'SZ', billStatus: '0', userName: '宁远矿业' };
  const { id } = await testApp.db
    .insertInto('rma_maintain_bill')
    .values({ ...row, receiveShipNo: `SF-${row.mtbId}` })
    .returning('id')
    .executeTakeFirstOrThrow();
  return String(id);
}

function newItem() {
  const salesCode = next('NEWCODE');
  return { itemId: 90_000 + made, salesCode, name: salesCode, type: '0', deviceType: '0', snControl: '1' };
}

async function addItem(item: ReturnType<typeof newItem>): Promise<number> {
  const { id } = await testApp.db.insertInto('ubs_item').values(item).returning('id').executeTakeFirstOrThrow();
  return Number(id);
}

/** An item of the catalogue; the archive knows an SN of it by an older code. */
async function catalogueItem(): Promise<number> {
  const item = newItem();
  const archived = { sn: next('RX19OLDCODE'), itemId: item.itemId, salesCode: 'OLD', itemName: 'old' };
  await testApp.db
    .insertInto('ubs_item_object')
    .values({ ...archived, type: '0', origin: '1' })
    .execute();
  return addItem(item);
}
