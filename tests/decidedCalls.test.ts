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
});
