import { moveBack, takeOffRecord, type StationRecord } from './records.ts';
import type { Undo } from './step.ts';

/**
 * The result of a test is taken off its bill, and the unit waits for the test again. Rule: events#e18, events#e19,
 * events#e20, events#e21.
 */
const undoTest =
  (record: StationRecord): Undo =>
  async (ctx, step, unit, remark) => {
    const removed = await takeOffRecord(ctx, record, step.billId, [unit.sn]);
    await moveBack(ctx, step, unit, remark);
    return { taken: removed };
  };

export const undoAging = undoTest({ head: 'rma_burnin_bill', lines: 'rma_burnin_bill_line', by: 'bnbId' });
export const undoQc = undoTest({ head: 'rma_examine_bill', lines: 'rma_examine_bill_line', by: 'exbId' });
