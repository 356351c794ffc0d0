import { BillStatus, type GoodsType } from '#domain/enums.ts';
import { Node } from '#domain/nodes.ts';
import type { Arg, Problem } from '#domain/refusal.ts';
import type { Words } from '#domain/words.ts';

/** The deeds that move a unit, as the SN history names them. Decisions 2, 1.9. */
export const steps = ['receive', 'check', 'repair', 'assemble', 'aging', 'qc', 'store', 'deliver'] as const;
export type Step = (typeof steps)[number];

/** A supervisor's word on what a check proposed. Decisions 2, E11-E14. */
export const confirmSteps = ['scrapConfirm', 'nofaultConfirm'] as const;
export type ConfirmStep = (typeof confirmSteps)[number];

/** What the SN history holds beside the chain's own steps: a node that was set by hand, and a step that was undone. */
export type HistoryStep = Step | ConfirmStep | 'modifyNode' | 'rollback';

/** How a deed ended, where it may end in more than one way. */
export type Outcome =
  'done' | 'repair' | 'scrap' | 'nofault' | 'pass' | 'fail' | 'kept' | 'returned' | 'confirmed' | 'declined';

/** One way in which a unit moves; `null` is a unit that is not in the house. */
export interface UnitEvent {
  id: string;
  step: Step | ConfirmStep;
  outcome: Outcome;
  from: readonly (Node | null)[];
  to: Node;
  /** Only devices, or only boards, move so. */
  type?: GoodsType;
}

/** The state machine of a unit: every move that the stations and their supervisors make. Decisions 2, 1.9. */
export const events: readonly UnitEvent[] = [
  { id: 'E03', step: 'receive', outcome: 'done', from: [null, Node.Shipped], to: Node.AwaitingCheck },
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
  { id: 'E15', step: 'repair', outcome: 'done', from: [Node.AwaitingRepair], to: Node.AwaitingAssembly, type: '0' },
  { id: 'E17', step: 'assemble', outcome: 'done', from: [Node.AwaitingAssembly], to: Node.AwaitingTest, type: '0' },
  { id: 'E18', step: 'aging', outcome: 'pass', from: [Node.AwaitingTest], to: Node.AwaitingInspection },
  { id: 'E19', step: 'aging', outcome: 'fail', from: [Node.AwaitingTest], to: Node.AwaitingRepair },
  { id: 'E20', step: 'qc', outcome: 'pass', from: [Node.AwaitingInspection], to: Node.AwaitingStorage },
  { id: 'E21', step: 'qc', outcome: 'fail', from: [Node.AwaitingInspection], to: Node.AwaitingRepair },
  { id: 'E22', step: 'store', outcome: 'done', from: [Node.AwaitingStorage], to: Node.CanShip },
  { id: 'E25', step: 'deliver', outcome: 'done', from: [Node.CanShip], to: Node.Shipped },
];

/** A proposal that waits for a supervisor, and the check bill that made it. Derived, no field. Decisions 2, 1.1. */
export interface Hold {
  confirmation: 'scrap' | 'nofault';
  ckbId: string;
}

/** What the general guard has to know of a unit. */
export interface GuardedUnit {
  sn: string;
  siteId: string | null;
  ivyId: Node | null;
  held: Hold | null;
  /** Null for a machine of the site's own stock. */
  mtbId: string | null;
  billStatus: string | null;
}

/** The one event by which this step, ending so, moves a unit from here; none when the chain has no such move. */
export const eventOf = (step: Step | ConfirmStep, outcome: Outcome, from: Node | null): UnitEvent | undefined =>
  events.find((it) => it.step === step && it.outcome === outcome && it.from.includes(from));

/** Where units must stand for a step. */
export const nodesOf = (step: Step): (Node | null)[] => [
  ...new Set(events.filter((it) => it.step === step).flatMap((it) => it.from)),
];

/**
 * What forbids a step on a scanned unit, in the order of the general guard: unknown, other site, shipped, scrapped,
 * held, wrong node, bill finished; the first one alone. Receipt has preconditions of its own. Decisions 2, 1.8.
 */
export function problemsOfUnit(
  sn: string,
  unit: GuardedUnit | undefined,
  step: Exclude<Step, 'receive'>,
  siteId: string,
  field = 'sn',
): Problem[] {
  if (!unit) return [unknown(sn, field)];
  const gone = problemOfPlace(unit, unit.siteId === siteId, field);
  if (gone) return [gone];
  if (unit.held) return [{ key: 'held', field, args: { sn, ...wordsOfHold(unit.held) } }];
  const expected = nodesOf(step);
  if (!expected.includes(unit.ivyId)) {
    const args = { sn, node: wordOfNode(unit.ivyId), expected: expected.map(wordOfNode) };
    return [{ key: 'wrongNode', field, args }];
  }
  return problemsOfBill(unit, field);
}

/** The kind of confirmation that a supervisor's step gives. */
export const confirmationOf = (step: ConfirmStep): Hold['confirmation'] =>
  step === 'scrapConfirm' ? 'scrap' : 'nofault';

/**
 * What forbids a supervisor's word on a unit: the general guard, where being held for just this confirmation takes the
 * place of not being held and of the node. `isOurs`: the unit is of a site that the supervisor sees. Decisions 2, 1.8.
 */
export function problemsOfConfirmation(
  sn: string,
  unit: GuardedUnit | undefined,
  { step, ckbId, isOurs }: { step: ConfirmStep; ckbId: string; isOurs: boolean },
): Problem[] {
  if (!unit) return [unknown(sn, 'sn')];
  const gone = problemOfPlace(unit, isOurs, 'sn');
  if (gone) return [gone];
  const hold: Hold = { confirmation: confirmationOf(step), ckbId };
  if (unit.held?.confirmation !== hold.confirmation || unit.held.ckbId !== ckbId) {
    return [{ key: 'notHeld', field: 'sn', args: { sn, ...wordsOfHold(hold) } }];
  }
  return problemsOfBill(unit, 'sn');
}

const unknown = (sn: string, field: string): Problem => ({ key: 'notFound', field, args: { what: 'SN', value: sn } });

function problemOfPlace({ sn, ivyId }: GuardedUnit, isOurs: boolean, field: string): Problem | null {
  if (!isOurs) return { key: 'otherSite', field, args: { sn } };
  if (ivyId === Node.Shipped) return { key: 'shipped', field, args: { sn } };
  return ivyId === Node.Scrapped ? { key: 'scrapped', field, args: { sn } } : null;
}

const problemsOfBill = ({ mtbId, billStatus }: GuardedUnit, field: string): Problem[] =>
  mtbId && billStatus === BillStatus.Finished ? [{ key: 'billFinished', field, args: { id: mtbId } }] : [];

/** A node as it is said to people. */
export const wordOfNode = (node: Node | null): Arg =>
  node === null ? { zh: '不在站', en: 'Not in house' } : { options: 'nodes', value: node };

/** What is to be confirmed, as it is said to people. */
export const wordOfConfirmation = (confirmation: Hold['confirmation']): Words =>
  confirmation === 'scrap' ? { zh: '报废', en: 'scrap' } : { zh: '无故障', en: 'no-fault' };

const wordsOfHold = ({ confirmation, ckbId }: Hold): Record<string, Arg> => ({
  confirmation: wordOfConfirmation(confirmation),
  ckbId,
});
