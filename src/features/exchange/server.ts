import { BillStatus, DeliverPriority, DeliverStatus, Flag } from '#domain/enums.ts';
import { Node } from '#domain/nodes.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import { anyOf } from '#server/db/conditions.ts';
import { holdRow } from '#server/engine/rowOf.ts';
import { recordInLedger } from '#server/ledger.ts';
import { route } from '#server/route.ts';
import { touch } from '#server/touch.ts';
import { stockUpAtSites } from '#server/workflow/stockup.ts';
import { holdUnits } from '#server/workflow/unitLocks.ts';
import type { Unit } from '#server/workflow/units.ts';
import { exchangeReceive } from './contract.ts';

export const exchangeRoutes = [
  /**
   * Advance replacement: the items of a receipt whose own units are still being repaired become exchanges and are
   * stocked up, so that machines of the same model can go out for them. Units that wait for a supervisor, that are
   * paused, or that are on the shelf already, stay as they are; refused where none is left. Rule: stock-up#advance.
   */
  route(exchangeReceive, async (input, ctx) => {
    const bill = await holdRow(ctx, 'rmaReceiveBill', input.id);
    const rvbId = String(bill['rvbId']);
    const sns = await readSns(ctx, rvbId);
    const units = [...(await holdUnits(ctx.db, sns)).values()].filter((it) => it.mtbId === bill['mtbId']);
    const waiting = units.filter(isWaiting);
    if (waiting.length === 0) throw new Refusal({ key: 'nothingToTally', field: 'id', args: { id: rvbId } });
    await ctx.db
      .updateTable('rma_maintain_bill_line_item')
      .set({
        exchange: Flag.Yes,
        deliverStatus: DeliverStatus.CanShip,
        ...touch(ctx.currentUser),
      })
      .where('mtbliId', '=', anyOf(waiting.map((it) => it.mtbliId)))
      .execute();
    const skbIdList = await stockUpAtSites(ctx, waiting);
    const snList = waiting.map((it) => it.sn);
    await recordInLedger(ctx, {
      what: 'exchangeReceive',
      module: 'rmaReceiveBill',
      recordId: rvbId,
      to: { sns: snList, skbIdList },
    });
    return { id: Number(bill['id']), rvbId, snList, skbIdList };
  }),
];

async function readSns({ db }: Context, rvbId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('rma_receive_bill_line_item')
    .select('receiveSn')
    .where('rvbId', '=', rvbId)
    .orderBy('receiveSn')
    .execute();
  return rows.map((it) => it.receiveSn);
}

/** In the workshop, on an open bill, on its way to the shelf, and not held back. */
const isWaiting = (unit: Unit): boolean =>
  unit.mtbliId !== null &&
  unit.billStatus !== BillStatus.Finished &&
  unit.held === null &&
  unit.deliverStatus === DeliverStatus.CannotShip &&
  unit.deliverPriority !== DeliverPriority.Paused &&
  unit.ivyId !== Node.CanShip &&
  unit.ivyId !== Node.Scrapped &&
  unit.ivyId !== Node.Shipped;
