import { Node } from '#domain/nodes.ts';
import type { Random } from './random.ts';

/** What happens to a unit after its receipt. */
export type Step =
  | 'check'
  | 'checkScrap'
  | 'checkNofault'
  | 'confirmScrap'
  | 'returnScrap'
  | 'declineScrap'
  | 'confirmNofault'
  | 'declineNofault'
  | 'repair'
  | 'exchangeBoard'
  | 'assemble'
  | 'agingPass'
  | 'agingFail'
  | 'qcPass'
  | 'qcFail'
  | 'store'
  | 'deliver'
  // What the dispatcher and the office do where the unit stands.
  | 'makeUp'
  | 'addPictures'
  | 'pause'
  | 'resume'
  | 'hurry'
  | 'collect'
  | 'tallyAhead'
  | 'buyOut'
  | 'returnToCheck'
  // What the administrator sets right by hand.
  | 'placeAtInspection'
  | 'placeOnShelf'
  | 'placeAsShipped'
  | 'rollBackTest';

/** These are done for many units in one submit. */
export const batchSteps: readonly Step[] = ['agingPass', 'agingFail', 'qcPass', 'qcFail', 'store', 'deliver'];

/** Where a unit's story ends for now: a node, or one of its special cases. */
export type Target = Node | 'heldScrap' | 'heldNofault' | 'declined' | 'returned' | 'bought' | 'paused';

const straight: Step[] = ['check', 'repair', 'assemble', 'agingPass', 'qcPass', 'store', 'deliver'];
const lastStep: Partial<Record<Target, Step>> = {
  [Node.AwaitingRepair]: 'check',
  [Node.AwaitingAssembly]: 'repair',
  [Node.AwaitingTest]: 'assemble',
  [Node.AwaitingInspection]: 'agingPass',
  [Node.AwaitingStorage]: 'qcPass',
  [Node.CanShip]: 'store',
  paused: 'store',
  [Node.Shipped]: 'deliver',
};

const special: Partial<Record<Target, Step[]>> = {
  [Node.AwaitingCheck]: [],
  heldScrap: ['checkScrap'],
  heldNofault: ['checkNofault'],
  declined: ['checkScrap', 'declineScrap'],
  [Node.Scrapped]: ['checkScrap', 'confirmScrap'],
  returned: ['checkScrap', 'returnScrap'],
  bought: ['check', 'repair', 'assemble', 'agingPass', 'qcPass', 'buyOut', 'store'],
};

/** The straight way up to this step. */
export const upTo = (last: Step): Step[] => straight.slice(0, straight.indexOf(last) + 1);

/** The way of a unit to its target; some are declined, find no fault, or fail a test on the way. A board is never assembled. */
export function pathTo(target: Target, isBoard: boolean, random: Random): Step[] {
  const steps = special[target] ?? wayTo(lastStep[target] ?? 'check', random);
  return isBoard ? steps.filter((it) => it !== 'assemble') : steps;
}

function wayTo(last: Step, random: Random): Step[] {
  const way = upTo(last);
  if (last === 'check') return random.chance(0.2) ? ['check', 'repair', 'assemble', 'agingFail'] : way;
  const detour = random.next();
  const reachesTest = way.includes('assemble');
  if (reachesTest && detour < 0.07)
    return ['checkNofault', 'confirmNofault', ...way.slice(way.indexOf('assemble') + 1)];
  if (detour < 0.12) return ['checkScrap', 'declineScrap', ...way];
  if (reachesTest && detour < 0.24) return insert(way, 'assemble', ['agingFail', 'repair', 'assemble']);
  if (way.includes('qcPass') && detour < 0.32)
    return insert(way, 'agingPass', ['qcFail', 'repair', 'assemble', 'agingPass']);
  return way;
}

function insert(way: Step[], after: Step, steps: Step[]): Step[] {
  const at = way.indexOf(after) + 1;
  return [...way.slice(0, at), ...steps, ...way.slice(at)];
}
