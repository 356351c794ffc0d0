import { ComponentType } from '#domain/assembly.ts';
import { Flag, RepairType } from '#domain/enums.ts';
import { Node } from '#domain/nodes.ts';
import { RepairMethod } from '#domain/repairRecord.ts';
import { NO_PART } from '#domain/sn.ts';
import { inBoth } from '#domain/words.ts';
import { newUnit, storages } from './intake.ts';
import { materials } from './items.ts';
import { bind, isDevice, type Factory, type Machine, type Part } from './machines.ts';
import { moveUnit } from './moves.ts';
import type { Row } from './rows.ts';
import { pickTech } from './testing.ts';
import { stamp, touch, type Unit, type World } from './world.ts';

const causes: Record<string, string> = {
  RP01: inBoth('芯片故障', 'Chip fault'),
  RP02: inBoth('电源模块故障', 'Power stage'),
  RP03: inBoth('连接器故障', 'Connector'),
  RP04: inBoth('线路烧断', 'Burnt trace'),
};
const FIRST_BOARD = 7;

/** A unit is repaired, row by row; a device goes to assembly, a board to the test. Rule: events#e15, events#e16. */
export function repair(world: World, factory: Factory, unit: Unit, at: number): void {
  const { random } = world;
  const by = pickTech(world, unit.site);
  const { rpbId, line } = openBill(world, unit, at, by);
  const boards = unit.machine.parts.filter((it) => it.componentType === ComponentType.Board);
  if (boards.length > 0 && random.chance(0.08)) {
    line(replaceBoard(world, factory, unit, random.pick(boards), rpbId, at, by));
  }
  const broken = boards.length > 0 ? random.some(boards, random.int(1, 2)) : [];
  for (const part of broken) line(workOn(world, unit, part.sn, FIRST_BOARD + boards.indexOf(part)));
  if (broken.length === 0) line(workOn(world, unit, unit.machine.sn, FIRST_BOARD));
  moveUnit(world, unit, 'repair', isDevice(unit.machine) ? Node.AwaitingAssembly : Node.AwaitingTest, rpbId, at, by);
}

/** What was done, before it stands on a repair bill. */
type Line = Omit<Row<'rma_repair_bill_line'>, 'rpbId'>;

function openBill(world: World, unit: Unit, at: number, by: string, repairType?: string) {
  const rpbId = world.numberAt('RPB', at);
  world.rows.add('rma_repair_bill', {
    rpbId,
    mtbId: unit.row.mtbId ?? null,
    mtbliId: unit.row.mtbliId ?? null,
    sn: unit.machine.sn,
    userId: by,
    repairType: repairType ?? (unit.row.mtbId ? RepairType.Defective : findRepairType(world, unit)),
    siteId: unit.site.siteId,
    ...stamp(at, by),
  });
  const line = (row: Line) => world.rows.add('rma_repair_bill_line', { ...row, rpbId, ...stamp(at, by) });
  return { rpbId, line };
}

/** A machine of the site's stock was a customer's, was scrap, or came as it is. Rule: events#e23. */
function findRepairType(world: World, unit: Unit): string {
  if (unit.history.length > 0) return RepairType.SecondHand;
  const start = world.rows
    .of('rma_transaction')
    .findLast((it) => it.sn === unit.machine.sn && it.step === 'storeStart');
  return start?.fromNode === Node.Scrapped ? RepairType.InventoryScrapped : RepairType.Defective;
}

/** What was done to one board. */
function workOn(world: World, unit: Unit, sn: string, partsType: number): Line {
  const { random } = world;
  const cause = random.pick(Object.keys(causes));
  const isChip = cause === 'RP01';
  const repairMethod = isChip ? RepairMethod.ChangeMaterial : random.pick([RepairMethod.Welding, RepairMethod.FlyLine]);
  const letter = isChip ? 'U' : cause === 'RP02' ? 'Q' : cause === 'RP03' ? 'J' : 'L';
  const counts: Record<string, number> = { U: 63, Q: 6, J: 3, L: 6 };
  const numbers = random.some(
    Array.from({ length: counts[letter] ?? 1 }, (_, i) => i + 1),
    isChip ? random.int(1, 4) : 1,
  );
  return {
    partsType: String(partsType),
    sn,
    icdIds: cause,
    icdDescriptions: causes[cause] ?? null,
    slot: numbers.map((it) => `${letter}${it}`).join(','),
    repairMethod,
    repairMarking: isChip ? 'RC7104' : null,
    spendItemDescription: isChip ? materials.chip : null,
    spendCount: isChip ? numbers.length : 1,
    repairUrls: random.chance(0.5) ? random.pick(unit.site.photos.slice(0, 4)) : null,
    replaceSn: null,
  };
}

