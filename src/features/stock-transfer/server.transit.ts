import { Refusal } from '#domain/refusal.ts';
import type { TransferStep } from '#domain/workflow.ts';
import type { Context } from '#server/context.ts';
import { releaseHold } from '#server/workflow/holds.ts';
import { moveUnits } from '#server/workflow/moves.ts';
import { lockUnits } from '#server/workflow/unitLocks.ts';
import { enterStock, settleItems, type TransferItem } from './queries.ts';
import type { Transfer } from './rules.ts';

interface Ending {
  transfer: Transfer;
  items: readonly TransferItem[];
  step: TransferStep;
  snStatus: string;
  /** Whose stock they are from now on. */
  siteId: string;
  /** Where they come from, when that is another site. */
  fromSiteId?: string;
  warehouseOf: (item: TransferItem) => string | null;
}

/**
 * Units that were under way lie in the stock of a site again: at the node at which they left, with their storage type,
 * and nothing holds them. The transfer is held by the caller. Rule: transfers#transit.
 */
export async function endTransit(ctx: Context, ending: Ending): Promise<void> {
  const { transfer, items, step, snStatus, siteId, fromSiteId, warehouseOf } = ending;
  const sns = items.flatMap((it) => it.sn ?? []);
  const units = await lockUnits(ctx.db, sns);
  const moved = items.map((it) => ({ ...it, unit: units.get(it.sn ?? '') }));
  if (moved.some((it) => it.unit?.ivyId !== null)) throw new Refusal({ key: 'stale' });
  await releaseHold(ctx, sns, { kind: 'transfer', billId: transfer.sktbId });
  await moveUnits(
    ctx,
    moved.flatMap(({ unit, fromNode }) =>
      unit
        ? [{ unit, to: fromNode, note: `${transfer.deliverSiteId} → ${siteId}`, ...(fromSiteId && { fromSiteId }) }]
        : [],
    ),
    step,
    transfer.sktbId,
  );
  await enterStock(
    ctx,
    siteId,
    items.map((it) => ({ sn: it.sn ?? '', storageType: it.storageType, subinventoryCode: warehouseOf(it) })),
  );
  await settleItems(
    ctx,
    items.map((it) => it.id),
    snStatus,
  );
}
