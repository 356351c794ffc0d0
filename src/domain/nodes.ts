import { StorageType } from './enums.ts';

/** Where a unit stands in the repair chain (`ivyId`), as it goes over the wire. Rule: units#nodes. */
export const Node = {
  AwaitingCheck: '10',
  Scrapped: '40',
  AwaitingRepair: '50',
  AwaitingAssembly: '60',
  AwaitingTest: '70',
  AwaitingInspection: '80',
  AwaitingStorage: '90',
  CanShip: '100',
  Shipped: '900',
} as const;
export type Node = (typeof Node)[keyof typeof Node];

/** In the order of the chain. No other node exists. */
export const nodes = Object.values(Node);

export const isNode = (value: unknown): value is Node => nodes.some((it) => it === value);

/** As what a unit is kept that stands there; null where it is not in the workshop. Rule: storing#warehouses. */
export function storageTypeAt(node: Node | null): (typeof StorageType)[keyof typeof StorageType] | null {
  if (node === null || node === Node.Shipped) return null;
  if (node === Node.CanShip) return StorageType.Goods;
  return node === Node.Scrapped ? StorageType.Scraps : StorageType.Defectives;
}
