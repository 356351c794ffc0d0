import { sql } from 'kysely';
import { Confirmation } from '#domain/enums.ts';
import { Disposition } from '#domain/issueCode.ts';
import { Node } from '#domain/nodes.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import { itemBefore } from '#server/workflow/itemsBefore.ts';
import { setUnitNode, takeOutOfStock } from '#server/workflow/placing.ts';
import { laterFirst, restoreLocation } from './records.ts';
import type { RecordedStep, Undo } from './step.ts';
import { undoCheck, undoConfirmation, undoReceipt } from './intake.ts';
import { undoActivation, undoDelivery, undoStoring } from './leaving.ts';
import { undoItemChange, undoMove } from './lines.ts';
import { undoSnChange } from './names.ts';
import { undoBuyOut, undoSiteChange } from './office.ts';
import { undoAging, undoQc } from './tests.ts';
import { undoAssembly, undoRebind, undoRepair } from './work.ts';

/**
 * A node that was set by hand, or by a closed bill, goes back with all that belongs to the node before.
 * Rule: events#e36, events#e29.
 */
const undoNodeEdit: Undo = async (ctx, step, unit, remark) => {
  const source = itemLedgers[step.step as keyof typeof itemLedgers];
  const was = await itemBefore(ctx, step, { ...source, recordId: step[source.of] });
  // Another machine has left for its item since: it can't have left with it as well.
  if (was?.delivery && was.mtbliId !== unit.mtbliId) throw laterFirst(step.step);
  const standing = (was && (await takeOutOfStock(ctx, unit, was.mtbliId))) ?? unit;
  await setUnitNode(ctx, standing, step.fromNode, { step: 'rollback', note: remark, was });
  await restoreLocation(ctx, step);
  if (step.fromNode === Node.AwaitingCheck) await holdAgain(ctx, step);
  return {};
};

/** Where the ledger has what a step's items were before. */
const itemLedgers = {
  modifyNode: { what: 'modifyIvyId', module: 'rmaInventory', of: 'sn' },
  terminate: { what: 'terminate', module: 'rmaMaintainBill', of: 'mtbId' },
} as const;

/** A proposal that this very step had released waits for its supervisor again; one that was free before stays so. */
async function holdAgain({ db }: Context, { id, sn }: RecordedStep): Promise<void> {
  await sql`
    UPDATE rma_check_bill_line
       SET "scrapStatus" = CASE WHEN disposition = ${sql.lit(Disposition.Scrap)}
                                THEN coalesce("scrapStatus", ${Confirmation.Waiting}) END,
           "nofaultConfirmStatus" = CASE WHEN disposition = ${sql.lit(Disposition.NoFault)}
                                         THEN coalesce("nofaultConfirmStatus", ${Confirmation.Waiting}) END
     WHERE id = (SELECT max(id) FROM rma_check_bill_line WHERE sn = ${sn} AND disposition IS NOT NULL)
       AND "updateTime" = (SELECT "eventTime" FROM rma_transaction WHERE id = ${id})`.execute(db);
}

/** What a registration made is taken back as a whole, with its bill. Rule: bills#own-goods. */
const undoRegistration: Undo = async (_, { billId }) => {
  throw new Refusal({ key: 'deleteInstead', field: 'id', args: { id: String(billId) } });
};

const undoes: Record<string, Undo> = {
  receive: undoReceipt,
  check: undoCheck,
  scrapConfirm: undoConfirmation,
  nofaultConfirm: undoConfirmation,
  repair: undoRepair,
  assemble: undoAssembly,
  aging: undoAging,
  qc: undoQc,
  store: undoStoring,
  storeStart: undoActivation,
  rebind: undoRebind,
  deliver: undoDelivery,
  modifyNode: undoNodeEdit,
  terminate: undoNodeEdit,
  buyOut: undoBuyOut,
  updateSiteId: undoSiteChange,
  moveBill: undoMove,
  replaceSaleCode: undoItemChange,
  defectiveProductRepair: undoRegistration,
  testAndStore: undoRegistration,
  changeSn: undoSnChange,
};

/** How a step of the history is undone; undefined for one that can't be. */
export const findUndo = (step: string): Undo | undefined => (Object.hasOwn(undoes, step) ? undoes[step] : undefined);
