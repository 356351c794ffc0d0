import { partOf, validateDevice } from '#domain/assembly.ts';
import type { DataOf, InputOf } from '#domain/call.ts';
import { RepairType, ScrapRepairStatus, ScrapSnRole } from '#domain/enums.ts';
import { IssueCategory } from '#domain/issueCode.ts';
import { Node } from '#domain/nodes.ts';
import { validatePartInside } from '#domain/parts.ts';
import { refuseIfAny, type Problem } from '#domain/refusal.ts';
import { validateRepair } from '#domain/repairRecord.ts';
import { normaliseNo, normaliseSn } from '#domain/sn.ts';
import { atSite, type Context } from '#server/context.ts';
import { recordInLedger } from '#server/ledger.ts';
import { recordAssembly } from '#server/workflow/assemblies.ts';
import { holdFor, releaseHold } from '#server/workflow/holds.ts';
import { issueCodesOf, repairCodesOf, type IssueCode } from '#server/workflow/issueCodes.ts';
import { moveUnits } from '#server/workflow/moves.ts';
import { lockParts, partsBoundTo, putTogether, takeApart, validateNewParts } from '#server/workflow/parts.ts';
import {
  enumerationValues,
  recordedRows,
  recordRepair,
  rowOf,
  type RecordedRow,
} from '#server/workflow/repairRecords.ts';
import { readUnits, validateSnText, type Unit } from '#server/workflow/units.ts';
import type { attemptAccept, outsourcingAccept } from './contract.ts';
import {
  becomeStock,
  billOf,
  leaveWarehouse,
  readLines,
  setBill,
  settleLines,
  type Settled,
  type StoredBill,
} from './queries.ts';
import { validateNamed, validateOnBill, validateOpen, validateUnits, type AcceptedUnit } from './rules.ts';
import { backToScrap, lockScrap } from './server.cancel.ts';

type Sent = InputOf<typeof attemptAccept>['item'];

/** Whether one unit could be accepted as it is entered. Rule: scrap-repair#units. */
export async function attempt(
  input: InputOf<typeof attemptAccept>,
  ctx: Context,
): Promise<DataOf<typeof attemptAccept>> {
  const bill = await billOf(ctx, input.srbId);
  refuseIfAny(validateOpen(bill, 'srbId'));
  const there = atSite(ctx, bill.siteId);
  const [unit] = await judge(there, bill, [input.item], await readLines(there, bill.srbId));
  return { productSn: unit?.productSn ?? '' };
}

/**
 * What outsourcing made of the scrap comes back in one submit: each main SN waits for its test with what was found,
 * repaired and put in; what was taken apart for it is used up; what was not needed is scrap as before. The bill is ended.
 * Rule: scrap-repair#accepting.
 */
export async function accept(
  input: InputOf<typeof outsourcingAccept>,
  ctx: Context,
): Promise<DataOf<typeof outsourcingAccept>> {
  const named = { srbId: normaliseNo(input.srbId), siteId: normaliseNo(input.siteId) };
  refuseIfAny(validateNamed(named));
  const sent = input.list ?? [];
  const bill = await billOf(ctx, named.srbId, { isHeld: true });
  const { id, srbId, siteId } = bill;
  refuseIfAny(validateNamed(named, siteId));
  refuseIfAny(validateOpen(bill, 'srbId'));
  const there = atSite(ctx, siteId);
  const lines = await readLines(there, srbId);
  const sns = lines.map((it) => it.sn);
  const parts = sent.flatMap((it) => it.assembleInfoList.map((part) => normaliseSn(part.sn)));
  const inside = (await partsBoundTo(there, sns)).map((it) => it.componentSn);
  await lockParts(there, [...parts, ...inside]);
  const scrap = new Map((await lockScrap(there, bill, sns, [...parts, ...inside])).map((it) => [it.sn, it]));
  const accepted = await judge(there, bill, sent, lines);

  await releaseHold(there, sns, { kind: 'scrapRepair', billId: srbId });
  const settled: Settled[] = [];
  for (const unit of accepted) settled.push(...(await takeBack(there, srbId, scrap, unit)));
  const used = new Set(settled.map((it) => it.sn));
  const unused = [...scrap.values()].filter((it) => !used.has(it.sn));
  await backToScrap(there, srbId, unused);
  await settleLines(there, srbId, settled);
  const billStatus = ScrapRepairStatus.Ended;
  await setBill(there, id, billStatus);
  await recordInLedger(there, {
    what: 'outsourcingAccept',
    module: 'rmaScrapRepairBill',
    recordId: srbId,
    from: { billStatus: bill.billStatus },
    to: {
      billStatus,
      units: accepted.map(({ productSn, assistSns }) => ({ productSn, assistSns })),
      unused: unused.map((it) => it.sn),
    },
  });
  const consumedCount = settled.length - accepted.length;
  return { srbId, billStatus, unitCount: accepted.length, consumedCount, freedCount: unused.length };
}

/** A unit that came back, with all that its submit names. */
interface Judged extends AcceptedUnit {
  codes: readonly IssueCode[];
  rows: readonly RecordedRow[];
}

