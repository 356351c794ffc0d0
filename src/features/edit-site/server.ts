import { BillStatus } from '#domain/enums.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import { nameIn } from '#server/engine/describe.ts';
import { holdRow } from '#server/engine/rowOf.ts';
import { recordInLedger } from '#server/ledger.ts';
import { route } from '#server/route.ts';
import { touch } from '#server/touch.ts';
import { itemIsReceived } from '#server/workflow/states.ts';
import { updateSiteId } from './contract.ts';

export const editSiteRoutes = [
  /**
   * A bill goes to another site with its declared items. Refused once a unit of it is in the workshop (units move by
   * "change store" or a stock transfer), when it is finished, to a site that does not exist, and to where it is.
   */
  route(updateSiteId, async (input, ctx) => {
    const bill = await holdRow(ctx, 'rmaMaintainBill', input.id);
    const mtbId = String(bill['mtbId']);
    const siteId = (input.siteId ?? '').trim();
    const field = { module: 'rmaMaintainBill', field: 'siteId' };
    if (siteId === '') throw new Refusal({ key: 'required', field: 'siteId', args: { fields: [field] } });
    const site = await ctx.db
      .selectFrom('ubs_site')
      .select(nameIn(ctx.lang, 'siteName').as('siteName'))
      .where('siteId', '=', siteId)
      .executeTakeFirst();
    if (!site) throw new Refusal({ key: 'notFound', field: 'siteId', args: { what: field, value: siteId } });
    if (siteId === bill['siteId']) {
      throw new Refusal({ key: 'sameSite', field: 'siteId', args: { site: site.siteName } });
    }
    if (bill['billStatus'] === BillStatus.Finished) {
      throw new Refusal({ key: 'billFinished', field: 'id', args: { id: mtbId } });
    }
    await refuseReceived(ctx, mtbId);
    const now = touch(ctx.currentUser);
    await ctx.db
      .updateTable('rma_maintain_bill')
      .set({ siteId, ...now })
      .where('mtbId', '=', mtbId)
      .execute();
    await ctx.db
      .updateTable('rma_maintain_bill_line_item')
      .set({ siteId, ...now })
      .where('mtbId', '=', mtbId)
      .execute();
    await recordInLedger(ctx, {
      what: 'updateSiteId',
      module: 'rmaMaintainBill',
      recordId: mtbId,
      from: { siteId: bill['siteId'] },
      to: { siteId },
    });
    return { id: Number(bill['id']), mtbId, siteId };
  }),
];

async function refuseReceived({ db }: Context, mtbId: string): Promise<void> {
  const rows = await db
    .selectFrom('rma_maintain_bill_line_item')
    .select('receiveSn')
    .where('mtbId', '=', mtbId)
    .where(itemIsReceived('rma_maintain_bill_line_item'))
    .orderBy('id')
    .execute();
  if (rows.length === 0) return;
  const sns = rows.slice(0, 5).map((it) => it.receiveSn ?? '');
  throw new Refusal({ key: 'unitsInHouse', field: 'id', args: { n: rows.length, mtbId, sns } });
}
