import { DeliverPriority, DeliverStatus, packageCounts, StorageType, Warehouse } from '#domain/enums.ts';
import { isOwnBill } from '#domain/maintainBill.ts';
import type { Problem } from '#domain/refusal.ts';
import type { Outcome } from '#domain/workflow.ts';

/** Something has to be scanned. */
export const validateScans = (scanned: number): Problem[] =>
  scanned > 0
    ? []
    : [
        {
          key: 'required',
          field: 'rmaStoreBillLineList',
          args: { fields: [{ module: 'rmaStoreBillLine', field: 'sn' }] },
        },
      ];

/**
 * A package is of a standard quantity and holds no more SNs than that; fewer is an odd lot. Rule: events#e22,
 * storing#packages.
 */
export const validatePackage = (scanned: number, holds: number): Problem[] => {
  const field = 'packageCount';
  if (scanned > holds) return [{ key: 'count', field, args: { a: scanned, b: holds } }];
  return packageCounts.some((it) => it === holds)
    ? []
    : [{ key: 'format', field, args: { field: { module: 'rmaStoreBill', field } } }];
};

/** What passed QC is stored in a warehouse for goods; without a word it goes to the good ones. */
export const validateGoodsWarehouse = (code: string, codes: readonly string[]): Problem[] =>
  codes.includes(code) && storageTypeOf(code) === StorageType.Goods
    ? []
    : [{ key: 'format', field: WAREHOUSE_FIELD, args: { field: { module: 'rmaStoreBill', field: WAREHOUSE_FIELD } } }];

const WAREHOUSE_FIELD = 'subinventoryCode';

/** What kind of goods lies in a warehouse of which the site says nothing itself. Rule: storing#warehouses. */
export const storageTypeOf = (code: string): string => storageTypes[code] ?? StorageType.Goods;
const storageTypes: Record<string, string> = {
  [Warehouse.Goods]: StorageType.Goods,
  [Warehouse.Defectives]: StorageType.Defectives,
  [Warehouse.Scraps]: StorageType.Scraps,
};

interface Stored {
  mtbliId: string | null;
  /** Of its bill; none of a customer's. */
  billType: string | null;
  deliverPriority: string | null;
}

/**
 * A paused item stays back; every other one may be shipped as soon as it lies on the shelf.
 * Rule: bills#delivery-states.
 */
export const storedStatus = ({ deliverPriority }: Pick<Stored, 'deliverPriority'>): DeliverStatus =>
  deliverPriority === DeliverPriority.Paused ? DeliverStatus.CannotShip : DeliverStatus.CanShip;

/**
 * A customer's unit that may be shipped is stocked up for him; a stock machine, own goods and a paused unit are not.
 * Rule: stock-up#tally, bills#own-goods.
 */
export const isStockedUp = (unit: Stored): boolean =>
  unit.mtbliId !== null && !isOwnBill(unit.billType) && storedStatus(unit) === DeliverStatus.CanShip;

/**
 * Where a machine goes that is activated without a word about its warehouse: into the chain.
 * Rule: storing#activation-shelf.
 */
export const ACTIVATION_SHELF: string = Warehouse.Defectives;

/** A warehouse that exists. */
export const validateWarehouse = (code: string, codes: readonly string[]): Problem[] =>
  codes.includes(code)
    ? []
    : [{ key: 'format', field: WAREHOUSE_FIELD, args: { field: { module: 'rmaStoreBill', field: WAREHOUSE_FIELD } } }];

const outcomes: Record<string, Outcome> = {
  [StorageType.Goods]: 'goods',
  [StorageType.Defectives]: 'defectives',
  [StorageType.Scraps]: 'scraps',
};
/** How an activation ends, by what lies in the warehouse. Rule: events#e23. */
export const outcomeOf = (storageType: string): Outcome => outcomes[storageType] ?? 'goods';