/** All that forbids to accept these units; gives them with their codes and records. */
async function judge(
  ctx: Context,
  { srbId }: StoredBill,
  sent: readonly Sent[],
  lines: readonly { sn: string }[],
): Promise<Judged[]> {
  const units = sent.map(readSent);
  refuseIfAny(validateUnits(units));
  const known = await enumerationValues(ctx);
  refuseIfAny(
    units.flatMap(({ productSn, assistSns, repairs }, i): Problem[] => [
      ...validateRepair(repairs, known, `list.${i}.repairInfoList`),
      ...repairs.flatMap((it, n) => (it.sn === '' ? [] : validateSnText(it.sn, `list.${i}.repairInfoList.${n}.sn`))),
      ...validateOnBill(productSn, lines, srbId, `list.${i}.productSn`),
      ...assistSns.flatMap((sn, n) => validateOnBill(sn, lines, srbId, `list.${i}.assistSnList.${n}`)),
    ]),
  );
  const mains = await readUnits(
    ctx.db,
    units.map((it) => it.productSn),
  );
  refuseIfAny(units.flatMap(({ productSn: sn }) => validateDevice(mains.get(sn)?.type ?? '', sn)));
  const judged: Judged[] = [];
  for (const [i, unit] of units.entries()) {
    refuseIfAny(await partProblems(ctx, unit, i));
    const { checkIssueCodeIdList, repairInfoList } = sent[i] as Sent;
    const codes = await issueCodesOf(ctx, checkIssueCodeIdList, IssueCategory.Check, `list.${i}.checkIssueCodeIdList`);
    const ids = repairInfoList.flatMap((it) => it.issueCodeIdList ?? []);
    const named = await repairCodesOf(ctx, ids, codes, `list.${i}.repairInfoList`);
    judged.push({ ...unit, codes, rows: await recordedRows(ctx, repairInfoList, named) });
  }
  return judged;
}

const readSent = (it: Sent) => ({
  productSn: normaliseSn(it.productSn),
  checkCodes: it.checkIssueCodeIdList.length,
  repairs: it.repairInfoList.map(rowOf),
  parts: it.assembleInfoList.map((part) => partOf(part.sn, part.component_type ?? '', part.qrCodeNum ?? '')),
  assistSns: it.assistSnList.map(normaliseSn),
});

/** Parts that were in what is taken apart for this very unit are free by that. Rule: scrap-repair#parts. */
async function partProblems(ctx: Context, unit: AcceptedUnit, i: number): Promise<Problem[]> {
  const { productSn, parts, assistSns } = unit;
  const sns = parts.map((it) => it.sn);
  const fieldOf = (n: number) => `list.${i}.assembleInfoList.${n}.sn`;
  const problems = await validateNewParts(ctx, productSn, sns, fieldOf, validatePartInside);
  return problems.filter((it) => it.key !== 'partBound' || !assistSns.includes(String(it.args?.['device'])));
}

/** One unit works again, and what was taken apart for it does not. Rule: scrap-repair#main, scrap-repair#consumed. */
async function takeBack(
  ctx: Context,
  srbId: string,
  scrap: ReadonlyMap<string, Unit>,
  { productSn, assistSns, codes, rows, parts: entered }: Judged,
): Promise<Settled[]> {
  const main = { ...(scrap.get(productSn) as Unit), mtbId: null, mtblId: null, mtbliId: null };
  const donors = assistSns.map((sn) => scrap.get(sn) as Unit);
  const [rpbId, asbId] = [await ctx.numbers.next('RPB'), await ctx.numbers.next('ASB')];
  const parts = entered.map((it) => ({ ...it, qrCodeNum: it.qrCodeNum || null }));
  const kept = parts.map((it) => it.sn);
  for (const sn of assistSns) await takeApart(ctx, sn, kept, { step: 'outsourcingAccept', billId: srbId });
  const { archive } = await putTogether(ctx, main, parts, { step: 'assemble', billId: asbId });
  await recordAssembly(ctx, asbId, main, parts, archive);
  await recordRepair(ctx, { rpbId, unit: main, repairType: RepairType.InventoryScrapped }, rows);
  const note = codes.map((it) => it.code).join(',');
  await moveUnits(ctx, [{ unit: main, to: Node.AwaitingTest, note }], 'outsourcingAccept', srbId);
  await becomeStock(ctx, [productSn]);
  await moveUnits(
    ctx,
    donors.map((unit) => ({ unit, to: Node.Scrapped, note: productSn })),
    'outsourcingAccept',
    srbId,
  );
  await leaveWarehouse(ctx, assistSns);
  await holdFor(ctx, assistSns, { kind: 'consumed', billId: srbId });
  const donor = { snRole: ScrapSnRole.Auxiliary, productSn, checkIcdIds: null, rpbId: null, asbId: null };
  return [
    { sn: productSn, snRole: ScrapSnRole.Main, productSn, checkIcdIds: note, rpbId, asbId },
    ...assistSns.map((sn) => ({ sn, ...donor })),
  ];
}
