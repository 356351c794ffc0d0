import { sql } from 'kysely';
import { ReceiveStatus } from '#domain/enums.ts';
import type { Context } from '#server/context.ts';
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

/** Declared items that have not come. */
export async function closeItems({ db, who }: Context, mtbId: string): Promise<void> {
  await db
    .updateTable('rma_maintain_bill_line_item')
    .set({
      receiveStatus: ReceiveStatus.NotReceived,
      version: sql`version + 1`,
      updateBy: who.userId,
      updateTime: sql`now()`,
    })
    .where('mtbId', '=', mtbId)
    .where('receiveStatus', '=', ReceiveStatus.Awaiting)
    .execute();
}

export async function setBillStatus({ db, who }: Context, mtbId: string, billStatus: string): Promise<void> {
  await db
    .updateTable('rma_maintain_bill')
    .set({ billStatus, version: sql`version + 1`, updateBy: who.userId, updateTime: sql`now()` })
    .where('mtbId', '=', mtbId)
    .execute();
}
