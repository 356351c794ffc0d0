import { lacksParts } from '#domain/assembly.ts';
import { GoodsType, type StockupStatus } from '#domain/enums.ts';
import {
  ownSite,
  problemsOfEnd,
  problemsOfItem,
  problemsOfReceipt,
  problemsOfReturn,
  problemsOfTally,
  problemsOfTest,
  type ItemInHand,
} from '#domain/itemActions.ts';
import { mayLeave } from '#domain/maintainBill.ts';
import { Node } from '#domain/nodes.ts';
import type { Problem } from '#domain/refusal.ts';
import { mayDo } from '#domain/rights.ts';
import {
  events,
  problemsOfActivation,
  problemsOfUnit,
  stepsOnParts,
  type GuardedUnit,
  type Step,
} from '#domain/workflow.ts';

/** Which module keeps the bills of a step, and which of its buttons opens the station; the right is of both names. */
export const stations: Readonly<Record<Step, { module: string; btnNo: string }>> = {
  receive: { module: 'rmaReceiveBill', btnNo: 'receive' },
  check: { module: 'rmaCheckBill', btnNo: 'check' },
  repair: { module: 'rmaRepairBill', btnNo: 'repair' },
  assemble: { module: 'rmaAssembleBill', btnNo: 'assemble' },
  aging: { module: 'rmaBurninBill', btnNo: 'burnin' },
  qc: { module: 'rmaExamineBill', btnNo: 'examine' },
  store: { module: 'rmaStoreBill', btnNo: 'store' },
  deliver: { module: 'rmaDeliverBill', btnNo: 'deliver' },
};

/** A supervisor's word on a held unit: where it is given. */
const confirmations = {
  scrap: { action: 'scrapConfirm', module: 'rmaScrapConfirm' },
  nofault: { action: 'nofaultConfirm', module: 'rmaNofaultConfirm' },
} as const;

/** The steps of the SN history that a rollback knows how to undo. */
export const undoableSteps: readonly string[] = [
  ...Object.keys(stations),
  'scrapConfirm',
  'nofaultConfirm',
  'storeStart',
  'rebind',
  'buyOut',
  'terminate',
  'updateSiteId',
  'moveBill',
  'replaceSaleCode',
  'modifyNode',
];

/** A unit with everything that decides what may be done with it next. */
export interface StandingUnit extends GuardedUnit {
  type: string;
  deliverStatus: string | null;
  deliverPriority: string | null;
  /** The item of its bill for which it stands; null for a machine of the site's own stock. */
  item: StandingItem | null;
  /** How many parts are bound to it. */
  partsCount: number;
  /** The device in the house of which it is a part. */
  inside: string | null;
  /** The stock-up bill on which it waits to be shipped, and whose it is. */
  tally: { skbId: string; siteId: string | null; status: StockupStatus } | null;
  /** The latest step of its history that still stands. */
  lastStep: { id: number; step: string; siteId: string | null; toNode: string | null } | null;
}

export interface StandingItem extends Pick<ItemInHand, 'mtbliId' | 'receiveSn' | 'receiveStatus' | 'scrap'> {
  siteId: string | null;
  /** When it was checked. */
  checkTime: number | null;
}

/** Who asks: what is done at a station is done at the home site, what is done from the office in all of the user's sites. */
export interface Acting {
  siteId: string;
  sites: 'all' | readonly string[];
  rights: ReadonlySet<string>;
}

/** What is done where one stands: by whom, and whether the call that does it would take the unit. */
interface Deed {
  right: string;
  isOpen: (unit: StandingUnit, who: Acting) => boolean;
}

/** A decision about the item of a unit, by the button of the bill's items, with what forbids it. */
const ofItem = (
  btnNo: string,
  problemsOf: (item: ItemInHand & StandingItem, unit: StandingUnit, siteId: string | null) => Problem[],
): Deed => ({
  right: `rmaMaintainBillLineItem:${btnNo}`,
  isOpen: (unit, who) => {
    if (!unit.item || !isWithin(unit.item.siteId, who)) return false;
    const { mtbId, billStatus, deliverStatus } = unit;
    const item = { ...unit.item, mtbId: mtbId ?? '', billStatus, deliverStatus, unit };
    return problemsOf(item, unit, ownSite(who)).length === 0;
  },
});

