import { Node } from '#domain/nodes.ts';
import type { Row } from './rows.ts';
import type { Site, Unit, World } from './world.ts';

interface LedgerEntry {
  what: string;
  module: string;
  recordId: string;
  before: object;
  after: object;
}

/** The ledger's row of a action, from which a rollback knows how things were. Rule: events#e37. */
export function addLedgerEntry(
  world: World,
  site: Site,
  { before, after, ...entry }: LedgerEntry,
  at: number,
  by: string,
): void {
  world.rows.add('ledger', {
    ...entry,
    at: new Date(at),
    userId: by,
    siteId: site.siteId,
    before: JSON.stringify(before),
    after: JSON.stringify(after),
    requestId: 'demo',
  });
}

type Item = Row<'rma_maintain_bill_line_item'>;

/** An item that has not left, and how its unit lies, as a rollback wants to find them. */
export function before({ row }: Unit, item: Item) {
  const { mtbliId, exchange, stockup, scrap, deliverStatus, deliverPriority } = item;
  const { subinventoryCode, storageType } = row;
  const isOnShelf = row.ivyId === Node.CanShip;
  const of = { mtbliId, exchange, stockup, scrap, deliverStatus, deliverPriority };
  return { ...of, subinventoryCode, storageType, isOnShelf, delivery: null };
}
