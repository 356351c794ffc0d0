import { DeliverStatus, ReceiveStatus } from '#domain/enums.ts';
import type { Context } from '#server/context.ts';
import { anyOf } from '#server/db/conditions.ts';
import { touch } from '#server/touch.ts';
import { itemIsReceived } from '#server/workflow/states.ts';

/** How many units are on the bill. */
export async function countReceived({ db }: Context, mtbId: string): Promise<number> {
  const { n } = await db
    .selectFrom('rma_maintain_bill_line_item')
    .select((it) => it.fn.countAll<number>().as('n'))
    .where('mtbId', '=', mtbId)
    .where(itemIsReceived('rma_maintain_bill_line_item'))
    .executeTakeFirstOrThrow();
  return Number(n);
}

/** Those of these SNs that came in on the bill and for which something else was delivered. Rule: stock-up#advance. */
export async function replacedOn({ db }: Context, mtbId: string, sns: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('rma_maintain_bill_line_item')
    .select('receiveSn')
    .where('mtbId', '=', mtbId)
    .where('receiveSn', '=', anyOf(sns))
    .where('deliverStatus', '=', DeliverStatus.Shipped)
    .whereRef('deliverSn', '<>', 'receiveSn')
    .execute();
  return rows.flatMap((it) => it.receiveSn ?? []);
}

/** Declared items that have not come. */
export async function closeItems({ db, currentUser }: Context, mtbId: string): Promise<void> {
  await db
    .updateTable('rma_maintain_bill_line_item')
    .set({
      receiveStatus: ReceiveStatus.NotReceived,
      ...touch(currentUser),
    })
    .where('mtbId', '=', mtbId)
    .where('receiveStatus', '=', ReceiveStatus.Awaiting)
    .execute();
}

export async function setBillStatus({ db, currentUser }: Context, mtbId: string, billStatus: string): Promise<void> {
  await db
    .updateTable('rma_maintain_bill')
    .set({ billStatus, ...touch(currentUser) })
    .where('mtbId', '=', mtbId)
    .execute();
}
