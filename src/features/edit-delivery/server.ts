import { sql } from 'kysely';
import { DeliverPriority, DeliverStatus, Flag } from '#domain/enums.ts';
import { exactId } from '#domain/exact.ts';
import { validateNotOnBill } from '#domain/hold.ts';
import { refuseIfAny, Refusal } from '#domain/refusal.ts';
import { atSite, type Context } from '#server/context.ts';
import { inSites } from '#server/db/conditions.ts';
import { recordInLedger } from '#server/ledger.ts';
import { route } from '#server/route.ts';
import { touch } from '#server/touch.ts';
import { goesOnStockup, leavesStockup } from '#server/workflow/stockup.ts';
import { lockBills, lockUnitsOn } from '#server/workflow/unitLocks.ts';
import { editDeliver } from './contract.ts';
import { validateEdit, validateItem, statusAfter, type DeliveryEdit } from './rules.ts';

export const editDeliveryRoutes = [
  /** An item's delivery is held back, let go, hurried or paid otherwise; its stock-up follows. Rule: events#e35. */
  route(editDeliver, async ({ id: sent, ...values }, ctx) => {
    const edit = Object.fromEntries(
      Object.entries(values).filter(([, it]) => it !== null && it !== undefined && it !== ''),
    ) as DeliveryEdit;
    refuseIfAny(validateEdit(edit));
    const found = await itemById(ctx, (sent ?? '').trim());
    const locked = await lockBills(ctx.db, [found.mtbId, found.deliverMtbId ?? []].flat());
    const units = await lockUnitsOn(ctx.db, 'mtbliId', [found.mtbliId]);
    const own = units.find((it) => it.mtbliId === found.mtbliId);
    const item = await itemById(ctx, String(found.id), true);
    if (!locked.has(item.mtbId)) throw new Refusal({ key: 'stale' });
    if (own) refuseIfAny(validateNotOnBill(own, 'id'));
    const state = { ...item, sn: own?.sn ?? item.receiveSn ?? '', ivyId: own?.ivyId ?? null };
    refuseIfAny(validateItem(state, edit));

    const { deliverStatus: _, ...rest } = edit;
    const deliverStatus = statusAfter(state, edit);
    await ctx.db
      .updateTable('rma_maintain_bill_line_item')
      .set({
        ...rest,
        deliverStatus,
        ...touch(ctx.currentUser),
      })
      .where('id', '=', item.id)
      .execute();
    const there = atSite(ctx, item.siteId);
    if (deliverStatus === DeliverStatus.CannotShip) await leavesStockup(there, [item.mtbliId]);
    else if (own) await goesOnStockup(there, [own]);
    const after = await itemById(ctx, String(item.id));
    await recordInLedger(ctx, {
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
async function itemById({ db, currentUser }: Context, id: string, hold = false) {
  const what = { module: 'rmaMaintainBillLineItem', field: 'mtbliId' };
  if (id === '') throw new Refusal({ key: 'required', field: 'id', args: { fields: [what] } });
  let query = db
    .selectFrom('rma_maintain_bill_line_item')
    .select([
      'id',
      'mtbliId',
      'mtbId',
      'deliverMtbId',
      'siteId',
      'receiveSn',
      'deliverStatus',
      'deliverPriority',
      'stockup',
    ])
    .where(exactId(id) !== null ? sql<boolean>`id = ${exactId(id)}` : sql<boolean>`"mtbliId" = ${id}`)
    .where(inSites('siteId', currentUser));
  if (hold) query = query.forUpdate();
  const row = await query.executeTakeFirst();
  if (!row) throw new Refusal({ key: 'notFound', field: 'id', args: { what, value: id } });
  return row;
}
