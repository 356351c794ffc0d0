import { Warehouse } from '#domain/enums.ts';
import { DAY } from './calendar.ts';
import type { Customer } from './customers.ts';
import { accept, finishReceipt, signFor, takeOff } from './intake.ts';
import { models, type Model } from './items.ts';
import type { Machine } from './machines.ts';
import { changeSite, closeBill, correctModel, moveItem, promiseModel, sendInstead, type BillItem } from './office.ts';
import { upTo, type Step } from './paths.ts';
import { unitsOf, walk } from './schedule.ts';
import { actOnStockups, type StockupAction } from './stockups.ts';
import { activate } from './storing.ts';
import {
  announce,
  comeLate,
  customersOf,
  createGoods,
  addBill,
  type BillOf,
  type BillStory,
  type Role,
  type Stage,
} from './stories.ts';
import type { BillLine, Site, Unit } from './world.ts';

/** What seldom happens at a workshop, each at least once at a site, so that everybody finds it on rows to look at. */
export function addSituations(stage: Stage, site: Site, other: Site): void {
  const scope = { stage, site, end: site.calendar.end };
  addDetours(scope);
  addShelved(scope);
  addStockups(scope);
  addBoards(scope);
  addReceipts(scope);
  addMoves(scope);
  addCodes(scope);
  addSiteChanges(scope, other);
  addExchanges(scope);
  addClosings(scope);
  addStock(scope);
}

interface SituationScope {
  stage: Stage;
  site: Site;
  end: number;
}

const LENGTH = 8 * DAY;

/** Devices of one model that go these ways. */
function devices(
  { stage: { factory } }: SituationScope,
  customer: Customer,
  model: Model,
  ways: readonly Step[][],
): Role[] {
  return ways.map((path) => ({ machine: factory.device(model, customer.name), path }));
}

const customerAt = ({ site }: SituationScope, i: number): Customer => {
  const own = customersOf(site);
  return own[i % own.length] as Customer;
};
const modelAt = (i: number): Model => models[i % models.length] as Model;

/** A bill of some working days; what the office does about it comes after its units' ways. */
function addShortBill(scope: SituationScope, story: Omit<BillStory, 'site' | 'received' | 'until'>, ago: number): void {
  const until = scope.end - ago * DAY;
  addBill(scope.stage, { site: scope.site, received: until - LENGTH, until, ...story });
}

/** Plans a action about units, some hours before now. */
function later(
  { stage, site, end }: SituationScope,
  hours: number,
  roles: Role[],
  act: (units: Unit[], at: number) => void,
) {
  const { schedule, world } = stage;
  schedule.at(site, end - hours * 60, (at) =>
    act(
      unitsOf(
        world,
        roles.map((it) => it.machine),
      ),
      at,
    ),
  );
}

const detours: Step[][][] = [
  // Tested from the beginning again: from the shelf, from the middle, from a scrap by mistake, while held.
  [
    [...upTo('store'), 'returnToCheck'],
    ['check', 'repair', 'returnToCheck', 'check', 'repair', 'assemble'],
    ['checkScrap', 'confirmScrap', 'returnToCheck', 'check'],
    ['checkScrap', 'returnToCheck'],
  ],
  // A bill on which that was the latest action.
  [['check', 'repair', 'returnToCheck']],
  // What a supervisor does not believe, what is sent back, and what the administrator takes back.
  [
    ['checkNofault', 'declineNofault'],
    ['checkNofault', 'declineNofault', 'check', 'repair'],
    ['checkNofault', 'confirmNofault', 'agingPass'],
    ['checkScrap', 'returnScrap', 'store', 'deliver'],
    ['checkScrap', 'confirmScrap'],
    ['check', 'repair', 'assemble', 'agingPass', 'qcFail'],
    ['check', 'addPictures'],
    [...upTo('agingPass'), 'rollBackTest'],
    [...upTo('qcPass'), 'rollBackTest'],
  ],
  // Nodes that were set by hand.
  [
    ['check', 'repair', 'placeAtInspection'],
    [...upTo('qcPass'), 'placeOnShelf'],
    [...upTo('store'), 'placeAsShipped'],
  ],
  // Bought in the middle of the work, from the shelf, and as the last one of its bill.
  [[...upTo('repair'), 'buyOut', 'assemble', 'agingPass'], [...upTo('store'), 'buyOut'], upTo('deliver')],
];

