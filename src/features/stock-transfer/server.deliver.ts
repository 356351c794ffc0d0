import type { DataOf, InputOf } from '#domain/call.ts';
import { TransferStatus } from '#domain/enums.ts';
import { refuseIfAny, type Problem } from '#domain/refusal.ts';
import { normaliseNo, normaliseSn } from '#domain/sn.ts';
import { groupBy } from '#domain/group.ts';
import type { Context } from '#server/context.ts';
import { recordInLedger } from '#server/ledger.ts';
import { holdFor } from '#server/workflow/holds.ts';
import { moveUnits } from '#server/workflow/moves.ts';
import { lockUnits } from '#server/workflow/unitLocks.ts';
import { readSns } from '#server/workflow/units.ts';
import type { deliverAccept } from './contract.ts';
import { fillItems, readLines, readStock, setTransfer } from './queries.ts';
import {
  lineFor,
  validateCounts,
  validateNamedLines,
  validateNamedSite,
  validateStep,
  validateStock,
  validateSubmitted,
} from './rules.ts';
import { transferOf } from './server.bill.ts';

interface Scanned {
  sn: string;
  sktblId: string;
  field: string;
}

/**
 * The units of a transfer leave the stock of their site: every line with just as many as it takes, or nothing. They
 * stand nowhere until they are signed for, and the transfer holds them. Rule: transfers#delivering, transfers#transit.
 */
export async function sendOff(
  input: InputOf<typeof deliverAccept>,
  ctx: Context,
): Promise<DataOf<typeof deliverAccept>> {
  const scanned = readScanned(input);
  const transfer = await transferOf(ctx, input.sktbId, { isHeld: true });
  const { id, sktbId, deliverSiteId, receiveSiteId } = transfer;
  refuseIfAny(validateStep(transfer, 'deliverAccept', ctx.currentUser.siteId));
  refuseIfAny(validateNamedSite(transfer, 'deliverAccept', normaliseNo(input.deliverSiteId)));
  const lines = await readLines(ctx, sktbId);
  const sns = readSns(
    scanned.map((it) => it.sn),
    (i) => scanned[i]?.field ?? 'lineList',
  );
  const named = (input.lineList ?? []).map((it) => normaliseNo(it.sktblId));
  refuseIfAny(validateNamedLines(transfer, lines, named));
  const byLine = groupBy(scanned, (it) => it.sktblId);
  refuseIfAny(validateCounts(lines, (sktblId) => byLine.get(sktblId)?.length ?? 0));

  const stock = await readStock(ctx, await lockUnits(ctx.db, sns));
  refuseIfAny(
    scanned.flatMap(({ sktblId, field }, i): Problem[] => {
      const sn = sns[i] ?? '';
      const unit = stock.get(sn);
      const problems = validateStock(sn, unit, { siteId: deliverSiteId, elsewhere: 'notInOrder', field });
      if (problems.length > 0 || !unit) return problems;
      return lineFor(lines, unit)?.sktblId === sktblId ? [] : [{ key: 'notInOrder', field, args: { sn } }];
    }),
  );

  const units = sns.flatMap((sn) => stock.get(sn) ?? []);
  const note = `${deliverSiteId} → ${receiveSiteId}`;
  await moveUnits(
    ctx,
    units.map((unit) => ({ unit, to: null, note })),
    'transferOut',
    sktbId,
  );
  // Where they lay is what their items remember.
  await holdFor(ctx, sns, { kind: 'transfer', billId: sktbId }, { leavesStock: true });
  await fillItems(
    ctx,
    units.map(({ sn, ivyId, subinventoryCode }, i) => ({
      sn,
      sktblId: scanned[i]?.sktblId ?? '',
      fromNode: ivyId,
      fromSubinventoryCode: subinventoryCode,
    })),
  );
  await setTransfer(ctx, id, { billStatus: TransferStatus.AwaitingReceipt, accepted: 'deliver' });
  await recordInLedger(ctx, {
    what: 'deliverAccept',
    module: 'rmaStockTransferBill',
    recordId: sktbId,
    from: { billStatus: transfer.billStatus },
    to: { billStatus: TransferStatus.AwaitingReceipt, sns },
  });
  return { sktbId, billStatus: TransferStatus.AwaitingReceipt, sentCount: sns.length };
}

/** What was scanned, line by line; nothing that is needed may be missing. */
function readScanned(input: InputOf<typeof deliverAccept>): Scanned[] {
  const lines = input.lineList ?? [];
  refuseIfAny(
    validateSubmitted({
      sktbId: normaliseNo(input.sktbId),
      deliverSiteId: normaliseNo(input.deliverSiteId),
      lineList: lines.length > 0 ? 'there' : '',
      sktblId: lines.every((it) => normaliseNo(it.sktblId) !== '') ? 'there' : '',
      snList: lines.every((it) => it.snList?.length && it.snList.every((sn) => normaliseSn(sn) !== '')) ? 'there' : '',
    }),
  );
  return lines.flatMap(({ sktblId, snList = [] }, i) =>
    snList.map((sn, n) => ({ sn, sktblId: normaliseNo(sktblId), field: `lineList.${i}.snList.${n}` })),
  );
}
