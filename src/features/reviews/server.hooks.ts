import { withoutTax } from '#domain/money.ts';
import { PriceBillStatus } from '#domain/review.ts';
import type { RmaPriceBill } from '#server/db/tables.ts';
import type { Hooks } from '#server/engine/hooks.ts';

/** After every change of a price bill: four digits without tax, and the review begins anew. Rule: money#price-bills. */
export const priceBillHooks: Hooks<RmaPriceBill> = {
  async afterWrite(row, _, { db }) {
    if (!row) return;
    await db
      .updateTable('rma_price_bill')
      .set({
        unitPriceWithoutTax: withoutTax(row.unitPriceWithTax, row.taxRate, 4),
        billStatus: PriceBillStatus.AwaitingReview,
        financialReviewer: null,
        financialReviewTime: null,
        reviewRemark: null,
      })
      .where('id', '=', row.id)
      .execute();
  },
};