/** In the order in which they are offered: what the work asks for first, what is rare or undoes work last. */
export const deeds = {
  rebind: {
    right: 'rmaDeliverBill:deliver',
    isOpen: (unit, { siteId }) =>
      lacksParts(unit.type, unit.partsCount) && problemsOfUnit(unit.sn, unit, 'deliver', siteId).length === 0,
  },
  editDeliver: ofItem('editDeliver', ({ deliverStatus }, { sn }) => problemsOfEnd(sn, deliverStatus, 'sn')),
  supplementCheckPicture: ofItem('supplementCheckPicture', ({ checkTime }) => problemsOfTest(checkTime, 'sn')),
  replaceSaleCode: ofItem('replaceSaleCode', (item, { tally }, siteId) => [
    ...problemsOfItem(item, siteId, 'sn'),
    ...problemsOfTally(tally, 'sn'),
  ]),
  updateSiteId: ofItem('updateSiteId', (item, _, siteId) => problemsOfItem(item, siteId, 'sn')),
  moveBill: ofItem('moveBill', (item, _, siteId) => problemsOfItem(item, siteId, 'sn')),
  storeStart: {
    right: 'rmaStoreBill:storeStart',
    isOpen: (unit, { siteId }) => {
      const known = unit.siteId === null ? undefined : unit;
      return problemsOfActivation(unit.sn, known, { isArchived: true, inside: unit.inside, siteId }).length === 0;
    },
  },
  rollbackToPreliminaryTest: ofItem('rollbackToPreliminaryTest', (item, unit, siteId) => {
    const { mtbliId, mtbId } = item;
    return problemsOfReturn({ ...unit, mtbliId }, item, { mtbliId, mtbId, siteId, latest: null }, 'sn');
  }),
  buyOut: ofItem('buyOut', (item, _, siteId) => [
    ...problemsOfItem(item, siteId, 'sn'),
    ...problemsOfReceipt(item, 'sn'),
  ]),
  modifyNode: { right: 'rmaInventory:modifyIvyId', isOpen: ({ siteId }, who) => isWithin(siteId, who) },
  rollback: { right: 'rmaTransaction:rollback', isOpen: isUndoable },
} satisfies Record<string, Deed>;
export type DeedName = keyof typeof deeds;

type NextActionName = Step | 'scrapConfirm' | 'nofaultConfirm' | DeedName;

interface NextAction {
  action: NextActionName;
  /** The page that does it, with the SN already scanned; none for what is done on the spot. */
  address: string | null;
}

/**
 * What this user may do next with a unit that stands here: the stations that would take it, the word for which it
 * waits, and what is decided about it where it stands. What the server would refuse for the right, the site or the
 * state is not among it; the server remains the judge. Rule: units#next.
 */
export function nextActions(unit: StandingUnit, who: Acting): NextAction[] {
  const may = (module: string, btnNo: string) => mayDo(who.rights, `${module}:${btnNo}`);
  const steps = (Object.keys(stations) as Step[]).filter(
    (step) => may(stations[step].module, stations[step].btnNo) && isTaken(unit, step, who.siteId),
  );
  const onTheSpot = (Object.keys(deeds) as DeedName[]).filter(
    (it) => mayDo(who.rights, deeds[it].right) && deeds[it].isOpen(unit, who),
  );
  return [
    ...steps.map((step): NextAction => ({ action: step, address: addressOfStation(unit, step) })),
    ...confirmationsOf(unit, who, may),
    ...onTheSpot.map((action): NextAction => ({ action, address: null })),
  ];
}

/** A unit that is in no house has no site. */
const isWithin = (siteId: string | null, { sites }: Acting): boolean =>
  siteId !== null && (sites === 'all' || sites.includes(siteId));

/**
 * Whether the station of this step would take the unit; what leaves does so on a stock-up bill of this site.
 * Rule: events#e25.
 */
function isTaken(unit: StandingUnit, step: Step, siteId: string): boolean {
  if (step === 'receive') return unit.type === GoodsType.Device && (unit.ivyId === null || unit.ivyId === Node.Shipped);
  if (problemsOfUnit(unit.sn, unit, step, siteId).length > 0) return false;
  const isOfType = events.some(
    (it) => it.step === step && it.from.includes(unit.ivyId) && (!it.type || it.type === unit.type),
  );
  return isOfType && (step !== 'deliver' || (mayLeave(unit) && unit.tally?.siteId === siteId));
}

function addressOfStation({ sn, type, tally }: StandingUnit, step: Step): string {
  const { module, btnNo } = stations[step];
  const query = {
    ...(step === 'deliver' && tally && { shipNo: tally.skbId }),
    ...((step === 'check' || step === 'repair') && type === GoodsType.Board && { type }),
    sn,
  };
  return `/${module}List/${btnNo}?${queryOf(query)}`;
}

const queryOf = (words: Record<string, string>): string =>
  Object.entries(words)
    .map(([name, word]) => `${name}=${encodeURIComponent(word)}`)
    .join('&');

function confirmationsOf(
  { siteId, held }: StandingUnit,
  who: Acting,
  may: (module: string, btnNo: string) => boolean,
): NextAction[] {
  if (!held || !isWithin(siteId, who)) return [];
  const { action, module } = confirmations[held.confirmation];
  if (!may(module, action)) return [];
  return [{ action, address: `/${module}List/${action}/${held.lineId}` }];
}

/** The latest step left the unit where it stands, and there is a way back. */
function isUndoable({ siteId, lastStep, ivyId }: StandingUnit, who: Acting): boolean {
  if (siteId === null || !lastStep || lastStep.toNode !== ivyId || !isWithin(lastStep.siteId, who)) return false;
  if (stepsOnParts.includes(lastStep.step) && (ivyId === null || ivyId === Node.Scrapped)) return false;
  return undoableSteps.includes(lastStep.step);
}