function addDetours(scope: SituationScope): void {
  detours.forEach((ways, i) => {
    const customer = customerAt(scope, i);
    addShortBill(scope, { customer, cast: devices(scope, customer, modelAt(i + 2), ways) }, 0.3 + i * 0.4);
  });
}

/** On the shelf: held back, let go again, hurried, paid by the customer, put together anew. */
function addShelved(scope: SituationScope): void {
  const customer = customerAt(scope, 1);
  const cast = devices(scope, customer, modelAt(4), [
    [...upTo('store'), 'pause'],
    ['pause', ...upTo('store')],
    ['pause', ...upTo('store'), 'resume'],
    [...upTo('store'), 'hurry'],
    [...upTo('store'), 'collect'],
    [...upTo('store'), 'makeUp'],
  ]);
  addShortBill(scope, { customer, cast }, 0.5);
}

/** Stock-up bills that were stopped, stopped for a while, cancelled, delivered in part, and finished as they were. */
function addStockups(scope: SituationScope): void {
  const { stage, site, end } = scope;
  const { world, factory, schedule } = stage;
  const cases: { actions: StockupAction[]; isDelivered?: boolean }[] = [
    { actions: ['stop'] },
    { actions: ['stop', 'reset'] },
    { actions: ['cancel'] },
    { actions: [], isDelivered: true },
    { actions: ['finish'], isDelivered: true },
  ];
  cases.forEach(({ actions, isDelivered = false }, i) => {
    const customer = customerAt(scope, i + 2);
    const cast = devices(scope, customer, modelAt(i * 2), [upTo('store'), upTo('store'), upTo('store')]);
    const plan = (bill: BillOf) =>
      actions.forEach((action, n) =>
        schedule.at(site, end - (5 - n) * 60, (at) => actOnStockups(world, bill(), action, at)),
      );
    addShortBill(scope, { customer, cast, plan }, 1.2);
    const machines = isDelivered ? cast.slice(0, 1).map((it) => it.machine) : [];
    if (isDelivered)
      walk(world, factory, schedule, { site, machines, path: ['deliver'], from: end - 480, to: end - 360 });
  });
}

/** A bill of boards alone: repaired, exchanged, shipped by their number, given up at receipt. */
function addBoards(scope: SituationScope): void {
  const { factory } = scope.stage;
  const customer = customerAt(scope, 0);
  const { board } = modelAt(6);
  const boardWay = (last: Step): Step[] => upTo(last).filter((it) => it !== 'assemble');
  const ways: Step[][] = [
    boardWay('deliver'),
    boardWay('deliver'),
    boardWay('deliver'),
    ['check', 'exchangeBoard', 'agingPass', 'qcPass', 'store'],
    ['check', 'exchangeBoard', 'agingPass'],
    boardWay('repair'),
    boardWay('check'),
    ['checkScrap'],
  ];
  const at = scope.site.calendar.momentOf(scope.end - LENGTH);
  const cast: Role[] = ways.map((path) => ({ machine: factory.looseBoard(board, at), path }));
  cast.push({ machine: { ...factory.looseBoard(board, at), isBeyondRepair: true }, path: [] });
  addShortBill(scope, { customer, cast }, 0.6);
}

