import { BillStatus, GoodsType } from '#domain/enums.ts';
import {
  type HeldUnit,
  isOfSite,
  type Proposed,
  validateNotHeld,
  validateNotOnBill,
  wordsOfProposal,
} from '#domain/hold.ts';
import { Node } from '#domain/nodes.ts';
import type { Arg, Problem } from '#domain/refusal.ts';

/** The actions that move a unit, as the SN history names them. Rule: units#history. */
export const steps = ['receive', 'check', 'repair', 'assemble', 'aging', 'qc', 'store', 'deliver'] as const;
export type Step = (typeof steps)[number];

/** A supervisor's decision on what a check proposed. Rule: events#e11, events#e12, events#e13, events#e14. */
export type ConfirmStep = 'scrapConfirm' | 'nofaultConfirm';

/** Actions of the office that move units. Rule: events#e29, events#e30. */
type BillAction = 'terminate' | 'returnToCheck';

/**
 * What moves a unit: the chain's steps, a supervisor's decision, the office, and what puts a stock machine in or out of
 * the chain.
 */
export type UnitAction = Step | ConfirmStep | BillAction | 'storeStart' | Registration;

/** Own goods get a bill of their own: defectives that are to be repaired, or a package that is to be tested. Rule: events#e39, events#e40. */
export const registrations = ['defectiveProductRepair', 'testAndStore'] as const;
export type Registration = (typeof registrations)[number];

/**
 * What the SN history holds beside the actions: what was decided about a unit where it stands, parts that were made up for,
 * a repair at its customer, a node that was set by hand, an SN that was changed, and a step that was undone.
 */
export type HistoryStep =
  | UnitAction
  | TransferStep
  | ScrapRepairStep
  | 'buyOut'
  | 'replaceSaleCode'
  | 'moveBill'
  | 'updateSiteId'
  | 'rebind'
  | 'onSiteRepair'
  | 'modifyNode'
  | 'changeSn'
  | 'rollback';

/** The steps of a unit that goes to another site, and of one that did not arrive there. Rule: transfers#transit. */
export const transferSteps = ['transferOut', 'transferIn', 'transferReturn'] as const;
export type TransferStep = (typeof transferSteps)[number];
export const isTransferStep = (step: string): step is TransferStep => transferSteps.some((it) => it === step);

/** The steps of scrap that goes out for repair: sent, accepted as a unit or used up for one, and back among the scrap. Rule: scrap-repair#history. */
type ScrapRepairStep = 'combineRepair' | 'outsourcingAccept' | 'scrapRepairReturn';

/**
 * In these the parts of a device have a step of their own, which is undone with the device's, if that can be. Rule:
 * events#e15, events#e17, events#e27, on-site-repair#parts.
 */
export const stepsOnParts: readonly string[] = ['repair', 'assemble', 'rebind', 'onSiteRepair'] satisfies HistoryStep[];

/** How an action ended, where it may end in more than one way. */
export type Outcome =
  | 'done'
  | 'repair'
  | 'scrap'
  | 'nofault'
  | 'pass'
  | 'fail'
  // What a supervisor says of a proposal.
  | 'kept'
  | 'returned'
  | 'confirmed'
  | 'declined'
  // Boards that come or leave by their number, without a scan.
  | 'counted'
  | 'discarded'
  // By what lies in the warehouse that a stock machine is activated for.
  | 'goods'
  | 'defectives'
  | 'scraps';

/** One way in which a unit moves; `null` is a unit that is not in the workshop. */
interface UnitEvent {
  id: string;
  step: UnitAction;
  outcome: Outcome;
  from: readonly (Node | null)[];
  to: Node;
  /** Only devices, or only boards, move so. */
  type?: GoodsType;
}

const activated = [null, Node.Scrapped, Node.CanShip];

/** Where a unit is on its way through the workshop. */
const onTheWay: readonly Node[] = [
  Node.AwaitingRepair,
  Node.AwaitingAssembly,
  Node.AwaitingTest,
  Node.AwaitingInspection,
  Node.AwaitingStorage,
  Node.CanShip,
];

/**
 * The state machine of a unit: every move that the stations, their supervisors and the office make. A device that is
 * not ours is received as any other as soon as the archive knows it. Rule: events#e03, events#e05.
 */
