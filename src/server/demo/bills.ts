import { Warehouse } from '#domain/enums.ts';
import { Node, nodes } from '#domain/nodes.ts';
import { DAY } from './calendar.ts';
import { signFor } from './intake.ts';
import { models, type Model } from './items.ts';
import type { Target } from './paths.ts';
import { pathTo } from './paths.ts';
import { pathLength, walk } from './schedule.ts';
import { ageOf, createCast, customersOf, addBill, addWaiting, type Role, type Stage, type Waiting } from './stories.ts';
import { activate } from './storing.ts';
import type { Site } from './world.ts';

/** How many units of a site stand where, in the order of the chain. */
const inHouse: Record<string, [Target, number][]> = {
  SZ: [
    [Node.AwaitingCheck, 9],
    ['heldScrap', 5],
    ['heldNofault', 3],
    ['declined', 2],
    [Node.Scrapped, 5],
    [Node.AwaitingRepair, 24],
    [Node.AwaitingAssembly, 18],
    [Node.AwaitingTest, 22],
    [Node.AwaitingInspection, 16],
    [Node.AwaitingStorage, 12],
    ['returned', 2],
    ['bought', 2],
    [Node.CanShip, 32],
    ['paused', 2],
    [Node.Shipped, 10],
  ],
  NB: [
    [Node.AwaitingCheck, 6],
    ['heldScrap', 3],
    ['heldNofault', 2],
    ['declined', 1],
    [Node.Scrapped, 3],
    [Node.AwaitingRepair, 14],
    [Node.AwaitingAssembly, 11],
    [Node.AwaitingTest, 13],
    [Node.AwaitingInspection, 9],
    [Node.AwaitingStorage, 8],
    [Node.CanShip, 18],
    ['paused', 1],
    [Node.Shipped, 6],
  ],
  US: [
    [Node.AwaitingCheck, 3],
    ['heldScrap', 1],
    [Node.Scrapped, 1],
    [Node.AwaitingRepair, 4],
    [Node.AwaitingAssembly, 3],
    [Node.AwaitingTest, 3],
    [Node.AwaitingInspection, 2],
    [Node.AwaitingStorage, 2],
    [Node.CanShip, 3],
  ],
};

interface Plan {
  finished: number;
  waiting: Waiting[];
  stock: number;
}

const plans: Record<string, Plan> = {
  SZ: {
    finished: 14,
    waiting: ['announced', 'announced', 'announced', 'signed', 'signed', 'signed', 'accepted', 'accepted', 'empty'],
    stock: 4,
  },
  NB: { finished: 9, waiting: ['announced', 'announced', 'signed', 'signed', 'accepted', 'empty'], stock: 3 },
  US: { finished: 4, waiting: ['announced', 'signed', 'accepted'], stock: 1 },
};

/** Tells everything that happened at a site in the last months. */
export function addSite(stage: Stage, site: Site): void {
  const plan = plans[site.siteId] as Plan;
  addFinished(stage, site, plan.finished);
  addRunning(stage, site);
  addReceiving(stage, site);
  plan.waiting.forEach((waiting, i) =>
    addWaiting(stage, site, someGoods(stage), waiting, 1.2 + i * 0.7 + stage.world.random.next() * 0.6),
  );
  addStock(stage, site, plan.stock);
  stage.schedule.at(site, site.calendar.end - 0.7 * DAY, (at) => void signFor(stage.world, site, null, at));
}

function someGoods({ world: { random } }: Stage) {
  return random.some(models, random.int(1, 2)).map((item) => ({ item, count: random.int(2, 6) }));
}

/** Finished bills of the last five months; the machines of one of them come back. */
function addFinished(stage: Stage, site: Site, count: number): void {
  const { random } = stage.world;
  const { end } = site.calendar;
  for (let i = 0; i < count; i++) {
    const customer = random.pick(customersOf(site));
    const size = random.int(6, 11);
    const targets = Array.from({ length: size }, (_, n): Target =>
      n === 2 && i % 3 === 0 ? Node.Scrapped : Node.Shipped,
    );
    const received = (6 + i * (116 / count) + random.next() * 4) * DAY;
    const loose: Target[] = i % 3 === 1 ? [Node.Shipped, Node.Shipped, Node.Shipped, Node.Scrapped] : [];
    const cast = createCast(stage, customer, targets, loose, site.calendar.momentOf(received));
    const until = Math.min(received + longest(cast) * (1 + random.next() * 0.4) + DAY, end - 3 * DAY);
    addBill(stage, { site, customer, cast, received, until });
    if (i === Math.floor(count / 2)) addReturn(stage, site, customer, cast);
  }
}

