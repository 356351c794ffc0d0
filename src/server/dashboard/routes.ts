import { mayDo } from '#domain/rights.ts';
import type { Context } from '#server/context.ts';
import { route, type Route } from '#server/route.ts';
import { cachedFor } from './cached.ts';
import { changeCoin, readCoins, readHashRate } from './coins.ts';
import { coinChange, dashBoard, queuePlace, workQueue } from './contract.ts';
import { queueTables, readPlace, readQueues } from './queues.ts';
import { readReturns, readTurnaround } from './trends.ts';
import { readCards } from './units.ts';

const UNITS = ['rma_inventory', 'rma_transaction'];
const ITEMS = ['rma_maintain_bill_line_item'];

/**
 * The home page's numbers: real ones, of the user's sites, each opening the list that it counts. Rule: screens#home, screens#queues.
 */
export const dashboardRoutes: readonly Route[] = [
  route(dashBoard, dashboard, { reads: [...UNITS, ...ITEMS] }),
  route(workQueue, async (_, ctx) => ({ queues: await readQueues(ctx) }), { reads: queueTables }),
  route(queuePlace, ({ name, id }, ctx) => readPlace(name, id ?? null, ctx)),
  route(coinChange, changeCoin),
];

async function dashboard(_: unknown, ctx: Context) {
  const coins = await readCoins(ctx);
  const seesUnits = mayDo(ctx.currentUser.rights, 'rmaInventory:list');
  const [hashRate, cards, turnaround, returns] = await Promise.all([
    readHashRate(coins.find((it) => it.selected)?.value, ctx),
    seesUnits ? cachedFor('cards', UNITS, ctx, () => readCards(ctx)) : [],
    seesUnits ? cachedFor('turnaround', ITEMS, ctx, () => readTurnaround(ctx)) : [],
    seesUnits ? cachedFor('returns', ITEMS, ctx, () => readReturns(ctx)) : [],
  ]);
  return { coins, hashRate, cards, turnaround, returns };
}
