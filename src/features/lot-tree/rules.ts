import type { DataOf } from '#domain/call.ts';
import { Stage } from '#domain/wafer.ts';
import type { lotTree } from './contract.ts';

export type Tree = Pick<DataOf<typeof lotTree>, 'lots' | 'orders' | 'isCut'>;
export type TreeLot = Tree['lots'][number];
export type TreeOrder = Tree['orders'][number];

/** What lies in a lot beyond what its history says; less than nothing is missing. Rule: wafer-bank#tree. */
export const differenceOfLot = (it: TreeLot): number => it.stockQty - (it.comeQty - it.takenQty - it.mergedQty);

/** What went into an order and is neither out nor loss. */
export const inProcessOf = ({ inputQty, outputQty, lossQty }: TreeOrder): number => inputQty - outputQty - lossQty;

/**
 * By how much an order is at odds with the history of its lots: more came out of it than went in, or its own counts are
 * others. Zero where it agrees. Rule: wafer-bank#tree.
 */
export function differenceOfOrder(it: TreeOrder): number {
  const over = Math.min(0, inProcessOf(it));
  if (over !== 0) return -over;
  const names = ['inputQty', 'outputQty', 'lossQty'] as const;
  const odd = names.map((name) => it.said[name] - it[name]).find((by) => by !== 0);
  return odd ?? 0;
}

export type TreeRow = { depth: number; key: string } & (
  | {
      kind: 'lot';
      lot: TreeLot;
      /** It stands above already, under another of its parents. */
      isAgain: boolean;
    }
  | {
      kind: 'order';
      order: TreeOrder;
      /** Of the lot above it. */
      takenQty: number;
      isAgain: boolean;
    }
);

/**
 * The rows of the tree: each lot that came from none of the others, under it the orders that took of it, under these what
 * came out; a lot that was merged stands under the first of its parents in full, under the others by its name. What
 * would stand under nothing, as its parents are another site's, begins a tree of its own. Rule: wafer-bank#tree.
 */
export function rowsOf({ lots, orders }: Tree): TreeRow[] {
  const rows: TreeRow[] = [];
  const byId = new Map(lots.map((it) => [it.wipId, it]));
  const byNo = new Map(orders.map((it) => [it.workOrderNo, it]));
  const childrenOf = new Map<string, TreeLot[]>();
  for (const it of lots)
    for (const parent of it.parents) childrenOf.set(parent, [...(childrenOf.get(parent) ?? []), it]);
  const seen = new Set<string>();
  const add = (lot: TreeLot, depth: number, path: string) => {
    const key = `${path}/${lot.wipId}`;
    const isAgain = seen.has(lot.wipId);
    rows.push({ kind: 'lot', lot, depth, key, isAgain });
    if (isAgain) return;
    seen.add(lot.wipId);
    const children = childrenOf.get(lot.wipId) ?? [];
    for (const { workOrderNo, qty } of lot.takenBy) {
      const order = byNo.get(workOrderNo);
      if (!order) continue;
      const at = `${key}/${workOrderNo}`;
      rows.push({ kind: 'order', order, takenQty: qty, depth: depth + 1, key: at, isAgain: seen.has(workOrderNo) });
      seen.add(workOrderNo);
      for (const it of children) if (it.workOrderNo === workOrderNo) add(it, depth + 2, at);
    }
    const taken = new Set(lot.takenBy.map((it) => it.workOrderNo));
    for (const it of children) if (it.workOrderNo === null || !taken.has(it.workOrderNo)) add(it, depth + 1, key);
  };
  for (const it of lots) if (!it.parents.some((parent) => byId.has(parent))) add(it, 0, '');
  for (const it of lots) if (!seen.has(it.wipId)) add(it, 0, '');
  return rows;
}

/** Where the dies of a tree are now. */
interface Account {
  /** What came from the foundry, or from lots that are not told. */
  come: number;
  finished: number;
  /** In the banks before the last. */
  stock: number;
  inProcess: number;
  loss: number;
  /** What came and is nowhere; less than nothing is too much. Null where others' dies are in the same orders, or not all lots are told. */
  missing: number | null;
}

const finishedStages: readonly string[] = [Stage.Ft2Bank, Stage.Shipped];
const sum = <T>(all: readonly T[], of: (it: T) => number): number => all.reduce((total, it) => total + of(it), 0);

/** Adds the tree up: what came is finished, in a bank, in process or loss. Rule: wafer-bank#tree. */
export function accountOf({ lots, orders, isCut }: Tree): Account {
  const known = new Set(lots.map((it) => it.wipId));
  const roots = lots.filter((it) => !it.parents.some((parent) => known.has(parent)));
  const come = sum(roots, (it) => it.comeQty);
  const finished = sum(lots, (it) => (finishedStages.includes(it.stage) ? it.stockQty : 0));
  const stock = sum(lots, (it) => it.stockQty) - finished;
  const inProcess = sum(orders, inProcessOf);
  const loss = sum(orders, (it) => it.lossQty);
  const taken = new Map<string, number>();
  for (const { workOrderNo, qty } of lots.flatMap((it) => it.takenBy)) {
    taken.set(workOrderNo, (taken.get(workOrderNo) ?? 0) + qty);
  }
  const isWhole =
    !isCut &&
    orders.every((it) => taken.get(it.workOrderNo) === it.inputQty) &&
    lots.every((it) => it.parents.length === 0 || it.parents.every((parent) => known.has(parent)));
  return {
    come,
    finished,
    stock,
    inProcess,
    loss,
    missing: isWhole ? come - finished - stock - inProcess - loss : null,
  };
}
