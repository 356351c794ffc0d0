import { Confirmation, DeliverStatus, Flag } from '#domain/enums.ts';
import { Refusal } from '#domain/refusal.ts';
import type { ConfirmStep } from '#domain/workflow.ts';
import type { Context } from '#server/context.ts';
import { touch } from '#server/touch.ts';
import type { Unit } from '#server/workflow/units.ts';
import { endsAnew } from '#server/workflow/work.ts';

/** The column of a check line in which a supervisor's word stands. */
const statusOf = { scrapConfirm: 'scrapStatus', nofaultConfirm: 'nofaultConfirmStatus' } as const;

/** Whether a supervisor has already said yes or no to what this check proposed. */
export async function isDecided({ db }: Context, step: ConfirmStep, ckbId: string, sn: string): Promise<boolean> {
  const row = await db
    .selectFrom('rma_check_bill_line')
    .select('id')
    .where('ckbId', '=', ckbId)
    .where('sn', '=', sn)
    .where(statusOf[step], 'in', [Confirmation.Confirmed, Confirmation.Declined])
    .executeTakeFirst();
  return row !== undefined;
}

/** Writes the word on the line that waits for it, as it was seen; any other one refuses the whole submit. */
export async function saveDecision(
  { db, currentUser }: Context,
  step: ConfirmStep,
  { ckbId, sn, version }: { ckbId: string; sn: string; version: number },
  word: Record<string, string | null>,
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('rma_check_bill_line')
    .set({ ...word, ...touch(currentUser) })
    .where('ckbId', '=', ckbId)
    .where('sn', '=', sn)
    .where(statusOf[step], '=', Confirmation.Waiting)
    .where('version', '=', version)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows !== 1n) throw new Refusal({ key: 'stale' });
}

/** What decides where a scrapped unit goes; a stock machine has no item. */
export async function readItem({ db }: Context, { mtbliId }: Unit) {
  if (!mtbliId) return undefined;
  return db
    .selectFrom('rma_maintain_bill_line_item')
    .select(['returness', 'exchange', 'stockup'])
    .where('mtbliId', '=', mtbliId)
    .executeTakeFirst();
}

/** The item of a scrapped unit is scrap; nothing goes out for one whose unit is kept. Rule: events#e11. */
export async function scrapItem(ctx: Context, mtbliId: string, isEnded: boolean): Promise<void> {
  await ctx.db
    .updateTable('rma_maintain_bill_line_item')
    .set({
      scrap: Flag.Yes,
      ...(isEnded && { deliverStatus: DeliverStatus.Scrapped }),
      ...touch(ctx.currentUser),
    })
    .where('mtbliId', '=', mtbliId)
    .execute();
  if (isEnded) await endsAnew(ctx, [mtbliId]);
}
