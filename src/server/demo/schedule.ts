import { newUnit } from './intake.ts';
import { DAY } from './calendar.ts';
import type { Factory, Machine } from './machines.ts';
import { batchSteps, type Step } from './paths.ts';
import { assemble, repair } from './repairing.ts';
import { buyOut, deliver, store } from './storing.ts';
import { age, check, confirmNofault, confirmScrap, declineScrap, inspect } from './testing.ts';
import type { Site, Unit, World } from './world.ts';

/** Everything that happens, told in the order of the clock, so that numbers and rows grow as they would have. */
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
export interface Group {
  site: Site;
  machines: Machine[];
  path: Step[];
  from: number;
  to: number;
}

/** Spreads the steps of a group between its receipt and its last deed: tests and shelves at once, the rest one by one. */
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

const unitsOf = (world: World, machines: readonly Machine[]): Unit[] =>
  machines.map((it) => world.units.get(it.sn)).filter((it) => it !== undefined);

/** A machine of the site's own stock goes the same way, without a bill. */
export function activate(world: World, site: Site, machines: readonly Machine[], at: number): void {
  for (const machine of machines) newUnit(world, site, machine, at, site.crew.warehouse).row.ivyId = '10';
}

function play(world: World, factory: Factory, step: Step, units: Unit[], at: number): void {
  const deeds: Record<Step, () => void> = {
    check: () => units.forEach((it) => check(world, it, 'repair', at)),
    checkScrap: () => units.forEach((it) => check(world, it, 'scrap', at)),
    checkNofault: () => units.forEach((it) => check(world, it, 'nofault', at)),
    confirmScrap: () => units.forEach((it) => confirmScrap(world, it, false, at)),
    returnScrap: () => units.forEach((it) => confirmScrap(world, it, true, at)),
    declineScrap: () => units.forEach((it) => declineScrap(world, it, at)),
    confirmNofault: () => units.forEach((it) => confirmNofault(world, it, at)),
    repair: () => units.forEach((it) => repair(world, factory, it, at)),
    assemble: () => units.forEach((it) => assemble(world, it, at)),
    agingPass: () => age(world, units, true, at),
    agingFail: () => age(world, units, false, at),
    qcPass: () => inspect(world, units, true, at),
    qcFail: () => inspect(world, units, false, at),
    buyOut: () => units.forEach((it) => buyOut(it, at)),
    store: () => store(world, units, at),
    deliver: () => deliver(world, units, at),
  };
  deeds[step]();
}

/** How long a way takes, at a quiet pace. */
export const lengthOf = (path: readonly Step[]): number => path.length * 0.6 * DAY;
