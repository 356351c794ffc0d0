import { normaliseNo } from '#domain/sn.ts';
import type { Context } from '#server/context.ts';
import { readableNames, readRow } from '#server/engine/rows.ts';
import { requireDefinition } from '#server/requireDefinition.ts';
import type { Transfer } from './rules.ts';

/** A transfer as the steps know it. */
interface StoredTransfer extends Transfer {
  id: number;
  count: number;
  remark: string | null;
  createBy: string;
}

/** A transfer of the user's sites by its number or its row's id; another one is as if it did not exist. */
export async function transferOf(
  ctx: Context,
  no: string | null | undefined,
  { isHeld = false } = {},
): Promise<StoredTransfer> {
  const definition = requireDefinition(ctx.model, 'rmaStockTransferBill');
  const row = await readRow(definition, normaliseNo(no), readableNames(definition), ctx, isHeld);
  return {
    id: Number(row['id']),
    sktbId: String(row['sktbId']),
    billStatus: String(row['billStatus']),
    deliverSiteId: String(row['deliverSiteId']),
    receiveSiteId: String(row['receiveSiteId']),
    count: Number(row['count'] ?? 0),
    remark: row['remark'] === null ? null : String(row['remark']),
    createBy: String(row['createBy']),
  };
}
