import type { InputOf } from '#domain/call.ts';
import { refuseIfAny } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import { withinTime } from '#server/engine/withinTime.ts';
import { route } from '#server/route.ts';
import { unpricedUnits } from './contract.ts';
import { listUnpriced } from './queries.unpriced.ts';
import { allUnbilled, findUnbilled, listOwnSites, thisMonth, toPeriod } from './queries.ts';
import { validateFee } from './rules.ts';

/** More of them would not be read: one price is missing for many. */
const MOST = 200;

/**
 * The units of a month that its settlement would find no price for, before it is made, and those of days before it that would stand
 * on no bill. Rule: money#missing-prices, money#repair-fees.
 */
export const unpricedRoute = route(unpricedUnits, async (input: InputOf<typeof unpricedUnits>, ctx) => {
  refuseIfAny(validateFee(input, thisMonth(ctx)));
  return withinTime(ctx, (reading) => readUnpriced(input, reading), 'unpricedSlow');
});

async function readUnpriced(input: InputOf<typeof unpricedUnits>, ctx: Context) {
  const period = toPeriod(input, ctx);
  const all = { total: 0, items: [] as Awaited<ReturnType<typeof listUnpriced>>['items'] };
  const unbilled = [];
  for (const siteId of await listOwnSites(ctx)) {
    const { total, items } = await listUnpriced(ctx, siteId, period, MOST);
    unbilled.push(await findUnbilled(ctx, siteId, period));
    all.total += total;
    all.items.push(...items.slice(0, MOST - all.items.length));
  }
  return { ...all, unbilled: allUnbilled(unbilled) };
}
