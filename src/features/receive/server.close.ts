import type { DataOf, InputOf } from '#domain/call.ts';
import { BillStatus } from '#domain/enums.ts';
import { validateNotOnBill } from '#domain/hold.ts';
import { statusAfterReceipt } from '#domain/maintainBill.ts';
import { refuseIfAny, type Problem } from '#domain/refusal.ts';
import { isSn, normaliseNo, normaliseSn } from '#domain/sn.ts';
import type { Context } from '#server/context.ts';
import { recordInLedger } from '#server/ledger.ts';
import { finishBills, recountLines } from '#server/workflow/bills.ts';
import { countReceivedLines, takeOffUnits, testedSns } from '#server/workflow/receipts.ts';
import { lockUnitBills, lockUnits } from '#server/workflow/unitLocks.ts';
import type { Unit } from '#server/workflow/units.ts';
import type { deleteReceived, finishReceive } from './contract.ts';
import {
  isDeletable,
  validateBillStatus,
  validateNotReplaced,
  validateRemovedLines,
  type RemovedLine,
} from './rules.ts';
import { billOrRefuse } from './server.bill.ts';
import { readLines } from './queries.ts';
import { closeItems, countReceived, replacedOn, setBillStatus } from './queries.close.ts';

/** Units that were received by mistake leave again; what was never submitted is skipped. Rule: events#e06. */
export async function takeOff(
  input: InputOf<typeof deleteReceived>,
  ctx: Context,
): Promise<DataOf<typeof deleteReceived>> {
  const removed = input.rmaReceiveBillLineRequestList.map(({ mtblId, count, snList }): RemovedLine => ({
    mtblId: normaliseNo(mtblId),
    count: count ?? null,
    sns: snList.map(normaliseSn),
  }));
  const asked = [...new Set(removed.flatMap((it) => it.sns).filter(isSn))];
  await lockUnitBills(ctx.db, asked, [normaliseNo(input.mtbId)]);
  const bill = await billOrRefuse(ctx, normaliseNo(input.mtbId), true);
  const mtbId = bill.mtbId;
  refuseIfAny(validateBillStatus(bill.billStatus));
  const units = [...(await lockUnits(ctx.db, asked)).values()].filter((it) => it.mtbId === mtbId);
  const lines = (await readLines(ctx, mtbId)).map((it) => it.mtblId);
  const lineBySn = new Map(units.map((it) => [it.sn, it.mtblId]));
  refuseIfAny(validateRemovedLines(removed, mtbId, { lines, lineOf: lineBySn }));
  const deletable = await findDeletable(ctx, units);
  refuseIfAny(
    units.flatMap((it): Problem[] => {
      if (it.siteId !== ctx.currentUser.siteId) return [{ key: 'otherSite', field: 'snList', args: { sn: it.sn } }];
      const spokenFor = validateNotOnBill(it, 'snList');
      if (spokenFor.length > 0) return spokenFor;
      return deletable.has(it.sn) ? [] : [{ key: 'checkedAlready', field: 'snList', args: { sn: it.sn } }];
    }),
  );
  const sns = units.map((it) => it.sn);
  refuseIfAny(validateNotReplaced(await replacedOn(ctx, mtbId, asked), sns));
  const touched = [...new Set(units.map((it) => it.mtblId as string))];
  if (sns.length > 0) {
    const taken = await takeOffUnits(ctx, mtbId, touched, sns);
    await recountLines(ctx.db, touched);
    await countReceivedLines(ctx, touched);
    await recordInLedger(ctx, {
      what: 'deleteReceived',
      module: 'rmaReceiveBill',
      recordId: mtbId,
      from: { sns, taken },
    });
  }
  const counts = (await readLines(ctx, mtbId)).filter((it) => touched.includes(it.mtblId));
  return {
    deletedCount: sns.length,
    lineList: counts.map(({ mtblId, receiveCount }) => ({ mtblId, receiveCount })),
  };
}

/** Those of these units that may be taken off their receipt. */
export async function findDeletable(ctx: Context, units: readonly Unit[]): Promise<Set<string>> {
  const sns = units.map((it) => it.sn);
  const tested = await testedSns(ctx, sns);
  return new Set(units.filter((it) => isDeletable(it, tested.has(it.sn))).map((it) => it.sn));
}

/**
 * The receipt of a bill is closed; what has not come is written down as not received. Rule: events#e07,
 * bills#receipt-states.
 */
export async function closeReceipt(
  input: InputOf<typeof finishReceive>,
  ctx: Context,
): Promise<DataOf<typeof finishReceive>> {
  const bill = await billOrRefuse(ctx, normaliseNo(input.maintainBillId), true);
  const mtbId = bill.mtbId;
  refuseIfAny(validateBillStatus(bill.billStatus));
  const closed = statusAfterReceipt(await countReceived(ctx, mtbId));
  await closeItems(ctx, mtbId);
  await setBillStatus(ctx, mtbId, closed);
  const isFinished = (await finishBills(ctx.db, [mtbId])).length > 0;
  const billStatus = isFinished ? BillStatus.Finished : closed;
  await recordInLedger(ctx, {
    what: 'finishReceive',
    module: 'rmaReceiveBill',
    recordId: mtbId,
    from: { billStatus: bill.billStatus },
    to: { billStatus },
  });
  return { mtbId, billStatus };
}