/** More than was declared, another maker's device, a mistake, machines that changed hands, goods that came after all. */
function addReceipts(scope: SituationScope): void {
  const { stage, site, end } = scope;
  const { world, factory, schedule } = stage;
  const [customer, buyer] = [customerAt(scope, 0), customerAt(scope, 1)];
  const some = devices(scope, customer, modelAt(1), [['check'], ['check', 'repair'], ['check']]);
  const nonOfficial = [['checkNofault', 'confirmNofault', 'agingPass'], ['check']].map((path): Role => {
    const machine = factory.nonOfficial(`M50S${world.random.digits(13)}`, site.calendar.momentOf(end - LENGTH));
    return { machine, path: path as Step[] };
  });
  addShortBill(scope, { customer, cast: some.slice(0, 2), undeclared: [...some.slice(2), ...nonOfficial] }, 0.4);

  const mistaken = devices(scope, customer, modelAt(11), [[], ['check'], []]);
  addShortBill(scope, { customer, cast: mistaken, isOpen: true }, 0.4);
  later(scope, 2, mistaken.slice(0, 1), ([unit], at) => unit && takeOff(world, unit, at));

  const sold = devices(scope, customer, modelAt(3), [upTo('deliver'), upTo('deliver')]);
  addShortBill(scope, { customer, cast: sold }, 52);
  const again = sold.map(({ machine, path }, i): Role => ({ machine: { ...machine, isMixed: i === 0 }, path }));
  addShortBill(scope, { customer: buyer, cast: again }, 26);
  const third = again.slice(0, 1).map(({ machine }): Role => ({ machine, path: ['check', 'repair'] }));
  addShortBill(scope, { customer: buyer, cast: third }, 0.7);

  const late = devices(scope, buyer, modelAt(5), [[], []]);
  announce(stage, site, buyer, createGoods(late, 1), end - 6 * DAY, (bill) => {
    schedule.at(site, end - 5 * DAY, (at) => accept(site, bill(), signFor(world, site, bill(), at), at));
    schedule.at(site, end - 5 * DAY + 30, (at) => finishReceipt(bill(), at));
    comeLate(stage, site, bill, late, end - 0.6 * DAY);
    schedule.at(site, end - 0.8 * DAY, (at) => finishReceipt(bill(), at));
  });
}

/** Items that went to another bill of their customer, ship with it, or ship apart. */
function addMoves(scope: SituationScope): void {
  const { site, end, stage } = scope;
  const { world, schedule } = stage;
  const customer = customerAt(scope, 2);
  const bills: BillOf[] = [];
  const plan = (bill: BillOf) => void bills.push(bill);
  const ways: Step[][] = [['check'], ['check', 'repair'], upTo('store'), upTo('store'), upTo('store')];
  addShortBill(scope, { customer, cast: devices(scope, customer, modelAt(7), ways), missing: 1, plan }, 0.8);
  const target = devices(scope, customer, modelAt(7), [upTo('store'), ['check']]);
  addShortBill(scope, { customer, cast: target, isOpen: true, plan }, 0.8);
  const hows: Parameters<typeof moveItem>[3][] = [
    { moves: true, ships: 'asBefore' },
    { moves: true, ships: 'withTarget' },
    { moves: false, ships: 'withTarget' },
    { moves: false, ships: 'apart' },
  ];
  schedule.at(site, end - 200, (at) => {
    const [from, to] = bills.map((it) => it().lines[0] as BillLine) as [BillLine, BillLine];
    const items = [...from.items];
    hows.forEach((how, i) => moveItem(world, items[i] as BillItem, to, how, at));
    moveItem(world, items.at(-1) as BillItem, to, { moves: true, ships: 'asBefore' }, at);
  });
}

/** Another model that was promised, and units that were taken for another one. */
function addCodes(scope: SituationScope): void {
  const { world } = scope.stage;
  const customer = customerAt(scope, 3);
  const cast = devices(scope, customer, modelAt(3), [upTo('repair'), ['check'], upTo('store'), upTo('store')]);
  addShortBill(scope, { customer, cast }, 0.8);
  later(scope, 4, cast, ([promised, ...wrong], at) => {
    if (promised) promiseModel(world, promised, modelAt(4), at);
    for (const unit of wrong.slice(0, 2)) correctModel(world, unit, modelAt(5), at);
  });
}

