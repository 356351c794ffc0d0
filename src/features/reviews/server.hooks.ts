import { digitsOf, lessMoney, withoutTax } from '#domain/money.ts';
import type { Problem } from '#domain/refusal.ts';
import { ExpenseStatus, PriceBillStatus } from '#domain/review.ts';
import type { RmaMiscellaneousExpensesBill, RmaPriceBill } from '#server/db/tables.ts';
import type { Hooks } from '#server/engine/hooks.ts';
import { hasSalesCode, hasWorkOrder } from './queries.ts';

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

/**
 * An expense names a work order of the user's sites and a sales code of the catalogue. With every change of it: what of it is
 * tax, and its audit begins anew. Rule: money#expenses.
 */
export const expenseHooks: Hooks<RmaMiscellaneousExpensesBill> = {
  async check({ btmMtbId, salesCode }, before, ctx) {
    const problems: Problem[] = [];
    const unknown = (field: string, value: string) => {
      const what = { module: 'rmaMiscellaneousExpensesBill', field };
      problems.push({ key: 'notFound', field, args: { what, value } });
    };
    if (btmMtbId && btmMtbId !== before?.btmMtbId && !(await hasWorkOrder(ctx, btmMtbId)))
      unknown('btmMtbId', btmMtbId);
    if (salesCode && salesCode !== before?.salesCode && !(await hasSalesCode(ctx, salesCode)))
      unknown('salesCode', salesCode);
    return problems;
  },
  beforeWrite(values, before) {
    const { includingTaxAmount, taxRate, currency } = { ...before, ...values };
    const gross = includingTaxAmount ?? 0;
    const digits = digitsOf(currency);
    const net = withoutTax(gross, taxRate ?? 0, digits);
    return {
      ...values,
      excludingTaxAmount: net,
      taxAmount: lessMoney(gross, net, digits),
      billStatus: ExpenseStatus.AwaitingAudit,
      auditBy: null,
      auditTime: null,
      reviewRemark: null,
    };
  },
};
