import { PackageStatus } from '#domain/enums.ts';
import { Refusal } from '#domain/refusal.ts';
import { normaliseNo } from '#domain/sn.ts';
import type { Context } from '#server/context.ts';
import { holdRow } from '#server/engine/rowOf.ts';
import { recordInLedger } from '#server/ledger.ts';
import { route } from '#server/route.ts';
import { touch } from '#server/touch.ts';
import { editInSiteStatus } from './contract.ts';

export const pendingPackageRoutes = [
  /**
   * The status of a pending package is set. Matched, it names its maintain bill: the one that is given, else the one
   * that waits for the same parcel; refused where there is none. Any other status forgets the bill.
   */
  route(editInSiteStatus, async (input, ctx) => {
    const bill = await holdRow(ctx, 'rmaUnhandledPackageBill', input.id);
    const status = (input.status ?? '').trim();
    const field = { module: 'rmaUnhandledPackageBill', field: 'status' };
    if (status === '') throw new Refusal({ key: 'required', field: 'status', args: { fields: [field] } });
    const known = (ctx.model.options['packageStatus'] ?? []).map((it) => it.value);
    if (!known.includes(status)) throw new Refusal({ key: 'format', field: 'status', args: { field } });
    if (status === bill['status']) {
      const args = { status: { options: 'packageStatus', value: status } };
      throw new Refusal({ key: 'sameStatus', field: 'status', args });
    }
    const mtbId = status === PackageStatus.Matched ? await billFor(ctx, bill, normaliseNo(input.mtbId)) : null;
    await ctx.db
      .updateTable('rma_unhandled_package_bill')
      .set({ status, mtbId, ...touch(ctx.currentUser) })
      .where('id', '=', Number(bill['id']))
      .execute();
    await recordInLedger(ctx, {
      what: 'editInSiteStatus',
      module: 'rmaUnhandledPackageBill',
      recordId: String(bill['upbId']),
      from: { status: bill['status'], mtbId: bill['mtbId'] },
      to: { status, mtbId },
    });
    return { id: Number(bill['id']), status, mtbId };
  }),
];

/** The maintain bill of the package's own site, by its number or by the parcel's. */
async function billFor({ db }: Context, parcel: Record<string, unknown>, mtbId: string): Promise<string> {
  const receiveShipNo = normaliseNo(parcel['receiveShipNo'] as string | null);
  const found = await db
    .selectFrom('rma_maintain_bill')
    .select('mtbId')
    .where(mtbId === '' ? 'receiveShipNo' : 'mtbId', '=', mtbId === '' ? receiveShipNo : mtbId)
    .where('siteId', '=', String(parcel['siteId']))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (found?.mtbId) return found.mtbId;
  throw new Refusal({ key: 'billNotFound', field: 'mtbId', args: { no: mtbId || receiveShipNo } });
}
