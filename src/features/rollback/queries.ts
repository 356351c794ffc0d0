import { exactId } from '#domain/exact.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import { inSites } from '#server/db/conditions.ts';
import type { RecordedStep } from '#server/workflow/undo/step.ts';

/** The transaction within the user's sites; another site's is as if it did not exist. */
export async function transactionById({ db, currentUser }: Context, id: string): Promise<RecordedStep> {
  const what = { zh: '节点事务', en: 'Node transaction' };
  if (id === '') throw new Refusal({ key: 'required', field: 'id', args: { fields: 'id' } });
  const none = new Refusal({ key: 'notFound', field: 'id', args: { what, value: id } });
  const rowId = exactId(id);
  if (rowId === null) throw none;
  const query = db
    .selectFrom('rma_transaction')
    .select([
      'id',
      'sn',
      'mtbId',
      'mtbliId',
      'siteId',
      'fromSiteId',
      'step',
      'billId',
      'fromNode',
      'toNode',
      'operateStatus',
    ])
    .select(['fromSubinventoryCode', 'fromStorageType'])
    .where('id', '=', rowId)
    .where(inSites('siteId', currentUser));
  const row = await query.executeTakeFirst();
  if (!row) throw none;
  return row as RecordedStep;
}
