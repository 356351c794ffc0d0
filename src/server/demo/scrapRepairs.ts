import { BOARD_COUNT } from '#domain/assembly.ts';
import { DAY_MS } from '#domain/day.ts';
import { COMBINE_REPAIR, ScrapRepairStatus, ScrapSnRole, Warehouse } from '#domain/enums.ts';
import { Node } from '#domain/nodes.ts';
import { storages } from './intake.ts';
import { models, type Model } from './items.ts';
import { addLedgerEntry } from './ledger.ts';
import type { Factory } from './machines.ts';
import { moveUnit } from './moves.ts';
import { repairOutside } from './repairing.ts';
import { activate, store } from './storing.ts';
import { age, inspect } from './testing.ts';
import { stamp, touch, type Site, type Unit, type World } from './world.ts';

interface Story {
  siteId: string;
  /** Days before today. */
  ago: number;
  billStatus: string;
  /** How many units came back, of three SNs each; one SN more than these is not needed. */
  units: number;
  /** How far the first of them has gone since. */
  goesTo?: 'inspection' | 'stock';
}
const { Open, Ended, Cancelled } = ScrapRepairStatus;
const stories: Story[] = [
  { siteId: 'SZ', ago: 52, billStatus: Ended, units: 2, goesTo: 'stock' },
  { siteId: 'NB', ago: 41, billStatus: Ended, units: 2, goesTo: 'stock' },
  { siteId: 'US', ago: 36, billStatus: Ended, units: 1, goesTo: 'inspection' },
  { siteId: 'SZ', ago: 27, billStatus: Cancelled, units: 1 },
  { siteId: 'NB', ago: 24, billStatus: Cancelled, units: 1 },
  { siteId: 'SZ', ago: 20, billStatus: Ended, units: 1 },
  { siteId: 'NB', ago: 9, billStatus: Open, units: 1 },
  { siteId: 'US', ago: 8, billStatus: Open, units: 1 },
  { siteId: 'SZ', ago: 6, billStatus: Open, units: 2 },
  { siteId: 'SZ', ago: 2, billStatus: Open, units: 1 },
];
const SNS_A_UNIT = 3;
const BACK_AFTER = 9;
const faults = ['FX54', 'FX404', 'FX403'];

/** Scrap that goes out for repair: out, back as units that went on, given up. Rule: scrap-repair#states. */
export function addScrapRepairs(world: World, factory: Factory): void {
  const whole = models.filter((it) => it.boardCount === BOARD_COUNT);
  stories.forEach((story, i) => {
    const site = world.sites[story.siteId];
    const model = whole[i % whole.length];
    if (site && model) tell(world, factory, story, site, model);
  });
}

function tell(world: World, factory: Factory, story: Story, site: Site, model: Model): void {
  const { rows, now } = world;
  const { billStatus } = story;
  const at = now - story.ago * DAY_MS;
  const [maker, accepter] = [site.crew.warehouse, site.crew.techs[0] ?? 'tech'];
  const srbId = world.numberAt('SRB', at);
  const units = Array.from({ length: story.units * SNS_A_UNIT + 1 }, () => scrapOf(world, factory, site, model, at));
  const isEnded = billStatus === Ended;
  const endsAt = at + (isEnded ? BACK_AFTER : 1) * DAY_MS;
  const department = story.siteId === 'US' ? 'Contract repair' : '外协组';
  rows.add('rma_scrap_repair_bill', {
    srbId,
    billType: COMBINE_REPAIR,
    billStatus,
    siteId: site.siteId,
    count: units.length,
    department,
    acceptBy: isEnded ? accepter : null,
    acceptTime: isEnded ? new Date(endsAt) : null,
    ...stamp(at, maker),
  });
  const entry = (what: string, when: number, by: string) =>
    addLedgerEntry(
      world,
      site,
      { what, module: 'rmaScrapRepairBill', recordId: srbId, before: {}, after: {} },
      when,
      by,
    );
  entry('combineRepair', at, maker);
  const lines = units.map((unit) => {
    moveUnit(world, unit, 'combineRepair', Node.Scrapped, srbId, at, maker, department);
    Object.assign(unit.row, { holdKind: 'scrapRepair', holdBillId: srbId, holdTime: new Date(at) });
    const { sn, item } = unit.machine;
    return rows.add('rma_scrap_repair_bill_line', {
      srbId,
      sn,
      salesCode: item.salesCode,
      name: item.name,
      snRole: ScrapSnRole.Unused,
      productSn: null,
      checkIcdIds: null,
      rpbId: null,
      asbId: null,
      ...stamp(at, maker),
    });
  });
  if (billStatus === Open) return;
  entry(isEnded ? 'outsourcingAccept' : 'cancelScrapRepair', endsAt, isEnded ? accepter : maker);
  const used = isEnded ? story.units * SNS_A_UNIT : 0;
  for (const unit of units.slice(used)) {
    moveUnit(world, unit, 'scrapRepairReturn', Node.Scrapped, srbId, endsAt, isEnded ? accepter : maker);
    Object.assign(unit.row, free);
  }
  for (let first = 0; first < used; first += SNS_A_UNIT) {
    const [main, ...donors] = units.slice(first, first + SNS_A_UNIT) as [Unit, ...Unit[]];
    const productSn = main.machine.sn;
    const checkIcdIds = faults[(first / SNS_A_UNIT) % faults.length] ?? null;
    Object.assign(main.row, { ...free, ...storages.defective });
    const made = repairOutside(world, main, endsAt, accepter);
    moveUnit(world, main, 'outsourcingAccept', Node.AwaitingTest, srbId, endsAt, accepter, checkIcdIds);
    Object.assign(lines[first] as object, { snRole: ScrapSnRole.Main, productSn, checkIcdIds, ...made });
    donors.forEach((donor, n) => {
      for (const { binding } of donor.machine.parts) {
        binding.unbindTime = new Date(endsAt);
        touch(binding, endsAt, accepter);
      }
      moveUnit(world, donor, 'outsourcingAccept', Node.Scrapped, srbId, endsAt, accepter, productSn);
      const held = { holdKind: 'consumed', holdBillId: srbId, holdTime: new Date(endsAt) };
      Object.assign(donor.row, { ...held, subinventoryCode: null });
      Object.assign(lines[first + 1 + n] as object, { snRole: ScrapSnRole.Auxiliary, productSn });
    });
    if (first === 0) goOn(world, main, story, endsAt);
  }
}

const free = { holdKind: null, holdBillId: null, holdTime: null };

/** A unit that works again is tested and stored as any other. */
function goOn(world: World, unit: Unit, { goesTo }: Story, since: number): void {
  if (goesTo === undefined) return;
  age(world, [unit], true, since + 2 * DAY_MS);
  if (goesTo === 'inspection') return;
  inspect(world, [unit], true, since + 3 * DAY_MS);
  store(world, [unit], since + 4 * DAY_MS);
}

/** A device of the site's own stock, among its scrap since some days. */
function scrapOf(world: World, factory: Factory, site: Site, model: Model, at: number): Unit {
  const since = at - 3 * DAY_MS;
  const machine = factory.device(model, null, since);
  activate(world, site, machine, Warehouse.Scraps, since);
  return world.units.get(machine.sn) as Unit;
}
