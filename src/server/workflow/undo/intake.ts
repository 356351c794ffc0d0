import { sql } from 'kysely';
import { BillStatus, Confirmation, DeliverStatus, Flag, ReceiveStatus } from '#domain/enums.ts';
import { Refusal } from '#domain/refusal.ts';
import { touch, touchSql } from '#server/touch.ts';
import { countReceivedLines, takeOffUnits, testedSns } from '#server/workflow/receipts.ts';
import { recountLines } from '#server/workflow/bills.ts';
import { settle } from '#server/workflow/placing.ts';
import { unsettle } from '#server/workflow/settled.ts';
import type { Context } from '#server/context.ts';
import { itemIsReceived } from '#server/workflow/states.ts';
import { beforeStep, laterFirst, moveBack, notUndoable, takeOffRecord } from './records.ts';
import type { Undo } from './step.ts';

/**
 * The unit was never received: its item waits again or is gone; a closed bill that is left empty was not received. What was
 * tested was here, and its record stays with its item. Rule: events#e03, events#e06.
 */
export const undoReceipt: Undo = async (ctx, step, unit, remark) => {
  const { mtbId, mtblId, mtbliId } = unit;
  // Another machine has left for it, and it is stock since. Rule: stock-up#advance.
  if (!mtbId || !mtblId) throw laterFirst('deliver');
  // It stands for what another one's receipt brought.
  if (unit.receiveSn !== unit.sn) throw notUndoable(step.step);
  if ((await testedSns(ctx, [unit.sn])).has(unit.sn))
    throw new Refusal({ key: 'testedReceipt', field: 'id', args: { sn: unit.sn } });
  const taken = await takeOffUnits(ctx, mtbId, [mtblId], [unit.sn], { step: 'rollback', note: remark });
  await recountLines(ctx.db, [mtblId]);
  await countReceivedLines(ctx, [mtblId]);
  if (unit.billStatus === BillStatus.Received || unit.billStatus === BillStatus.Finished) await closeAgain(ctx, mtbId);
  return { mtbId, mtbliId, taken };
};

/** On a closed bill a declared item that has no unit any more was not received. Rule: events#e07. */
async function closeAgain(ctx: Context, mtbId: string): Promise<void> {
  await sql`
    UPDATE rma_maintain_bill_line_item SET "receiveStatus" = ${ReceiveStatus.NotReceived}
     WHERE "mtbId" = ${mtbId} AND "receiveStatus" = ${ReceiveStatus.Awaiting}`.execute(ctx.db);
  await sql`
    UPDATE rma_maintain_bill AS b SET "billStatus" = ${BillStatus.NotReceived}, ${touchSql(ctx.currentUser, 'b')}
     WHERE b."mtbId" = ${mtbId}
       AND NOT EXISTS (SELECT 1 FROM rma_maintain_bill_line_item AS i
                        WHERE i."mtbId" = b."mtbId" AND ${itemIsReceived('i')})`.execute(ctx.db);
  await settle(ctx, { mtbId, mtblId: null });
}

const checks = { head: 'rma_check_bill', lines: 'rma_check_bill_line', by: 'ckbId' };

/**
 * The check is gone; the item shows what it showed before, or, of a check that did not keep that, what an earlier one
 * of the same item found. Rule: events#e08, events#e09, events#e10.
 */
export const undoCheck: Undo = async (ctx, step, unit, remark) => {
  const { db, currentUser } = ctx;
  const line = await db
    .selectFrom('rma_check_bill_line')
    .select('powerSn')
    .where('ckbId', '=', step.billId)
    .where('sn', '=', unit.sn)
    .executeTakeFirst();
  const removed = await takeOffRecord(ctx, checks, step.billId, [unit.sn, ...(line?.powerSn ? [line.powerSn] : [])]);
  await moveBack(ctx, step, unit, remark);
  const { item } = await beforeStep(ctx, { module: 'rmaCheckBill', what: 'check', recordId: step.billId });
  if (unit.mtbliId && item) {
    await sql`
      UPDATE rma_maintain_bill_line_item AS i
         SET "checkTime" = was."checkTime", "checkUrls" = was."checkUrls", "checkIcdIds" = was."checkIcdIds",
             "powerSn" = was."powerSn", ${touchSql(currentUser, 'i')}
        FROM jsonb_populate_record(NULL::rma_maintain_bill_line_item, ${JSON.stringify(item)}::jsonb) AS was
       WHERE i."mtbliId" = ${unit.mtbliId}`.execute(db);
  } else if (unit.mtbliId) {
    await sql`
      UPDATE rma_maintain_bill_line_item AS i
         SET "checkTime" = c."billTime", "checkUrls" = c."checkUrls", "checkIcdIds" = c."icdIds", "powerSn" = c."powerSn",
             ${touchSql(currentUser, 'i')}
        FROM (SELECT 1) AS one
        LEFT JOIN LATERAL (
          SELECT l."billTime", l."icdIds", l."powerSn", b."checkUrls"
            FROM rma_check_bill_line AS l JOIN rma_check_bill AS b ON b."ckbId" = l."ckbId"
           WHERE l."mtbliId" = ${unit.mtbliId} AND l.disposition IS NOT NULL ORDER BY l.id DESC LIMIT 1) AS c ON true
       WHERE i."mtbliId" = ${unit.mtbliId}`.execute(db);
  }
  return { taken: removed };
};

/**
 * A supervisor's decision is undone: the proposal waits again. Rule: events#e11, events#e12, events#e13, events#e14.
 */
export const undoConfirmation: Undo = async (ctx, step, unit, remark) => {
  const { db, currentUser } = ctx;
  const isScrap = step.step === 'scrapConfirm';
  await db
    .updateTable('rma_check_bill_line')
    .set({
      ...(isScrap
        ? { scrapStatus: Confirmation.Waiting, declineScrapRemark: null, dutySourse: null, dutySourseRemark: null }
        : { nofaultConfirmStatus: Confirmation.Waiting, nofaultConfirmRemark: null }),
      ...touch(currentUser),
    })
    .where('ckbId', '=', step.billId)
    .where('sn', '=', unit.sn)
    .execute();
  await moveBack(ctx, step, unit, remark);
  if (isScrap && step.toNode !== step.fromNode) {
    await unsettle(ctx, unit.mtbliId ? [unit.mtbliId] : []);
    await sql`
      UPDATE rma_maintain_bill_line_item
         SET scrap = ${Flag.No}, ${touchSql(currentUser)},
             "deliverStatus" = CASE WHEN "deliverStatus" = ${DeliverStatus.Scrapped}
                                    THEN ${DeliverStatus.CannotShip} ELSE "deliverStatus" END
       WHERE "mtbliId" = ${unit.mtbliId}`.execute(db);
  }
  await settle(ctx, unit);
  return {};
};
