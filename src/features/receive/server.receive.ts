import type { DataOf, InputOf } from '#domain/call.ts';
import { flag, ReceivePayment, ReceiveStatus, BillStatus } from '#domain/enums.ts';
import { groupBy } from '#domain/group.ts';
import { imageLimits, joinUrls, splitUrls } from '#domain/images.ts';
import { IssueCategory } from '#domain/issueCode.ts';
import { Node } from '#domain/nodes.ts';
import { refuseIfAny, Refusal, type Problem } from '#domain/refusal.ts';
import { normaliseNo } from '#domain/sn.ts';
import type { Context } from '#server/context.ts';
import { ledger } from '#server/ledger.ts';
import { recountLines } from '#server/workflow/bills.ts';
import { issueCodesOf } from '#server/workflow/issueCodes.ts';
import { recordEvents } from '#server/workflow/moves.ts';
import { picturesOf } from '#server/workflow/pictures.ts';
import { countReceivedLines } from '#server/workflow/receipts.ts';
import { readSns } from '#server/workflow/units.ts';
import { warningOf } from '#server/workflow/warnings.ts';
import type { receive } from './contract.ts';
import {
  assignItems,
  fitsLine,
  isSecondHand,
  lineFor,
  problemsOfArrival,
  problemsOfBillStatus,
  problemsOfMachines,
  problemsOfPayment,
  warrantyOf,
  type BillLine,
  type Machine,
} from './rules.ts';
import { billOrRefuse } from './server.bill.ts';
import { depreciations, knownSns, linesOf, mixedSns, pastOf, placesOf, waitingItems, type KnownSn } from './store.ts';
import { addItems, addLines, bringIn, fillItems, recordReceipt, type Arrival } from './store.write.ts';

type Input = InputOf<typeof receive>;
type Scanned = Machine & { issueCodeIds: (number | string)[]; urls: string[] };

/** E03: devices come into the house on a bill whose receipt is open; all of them or none. Decisions 2, 1.9. */
export async function receiveDevices(input: Input, ctx: Context): Promise<DataOf<typeof receive>> {
  const scanned = scannedOf(input);
  const payment = input.payment || ReceivePayment.Send;
  const payAmount = payment === ReceivePayment.Arrival ? Number(input.payAmount ?? 0) : 0;
  refuseIfAny(boardsIn(input));
  refuseIfAny(problemsOfMachines(scanned, await depreciations(ctx)));
  refuseIfAny(problemsOfPayment(payment, payAmount));
  const sns = readSns(
    scanned.map((it) => it.sn),
    (i) => `${scanned[i]?.field}.receiveSn`,
  );
  const machines = scanned.map((it, i) => ({ ...it, sn: sns[i] as string }));

  const bill = await billOrRefuse(ctx, normaliseNo(input.mtbId), true);
  const mtbId = bill.mtbId as string;
  refuseIfAny(problemsOfBillStatus(bill.billStatus));
  const known = await knownSns(ctx, sns);
  const places = await placesOf(ctx, sns, true);
  refuseIfAny(
    machines.flatMap(({ sn, field }) =>
      problemsOfArrival(sn, known.get(sn), places.get(sn), ctx.who.siteId, `${field}.receiveSn`),
    ),
  );
  const proofs = await proofsOf(ctx, machines);
  const mtblIds = await linesFor(ctx, mtbId, machines, known);

  const isLate = bill.billStatus === BillStatus.ReceivedLater;
  const receiveStatus = isLate ? ReceiveStatus.ReceivedLater : ReceiveStatus.Received;
  const devices = machines.map((it, i) => ({ sn: it.sn, mtblId: mtblIds[i] as string }));
  const assigned = assignItems(devices, await waitingItems(ctx, [...new Set(mtblIds)]));
  const numbers = await ctx.numbers.many('MBI', assigned.filter((it) => it === null).length);
  const past = await pastOf(ctx, sns);
  const mixed = await mixedSns(ctx, sns);
  const arrivals = machines.map((machine, i): Arrival => {
    const { sn, depreciation } = machine;
    const it = known.get(sn) as KnownSn;
    const recently = past.get(sn)?.recently === true;
    return {
      sn,
      type: it.type,
      salesCode: it.salesCode,
      itemName: it.name,
      mtblId: mtblIds[i] as string,
      mtbliId: assigned[i] ?? (numbers.shift() as string),
      depreciation,
      warranty: warrantyOf({ inWarranty: it.inWarranty, recently }),
      maintains: past.get(sn)?.maintains ?? 0,
      continues: flag(recently),
      mixbound: flag(mixed.has(sn)),
      secondHand: flag(isSecondHand(past.get(sn)?.lastUserId ?? null, bill.btmUserId)),
      issueCodes: proofs.codesOf(machine),
      receiveUrls: joinUrls(machine.urls),
    };
  });
  const wasDeclared = (_: Arrival, i: number) => assigned[i] !== null;
  await fillItems(ctx, receiveStatus, arrivals.filter(wasDeclared));
  await addItems(
    ctx,
    mtbId,
    receiveStatus,
    arrivals.filter((it, i) => !wasDeclared(it, i)),
  );
  await bringIn(ctx, mtbId, arrivals);
  const touched = [...new Set(mtblIds)];
  await recountLines(ctx.db, touched);
  await countReceivedLines(ctx, touched);

  const lines = (await linesOf(ctx, mtbId)).filter((it) => touched.includes(it.mtblId));
  const rvbId = await ctx.numbers.next('RVB');
  await recordReceipt(ctx, { rvbId, mtbId, payment, payAmount: payAmount.toFixed(2) }, lines, arrivals);
  const moves = sns.map((sn) => ({
    unit: { sn, mtbId, ivyId: places.get(sn)?.ivyId ?? null },
    to: Node.AwaitingCheck,
  }));
  await recordEvents(ctx, moves, 'receive', rvbId);
  await ledger(ctx, { what: 'receive', module: 'rmaReceiveBill', recordId: rvbId, to: { mtbId, sns } });
  const over = lines.filter((it) => it.receiveCount > it.count);
  return {
    rvbId,
    mtbId,
    receivedCount: sns.length,
    snList: sns,
    lineList: lines.map(({ mtblId, receiveCount }) => ({ mtblId, receiveCount })),
    ...warningOf(
      over.map((it) => ({
        key: 'moreThanDeclared' as const,
        args: { salesCode: it.salesCode, received: it.receiveCount, declared: it.count },
      })),
      ctx.lang,
    ),
  };
}

