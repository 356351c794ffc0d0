import { sql } from 'kysely';
import { withoutTax } from '#domain/money.ts';
import { Refusal } from '#domain/refusal.ts';
import { PriceBillStatus } from '#domain/review.ts';
import type { Context } from '#server/context.ts';
import { definitionOf } from '#server/definitionOf.ts';
import { readableNames, readRow } from '#server/engine/rows.ts';
import { create, modifyById } from '#server/engine/writing.ts';
import { ledger } from '#server/ledger.ts';
import { route } from '#server/route.ts';
import { createPriceBill, modifyPriceBill, voidPriceBill } from './contract.ts';

/** Price bills are made and changed by the generic form; the price without tax and the state are the server's. B.4. */
export const priceBillRoutes = [
  route(createPriceBill, async (input, ctx) => {
    const made = (await create(definitionOf(ctx.model, 'rmaPriceBill'), input, ctx)) as { id: number; prbId?: string };
    await settle(made.id, ctx);
    return made;
  }),

  route(modifyPriceBill, async (input, ctx) => {
    const changed = await modifyById(definitionOf(ctx.model, 'rmaPriceBill'), input, ctx);
    await settle(changed.id, ctx);
    return changed;
  }),

  route(voidPriceBill, async ({ id }, ctx) => {
    const definition = definitionOf(ctx.model, 'rmaPriceBill');
    const bill = await readRow(definition, id, readableNames(definition), ctx, true);
    if (bill['billStatus'] !== PriceBillStatus.Passed) throw new Refusal({ key: 'stale' }, bill);
    await ctx.db
      .updateTable('rma_price_bill')
      .set({ billStatus: PriceBillStatus.Voided, updateBy: ctx.who.userId, updateTime: new Date() })
      .set('version', sql`version + 1`)
      .where('id', '=', id)
      .execute();
    const from = { billStatus: bill['billStatus'] };
    await ledger(ctx, {
      what: 'void',
      module: 'rmaPriceBill',
      recordId: String(id),
      from,
      to: { billStatus: PriceBillStatus.Voided },
    });
    return { id, billStatus: PriceBillStatus.Voided };
  }),
];

/** After every change: four digits without tax, and the review begins anew. */
async function settle(id: number, { db }: Context): Promise<void> {
  const { unitPriceWithTax, taxRate } = await db
    .selectFrom('rma_price_bill')
    .select(['unitPriceWithTax', 'taxRate'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  await db
    .updateTable('rma_price_bill')
    .set({
      unitPriceWithoutTax: withoutTax(unitPriceWithTax ?? '0', taxRate ?? '0', 4),
      billStatus: PriceBillStatus.AwaitingReview,
      financialReviewer: null,
      financialReviewTime: null,
      reviewRemark: null,
    })
    .where('id', '=', id)
    .execute();
}