/** A unit in work, one from the shelf, and one that has not come go to the other site, which repairs what is to be repaired. */
function addSiteChanges(scope: SituationScope, other: Site): void {
  const { stage, site, end } = scope;
  const { world, factory, schedule } = stage;
  const customer = customerAt(scope, 0);
  const cast = devices(scope, customer, modelAt(8), [['check'], upTo('store'), upTo('repair')]);
  const plan = (bill: BillOf) =>
    schedule.at(site, end - 0.9 * DAY, (at) => {
      const items = (bill().lines[0] as BillLine).items;
      for (const item of [items[0], items[1], items.at(-1)]) changeSite(world, item as BillItem, other, at);
    });
  addShortBill(scope, { customer, cast, missing: 1, plan }, 1.1);
  const machines = cast.slice(0, 1).map((it) => it.machine);
  const until = other.calendar.end;
  walk(world, factory, schedule, { site: other, machines, path: ['repair'], from: until - 0.6 * DAY, to: until - 90 });
}

/** Machines of the stock that go out ahead of the customer's own: one is to go, one went. */
function addExchanges(scope: SituationScope): void {
  const { stage, site, end } = scope;
  const { world, factory, schedule } = stage;
  const customer = customerAt(scope, 1);
  const spare = factory.device(modelAt(9), null);
  schedule.at(site, end - 5 * DAY, (at) => activate(world, site, spare, Warehouse.Goods, at));
  const ways: Step[][] = [
    ['check', 'tallyAhead'],
    ['check', 'repair', 'tallyAhead'],
  ];
  const cast = devices(scope, customer, modelAt(9), ways);
  addShortBill(scope, { customer, cast }, 0.9);
  later(scope, 6, [...cast.slice(1), { machine: spare, path: [] }], ([own, stock], at) => {
    if (own && stock) sendInstead(world, own, stock, at);
  });
}

/** Bills that were closed by force: nothing came; units in the workshop were given up, on the shelf and held ones too. */
function addClosings(scope: SituationScope): void {
  const { stage, site, end } = scope;
  const { world, schedule } = stage;
  const customer = customerAt(scope, 1);
  const closes = (bill: BillOf) => schedule.at(site, end - 150, (at) => closeBill(world, bill(), at));
  announce(stage, site, customer, [{ item: modelAt(0), count: 2 }], end - 19 * DAY, closes);
  const some: Step[][] = [upTo('deliver'), upTo('store'), ['check'], ['checkScrap']];
  const all: Step[][] = [upTo('store'), ['check', 'repair']];
  for (const ways of [some, all]) {
    const cast = devices(scope, customer, modelAt(ways.length), ways);
    addShortBill(scope, { customer, cast, missing: 1, plan: closes }, 1.5);
  }
}

/** Stock that came as good, as scrap, out of the scrap again, and from a customer who sold it to the company. */
function addStock(scope: SituationScope): void {
  const { stage, site, end } = scope;
  const { world, factory, schedule } = stage;
  const [good, scrap, mended] = [2, 5, 10].map((i) => factory.device(modelAt(i), null)) as [Machine, Machine, Machine];
  const customer = customerAt(scope, 2);
  const [bought] = devices(scope, customer, modelAt(6), [[...upTo('store'), 'buyOut']]) as [Role];
  addShortBill(scope, { customer, cast: [bought] }, 4);
  const activations: [Machine, Parameters<typeof activate>[3], number][] = [
    [good, Warehouse.Goods, 7],
    [scrap, Warehouse.Scraps, 6],
    [mended, Warehouse.Scraps, 9],
    [mended, Warehouse.Defectives, 5],
    [bought.machine, Warehouse.Defectives, 3],
  ];
  for (const [machine, warehouse, ago] of activations) {
    schedule.at(site, end - ago * DAY, (at) => activate(world, site, machine, warehouse, at));
  }
  const machines = [mended, bought.machine];
  walk(world, factory, schedule, { site, machines, path: ['check', 'repair'], from: end - 2.5 * DAY, to: end - 120 });
}