/** What was scanned, line by line; a line on which nothing was scanned is dropped. Spec 2 §4 Receive. */
function scannedOf(input: Input): Scanned[] {
  return input.rmaReceiveBillLineRequestList.flatMap((line, i) =>
    (line.rmaReceiveBillLineItemRequestList ?? []).map((it, j) => ({
      sn: it.receiveSn,
      field: `rmaReceiveBillLineRequestList.${i}.rmaReceiveBillLineItemRequestList.${j}`,
      mtblId: normaliseNo(line.mtblId),
      depreciation: normaliseNo(it.depreciation),
      issueCodeIds: it.issueCodeIdList ?? [],
      urls: [...new Set(splitUrls(it.receiveUrls))],
    })),
  );
}

/** Boards are counted, not scanned; this form takes devices. */
const boardsIn = (input: Input): Problem[] =>
  input.rmaReceiveBillLineRequestList.flatMap((line, i): Problem[] =>
    line.repairableCount || line.unRepairableCount
      ? [
          {
            key: 'format',
            field: `rmaReceiveBillLineRequestList.${i}.repairableCount`,
            args: { field: { zh: '板卡数量', en: 'The count of boards' } },
          },
        ]
      : [],
  );

/** The codes and pictures that were given for each device, all asked for at once. */
async function proofsOf(ctx: Context, machines: readonly Scanned[]) {
  const tooMany = machines.find((it) => it.urls.length > imageLimits.generic);
  if (tooMany) {
    const args = { min: 0, max: imageLimits.generic };
    throw new Refusal({ key: 'images', field: `${tooMany.field}.receiveUrls`, args });
  }
  const urls = machines.flatMap((it) => it.urls);
  await picturesOf(ctx, urls, { field: 'receiveUrls', max: urls.length });
  const codes = await issueCodesOf(
    ctx,
    machines.flatMap((it) => it.issueCodeIds),
    IssueCategory.Receipt,
  );
  const codeOf = new Map(codes.map((it) => [String(it.codeId), it.code]));
  return {
    codesOf: (it: Scanned) => [...new Set(it.issueCodeIds.map((id) => codeOf.get(String(id))))].join(','),
  };
}

/** The line of each device: the one it was put on if it fits, else the one that fits, else a new one. */
async function linesFor(
  ctx: Context,
  mtbId: string,
  machines: readonly Scanned[],
  known: ReadonlyMap<string, KnownSn>,
): Promise<string[]> {
  const lines: BillLine[] = await linesOf(ctx, mtbId);
  const found = machines.map((machine) => {
    const it = known.get(machine.sn) as KnownSn;
    return machine.mtblId === '' ? lineFor(it, lines) : namedLine(machine, it, lines);
  });
  const strays = machines.filter((_, i) => !found[i]).map((it) => known.get(it.sn) as KnownSn);
  const goods = [...groupBy(strays, (it) => it.salesCode).values()].map((it) => it[0] as KnownSn);
  const added = await addLines(
    ctx,
    mtbId,
    goods.map(({ salesCode, type, name, productName }) => ({ salesCode, type, name, productName })),
  );
  return machines.map((it, i) => found[i]?.mtblId ?? (added.get(known.get(it.sn)?.salesCode ?? '') as string));
}

function namedLine(machine: Scanned, known: KnownSn, lines: readonly BillLine[]): BillLine {
  const line = lines.find((it) => it.mtblId === machine.mtblId);
  if (!line) {
    const args = { what: { module: 'rmaMaintainBillLine', field: 'mtblId' }, value: machine.mtblId };
    throw new Refusal({ key: 'notFound', field: machine.field, args });
  }
  if (fitsLine(known, line)) return line;
  throw new Refusal({ key: 'mismatch', field: machine.field, args: { sn: machine.sn, code: known.salesCode } });
}
