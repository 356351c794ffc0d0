import { sql } from 'kysely';
import { DeliverPriority, DeliverStatus, Flag } from '#domain/enums.ts';
import { refuseIfAny, Refusal } from '#domain/refusal.ts';
import { atSite, type Context } from '#server/context.ts';
import { ledger } from '#server/ledger.ts';
import { route } from '#server/route.ts';
import { goesOnStockup, leavesStockup } from '#server/workflow/stockup.ts';
import { lockBillsOf, lockUnits } from '#server/workflow/units.ts';
import { editDeliver } from './contract.ts';
import { problemsOfEdit, problemsOfItem, statusAfter, type DeliveryEdit } from './rules.ts';

export const editDeliveryRoutes = [
  /** E35: an item's delivery is held back, let go, hurried or paid otherwise; its stock-up follows. Decisions 2, 1.9. */
  route(editDeliver, async ({ id: sent, ...values }, ctx) => {
    const edit = Object.fromEntries(
      Object.entries(values).filter(([, it]) => it !== null && it !== undefined && it !== ''),
    ) as DeliveryEdit;
    refuseIfAny(problemsOfEdit(edit));
    const found = await itemById(ctx, (sent ?? '').trim());
    const sn = (await snOn(ctx, found.mtbliId)) ?? found.receiveSn ?? '';
    if (sn !== '') await lockBillsOf(ctx.db, [sn]);
    const unit = sn === '' ? undefined : (await lockUnits(ctx.db, [sn])).get(sn);
    const item = await itemById(ctx, String(found.id), true);
    const own = unit?.mtbliId === item.mtbliId ? unit : undefined;
    const state = { ...item, sn, ivyId: own?.ivyId ?? null };
    refuseIfAny(problemsOfItem(state, edit));

    const { deliverStatus: _, ...rest } = edit;
    const deliverStatus = statusAfter(state, edit);
    await ctx.db
      .updateTable('rma_maintain_bill_line_item')
      .set({
        ...rest,
        deliverStatus,
        version: sql`version + 1`,
        updateBy: ctx.who.userId,
        updateTime: sql`now()`,
      })
      .where('id', '=', item.id)
      .execute();
    const there = atSite(ctx, item.siteId ?? ctx.who.siteId);
    if (deliverStatus === DeliverStatus.CannotShip) await leavesStockup(there, [item.mtbliId]);
    else if (own) await goesOnStockup(there, [own]);
    const after = await itemById(ctx, String(item.id));
    await ledger(ctx, {
      what: 'editDeliver',
      module: 'rmaMaintainBillLineItem',
      recordId: item.mtbliId,
      from: { deliverStatus: item.deliverStatus, deliverPriority: item.deliverPriority },
      to: { ...edit, deliverStatus, stockup: after.stockup },
    });
    return {
      id: item.id,
      deliverStatus,
      deliverPriority: after.deliverPriority ?? DeliverPriority.Normal,
      stockup: after.stockup ?? Flag.No,
    };
  }),
];

/** An item by its row id or its number, within the user's sites. */
async function itemById({ db, who }: Context, id: string, hold = false) {
  const what = { module: 'rmaMaintainBillLineItem', field: 'mtbliId' };
  if (id === '') throw new Refusal({ key: 'required', field: 'id', args: { fields: [what] } });
  let query = db
    .selectFrom('rma_maintain_bill_line_item')
    .select(['id', 'mtbliId', 'mtbId', 'siteId', 'receiveSn', 'deliverStatus', 'deliverPriority', 'stockup'])
    .where(/^\d{1,15}$/.test(id) ? sql<boolean>`id = ${Number(id)}` : sql<boolean>`"mtbliId" = ${id}`);
  if (who.sites !== 'all') query = query.where('siteId', '=', sql<string>`ANY(${who.sites})`);
  if (hold) query = query.forUpdate();
  const row = await query.executeTakeFirst();
  if (!row) throw new Refusal({ key: 'notFound', field: 'id', args: { what, value: id } });
  return { ...row, mtbliId: row.mtbliId as string };
}

/** The unit that stands for an item now: after an exchange not the one that was received. */
async function snOn({ db }: Context, mtbliId: string): Promise<string | null | undefined> {
  const row = await db.selectFrom('rma_inventory').select('sn').where('mtbliId', '=', mtbliId).executeTakeFirst();
  return row?.sn;
}
