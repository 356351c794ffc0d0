import type { DataOf, InputOf } from '#domain/call.ts';
import { TransferSnStatus } from '#domain/enums.ts';
import { refuseIfAny } from '#domain/refusal.ts';
import { normaliseNo } from '#domain/sn.ts';
import type { Context } from '#server/context.ts';
import { recordInLedger } from '#server/ledger.ts';
import type { receiverAccept } from './contract.ts';
import { defaultWarehouses, readItems, setTransfer } from './queries.ts';
import { isToSign, statusAfter, validateNamedSite, validateSigned, validateStep, validateSubmitted } from './rules.ts';
import { transferOf } from './server.bill.ts';
import { endTransit } from './server.transit.ts';

/**
 * What has arrived is stock of the receiving site, at the node at which it left, in the warehouse of its storage type;
 * the transfer is finished with its last SN. Rule: transfers#receiving.
 */
export async function signFor(
  input: InputOf<typeof receiverAccept>,
  ctx: Context,
): Promise<DataOf<typeof receiverAccept>> {
  const ids = input.idList ?? [];
  const said = normaliseNo(input.receiveSiteId);
  refuseIfAny(
    validateSubmitted({
      sktbId: normaliseNo(input.sktbId),
      receiveSiteId: said,
      idList: ids.length > 0 ? 'there' : '',
    }),
  );
  const transfer = await transferOf(ctx, input.sktbId, { isHeld: true });
  const { id, sktbId, deliverSiteId, receiveSiteId } = transfer;
  refuseIfAny(validateStep(transfer, 'receiverAccept', ctx.currentUser.siteId));
  refuseIfAny(validateNamedSite(transfer, 'receiverAccept', said));
  const items = await readItems(ctx, sktbId);
  refuseIfAny(validateSigned(transfer, items, ids));

  const signed = new Set(ids);
  const arrived = items.filter((it) => signed.has(it.id));
  const warehouseOf = await defaultWarehouses(ctx, receiveSiteId);
  await endTransit(ctx, {
    transfer,
    items: arrived,
    step: 'transferIn',
    snStatus: TransferSnStatus.Received,
    siteId: receiveSiteId,
    fromSiteId: deliverSiteId,
    warehouseOf: ({ storageType }) => warehouseOf(storageType ?? ''),
  });
  const now = items.map((it) => (signed.has(it.id) ? { ...it, snStatus: TransferSnStatus.Received } : it));
  const billStatus = statusAfter(now);
  await setTransfer(ctx, id, { billStatus, accepted: 'receive' });
  await recordInLedger(ctx, {
    what: 'receiverAccept',
    module: 'rmaStockTransferBill',
    recordId: sktbId,
    from: { billStatus: transfer.billStatus },
    to: { billStatus, sns: arrived.map((it) => it.sn) },
  });
  return { sktbId, billStatus, receivedCount: arrived.length, remainCount: now.filter(isToSign).length };
}
