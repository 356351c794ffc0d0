import { GoodsType, OperateStatus } from '#domain/enums.ts';
import { validateNotOnBill } from '#domain/hold.ts';
import { refuseIfAny, Refusal } from '#domain/refusal.ts';
import { isTransferStep } from '#domain/workflow.ts';
import { isUnseen } from '#domain/signs.ts';
import { atSite } from '#server/context.ts';
import { recordInLedger } from '#server/ledger.ts';
import { route } from '#server/route.ts';
import { billsBefore } from '#server/workflow/lineChanges.ts';
import { customersMeet, selectItemShips } from '#server/workflow/oneCustomer.ts';
import { namesOfOne } from '#server/workflow/names.ts';
import { laterFirst, latestStep, markRolledBack, notUndoable } from '#server/workflow/undo/records.ts';
import { unitOutside } from '#server/workflow/outside.ts';
import { findUndo } from '#server/workflow/undo/findUndo.ts';
import { holdUnits } from '#server/workflow/unitLocks.ts';
import { readUnits } from '#server/workflow/units.ts';
import { rollbackTransaction } from './contract.ts';
import { transactionById } from './queries.ts';

export const rollbackRoutes = [
  /**
   * Undoes the latest step of an SN, whatever it wrote: node, item, line, stock-up and bill are as they were before.
   * Refused for a step that was rolled back already, and for one after which something else was done. Rule: events#e37.
   */
  route(rollbackTransaction, async (input, ctx) => {
    const remark = input.remark?.trim() ?? '';
    if (isUnseen(remark)) {
      const field = { zh: '备注', en: 'Remark' };
      throw new Refusal({ key: 'required', field: 'remark', args: { fields: [field] } });
    }
    const found = await transactionById(ctx, input.id ?? '');
    const bills = [found.mtbId ?? [], await billsBefore(ctx, found)].flat();
    const known = (await holdUnits(ctx.db, [found.sn], bills)).get(found.sn);
    // What only the archive knows has a step as well: that of its change of SN.
    const isArchived = !known && found.step === 'changeSn';
    const unit = isArchived ? unitOutside(found.sn, { siteId: found.siteId, type: GoodsType.Board }) : known;
    // What was done under a former SN is followed by the change of it.
    if ((await namesOfOne(ctx.db, found.sn)).now !== found.sn) throw laterFirst('changeSn');
    const step = await transactionById(ctx, input.id ?? '');
    if (step.operateStatus === OperateStatus.Rollbacked) throw new Refusal({ key: 'rolledBack', field: 'id' });
    const latest = await latestStep(ctx, step.sn);
    if (latest && latest.id !== step.id) {
      const args = { step: { options: 'workflowSteps', value: latest.step } };
      throw new Refusal({ key: 'laterFirst', field: 'id', args });
    }
    if (isTransferStep(step.step))
      throw new Refusal({ key: 'returnInstead', field: 'id', args: { id: String(step.billId) } });
    if (unit) refuseIfAny(validateNotOnBill(unit, 'id'));
    if (!unit || unit.ivyId !== step.toNode) throw new Refusal({ key: 'stale', field: 'id' });
    const undo = findUndo(step.step);
    if (!undo) throw notUndoable(step.step);
    const there = atSite(ctx, step.siteId ?? ctx.currentUser.siteId);
    const removed = await undo(there, step, unit, remark);
    const { mtbliId } = (await readUnits(ctx.db, [step.sn])).get(step.sn) ?? {};
    // Who shipped with it before may be another customer by now, or be there because it had gone.
    if (mtbliId && (await customersMeet(ctx.db, selectItemShips([mtbliId]))).length > 0) throw laterFirst(step.step);
    await markRolledBack(there, step);
    await recordInLedger(ctx, {
      what: 'rollback',
      module: 'rmaTransaction',
      recordId: String(step.id),
      from: { sn: step.sn, step: step.step, billId: step.billId, node: step.toNode, ...removed },
      to: { node: step.fromNode, remark },
    });
    return { id: step.id, sn: step.sn, ivyId: step.fromNode };
  }),
];