export const events: readonly UnitEvent[] = [
  { id: 'E03', step: 'receive', outcome: 'done', from: [null, Node.Shipped], to: Node.AwaitingCheck },
  { id: 'E04', step: 'receive', outcome: 'counted', from: [null], to: Node.AwaitingCheck, type: GoodsType.Board },
  { id: 'E04', step: 'receive', outcome: 'discarded', from: [null], to: Node.Scrapped, type: GoodsType.Board },
  { id: 'E08', step: 'check', outcome: 'repair', from: [Node.AwaitingCheck], to: Node.AwaitingRepair },
  // A proposed scrap or no-fault stays where it is and is held until a supervisor has said yes or no.
  { id: 'E09', step: 'check', outcome: 'scrap', from: [Node.AwaitingCheck], to: Node.AwaitingCheck },
  { id: 'E10', step: 'check', outcome: 'nofault', from: [Node.AwaitingCheck], to: Node.AwaitingCheck },
  { id: 'E11', step: 'scrapConfirm', outcome: 'kept', from: [Node.AwaitingCheck], to: Node.Scrapped },
  // Goes back to its owner unrepaired, by way of the store.
  { id: 'E11', step: 'scrapConfirm', outcome: 'returned', from: [Node.AwaitingCheck], to: Node.AwaitingStorage },
  { id: 'E12', step: 'scrapConfirm', outcome: 'declined', from: [Node.AwaitingCheck], to: Node.AwaitingCheck },
  // Aging and QC prove that nothing is wrong with it.
  { id: 'E13', step: 'nofaultConfirm', outcome: 'confirmed', from: [Node.AwaitingCheck], to: Node.AwaitingTest },
  { id: 'E14', step: 'nofaultConfirm', outcome: 'declined', from: [Node.AwaitingCheck], to: Node.AwaitingCheck },
  {
    id: 'E15',
    step: 'repair',
    outcome: 'done',
    from: [Node.AwaitingRepair],
    to: Node.AwaitingAssembly,
    type: GoodsType.Device,
  },
  // A part needs no assembly.
  {
    id: 'E16',
    step: 'repair',
    outcome: 'done',
    from: [Node.AwaitingRepair],
    to: Node.AwaitingTest,
    type: GoodsType.Board,
  },
  {
    id: 'E17',
    step: 'assemble',
    outcome: 'done',
    from: [Node.AwaitingAssembly],
    to: Node.AwaitingTest,
    type: GoodsType.Device,
  },
  { id: 'E18', step: 'aging', outcome: 'pass', from: [Node.AwaitingTest], to: Node.AwaitingInspection },
  { id: 'E19', step: 'aging', outcome: 'fail', from: [Node.AwaitingTest], to: Node.AwaitingRepair },
  { id: 'E20', step: 'qc', outcome: 'pass', from: [Node.AwaitingInspection], to: Node.AwaitingStorage },
  { id: 'E21', step: 'qc', outcome: 'fail', from: [Node.AwaitingInspection], to: Node.AwaitingRepair },
  { id: 'E22', step: 'store', outcome: 'done', from: [Node.AwaitingStorage], to: Node.CanShip },
  { id: 'E23', step: 'storeStart', outcome: 'defectives', from: activated, to: Node.AwaitingCheck },
  { id: 'E23', step: 'storeStart', outcome: 'goods', from: activated, to: Node.CanShip },
  { id: 'E23', step: 'storeStart', outcome: 'scraps', from: activated, to: Node.Scrapped },
  { id: 'E25', step: 'deliver', outcome: 'done', from: [Node.CanShip], to: Node.Shipped },
  { id: 'E26', step: 'deliver', outcome: 'counted', from: [Node.CanShip], to: Node.Shipped, type: GoodsType.Board },
  // What a closed bill leaves in the workshop is given up, held or not.
  { id: 'E29', step: 'terminate', outcome: 'done', from: [Node.AwaitingCheck, ...onTheWay], to: Node.Scrapped },
  // From the first test's own node only a held unit, from scrap only what was confirmed by mistake.
  {
    id: 'E30',
    step: 'returnToCheck',
    outcome: 'done',
    from: [Node.AwaitingCheck, Node.Scrapped, ...onTheWay],
    to: Node.AwaitingCheck,
  },
  { id: 'E39', step: 'defectiveProductRepair', outcome: 'done', from: [Node.AwaitingCheck], to: Node.AwaitingCheck },
  { id: 'E40', step: 'testAndStore', outcome: 'done', from: [null, Node.CanShip], to: Node.AwaitingTest },
];

/** What the general guard has to know of a unit. */
export interface GuardedUnit extends HeldUnit {
  ivyId: Node | null;
  /** Null for a machine of the site's own stock. */
  mtbId: string | null;
  billStatus: string | null;
}

/** The one event by which this step, ending so, moves such a unit from here; none when the chain has no such move. */
export const findEvent = (
  step: UnitAction,
  outcome: Outcome,
  from: Node | null,
  type: string = GoodsType.Device,
): UnitEvent | undefined =>
  events.find(
    (it) =>
      it.step === step &&
      it.outcome === outcome &&
      it.from.includes(from) &&
      (it.type === undefined || it.type === type),
  );

/** Where units must stand for a step. */
export const nodesOf = (step: UnitAction): (Node | null)[] => [
  ...new Set(events.filter((it) => it.step === step).flatMap((it) => it.from)),
];

/**
 * What forbids a step on a scanned unit, in the order of the general guard: unknown, other site, spoken for by
 * a bill, shipped, scrapped, held for a confirmation, wrong node, bill finished; the first one alone. Receipt has preconditions of its own. Rule: guard#order.
 */
