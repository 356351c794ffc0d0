import { PriceBillStatus } from '#domain/review.ts';
import type { Context } from '#server/context.ts';
import { anyOf, inSites } from '#server/db/conditions.ts';
import { requireDefinition } from '#server/requireDefinition.ts';
import { readableNames, readRow } from '#server/engine/rows.ts';
import { refuseUnseen } from '#server/engine/seen.ts';
import { wrongState } from '#server/engine/wrongState.ts';
import { recordInLedger } from '#server/ledger.ts';
import { route } from '#server/route.ts';
import { touch } from '#server/touch.ts';
import { holdOpenFees, lockPrices, markRepriced } from '#server/workflow/prices.ts';
import { earlierPrice, voidPriceBill } from './contract.ts';
import { findEarlierPrice, fitEarlierPrices, foreseePrice } from './queries.ts';

/**
 * Nobody else passes or voids a price of the sites of these, nor settles by it or passes a fee bill that it may mark. Called before
 * the rows are held: whoever passes another price holds the prices of the site, and cuts this one. Rule: money#price-bills.
 */
export async function lockPricesOf(ids: readonly number[], ctx: Context): Promise<void> {
  const query = ctx.db.selectFrom('rma_price_bill').select('siteId').distinct().where('id', '=', anyOf(ids));
  const sites = await query.where(inSites('siteId', ctx.currentUser)).orderBy('siteId').execute();
  for (const { siteId } of sites) await lockPrices(ctx, String(siteId));
  const siteIds = sites.map((it) => String(it.siteId));
  await holdOpenFees(ctx, siteIds);
}

/**
 * Price bills are made and changed by the generic form (`server.hooks.ts`); voiding one is a call of its own, as is what
 * the same work cost before, which prices it ends, which days it leaves without one, and beside which none is taken.
 * Rule: money#price-bills.
 */
export const priceBillRoutes = [
  route(voidPriceBill, async ({ id, version }, ctx) => {
    const definition = requireDefinition(ctx.model, 'rmaPriceBill');
    await lockPricesOf([id], ctx);
    const bill = await readRow(definition, id, readableNames(definition), ctx, true);
    if (bill['billStatus'] !== PriceBillStatus.Passed) throw wrongState(definition, bill, [PriceBillStatus.Passed]);
    refuseUnseen(definition, bill, version);
    await ctx.db
      .updateTable('rma_price_bill')
      .set({ billStatus: PriceBillStatus.Voided, ...touch(ctx.currentUser) })
      .where('id', '=', id)
      .execute();
    const restored = (await fitEarlierPrices(ctx, [id])).map((it) => it.prbId);
    await markRepriced(ctx, String(bill['siteId']), [id]);
    const from = { billStatus: bill['billStatus'] };
    await recordInLedger(ctx, {
      what: 'void',
      module: 'rmaPriceBill',
      recordId: String(id),
      from,
      to: { billStatus: PriceBillStatus.Voided, ...(restored.length > 0 && { restored }) },
    });
    return { id, billStatus: PriceBillStatus.Voided };
  }),

  route(earlierPrice, async ({ id }, ctx) => {
    // Only of a bill that the user sees.
    await readRow(requireDefinition(ctx.model, 'rmaPriceBill'), id, ['id'], ctx);
    return { earlier: await findEarlierPrice(ctx, id), ...(await foreseePrice(ctx, id)) };
  }),
];
