import { lacksParts } from '#domain/assembly.ts';
import { GoodsType, type StockupStatus } from '#domain/enums.ts';
import { ownSite, validateItemAction, type ItemActionName, type ItemInHand } from '#domain/itemActions.ts';
import { isProposal, type BillHold } from '#domain/hold.ts';
import { mayLeave } from '#domain/maintainBill.ts';
import { Node } from '#domain/nodes.ts';
import { mayDo } from '#domain/rights.ts';
import { stations } from '#domain/stations.ts';
import { toQuery } from '#domain/viewAddress.ts';
import {
  events,
  validateActivation,
  validateUnit,
  stepsOnParts,
  type GuardedUnit,
  type Step,
} from '#domain/workflow.ts';

/** The module and action by which a supervisor decides about a held unit. */
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
  'changeSn',
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
  /** The device in the workshop of which it is a part. */
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
export interface Actor {
  siteId: string;
  sites: 'all' | readonly string[];
  rights: ReadonlySet<string>;
}

/** What is done where one stands: by whom, and whether the call that does it would take the unit. */
interface OnTheSpotAction {
  right: string;
  isOpen: (unit: StandingUnit, actor: Actor) => boolean;
}

/** A decision about the item of a unit, by the button of the bill's items. */
const ofItem = (btnNo: ItemActionName): OnTheSpotAction => ({
  right: `rmaMaintainBillLineItem:${btnNo}`,
  isOpen: (unit, actor) => {
    if (!unit.item || !isWithin(unit.item.siteId, actor)) return false;
    const { mtbId, billStatus, deliverStatus, tally } = unit;
    const item = { ...unit.item, mtbId: mtbId ?? '', billStatus, deliverStatus, tally, unit };
    return validateItemAction[btnNo](item, ownSite(actor)).length === 0;
  },
});

/** In the order in which they are offered: what the work asks for first, what is rare or undoes work last. */
export const onTheSpotActions = {
  rebind: {
    right: 'rmaDeliverBill:deliver',
    isOpen: (unit, { siteId }) =>
      lacksParts(unit.type, unit.partsCount) && validateUnit(unit.sn, unit, 'deliver', siteId).length === 0,
  },
  editDeliver: ofItem('editDeliver'),
  supplementCheckPicture: ofItem('supplementCheckPicture'),
  replaceSaleCode: ofItem('replaceSaleCode'),
  updateSiteId: ofItem('updateSiteId'),
  moveBill: ofItem('moveBill'),
  storeStart: {
    right: 'rmaStoreBill:storeStart',
    isOpen: (unit, { siteId }) => {
      const known = unit.siteId === null ? undefined : unit;
      return validateActivation(unit.sn, known, { isArchived: true, inside: unit.inside, siteId }).length === 0;
    },
  },
  rollbackToPreliminaryTest: ofItem('rollbackToPreliminaryTest'),
  buyOut: ofItem('buyOut'),
  modifyNode: { right: 'rmaInventory:modifyIvyId', isOpen: ({ siteId }, actor) => isWithin(siteId, actor) },
  rollback: { right: 'rmaTransaction:rollback', isOpen: isUndoable },
} satisfies Record<string, OnTheSpotAction>;
export type OnTheSpotActionName = keyof typeof onTheSpotActions;

/** What ends a bill's hold on its units, and who may do so at which of its sites. */
interface HoldEnd {
  module: string;
  isOpen: (held: BillHold, actor: Actor) => boolean;
  /** It is done at a station, which has the bill in its address; else where one stands. */
  isAtStation: boolean;
}

const transfers = 'rmaStockTransferBill';
const scrapRepairs = 'rmaScrapRepairBill';
const holdEndings = {
  // What is sent lies at no site; it is signed for where it goes, which its transfer names last.
  receiverAccept: {
    module: transfers,
    isAtStation: true,
    isOpen: ({ siteIds }, { siteId }) => siteIds.at(-1) === siteId,
  },
  returnTransfer: {
    module: transfers,
    isAtStation: false,
    isOpen: ({ siteIds }, actor) => siteIds.some((it) => isWithin(it, actor)),
  },
  outsourcingAccept: {
    module: scrapRepairs,
    isAtStation: true,
    isOpen: ({ siteIds }, { siteId }) => siteIds.includes(siteId),
  },
  cancelScrapRepair: {
    module: scrapRepairs,
    isAtStation: false,
    isOpen: ({ siteIds }, actor) => siteIds.some((it) => isWithin(it, actor)),
  },
} satisfies Record<string, HoldEnd>;
export type HoldEndName = keyof typeof holdEndings;

