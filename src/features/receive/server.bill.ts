import { refuseIfAny, Refusal } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import { validateSigning } from './rules.ts';
import { billAt, isParcelSigned, signsFirst } from './queries.ts';

/** The bill at the user's own site; another site's is as if it did not exist. Rule: rights#other-sites. */
export async function billOrRefuse(ctx: Context, mtbId: string, hold = false) {
  const bill = await billAt(ctx, mtbId, hold);
  if (bill) return bill;
  const what = { module: 'rmaMaintainBill', field: 'mtbId' };
  throw mtbId === ''
    ? new Refusal({ key: 'required', field: 'mtbId', args: { fields: [what] } })
    : new Refusal({ key: 'notFound', field: 'mtbId', args: { what, value: mtbId } });
}

/** Refuses goods whose parcel nobody signed for, at a site that wants that first. Rule: receiving#signed-first. */
export async function refuseUnsigned(ctx: Context, no: string | null): Promise<void> {
  if (await signsFirst(ctx)) refuseIfAny(validateSigning(no, await isParcelSigned(ctx, no ?? ''), true));
}
