import { describe, expect, it } from 'vitest';
import { routes } from '#features/routes.ts';

interface Decided {
  call: string;
  /** The names in `data` of a success. */
  data: string[];
}
const decided = (call: string, data: string): Decided => ({ call, data: data.split(' ') });

/** Calls at the path that was decided, with the answer that was decided. Rule: wire#decided-paths. */
const lookups = [
  decided('GET /api/rmaReceiveBill/queryByShipNo.json', 'mtbId billStatus rmaMaintainBillLineList warning'),
  decided('GET /api/rmaEnumDepreciation/all.json', 'items'),
  decided('GET /api/ubsAssembly/queryComponentSnByAssemblySn.json', 'items'),
  decided('GET /api/ubsAssembly/componentQuery.json', 'items'),
  decided('GET /api/ubsEnumComponentType/all.json', 'items'),
  decided('GET /api/ubsEnumPartsType/all.json', 'items'),
  decided('GET /api/rmaEnumRepairMethod/all.json', 'items'),
  decided('GET /api/ubsItem/queryBomByName.json', 'items'),
  decided('GET /api/ubsItem/queryBomItemByBomId.json', 'items'),
  decided('GET /api/ubsItem/queryBySalesCode.json', 'items'),
  decided('POST /api/rmaAssembleBill/validateSn.json', 'sn item boundParts warning'),
  decided('POST /api/rmaStockupBill/loadStockupBill.json', 'bill maintainBillLines'),
  decided('POST /api/rmaDeliverBill/attemptDeliver.json', 'sn deliverItemId sklId salesCode needRebind'),
  decided('POST /api/rmaDeliverBill/validateSn.json', 'item'),
];
const submits = [
  decided('POST /api/rmaArrivalBill/signFor.json', 'id receiveShipNo mtbId'),
  decided('POST /api/rmaArrivalBill/accept.json', 'id status mtbId billStatus'),
  decided('POST /api/rmaReceiveBill/receive.json', 'rvbId mtbId receivedCount snList lineList'),
  decided('POST /api/rmaReceiveBill/deleteReceived.json', 'deletedCount lineList'),
  decided('POST /api/rmaReceiveBill/finishReceive.json', 'mtbId billStatus'),
  decided('POST /api/rmaCheckBill/check.json', 'ckbId sn nextNode confirm'),
  decided('POST /api/rmaCheckBill/scrapConfirm.json', 'sn nextNode billStatus'),
  decided('POST /api/rmaCheckBill/nofaultConfirm.json', 'sn nextNode billStatus'),
  decided('POST /api/rmaRepairBill/repair.json', 'rpbId sn nextNode'),
  decided('POST /api/rmaAssembleBill/assemble.json', 'asbId sn nextNode'),
  decided('POST /api/rmaBurninBill/submitBurninBill.json', 'bnbId passCount failCount'),
  decided('POST /api/rmaExamineBill/submitExamineBill.json', 'exbId passCount failCount'),
  decided('POST /api/rmaStoreBill/submitStoreBill.json', 'stbId storedCount skbIdList'),
  decided('POST /api/rmaStoreBill/storeStart.json', 'sn nextNode'),
  decided('POST /api/rmaDeliverBill/submitDeliverBill.json', 'dvbId deliveredCount remainCount stockupStatus'),
  decided('POST /api/rmaDeliverBill/rebindSn.json', 'sn partsCount'),
  decided('POST /api/rmaSelfPickup/selfPickupReview.json', 'id selfPickupStatus'),
  decided('POST /api/rmaMaintainBill/terminate.json', 'mtbId billStatus notReceivedCount discardedSnList'),
  decided('POST /api/rmaMaintainBillLineItem/updateSiteId.json', 'updatedCount'),
  decided('POST /api/rmaMaintainBillLineItem/replaceSaleCode.json', 'updatedCount mtblId'),
  decided('POST /api/rmaMaintainBillLineItem/moveBill.json', 'movedCount mtbId mtblId'),
  decided('POST /api/rmaMaintainBillLineItem/buyOut.json', 'buyOutCount billStatus'),
];

