import { mayDo } from '#domain/rights.ts';
import type { Context } from '#server/context.ts';
import { route, type Route } from '#server/route.ts';
import { changeCoin, readCoins, readHashRate } from './coins.ts';
import { coinChange, dashBoard } from './contract.ts';
import { readReturns, readTurnaround } from './trends.ts';
import { readCards } from './units.ts';

const UNITS = ['rma_inventory', 'rma_transaction'];
const ITEMS = ['rma_maintain_bill_line_item'];

/**
 * The home page's numbers: real ones, of the user's sites, each opening the list that it counts. Rule: screens#home.
 */
export const dashboardRoutes: readonly Route[] = [
  route(dashBoard, dashboard, { reads: [...UNITS, ...ITEMS] }),
  route(coinChange, changeCoin),
];

async function dashboard(_: unknown, ctx: Context) {
  const coins = await readCoins(ctx);
  const seesUnits = mayDo(ctx.currentUser.rights, 'rmaInventory:list');
  const [hashRate, cards, turnaround, returns] = await Promise.all([
    readHashRate(coins.find((it) => it.selected)?.value, ctx),
    seesUnits ? cached('cards', UNITS, ctx, readCards) : [],
    seesUnits ? cached('turnaround', ITEMS, ctx, readTurnaround) : [],
    seesUnits ? cached('returns', ITEMS, ctx, readReturns) : [],
  ]);
  return { coins, hashRate, cards, turnaround, returns };
}

/** Worked out once for everybody of the same sites, and again when something has moved, or five minutes have passed. */
function cached<T>(
  name: string,
  tables: readonly string[],
  ctx: Context,
  work: (ctx: Context) => Promise<T>,
): Promise<T> {
  const { sites } = ctx.currentUser;
  const now = Math.floor(Date.now() / 300_000);
  const key = `dashboard ${name} ${sites === 'all' ? '*' : [...sites].sort().join(',')} ${now}`;
  return ctx.cache ? ctx.cache.get(key, tables, () => work(ctx)) : work(ctx);
}
