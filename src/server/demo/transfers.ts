import { DAY_MS } from '#domain/day.ts';
import { GoodsType, StorageType, TransferSnStatus, TransferStatus, Warehouse } from '#domain/enums.ts';
import { Node } from '#domain/nodes.ts';
import { storages } from './intake.ts';
import { addLedgerEntry } from './ledger.ts';
import { models, parts, type Item, type Model } from './items.ts';
import type { Factory, Machine } from './machines.ts';
import { moveUnit } from './moves.ts';
import type { Row } from './rows.ts';
import { activate } from './storing.ts';
import { stamp, touch, type Site, type Unit, type World } from './world.ts';

/** How far a transfer has come, and what became of its last unit. */
const stories: [billStatus: string, last?: 'missing' | 'returned'][] = [
  ['2'],
  ['2'],
  ['2', 'returned'],
  ['1', 'missing'],
  ['1', 'missing'],
  ['1'],
  ['0'],
  ['0'],
  ['0'],
  ['3'],
  ['2'],
];
const routes: [from: string, to: string][] = [
  ['SZ', 'NB'],
  ['NB', 'SZ'],
  ['SZ', 'US'],
];

interface Story {
  world: World;
  sktbId: string;
  sender: Site;
  receiver: Site;
  /** When it was made. */
  at: number;
}

/** Own stock that goes from site to site: on the shelf, under way, arrived, come back. Rule: transfers#states. */
export function addTransfers(world: World, factory: Factory): void {
  const { rows, random, now } = world;
  stories.forEach(([billStatus, last], i) => {
    const [from = 'SZ', to = 'NB'] = routes[i % 3] ?? [];
    const [sender, receiver] = [world.sites[from], world.sites[to]];
    if (!sender || !receiver) return;
    const at = now - (48 - i * 4) * DAY_MS;
    const story = { world, sktbId: world.numberAt('SKT', at), sender, receiver, at };
    const goods: (Item | Model)[] = [...random.some(parts, 2), random.pick(models)];
    const lines = goods.map((item) => ({ item, count: random.int(1, 3) + (item.type === GoodsType.Board ? 1 : 0) }));
    const count = lines.reduce((sum, it) => sum + it.count, 0);
    const wasSent = billStatus === TransferStatus.AwaitingReceipt || billStatus === TransferStatus.Finished;
    const wasReceived = billStatus === TransferStatus.Finished || last === 'missing';
    const maker = sender.crew.warehouse;
    rows.add('rma_stock_transfer_bill', {
      sktbId: story.sktbId,
      billStatus,
      deliverSiteId: from,
      receiveSiteId: to,
      count,
      deliverBy: wasSent ? maker : null,
      deliverTime: wasSent ? new Date(at + DAY_MS) : null,
      receiveBy: wasReceived ? receiver.crew.warehouse : null,
      receiveTime: wasReceived ? new Date(at + 4 * DAY_MS) : null,
      remark: i % 4 === 0 ? '补充备件库存' : null,
      ...stamp(at, maker),
    });
    note(story, 'initiate', at, maker);
    if (wasSent) note(story, 'deliverAccept', at + DAY_MS, maker);
    if (wasReceived) note(story, 'receiverAccept', at + 4 * DAY_MS, receiver.crew.warehouse);
    if (billStatus === TransferStatus.Cancelled) note(story, 'cancelTransfer', at + DAY_MS / 2, maker);
    if (last === 'returned') note(story, 'returnTransfer', at + 7 * DAY_MS, 'admin');
    let left = count;
    for (const { item, count: wanted } of lines) {
      const sktblId = addLine(story, item, wanted);
      for (let n = 0; n < wanted; n++) {
        left -= 1;
        const unit = stockOf(story, factory, item);
        const row = rows.add('rma_stock_transfer_bill_line_item', {
          sktblId,
          sktbId: story.sktbId,
          sn: null,
          snStatus: TransferSnStatus.ToEnter,
          fromNode: null,
          fromSubinventoryCode: null,
          ...stamp(at, maker),
        });
        if (!wasSent) continue;
        send(story, unit, row);
        if (left === 0 && last === 'returned') giveBack(story, unit, row);
        else if (billStatus === TransferStatus.Finished || (last === 'missing' && left > 0)) arrive(story, unit, row);
      }
    }
  });
}

function addLine({ world, sktbId, sender, at }: Story, item: Item, count: number): string {
  const sktblId = world.numberAt('SKL', at);
  world.rows.add('rma_stock_transfer_bill_line', {
    sktblId,
    sktbId,
    salesCode: item.salesCode,
    name: item.name,
    storageType: StorageType.Goods,
    itemType: item.itemType,
    count,
    ...stamp(at, sender.crew.warehouse),
  });
  return sktblId;
}

/** A unit of the sender's own stock, on the shelf since some days before the transfer. */
function stockOf({ world, sender, at }: Story, factory: Factory, item: Item | Model): Unit {
  const since = at - 2 * DAY_MS;
  const machine: Machine = 'board' in item ? factory.device(item, null, since) : factory.looseBoard(item, since);
  activate(world, sender, machine, Warehouse.Goods, since);
  return world.units.get(machine.sn) as Unit;
}

type ItemRow = Row<'rma_stock_transfer_bill_line_item'>;

function send({ world, sktbId, sender, receiver, at }: Story, unit: Unit, row: ItemRow): void {
  const when = at + DAY_MS;
  const by = sender.crew.warehouse;
  const route = `${sender.siteId} → ${receiver.siteId}`;
  const event = moveUnit(world, unit, 'transferOut', null, sktbId, when, by, route);
  Object.assign(event, { fromSubinventoryCode: Warehouse.Goods, fromStorageType: StorageType.Goods });
  const held = { holdKind: 'transfer', holdBillId: sktbId, holdTime: new Date(when) };
  Object.assign(unit.row, { subinventoryCode: null, storageType: null, ...held });
  const from = { fromNode: Node.CanShip, fromSubinventoryCode: Warehouse.Goods };
  Object.assign(row, { sn: unit.machine.sn, snStatus: TransferSnStatus.Sent, ...from });
  touch(row, when, by);
}

const free = { holdKind: null, holdBillId: null, holdTime: null };

function arrive({ world, sktbId, sender, receiver, at }: Story, unit: Unit, row: ItemRow): void {
  const when = at + 4 * DAY_MS;
  const by = receiver.crew.warehouse;
  unit.site = receiver;
  const route = `${sender.siteId} → ${receiver.siteId}`;
  moveUnit(world, unit, 'transferIn', Node.CanShip, sktbId, when, by, route).fromSiteId = sender.siteId;
  Object.assign(unit.row, { siteId: receiver.siteId, ...storages.goods, ...free });
  row.snStatus = TransferSnStatus.Received;
  touch(row, when, by);
}

function giveBack({ world, sktbId, sender, at }: Story, unit: Unit, row: ItemRow): void {
  const when = at + 7 * DAY_MS;
  const route = `${sender.siteId} → ${sender.siteId}`;
  moveUnit(world, unit, 'transferReturn', Node.CanShip, sktbId, when, 'admin', route);
  Object.assign(unit.row, { ...storages.goods, ...free });
  row.snStatus = TransferSnStatus.Returned;
  touch(row, when, 'admin');
}

const note = ({ world, sktbId, sender, receiver }: Story, what: string, at: number, by: string): void =>
  addLedgerEntry(
    world,
    what === 'receiverAccept' ? receiver : sender,
    { what, module: 'rmaStockTransferBill', recordId: sktbId, before: {}, after: {} },
    at,
    by,
  );
