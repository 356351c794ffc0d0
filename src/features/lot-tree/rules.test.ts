import { describe, expect, it } from 'vitest';
import { randomFrom } from '#tests/support/stations.ts';
import {
  accountOf,
  differenceOfLot,
  differenceOfOrder,
  inProcessOf,
  rowsOf,
  type Tree,
  type TreeLot,
  type TreeOrder,
} from './rules.ts';

const banks = ['1', '3', '5', '7', '9', 'B'];
const lot = (n: number, stage: string, comeQty: number, more: Partial<TreeLot> = {}): TreeLot => ({
  ...{ id: n, wipId: `W${n}`, waferLotId: `LOT${n}`, stage, part: 'P1', supplierName: '', siteName: '' },
  ...{ parents: [], workOrderNo: null, comeQty, takenQty: 0, mergedQty: 0, stockQty: comeQty, takenBy: [], ...more },
});

/** A tree as a shop makes one: lots from the foundry go through orders in parts, some are lost, some are merged. */
function grow(seed: number): Tree {
  const random = randomFrom(seed);
  const below = (n: number) => Math.floor(random() * n);
  const lots: TreeLot[] = Array.from({ length: 1 + below(3) }, (_, i) => lot(i, '1', 50 + below(200)));
  const orders: TreeOrder[] = [];
  for (let step = 0; step < 12; step++) {
    const held = lots.filter((it) => it.stockQty > 0 && it.stage !== 'B');
    const from = held[below(held.length)];
    if (!from) break;
    const alike = held.filter((it) => it !== from && it.stage === from.stage);
    if (alike.length > 0 && below(4) === 0) {
      const parents = [from, ...alike];
      const comeQty = parents.reduce((sum, it) => sum + it.stockQty, 0);
      for (const it of parents) Object.assign(it, { mergedQty: it.stockQty, stockQty: 0 });
      lots.push(lot(lots.length, from.stage, comeQty, { parents: parents.map((it) => it.wipId) }));
      continue;
    }
    const taken = 1 + below(from.stockQty);
    const workOrderNo = `O${step}`;
    from.stockQty -= taken;
    from.takenQty += taken;
    from.takenBy.push({ workOrderNo, qty: taken });
    const lossQty = below(Math.ceil(taken / 4));
    const outs = [below(taken - lossQty + 1), 0];
    outs[1] = below(taken - lossQty - (outs[0] ?? 0) + 1);
    const outputQty = (outs[0] ?? 0) + (outs[1] ?? 0);
    const counts = { inputQty: taken, outputQty, lossQty };
    orders.push({ id: step, workOrderNo, module: 'icopFtWorkOrder', billStatus: '2', ...counts, said: { ...counts } });
    const stage = banks[Math.min(banks.length - 1, banks.indexOf(from.stage) + 1)] ?? 'B';
    for (const qty of outs.filter((it) => it > 0))
      lots.push(lot(lots.length, stage, qty, { parents: [from.wipId], workOrderNo }));
  }
  return { lots, orders, isCut: false };
}
const seeds = Array.from({ length: 300 }, (_, i) => [i] as const);

describe('the tree of a lot', () => {
  it.each(seeds)('adds up at every lot, at every order and in all, grown from %i', (seed) => {
    const tree = grow(seed);
    for (const it of tree.lots) expect(differenceOfLot(it)).toBe(0);
    for (const it of tree.orders) expect(differenceOfOrder(it)).toBe(0);
    const { come, finished, stock, inProcess, loss, missing } = accountOf(tree);
    expect(missing).toBe(0);
    expect(finished + stock + inProcess + loss).toBe(come);
  });

  it.each(seeds)('shows each lot and each order in full once, under what it came from, grown from %i', (seed) => {
    const tree = grow(seed);
    const rows = rowsOf(tree);
    expect(new Set(rows.map((it) => it.key)).size).toBe(rows.length);
    const full = rows.filter((it) => !it.isAgain);
    const named = full.map((it) => (it.kind === 'lot' ? it.lot.wipId : it.order.workOrderNo)).sort();
    expect(named).toEqual([...tree.lots.map((it) => it.wipId), ...tree.orders.map((it) => it.workOrderNo)].sort());
    for (const [i, it] of rows.entries()) {
      if (it.depth === 0) continue;
      const above = rows.slice(0, i).findLast((one) => one.depth < it.depth);
      if (it.kind === 'order') {
        expect(above?.kind === 'lot' && above.lot.takenBy.some((by) => by.workOrderNo === it.order.workOrderNo)).toBe(
          true,
        );
      } else if (above?.kind === 'order') expect(it.lot.workOrderNo).toBe(above.order.workOrderNo);
      else expect(it.lot.parents).toContain(above?.kind === 'lot' && above.lot.wipId);
    }
  });

  it('names what does not add up: a lot with too little, an order that counts otherwise, or gave more than it got', () => {
    for (let seed = 0; seed < 50; seed++) {
      const tree = grow(seed);
      const [first] = tree.lots as [TreeLot];
      first.stockQty -= 3;
      expect(differenceOfLot(first)).toBe(-3);
      expect(accountOf(tree).missing).toBe(3);
      const order = tree.orders[0];
      if (!order) continue;
      order.said.lossQty += 2;
      expect(differenceOfOrder(order)).toBe(2);
      order.outputQty += inProcessOf(order) + 5;
      expect(differenceOfOrder(order)).toBe(5);
    }
  });

  it('claims no sum in all where an order holds dies of other lots, a parent is not told, or there are more lots', () => {
    const tree = grow(1);
    expect(accountOf(tree).missing).toBe(0);
    expect(accountOf({ ...tree, isCut: true }).missing).toBeNull();
    const [order, ...rest] = tree.orders as [TreeOrder, ...TreeOrder[]];
    const shared = { ...tree, orders: [{ ...order, inputQty: order.inputQty + 10 }, ...rest] };
    expect(accountOf(shared).missing).toBeNull();
    const orphan = lot(99, '5', 10, { parents: ['W-ELSEWHERE'] });
    expect(accountOf({ ...tree, lots: [...tree.lots, orphan] }).missing).toBeNull();
    expect(rowsOf({ ...tree, lots: [...tree.lots, orphan] })).toContainEqual(
      expect.objectContaining({ kind: 'lot', lot: orphan, depth: 0 }),
    );
  });
});