const longest = (cast: readonly Role[]) => Math.max(...cast.map((it) => pathLength(it.path)));

function addReturn(stage: Stage, site: Site, customer: ReturnType<typeof customersOf>[number], earlier: Role[]): void {
  const targets: Target[] = [
    Node.AwaitingCheck,
    Node.AwaitingRepair,
    Node.AwaitingAssembly,
    Node.AwaitingTest,
    Node.Shipped,
  ];
  const back = earlier.filter((it) => it.path.includes('deliver') && it.machine.model).slice(0, targets.length);
  const cast = back.map(({ machine }, i) => ({
    machine,
    path: pathTo(targets[i] as Target, false, stage.world.random),
  }));
  const { end } = site.calendar;
  addBill(stage, { site, customer, cast, received: end - (7.5 + stage.world.random.next()) * DAY, until: end - 20 });
}

/** Bills in the workshop: their units stand at neighbouring nodes. */
function addRunning(stage: Stage, site: Site): void {
  const { random } = stage.world;
  const { end } = site.calendar;
  const targets = (inHouse[site.siteId] ?? []).flatMap(([target, count]) =>
    Array.from({ length: count }, () => target),
  );
  const deck = targets
    .map((target, i) => ({ target, at: i + random.next() * 14 }))
    .toSorted((a, b) => a.at - b.at)
    .map((it) => it.target);
  while (deck.length > 0) {
    const chunk = deck.splice(0, random.int(4, 7));
    const customer = random.pick(customersOf(site));
    const boards = random.chance(0.45) ? boardTargets(chunk) : [];
    const cast = createCast(stage, customer, chunk, boards, site.calendar.momentOf(end));
    const received = end - ageOf(stage.world, cast);
    addBill(stage, { site, customer, cast, received, until: end - 4, missing: random.chance(0.2) ? 1 : 0 });
  }
}

const boardNodes: readonly Target[] = nodes.filter((it) => it !== Node.Scrapped && it !== Node.AwaitingAssembly);

/** The boards of a bill stand where its devices do; one of them may be beyond repair. */
function boardTargets(chunk: readonly Target[]): Target[] {
  const [some = Node.AwaitingRepair] = chunk.filter((it) => boardNodes.includes(it)).slice(-1);
  return chunk.length > 5 ? [some, some, some, Node.Scrapped] : [some, some];
}

/** A bill whose receipt is half done, and one that was opened again for a second parcel. */
function addReceiving(stage: Stage, site: Site): void {
  const { end } = site.calendar;
  const [first, second = first] = customersOf(site);
  if (!first || !second) return;
  const half = createCast(stage, first, [Node.AwaitingCheck, Node.AwaitingCheck, Node.AwaitingCheck], [], end);
  addBill(stage, { site, customer: first, cast: half, received: end - 50, until: end - 4, missing: 3, isOpen: true });
  const early = createCast(stage, second, [Node.AwaitingRepair, Node.AwaitingAssembly, Node.AwaitingAssembly], [], end);
  const late = early.slice(0, 2).map(({ machine }): Role => ({
    machine: stage.factory.device(machine.model as Model, second.name),
    path: [],
  }));
  addBill(stage, { site, customer: second, cast: early, received: end - 4 * DAY, until: end - 30, missing: 1, late });
}

/** Machines of the site's own: repaired without a bill, on the shelf or on their way there. */
function addStock(stage: Stage, site: Site, count: number): void {
  const { world, factory, schedule } = stage;
  const { end } = site.calendar;
  const ways: Target[] = [Node.CanShip, Node.CanShip, Node.AwaitingRepair, Node.Scrapped];
  ways.slice(0, count).forEach((target, i) => {
    const machine = factory.device(models[(i * 3 + 1) % models.length] as Model, null);
    const from = end - (12 - i) * DAY;
    schedule.at(site, from, (at) => activate(world, site, machine, Warehouse.Defectives, at));
    walk(world, factory, schedule, {
      site,
      machines: [machine],
      path: pathTo(target, false, world.random),
      from,
      to: end - 2 * DAY,
    });
  });
}