/** Calls of what happens outside the line and of money, at the paths that were decided. Rule: wire#decided-paths. */
const outsideTheLine = [
  'GET /api/rmaInventory/validateSn.json',
  'POST /api/rmaStoreBill/storeStart.json',
  'POST /api/rmaInventory/activate.json',
  'POST /api/rmaInventory/modifyIvyId.json',
  'GET /api/rmaTransaction/rollbackById.json',
  'GET /api/ubsState/queryStateByCountryId.json',
  'GET /api/ubsCity/queryCityByStateId.json',
  'GET /api/ubsSite/pagerList.json',
  'GET /api/ubsSite/pagerListAll.json',
  'POST /api/rmaUnhandledPackageBill/createUnhandledPackageBill.json',
  'GET /api/rmaMaintainBill/queryByReceiveShipNo.json',
  'GET /api/ubsItemObject/querySnInfo.json',
  'POST /api/ubsItemObject/changeSn.json',
  ...['initiate', 'deliverAccept', 'receiverAccept', 'cancelTransfer'].map(
    (it) => `POST /api/rmaStockTransferBill/${it}.json`,
  ),
  ...['getSiteList', 'getSaleCodeList', 'querySnInfo'].map((it) => `GET /api/rmaStockTransferBill/${it}.json`),
  ...['validateSnForCombineRepair', 'validateSnForAccept'].map((it) => `GET /api/rmaScrapRepairBill/${it}.json`),
  ...['combineRepair', 'outsourcingAccept', 'cancelScrapRepair'].map((it) => `POST /api/rmaScrapRepairBill/${it}.json`),
  'GET /api/rmaSiteRepairBill/queryDevice.json',
  ...['onSiteValidateSn', 'onSiteRepair', 'finishOnSiteRepair'].map((it) => `POST /api/rmaSiteRepairBill/${it}.json`),
  ...['GET', 'POST'].flatMap((method) =>
    ['validateSnForDefective', 'validateSn'].map((it) => `${method} /api/rmaDefectiveProductRepairBill/${it}.json`),
  ),
  ...['defectiveProductRepair', 'testAndStore'].map((it) => `POST /api/rmaDefectiveProductRepairBill/${it}.json`),
  'POST /api/rmaRepairFeeBill/uploadInvoice.json',
  'POST /api/rmaRepairFeeBill/generateMonthlyProcessingFeeBill.json',
  'GET /api/rmaRepairFeeBill/generateMonthlyProcessingFeeBill.json',
  'POST /api/rmaLogisticsCostsBill/uploadCertificate.json',
  'GET /api/rmaLogisticsCostsBill/return.json',
  'GET /api/rmaMiscellaneousExpensesBill/audit.json',
];

const callOf = (call: string) =>
  routes.map((it) => it.call).find(({ method, path }) => `${method} ${path}`.toLowerCase() === call.toLowerCase());
const namesIn = (data: { properties?: object } | undefined) => Object.keys(data?.properties ?? {});

describe('what the specification leaves open is answered at the path that was decided, as was decided', () => {
  it.each(lookups)('$call asks and changes nothing [W-MSG-04]', ({ call, data }) => {
    expect(callOf(call)?.writes).toBe(false);
    expect(namesIn(callOf(call)?.data)).toEqual(expect.arrayContaining(data));
  });

  it.each(submits)('$call says what it did [W-MSG-04]', ({ call, data }) => {
    expect(callOf(call)?.writes).toBe(true);
    expect(namesIn(callOf(call)?.data)).toEqual(expect.arrayContaining(data));
  });

  it.each(outsideTheLine)('%s is served [W-MSG-04]', (call) => {
    expect(callOf(call)).toBeDefined();
  });
});
