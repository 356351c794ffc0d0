import { OperateStatus } from '#domain/enums.ts';
import type { Context } from '#server/context.ts';
import { touch } from '#server/touch.ts';
import { recordEvents } from '#server/workflow/moves.ts';
import { latestChange } from '#server/workflow/names.ts';
import { renameUnit } from '#server/workflow/rename.ts';
import { laterFirst } from './records.ts';
import type { Unit } from '#server/workflow/units.ts';
import type { RecordedStep } from './step.ts';

/**
 * The unit has the SN again that it had before, and what was written down under the new one since stands under that as
 * well: the new SN was never given. Rule: events#e41, units#former-sns.
 */
export async function undoSnChange(
  ctx: Context,
  step: Pick<RecordedStep, 'step'>,
  { sn, mtbId, mtbliId, ivyId }: Pick<Unit, 'sn' | 'mtbId' | 'mtbliId' | 'ivyId'>,
  remark: string,
): Promise<Record<string, unknown>> {
  const { db, currentUser } = ctx;
  const object = await db.selectFrom('ubs_item_object').select('id').where('sn', '=', sn).executeTakeFirst();
  const change = object && (await latestChange(db, object.id));
  if (change?.newSn !== sn) throw laterFirst(step.step);
  await db
    .updateTable('ubs_sn_change_log')
    .set({ operateStatus: OperateStatus.Rollbacked, ...touch(currentUser) })
    .where('id', '=', change.id)
    .execute();
  await renameUnit(ctx, sn, change.oldSn);
  const unit = { sn: change.oldSn, mtbId, mtbliId, ivyId };
  const note = `${sn} → ${change.oldSn} · ${remark}`;
  await recordEvents(ctx, [{ unit, to: ivyId, note }], 'rollback', null);
  return { oldSn: change.oldSn, newSn: sn };
}