export function validateUnit(
  sn: string,
  unit: GuardedUnit | undefined,
  step: Exclude<Step, 'receive'>,
  siteId: string,
  field = 'sn',
): Problem[] {
  if (!unit) return [unknown(sn, field)];
  const gone = validateLocation(unit, isOfSite(unit, siteId), field);
  if (gone) return [gone];
  const held = validateNotHeld(unit, field);
  if (held.length > 0) return held;
  const expected = nodesOf(step);
  if (!expected.includes(unit.ivyId)) {
    const args = { sn, node: wordOfNode(unit.ivyId), expected: expected.map(wordOfNode) };
    return [{ key: 'wrongNode', field, args }];
  }
  return validateBill(unit, field);
}

/**
 * A device belongs under the tab of devices and a board under that of parts; without a type the unit itself says which
 * it is. Rule: guard#tabs, events#e15, events#e16.
 */
export const validateTab = ({ sn, type }: { sn: string; type: string }, tab: string | null | undefined): Problem[] =>
  !tab || tab === type ? [] : [{ key: type === GoodsType.Board ? 'isBoard' : 'isDevice', field: 'sn', args: { sn } }];

/** The kind of confirmation that a supervisor's step gives. */
export const confirmationOf = (step: ConfirmStep): Proposed => (step === 'scrapConfirm' ? 'scrap' : 'nofault');

/**
 * What forbids a supervisor's decision on a unit: the general guard, where being held for just this confirmation is
 * checked instead of the hold and the node. `isOurs`: the unit is of a site that the supervisor sees. Rule:
 * guard#confirmations.
 */
export function validateConfirmation(
  sn: string,
  unit: GuardedUnit | undefined,
  { step, ckbId, isOurs }: { step: ConfirmStep; ckbId: string; isOurs: boolean },
): Problem[] {
  if (!unit) return [unknown(sn, 'sn')];
  const gone = validateLocation(unit, isOurs, 'sn');
  if (gone) return [gone];
  const hold = { kind: confirmationOf(step), billId: ckbId };
  if (unit.held?.kind !== hold.kind || unit.held.billId !== ckbId) {
    return [{ key: 'notHeld', field: 'sn', args: { sn, ...wordsOfProposal(hold) } }];
  }
  return validateBill(unit, 'sn');
}

/**
 * What forbids to activate an SN: unknown, of another site, held, shipped, inside a device, on a bill that is not
 * finished, in the chain. Scrap may be activated; a customer's shipped unit comes back through receipt. `inside`: the
 * device in the workshop of which it is a part. Rule: events#e23.
 */
export function validateActivation(
  sn: string,
  unit: GuardedUnit | undefined,
  { isArchived, inside, siteId }: { isArchived: boolean; inside: string | null; siteId: string },
): Problem[] {
  const field = 'sn';
  const bound: Problem[] = inside === null ? [] : [{ key: 'partBound', field, args: { sn, device: inside } }];
  if (!unit) return isArchived ? bound : [unknown(sn, field)];
  // What stands nowhere is of no site: it lies where it is found, if nobody speaks for it.
  const isNowhere = unit.ivyId === null && unit.held === null;
  if (!isNowhere && !isOfSite(unit, siteId)) return [{ key: 'otherSite', field, args: { sn } }];
  const held = validateNotHeld(unit, field);
  if (held.length > 0) return held;
  if (unit.ivyId === Node.Shipped) return [{ key: 'shipped', field, args: { sn } }];
  const node = wordOfNode(unit.ivyId);
  if (bound.length > 0) return bound;
  if (unit.mtbId && unit.billStatus !== BillStatus.Finished) {
    return [{ key: 'inHouse', field, args: { sn, mtbId: unit.mtbId, node } }];
  }
  const expected = nodesOf('storeStart');
  return expected.includes(unit.ivyId)
    ? []
    : [{ key: 'wrongNode', field, args: { sn, node, expected: expected.map(wordOfNode) } }];
}

const unknown = (sn: string, field: string): Problem => ({ key: 'notFound', field, args: { what: 'SN', value: sn } });

function validateLocation(unit: GuardedUnit, isOurs: boolean, field: string): Problem | null {
  const { sn, ivyId } = unit;
  if (!isOurs) return { key: 'otherSite', field, args: { sn } };
  const [held] = validateNotOnBill(unit, field);
  if (held) return held;
  if (ivyId === Node.Shipped) return { key: 'shipped', field, args: { sn } };
  return ivyId === Node.Scrapped ? { key: 'scrapped', field, args: { sn } } : null;
}

const validateBill = ({ mtbId, billStatus }: GuardedUnit, field: string): Problem[] =>
  mtbId && billStatus === BillStatus.Finished ? [{ key: 'billFinished', field, args: { id: mtbId } }] : [];

/** A node as it is said to people. */
export const wordOfNode = (node: Node | null): Arg =>
  node === null ? { zh: '不在站', en: 'Not in house' } : { options: 'nodes', value: node };
