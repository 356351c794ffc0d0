import { OperateStatus } from '#domain/enums.ts';
import { exactId } from '#domain/exact.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import { inSites } from '#server/db/conditions.ts';
import type { RecordedStep } from '#server/workflow/undo/step.ts';
import { touch } from '#server/touch.ts';

/** The transaction within the user's sites; another site's is as if it did not exist. */
export async function transactionById({ db, currentUser }: Context, id: string): Promise<RecordedStep> {
  const what = { zh: '节点事务', en: 'Node transaction' };
  if (id === '') throw new Refusal({ key: 'required', field: 'id', args: { fields: 'id' } });
  const none = new Refusal({ key: 'notFound', field: 'id', args: { what, value: id } });
  const rowId = exactId(id);
  if (rowId === null) throw none;
  const query = db
    .selectFrom('rma_transaction')
    .select(['id', 'sn', 'mtbId', 'siteId', 'fromSiteId', 'step', 'billId', 'fromNode', 'toNode', 'operateStatus'])
    .select(['fromSubinventoryCode', 'fromStorageType'])
    .where('id', '=', rowId)
    .where(inSites('siteId', currentUser));
  const row = await query.executeTakeFirst();
  if (!row) throw none;
  return row as RecordedStep;
}

/** The latest step of an SN that still stands. */
export async function latestStep({ db }: Context, sn: string) {
  return db
    .selectFrom('rma_transaction')
    .select(['id', 'step'])
    .where('sn', '=', sn)
    .where('operateStatus', '=', OperateStatus.Normal)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/**
 * The step is rolled back from now on, and its bill shows that it was the latest thing done. Rule: units#latest-step.
 */
export async function markRolledBack({ db, currentUser }: Context, { id, mtbId }: RecordedStep): Promise<void> {
  const now = touch(currentUser);
  await db
    .updateTable('rma_transaction')
    .set({ operateStatus: OperateStatus.Rollbacked, ...now })
    .where('id', '=', id)
    .execute();
  if (mtbId) {
    await db
      .updateTable('rma_maintain_bill')
      .set({ operateStatus: OperateStatus.Rollbacked, ...now })
      .where('mtbId', '=', mtbId)
      .execute();
  }
}
