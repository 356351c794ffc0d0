import { DeliverPriority } from '#domain/enums.ts';
import { groupBy } from '#domain/group.ts';
import { Node } from '#domain/nodes.ts';
import { accept, createBill, finishReceipt, receive, signFor, type Goods } from './intake.ts';
import { DAY } from './calendar.ts';
import { customers, type Customer } from './customers.ts';
import { models, type Model } from './items.ts';
import type { Factory, Machine } from './machines.ts';
import { pathTo, type Step, type Target } from './paths.ts';
import { pathLength, walk, type Schedule } from './schedule.ts';
import type { Site, World } from './world.ts';

/** A machine with the way that it goes. */
export interface Role {
  machine: Machine;
  path: Step[];
  isPaused?: boolean;
}

export interface Stage {
  world: World;
  factory: Factory;
  schedule: Schedule;
}

export const customersOf = (site: Site): Customer[] => customers.filter((it) => it.siteId === site.siteId);

/** Machines of one customer for these targets: one or two models, and loose boards for the targets of boards. */
export function createCast(
  { world, factory }: Stage,
  customer: Customer,
  targets: Target[],
  boards: Target[],
  at: number,
): Role[] {
  const { random } = world;
  const own = random.some(models, random.int(1, 2));
  const devices = targets.map((target): Role => ({
    machine: factory.device(random.pick(own), customer.name),
    path: pathTo(target, false, random),
    isPaused: target === 'paused',
  }));
  const { board } = own[0] as Model;
  const loose = boards.map((target): Role => {
    const machine = factory.looseBoard(board, at);
    const isBeyondRepair = target === Node.Scrapped;
    return { machine: { ...machine, isBeyondRepair }, path: isBeyondRepair ? [] : pathTo(target, true, random) };
  });
  return [...devices, ...loose];
}

/** What the customer declares: as many as come, and some more that do not. */
export function createGoods(cast: readonly Role[], missing: number): Goods[] {
  const byCode = groupBy(cast, (it) => it.machine.item.salesCode);
  return [...byCode.values()].map((group, i) => ({
    item: (group[0] as Role).machine.item,
    count: group.length + (i === 0 ? missing : 0),
  }));
}

export interface BillStory {
  site: Site;
  customer: Customer;
  cast: Role[];
  /** The minute of the receipt. */
  received: number;
  /** Until when the last action of each way is done. */
  until: number;
  /** Declared but not sent. */
  missing?: number;
  /** The receipt is still open. */
  isOpen?: boolean;
  /** These come in a second parcel. */
  late?: Role[];
  /** These come along though nobody declared them. */
  undeclared?: Role[];
  /** What happens to the bill besides; it is there from its announcement on. */
  plan?: (bill: BillOf) => void;
}

/** A bill from its announcement to where its units are now. */
export function addBill(stage: Stage, story: BillStory): void {
  const { world, schedule } = stage;
  const { site, customer, cast, received, until, missing = 0, isOpen = false, late = [], undeclared = [] } = story;
  const { random } = world;
  const goods = createGoods([...cast, ...late], missing);
  announce(stage, site, customer, goods, received - (1.2 + random.next() * 3) * DAY, (bill) => {
    const signed = received - (0.05 + random.next() * 0.4) * DAY;
    schedule.at(site, signed, (at) => accept(site, bill(), signFor(world, site, bill(), at), at + 12 * 60_000));
    schedule.at(site, received, (at) => receiveCast(world, bill(), [...cast, ...undeclared], at));
    if (!isOpen) schedule.at(site, received + 25, (at) => finishReceipt(bill(), at));
    if (late.length > 0) comeLate(stage, site, bill, late, until);
    story.plan?.(bill);
  });
  for (const group of groupBy([...cast, ...undeclared], (it) => it.path.join()).values()) {
    const { path } = group[0] as Role;
    const from = received + 35;
    const earliest = from + (until - from) * 0.6;
    const to = until - random.next() ** 2 * (until - earliest);
    walk(world, stage.factory, schedule, { site, machines: group.map((it) => it.machine), path, from, to });
  }
}

export type BillOf = () => ReturnType<typeof createBill>;

/** Plans the bill's creation; what is planned about it may ask for the bill when its own time has come. */
export function announce(
  { world, schedule }: Stage,
  site: Site,
  customer: Customer,
  goods: Goods[],
  minute: number,
  plan: (bill: BillOf) => void,
): void {
  let bill: ReturnType<BillOf> | null = null;
  schedule.at(site, minute, (at) => void (bill = createBill(world, site, customer, goods, at)));
  plan(() => {
    if (!bill) throw new Error('a bill is asked for before it is there');
    return bill;
  });
}

function receiveCast(world: World, bill: ReturnType<BillOf>, cast: readonly Role[], at: number): void {
  const units = receive(
    world,
    bill,
    cast.map((it) => it.machine),
    at,
  );
  units.forEach((unit, i) => {
    const isPaused = cast.find((it) => it.machine.sn === unit.machine.sn)?.isPaused;
    if (unit.item && isPaused) unit.item.deliverPriority = DeliverPriority.Paused;
    else if (unit.item && (Number(unit.row.sn?.slice(-2)) + i) % 17 === 0)
      unit.item.deliverPriority = DeliverPriority.Priority;
  });
}

/** The second parcel opens the receipt again; it is not closed yet. */
export function comeLate({ world, schedule }: Stage, site: Site, bill: BillOf, late: Role[], until: number): void {
  const signed = until - 0.5 * DAY;
  schedule.at(site, signed, (at) => {
    const arrival = signFor(world, site, bill(), at);
    arrival.receiveShipNo = `${arrival.receiveShipNo}-2`;
    accept(site, bill(), arrival, at);
  });
  schedule.at(site, signed + 90, (at) => receiveCast(world, bill(), late, at));
}

export type Waiting = 'announced' | 'signed' | 'accepted' | 'empty';

/** A bill whose goods are on their way, at the gate, or never came. */
export function addWaiting(stage: Stage, site: Site, goods: Goods[], waiting: Waiting, age: number): void {
  const { world, schedule } = stage;
  const { end } = site.calendar;
  const customer = world.random.pick(customersOf(site));
  announce(stage, site, customer, goods, end - age * DAY, (bill) => {
    if (waiting === 'announced') return;
    const signed = end - age * (0.15 + world.random.next() * 0.3) * DAY;
    schedule.at(site, signed, (at) => {
      const arrival = signFor(world, site, bill(), at);
      if (waiting !== 'signed') accept(site, bill(), arrival, at);
    });
    if (waiting === 'empty') schedule.at(site, signed + 45, (at) => finishReceipt(bill(), at));
  });
}

/** How long before the end a bill was received whose units go these ways. */
export function ageOf(world: World, cast: readonly Role[]): number {
  const longest = Math.max(0, ...cast.map((it) => pathLength(it.path)));
  return longest * (0.8 + world.random.next() ** 2 * 2.4) + (0.15 + world.random.next() * 0.9) * DAY;
}
