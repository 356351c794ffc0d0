import { BillStatus, OwnBillType, StorageType } from '#domain/enums.ts';
import { groupBy } from '#domain/group.ts';
import { isOfSite, validateNotHeld, validateNotOnBill } from '#domain/hold.ts';
import { Node } from '#domain/nodes.ts';
import type { Problem } from '#domain/refusal.ts';
import { nodesOf, wordOfNode, type GuardedUnit, type Registration } from '#domain/workflow.ts';

const MODULE = 'rmaDefectiveProductRepairBill';

/** What each registration makes, and of what. Rule: bills#own-goods. */
export const registered = {
  defectiveProductRepair: { billType: OwnBillType.DefectiveRepair, storageType: StorageType.Defectives },
  testAndStore: { billType: OwnBillType.TestPackage, storageType: StorageType.Goods },
} as const satisfies Record<Registration, object>;

/** What the form has beside its SNs. */
export interface RegistrationForm {
  receiveShipId: string;
  receiveShipNo: string;
  siteId: string;
}

const missing = (field: string): Problem => ({ key: 'required', field, args: { fields: [{ module: MODULE, field }] } });

/** A registration of defectives names its courier, its site and its waybill. Rule: events#e39. */
export const validateDefective = (form: RegistrationForm): Problem[] =>
  (['receiveShipId', 'siteId', 'receiveShipNo'] as const).filter((it) => form[it] === '').map(missing);

/** A test package names its site. Rule: events#e40. */
export const validatePackage = ({ siteId }: Pick<RegistrationForm, 'siteId'>): Problem[] =>
  siteId === '' ? [missing('siteId')] : [];

/** Something is registered, and no more SNs than one bill takes at once. Rule: bills#own-goods. */
export function validateScanned(count: number, field: string): Problem[] {
  const label = { zh: 'SN', en: 'SN' };
  if (count === 0) return [{ key: 'required', field, args: { fields: [label] } }];
  return count <= MOST_UNITS ? [] : [{ key: 'atMost', field, args: { field: label, max: MOST_UNITS } }];
}
const MOST_UNITS = 1000;

/** Goods are registered where they lie: at the own site. Rule: guard#sites. */
export const validateOwnSite = (siteId: string, own: string, site: string): Problem[] =>
  siteId === own ? [] : [{ key: 'ownSiteOnly', field: 'siteId', args: { site } }];

/** What the archive knows of an SN. */
interface Archived {
  itemObjectId: number;
  salesCode: string;
}

/** What stands in the way of registering one SN. */
interface Facts {
  archived: Archived | undefined;
  unit: (GuardedUnit & { storageType: string | null }) | undefined;
  /** The device in the workshop of which it is a part. */
  inside: string | undefined;
  siteId: string;
}

/**
 * What forbids to register an SN, in the order of the general guard: unknown, another site's, spoken for by a bill,
 * shipped, scrapped, held for a confirmation, inside a device, on an open bill, at another node, kept as something else. Defectives are taken from the stock alone, a
 * test package also has what only the archive knows. Rule: events#e39, events#e40.
 */
export function validateRegistered(sn: string, facts: Facts, step: Registration, field = 'sn'): Problem[] {
  const { archived, unit, inside, siteId } = facts;
  const isNew = !unit || (unit.ivyId === null && unit.held === null);
  if (isNew) {
    if (!archived) return [{ key: 'notInArchive', field, args: { sn } }];
    if (step === 'defectiveProductRepair') return [{ key: 'notInStock', field, args: { sn } }];
    if (archived.salesCode === '') return [{ key: 'noSalesCode', field, args: { sn } }];
    return inside === undefined ? [] : [{ key: 'partBound', field, args: { sn, device: inside } }];
  }
  const node = wordOfNode(unit.ivyId);
  if (!isOfSite(unit, siteId)) return [{ key: 'otherSite', field, args: { sn } }];
  const spokenFor = validateNotOnBill(unit, field);
  if (spokenFor.length > 0) return spokenFor;
  if (unit.ivyId === Node.Shipped) return [{ key: 'shipped', field, args: { sn } }];
  if (unit.ivyId === Node.Scrapped) return [{ key: 'scrapped', field, args: { sn } }];
  const held = validateNotHeld(unit, field);
  if (held.length > 0) return held;
  if (inside !== undefined) return [{ key: 'partBound', field, args: { sn, device: inside } }];
  if (unit.mtbId && unit.billStatus !== BillStatus.Finished) {
    return [{ key: 'inHouse', field, args: { sn, mtbId: unit.mtbId, node } }];
  }
  const expected = nodesOf(step);
  if (!expected.includes(unit.ivyId)) {
    return [{ key: 'wrongNode', field, args: { sn, node, expected: expected.map(wordOfNode) } }];
  }
  const { storageType } = registered[step];
  if (unit.storageType === storageType) return [];
  const word = (value: string) => ({ options: 'storageType', value });
  const storage = unit.storageType === null ? '–' : word(unit.storageType);
  return [{ key: 'wrongStorage', field, args: { sn, storage, expected: word(storageType) } }];
}

/** What was sent beside an SN is what the SN is. Rule: guard#belonging. */
export function validateSent(
  sn: string,
  sent: { itemObjectId: number | null; salesCode: string },
  known: { itemObjectId: number | null; salesCode: string },
  field: string,
): Problem[] {
  const isOther = sent.itemObjectId !== null && sent.itemObjectId !== known.itemObjectId;
  if (isOther) return [{ key: 'notTogether', field, args: { part: sn, whole: String(sent.itemObjectId) } }];
  const isOtherModel = sent.salesCode !== '' && sent.salesCode !== known.salesCode;
  return isOtherModel ? [{ key: 'notTogether', field, args: { part: sn, whole: sent.salesCode } }] : [];
}

/** Scanned SNs, one entry a sales code in the order in which each first came. */
export const groupByCode = <Scanned extends { salesCode: string }>(scanned: readonly Scanned[]): Scanned[][] => [
  ...groupBy(scanned, (it) => it.salesCode).values(),
];

/** An SN of a registration, as far as it decides whether that may be deleted. */
export interface RegisteredUnit {
  sn: string;
  /** It stands where the registration put it, on its bill, and waits for nobody's word. */
  isUntouched: boolean;
  /** The latest step of it that still stands. */
  latest: { step: string; billId: string | null } | undefined;
  /** It went back to its first test since: what was found stands with its item. */
  isReturned: boolean;
}

/** A registration is deleted only while none of its SNs has moved or was tested. Rule: bills#own-goods. */
export function validateDeletion(dpbId: string, units: readonly RegisteredUnit[]): Problem[] {
  const moved = units.find((it) => !it.isUntouched || it.latest?.billId !== dpbId);
  if (!moved) {
    const tested = units.find((it) => it.isReturned);
    return tested ? [{ key: 'testedRegistration', field: 'id', args: { sn: tested.sn } }] : [];
  }
  const step = { options: 'workflowSteps', value: moved.latest?.step ?? '' };
  return [{ key: 'movedOn', field: 'id', args: { sn: moved.sn, step } }];
}