/** A board beyond repair leaves the device and is scrapped; a new one takes its place. */
function replaceBoard(
  world: World,
  factory: Factory,
  unit: Unit,
  part: Part,
  rpbId: string,
  at: number,
  by: string,
): Line {
  const old = { ...part };
  const boards = unit.machine.parts.filter((it) => it.componentType === ComponentType.Board);
  const partsType = String(FIRST_BOARD + boards.indexOf(part));
  const scrapped = newUnit(world, unit.site, machineOf(old), at, by);
  moveUnit(world, scrapped, 'repair', Node.Scrapped, rpbId, at, by);
  Object.assign(scrapped.row, storages.scrap);
  part.binding.unbindTime = new Date(at);
  touch(part.binding, at, by);
  Object.assign(part, factory.part(old.item, ComponentType.Board, at));
  part.binding = bind(world.rows, unit.machine.sn, part, rpbId, at, by);
  return replaced(unit, partsType, old, part.sn);
}

const replaced = (unit: Unit, partsType: string, { sn, item }: Pick<Part, 'sn' | 'item'>, replaceSn: string) => ({
  partsType,
  sn,
  icdIds: 'RP04',
  icdDescriptions: causes['RP04'] ?? null,
  slot: 'U1',
  repairMethod: RepairMethod.Replace,
  repairMarking: null,
  spendItemDescription: item.name,
  spendCount: 1,
  repairUrls: unit.site.photos[3] ?? null,
  replaceSn,
});

const machineOf = ({ sn, item }: Pick<Part, 'sn' | 'item'>): Machine => ({
  sn,
  item,
  model: null,
  parts: [],
  warrantyEnds: 0,
});

/** A loose board beyond repair is scrap, and a new one goes on for its item. Rule: events#e16. */
export function exchangeBoard(world: World, factory: Factory, unit: Unit, at: number): void {
  const by = pickTech(world, unit.site);
  const { rpbId, line } = openBill(world, unit, at, by);
  const fresh = machineOf(factory.part(unit.machine.item, ComponentType.Board, at));
  line(replaced(unit, String(FIRST_BOARD), unit.machine, fresh.sn));
  const successor = newUnit(world, unit.site, fresh, at, by);
  const { mtbId, mtblId, mtbliId } = unit.row;
  Object.assign(successor, { bill: unit.bill, item: unit.item });
  Object.assign(successor.row, { mtbId, mtblId, mtbliId });
  moveUnit(world, unit, 'repair', Node.Scrapped, rpbId, at, by);
  Object.assign(unit.row, { mtbId: null, mtblId: null, mtbliId: null, ...storages.scrap });
  moveUnit(world, successor, 'repair', Node.AwaitingTest, rpbId, at, by);
  if (unit.item) unit.item.exchange = Flag.Yes;
  Object.assign(unit, { bill: null, item: null, successor });
}

/** The device is put together: what was bound before is closed, its parts are bound anew. Rule: events#e17. */
export function assemble(world: World, unit: Unit, at: number): void {
  const by = pickTech(world, unit.site);
  const asbId = recordAssembly(world, unit, at, by);
  moveUnit(world, unit, 'assemble', Node.AwaitingTest, asbId, at, by);
}

/** What outsourcing says of a unit that it made work again: what was repaired, and what is in it. Rule: scrap-repair#main. */
export function repairOutside(world: World, unit: Unit, at: number, by: string): { rpbId: string; asbId: string } {
  const { rpbId, line } = openBill(world, unit, at, by, RepairType.InventoryScrapped);
  const boards = unit.machine.parts.filter((it) => it.componentType === ComponentType.Board);
  for (const [i, part] of world.random.some(boards, 2).entries()) line(workOn(world, unit, part.sn, FIRST_BOARD + i));
  return { rpbId, asbId: recordAssembly(world, unit, at, by) };
}

function recordAssembly(world: World, unit: Unit, at: number, by: string): string {
  const asbId = world.numberAt('ASB', at);
  world.rows.add('rma_assemble_bill', {
    asbId,
    sn: unit.machine.sn,
    userId: by,
    siteId: unit.site.siteId,
    mtbId: unit.row.mtbId ?? null,
    ...stamp(at, by),
  });
  for (const part of unit.machine.parts) {
    world.rows.add('rma_assemble_bill_line', {
      asbId,
      sn: part.sn,
      componentType: part.componentType,
      qrCodeNum: part.qrCodeNum,
      salesCode: part.item.salesCode,
      salesDescription: part.item.name,
      ...stamp(at, by),
    });
  }
  putTogether(world, unit, asbId, at, by);
  return asbId;
}

function putTogether(world: World, unit: Unit, billId: string, at: number, by: string): void {
  for (const part of unit.machine.parts) {
    part.binding.unbindTime = new Date(at);
    touch(part.binding, at, by);
    part.binding = bind(world.rows, unit.machine.sn, part, billId, at, by);
  }
  const power = unit.machine.parts.find((it) => it.componentType === ComponentType.Power);
  if (unit.item) unit.item.powerSn = power && power.sn !== NO_PART ? power.sn : null;
}

/** What a device on the shelf is made of is written down again; a new power goes in. Rule: events#e27. */
export function makeUp(world: World, factory: Factory, unit: Unit, at: number): void {
  const by = unit.site.crew.warehouse;
  const billId = world.numberAt('RBD', at);
  const power = unit.machine.parts.find((it) => it.componentType === ComponentType.Power);
  if (power) Object.assign(power, factory.part(power.item, ComponentType.Power, at));
  putTogether(world, unit, billId, at, by);
  moveUnit(world, unit, 'rebind', Node.CanShip, billId, at, by);
}
