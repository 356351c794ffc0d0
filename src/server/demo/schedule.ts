import { DeliverPriority, Flag } from '#domain/enums.ts';
import { Node } from '#domain/nodes.ts';
import { DAY } from './calendar.ts';
import type { Factory, Machine } from './machines.ts';
import { batchSteps, type Step } from './paths.ts';
import { addPictures, buyOut, editDelivery, setUnitNode, returnToCheck, rollBackTest, tallyAhead } from './office.ts';
import { assemble, exchangeBoard, makeUp, repair } from './repairing.ts';
import { deliver, store } from './storing.ts';
import { age, check, confirmNofault, confirmScrap, declineNofault, declineScrap, inspect } from './testing.ts';
import type { Site, Unit, World } from './world.ts';

/** Everything that happens, in the order of time, so that numbers and rows grow as they would have. */
export interface Schedule {
  /** `minute` is one of the site's calendar. */
  at(site: Site, minute: number, happens: (at: number) => void): void;
  play(): void;
}

export function openSchedule(): Schedule {
  const scenes: { at: number; happens: (at: number) => void }[] = [];
  return {
    at: (site, minute, happens) => scenes.push({ at: site.calendar.momentOf(minute), happens }),
    play: () => {
      for (const { at, happens } of scenes.toSorted((a, b) => a.at - b.at)) happens(at);
    },
  };
}

/** Units that go the same way at the same time. */
interface Group {
  site: Site;
  machines: Machine[];
  path: Step[];
  from: number;
  to: number;
}

/** Spreads the steps of a group between its receipt and its last action: tests and shelves at once, the rest one by one. */
export function walk(world: World, factory: Factory, schedule: Schedule, group: Group): void {
  const { site, machines, path, from, to } = group;
  const gap = (to - from) / Math.max(path.length, 1);
  path.forEach((step, i) => {
    const end = from + gap * (i + 1);
    if (batchSteps.includes(step)) {
      schedule.at(site, end, (at) => play(world, factory, step, unitsOf(world, machines), at));
      return;
    }
    const pause = Math.min(18, (gap * 0.6) / machines.length);
    machines.forEach((machine, n) => {
      const minute = end - pause * (machines.length - 1 - n) - world.random.next() * pause * 0.5;
      schedule.at(site, minute, (at) => play(world, factory, step, unitsOf(world, [machine]), at));
    });
  });
}

/** What stands for these machines now. */
export const unitsOf = (world: World, machines: readonly Machine[]): Unit[] =>
  machines
    .map((it) => world.units.get(it.sn))
    .map((it) => it?.successor ?? it)
    .filter((it) => it !== undefined);

function play(world: World, factory: Factory, step: Step, units: Unit[], at: number): void {
  const actions: Record<Step, () => void> = {
    check: () => units.forEach((it) => check(world, it, 'repair', at)),
    checkScrap: () => units.forEach((it) => check(world, it, 'scrap', at)),
    checkNofault: () => units.forEach((it) => check(world, it, 'nofault', at)),
    confirmScrap: () => units.forEach((it) => confirmScrap(world, it, false, at)),
    returnScrap: () => units.forEach((it) => confirmScrap(world, it, true, at)),
    declineScrap: () => units.forEach((it) => declineScrap(world, it, at)),
    confirmNofault: () => units.forEach((it) => confirmNofault(world, it, at)),
    declineNofault: () => units.forEach((it) => declineNofault(world, it, at)),
    repair: () => units.forEach((it) => repair(world, factory, it, at)),
    exchangeBoard: () => units.forEach((it) => exchangeBoard(world, factory, it, at)),
    assemble: () => units.forEach((it) => assemble(world, it, at)),
    agingPass: () => age(world, units, true, at),
    agingFail: () => age(world, units, false, at),
    qcPass: () => inspect(world, units, true, at),
    qcFail: () => inspect(world, units, false, at),
    store: () => store(world, units, at),
    deliver: () => deliver(world, units, at),
    makeUp: () => units.forEach((it) => makeUp(world, factory, it, at)),
    addPictures: () => units.forEach((it) => addPictures(world, it, at)),
    pause: () => units.forEach((it) => editDelivery(world, it, { deliverPriority: DeliverPriority.Paused }, at)),
    resume: () => units.forEach((it) => editDelivery(world, it, { deliverPriority: DeliverPriority.Normal }, at)),
    hurry: () => units.forEach((it) => editDelivery(world, it, { deliverPriority: DeliverPriority.Priority }, at)),
    collect: () => units.forEach((it) => editDelivery(world, it, { deliverPayment: Flag.Yes }, at)),
    tallyAhead: () => units.forEach((it) => tallyAhead(world, it, at)),
    buyOut: () => units.forEach((it) => buyOut(world, it, at)),
    returnToCheck: () => units.forEach((it) => returnToCheck(world, it, at)),
    placeAtInspection: () => units.forEach((it) => setUnitNode(world, it, Node.AwaitingInspection, at)),
    placeOnShelf: () => units.forEach((it) => setUnitNode(world, it, Node.CanShip, at)),
    placeAsShipped: () => units.forEach((it) => setUnitNode(world, it, Node.Shipped, at)),
    rollBackTest: () => units.forEach((it) => rollBackTest(world, it, at)),
  };
  actions[step]();
}

/** How long a way takes, at a quiet pace. */
export const pathLength = (path: readonly Step[]): number => path.length * 0.6 * DAY;