/** By the kind of the bill; what ends nothing here is ended by the bill's own list. */
const endingsOf: Readonly<Record<BillHold['kind'], readonly HoldEndName[]>> = {
  transfer: ['receiverAccept', 'returnTransfer'],
  scrapRepair: ['outsourcingAccept', 'cancelScrapRepair'],
  consumed: [],
};

type NextActionName = Step | 'scrapConfirm' | 'nofaultConfirm' | OnTheSpotActionName | HoldEndName;

interface NextAction {
  action: NextActionName;
  /** The page that does it, with the SN already scanned; none for what is done on the spot. */
  address: string | null;
}

/**
 * What this user may do next with a unit that stands here: the stations that would take it, the decision for which it
 * waits, and what is decided about it where it stands. What the server would refuse for the right, the site or the
 * state is not among it; the server remains the judge. Rule: units#next.
 */
export function nextActions(unit: StandingUnit, actor: Actor): NextAction[] {
  const may = (module: string, btnNo: string) => mayDo(actor.rights, `${module}:${btnNo}`);
  const { held } = unit;
  // What a bill speaks for waits for that bill alone.
  if (held !== null && !isProposal(held)) return holdEndsOf(unit.sn, held, actor, may);
  const steps = (Object.keys(stations) as Step[]).filter(
    (step) => may(stations[step].module, stations[step].btnNo) && isAccepted(unit, step, actor.siteId),
  );
  const onTheSpot = (Object.keys(onTheSpotActions) as OnTheSpotActionName[]).filter(
    (it) => mayDo(actor.rights, onTheSpotActions[it].right) && onTheSpotActions[it].isOpen(unit, actor),
  );
  return [
    ...steps.map((step): NextAction => ({ action: step, address: stationAddress(unit, step) })),
    ...confirmationsOf(unit, actor, may),
    ...onTheSpot.map((action): NextAction => ({ action, address: null })),
  ];
}

/** A unit that is in no workshop has no site. */
const isWithin = (siteId: string | null, { sites }: Actor): boolean =>
  siteId !== null && (sites === 'all' || sites.includes(siteId));

/**
 * Whether the station of this step would take the unit; what leaves does so on a stock-up bill of this site.
 * Rule: events#e25.
 */
function isAccepted(unit: StandingUnit, step: Step, siteId: string): boolean {
  if (step === 'receive') return unit.type === GoodsType.Device && (unit.ivyId === null || unit.ivyId === Node.Shipped);
  if (validateUnit(unit.sn, unit, step, siteId).length > 0) return false;
  const hasEvent = events.some(
    (it) => it.step === step && it.from.includes(unit.ivyId) && (!it.type || it.type === unit.type),
  );
  return hasEvent && (step !== 'deliver' || (mayLeave(unit) && unit.tally?.siteId === siteId));
}

function stationAddress({ sn, type, tally }: StandingUnit, step: Step): string {
  const { module, btnNo } = stations[step];
  const query = {
    ...(step === 'deliver' && tally && { shipNo: tally.skbId }),
    ...((step === 'check' || step === 'repair') && type === GoodsType.Board && { type }),
    sn,
  };
  return `/${module}List/${btnNo}?${toQuery(query)}`;
}

function confirmationsOf(
  { siteId, held }: StandingUnit,
  actor: Actor,
  may: (module: string, btnNo: string) => boolean,
): NextAction[] {
  if (!isProposal(held) || !isWithin(siteId, actor)) return [];
  const { action, module } = confirmations[held.kind];
  if (!may(module, action)) return [];
  return [{ action, address: `/${module}List/${action}/${held.lineId}` }];
}

function holdEndsOf(
  sn: string,
  held: BillHold,
  actor: Actor,
  may: (module: string, btnNo: string) => boolean,
): NextAction[] {
  return endingsOf[held.kind].flatMap((action) => {
    const { module, isOpen, isAtStation }: HoldEnd = holdEndings[action];
    if (!may(module, action) || !isOpen(held, actor)) return [];
    const address = `/${module}List/${action}/${held.billId}?${toQuery({ sn })}`;
    return [{ action, address: isAtStation ? address : null }];
  });
}

/** The latest step left the unit where it stands, and there is a way back. */
function isUndoable({ siteId, lastStep, ivyId }: StandingUnit, actor: Actor): boolean {
  if (siteId === null || !lastStep || lastStep.toNode !== ivyId || !isWithin(lastStep.siteId, actor)) return false;
  // Where only parts stand after such a step.
  const ofParts: readonly (Node | null)[] = [null, Node.Scrapped, Node.AwaitingCheck];
  if (stepsOnParts.includes(lastStep.step) && ofParts.includes(ivyId)) return false;
  return undoableSteps.includes(lastStep.step);
}
