import type { DataOf, InputOf } from '#domain/call.ts';
import { TransferSnStatus, TransferStatus } from '#domain/enums.ts';
import { refuseIfAny } from '#domain/refusal.ts';
import { atSite, type Context } from '#server/context.ts';
import { refuseUnseenOf } from '#server/engine/seen.ts';
import { recordInLedger } from '#server/ledger.ts';
import type { cancelTransfer, returnTransfer } from './contract.ts';
import { readItems, setTransfer } from './queries.ts';
import { isToSign, statusAfter, validateCanceller, validateStatus } from './rules.ts';
import { transferOf } from './server.bill.ts';
import { endTransit } from './server.transit.ts';

/** A transfer of which nothing has left is given up by who made it. Rule: transfers#cancelling. */
export async function cancel(
  input: InputOf<typeof cancelTransfer>,
  ctx: Context,
): Promise<DataOf<typeof cancelTransfer>> {
  const transfer = await transferOf(ctx, input.id, { isHeld: true });
  const { userId, sites } = ctx.currentUser;
  refuseIfAny(validateStatus(transfer, TransferStatus.AwaitingDelivery, 'id'));
  refuseIfAny(validateCanceller(transfer, { userId, seesAll: sites === 'all' }));
  await refuseUnseenOf(ctx, 'rmaStockTransferBill', transfer.id, input.version);
  return settle(ctx, transfer, 'cancelTransfer', TransferStatus.Cancelled);
}

/**
 * What was sent and never signed for is stock of the shipping site again, where it lay; what has arrived stays where it
 * is. Rule: transfers#returning.
 */
export async function giveBack(
  input: InputOf<typeof returnTransfer>,
  ctx: Context,
): Promise<DataOf<typeof returnTransfer>> {
  const transfer = await transferOf(ctx, input.id, { isHeld: true });
  refuseIfAny(validateStatus(transfer, TransferStatus.AwaitingReceipt, 'id'));
  await refuseUnseenOf(ctx, 'rmaStockTransferBill', transfer.id, input.version);
  const items = await readItems(ctx, transfer.sktbId);
  const missing = items.filter(isToSign);
  const there = atSite(ctx, transfer.deliverSiteId);
  await endTransit(there, {
    transfer,
    items: missing,
    step: 'transferReturn',
    snStatus: TransferSnStatus.Returned,
    siteId: transfer.deliverSiteId,
    warehouseOf: (it) => it.fromSubinventoryCode,
  });
  const billStatus = statusAfter(
    items.map((it) => (isToSign(it) ? { ...it, snStatus: TransferSnStatus.Returned } : it)),
  );
  const sns = missing.map((it) => it.sn);
  return { ...(await settle(there, transfer, 'returnTransfer', billStatus, { sns })), returnedCount: sns.length };
}

type Stored = Awaited<ReturnType<typeof transferOf>>;

async function settle(
  ctx: Context,
  { id, sktbId, billStatus: was }: Stored,
  what: string,
  billStatus: string,
  more = {},
) {
  await setTransfer(ctx, id, { billStatus });
  await recordInLedger(ctx, {
    what,
    module: 'rmaStockTransferBill',
    recordId: sktbId,
    from: { billStatus: was },
    to: { billStatus, ...more },
  });
  return { id, sktbId, billStatus };
}
