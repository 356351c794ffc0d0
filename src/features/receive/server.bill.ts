import { Refusal } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import { billAt } from './store.ts';

/** The bill at the user's own site; another site's is as if it did not exist. Design section 13. */
export async function billOrRefuse(ctx: Context, mtbId: string, hold = false) {
  const bill = await billAt(ctx, mtbId, hold);
  if (bill) return bill;
  const what = { module: 'rmaMaintainBill', field: 'mtbId' };
  throw mtbId === ''
    ? new Refusal({ key: 'required', field: 'mtbId', args: { fields: [what] } })
    : new Refusal({ key: 'notFound', field: 'mtbId', args: { what, value: mtbId } });
}
