import type { Option, OptionLists } from '#domain/definition/grammar.ts';
import { namedMethods } from '#domain/repairRecord.ts';
import { FeeType } from '#domain/review.ts';

/** The values of a list; none where there is no such list, whatever it is called. */
export const valuesOf = (lists: OptionLists, list: string): Option[] =>
  Object.hasOwn(lists, list) ? (lists[list] ?? []) : [];

/** The values of a list that may be chosen now: those that are retired only stand in rows from before. */
export const offeredOptions = (lists: OptionLists, list: string): Option[] =>
  valuesOf(lists, list).filter((it) => !it.retired);

/** Whether a list has the value and offers it still. */
export const isOffered = (lists: OptionLists, list: string, value: string): boolean =>
  offeredOptions(lists, list).some((it) => it.value === value);

/** A list that follows the modules by itself. */
export const MODULES_LIST = 'ledgerModules';

/**
 * Lists by whose values the server works: one that it knows nothing of would be taken for one of its own, and one that is
 * retired could be chosen no more where it is needed, as to switch an account off. Rule: definitions#slips.
 */
export const readLists: ReadonlySet<string> = new Set([
  ...['yesNo', 'billStatus', 'receiveStatus', 'deliverStatus', 'deliverPriority', 'receiptPayment', 'warranty'],
  ...['goodsType', 'snOrigin', 'productVerType', 'barcodeType', 'nodes', 'operateStatus', 'arrivalStatus'],
  ...['stockupStatus', 'submitType', 'storageType', 'subinventory', 'issueCategory', 'disposition', 'passFlag'],
  ...['scrapStatus', 'nofaultStatus', 'dutySourse', 'repairType', 'componentTypes', 'userStatus'],
  ...['draftStatus', 'moduleOrigins', 'serviceTokenStatus', 'icopBillStatus', 'icopLotTypes', 'bumpingCpProcessTypes'],
  ...['ftTypes', 'icopStages', 'priceBillStatus', 'repairFeeStatus', 'correctionStatus'],
  ...['logisticsCostsStatus', 'reviewStatus', 'repairProjects', 'businessTypes', 'packageStatus'],
  ...['selfPickupStatus', 'siteRepairStatus', 'snPlaces', 'transferStatus', 'transferSnStatus', 'itemTypes'],
  ...['scrapRepairStatus', 'scrapSnRoles', 'defectiveTypes', 'labelPrintKind', 'labelPrintResult', 'webSyncStatus'],
  ...['labelKinds', 'priceReasons', 'jobStates'],
]);

/** Of lists that may get new values, those that the server works by: these are not retired. Rule: definitions#slips. */
export const readValues: ReadonlyMap<string, readonly string[]> = new Map([
  ['feeTypes', [FeeType.Labour]],
  ['repairMethods', namedMethods],
]);
