import { StockupStatus } from '#domain/enums.ts';
import { refuseIfAny, Refusal } from '#domain/refusal.ts';
import { normaliseNo } from '#domain/sn.ts';
import type { Context } from '#server/context.ts';
import { refuseUnseenOf } from '#server/engine/seen.ts';
import { recordInLedger } from '#server/ledger.ts';
import { route } from '#server/route.ts';
import { recountStockup } from '#server/workflow/stockup.ts';
import { lockBills } from '#server/workflow/unitLocks.ts';
import { cancelStockupBill, exportDirectNew, finishBill, resetStockupBill, stopStockupBill } from './contract.ts';
import { validateAction, type StockupAction } from './rules.ts';
import { exportPackingList } from './server.export.ts';
import { billsOn, bringItemsBack, holdStockup, moveRest, letItemsGo, setStatus, type HeldStockup } from './queries.ts';

/**
 * The dispatcher's actions on stock-up bills; units stay on the shelf in each of them. Rule: stock-up#actions,
 * events#e24.
 */
export const stockupRoutes = [
  /** An open bill is stopped: nothing is delivered on it until it is reset. */
  route(stopStockupBill, (input, ctx) =>
    act(ctx, 'stop', input, async ({ skbId }) => {
      await setStatus(ctx, skbId, StockupStatus.Stopped);
    }),
  ),

  /**
   * A stopped bill ships again; a cancelled one gets those of its items back that nobody has taken since. What goes elsewhere
   * by now is stocked up there; where that is all, the bill stays cancelled.
   */
  route(resetStockupBill, (input, ctx) =>
    act(ctx, 'reset', input, async ({ skbId, status }, locked) => {
      if (status === StockupStatus.Cancelled) {
        const { back, elsewhere } = await bringItemsBack(ctx, skbId, locked);
        if (back + elsewhere === 0) throw new Refusal({ key: 'completeDelivery', field: 'id' });
      }
      await setStatus(ctx, skbId, StockupStatus.Open);
      await recountStockup(ctx, [skbId]);
    }),
  ),

  /** A bill of which nothing has left is given up; its items wait for another one. */
  route(cancelStockupBill, (input, ctx) =>
    act(ctx, 'cancel', input, async ({ skbId }) => {
      await letItemsGo(ctx, skbId);
      await setStatus(ctx, skbId, StockupStatus.Cancelled);
    }),
  ),

  /** A partly delivered bill is finished as it is; the rest goes on a new one. */
  route(finishBill, (input, ctx) =>
    act(ctx, 'finish', input, async (bill) => ({ newSkbId: await moveRest(ctx, bill) })),
  ),

  route(exportDirectNew, exportPackingList),
];

async function act(
  ctx: Context,
  action: StockupAction,
  { id: sent, version }: { id: string; version: number },
  work: (bill: HeldStockup, locked: ReadonlySet<string>) => Promise<{ newSkbId: string } | void>,
) {
  const id = normaliseNo(sent);
  const what = { module: 'rmaStockupBill', field: 'skbId' };
  if (id === '') throw new Refusal({ key: 'required', field: 'id', args: { fields: [what] } });
  const locked = await lockBills(ctx.db, await billsOn(ctx, id));
  const bill = await holdStockup(ctx, id);
  if (!bill) throw new Refusal({ key: 'notFound', field: 'id', args: { what, value: id } });
  refuseIfAny(validateAction(action, bill));
  await refuseUnseenOf(ctx, 'rmaStockupBill', bill.id, version);
  const done = (await work(bill, locked)) ?? {};
  const after = await holdStockup(ctx, bill.skbId);
  const status = after?.status ?? '';
  await recordInLedger(ctx, {
    what: `${action}StockupBill`,
    module: 'rmaStockupBill',
    recordId: bill.skbId,
    from: { status: bill.status },
    to: { status, ...done },
  });
  return { id: bill.id, skbId: bill.skbId, status, ...done };
}
