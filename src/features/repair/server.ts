import { IssueCategory } from '#domain/issueCode.ts';
import { flag, GoodsType } from '#domain/enums.ts';
import type { Node } from '#domain/nodes.ts';
import { refuseIfAny, Refusal, type Problem } from '#domain/refusal.ts';
import { validateRepair, validateSlots, type RepairRow } from '#domain/repairRecord.ts';
import { NO_PART } from '#domain/sn.ts';
import { validateTab } from '#domain/workflow.ts';
import type { Context } from '#server/context.ts';
import { recordInLedger } from '#server/ledger.ts';
import { route } from '#server/route.ts';
import { type IssueCode, issueCodesByIds, issueCodesOfText } from '#server/workflow/issueCodes.ts';
import { readItem } from '#server/workflow/items.ts';
import { createMove, moveUnits } from '#server/workflow/moves.ts';
import {
  archiveParts,
  bindParts,
  lockParts,
  partsBoundTo,
  validateNewParts,
  validateOldParts,
  takeInside,
  unbindParts,
  type Binding,
  type PartLocation,
} from '#server/workflow/parts.ts';
import { enumerationValues, recordedRows, recordRepair, rowOf } from '#server/workflow/repairRecords.ts';
import { guardUnits } from '#server/workflow/unitLocks.ts';
import { validateSnText, readSns, readUnits, scanUnit, type Unit } from '#server/workflow/units.ts';
import { repair, validateSn } from './contract.ts';
import { componentTypeOf, validateExchange, validateReplacements, repairTypeOf, replacementsOf } from './rules.ts';
import {
  lastCheckCodes,
  lastFail,
  proposedType,
  scrapBoards,
  slotsBySn,
  readModelSlots,
  replaceUnit,
} from './queries.ts';

export const repairRoutes = [
  route(validateSn, async (input, ctx) => {
    const unit = await scanUnit(ctx, input.sn, 'repair');
    refuseIfAny(validateTab(unit, input.checkType));
    const { item, bomId } = await readItem(ctx, unit);
    const { checked, failed } = await foundCodes(ctx, unit.sn);
    const isStock = unit.mtbId === null;
    const slots = unit.type === GoodsType.Board ? await readModelSlots(ctx, unit.salesCode) : null;
    return {
      sn: unit.sn,
      type: unit.type,
      item: { ...item, bomId },
      mtbId: unit.mtbId,
      checkIssueCodes: checked.map(({ codeId, code, name }) => ({ codeId, code, name })),
      lastFailIssueCodes: failed.map(({ codeId, code, name }) => ({ codeId, code, name })),
      repairTypeNeeded: flag(isStock),
      repairType: isStock ? await proposedType(ctx, unit.sn) : null,
      slotList: slots && [...slots],
      components: (await partsBoundTo(ctx, [unit.sn])).map(({ deviceSn: _, ...it }) => it),
    };
  }),

  /**
   * A device or a part is repaired. Boards that were taken out of a device are scrap, new ones are bound to it;
   * a part that is replaced is scrap itself, and its item goes on with the new one. Rule: events#e15, events#e16.
   */
  route(repair, async (input, ctx) => {
    const [sn] = readSns([input.sn], () => 'sn') as [string];
    const rows = input.partsList.map(rowOf);
    refuseIfAny(validateRepair(rows, await enumerationValues(ctx)));
    refuseIfAny(rows.flatMap((it, i) => (it.sn === '' ? [] : validateSnText(it.sn, `partsList.${i}.sn`))));
    refuseIfAny(validateReplacements(sn, rows));
    await lockParts(ctx, [...rows.map((it) => it.sn), ...rows.map((it) => it.replaceSn)].filter(Boolean));
    // A bill that is closed meanwhile has to find the part that stands on it.
    const besides = replacementsOf(rows).flatMap(({ row }) => [oldPart(row, sn), row.replaceSn]);
    const [unit] = (await guardUnits(ctx, [sn], 'repair', { withBills: besides.length > 0, besides })) as [Unit];
    refuseIfAny(validateTab(unit, input.checkType));
    const isStock = unit.mtbId === null;
    const proposed = isStock ? await proposedType(ctx, sn) : undefined;
    const { repairType, problems } = repairTypeOf(isStock, input.repairType ?? '', proposed);
    refuseIfAny(problems);
    const isPart = unit.type === GoodsType.Board;
    refuseIfAny(await slotProblems(ctx, unit, rows));
    if (isPart) refuseIfAny(validateExchange(rows));
    const ids = input.partsList.flatMap((it) => it.issueCodeIdList ?? []);
    const recorded = await recordedRows(ctx, input.partsList, await findRepairCodes(ctx, sn, ids));

    const rpbId = await ctx.numbers.next('RPB');
    const move = createMove(unit, 'repair');
    const [exchanged] = isPart ? replacementsOf(rows) : [];
    await recordRepair(ctx, { rpbId, unit, repairType }, recorded);
    let shelves: PartLocation[] = [];
    if (exchanged) {
      const { row, index } = exchanged;
      await exchangeUnit(ctx, unit, row.replaceSn, { rpbId, to: move.to, field: `partsList.${index}.replaceSn` });
    } else {
      if (!isPart) shelves = await exchangeParts(ctx, unit, rows, rpbId);
      await moveUnits(ctx, [move], 'repair', rpbId);
    }
    await recordInLedger(ctx, {
      what: 'repair',
      module: 'rmaRepairBill',
      recordId: rpbId,
      from: { sn, node: unit.ivyId, shelves },
      to: { sn: exchanged?.row.replaceSn ?? sn, node: move.to, rows: rows.length },
    });
    return { rpbId, sn: exchanged?.row.replaceSn ?? sn, nextNode: move.to };
  }),
];

/** What the tests found on it: the latest first test, and the test that sent it back. */
async function foundCodes(ctx: Context, sn: string): Promise<{ checked: IssueCode[]; failed: IssueCode[] }> {
  const fail = await lastFail(ctx, sn);
  const failCategory = fail?.step === 'aging' ? IssueCategory.Aging : IssueCategory.Qc;
  const checked = await issueCodesOfText(ctx, await lastCheckCodes(ctx, sn), IssueCategory.Check);
  const failed = fail ? await issueCodesOfText(ctx, fail.code, failCategory) : [];
  return { checked, failed };
}

/** The codes of a repair: its own category's, and what the tests found on this unit. */
async function findRepairCodes(
  ctx: Context,
  sn: string,
  ids: readonly (number | string)[],
): Promise<Map<string, IssueCode>> {
  const own = await issueCodesByIds(ctx, ids.map(String), IssueCategory.Repair);
  const isFoundNamed = ids.some((id) => !own.some((it) => String(it.codeId) === String(id)));
  const { checked, failed } = isFoundNamed ? await foundCodes(ctx, sn) : { checked: [], failed: [] };
  const codes = new Map([...checked, ...failed, ...own].map((it) => [String(it.codeId), it]));
  const unknown = [...new Set(ids.map(String))].filter((id) => !codes.has(id));
  refuseIfAny(unknown.map((id) => ({ key: 'issueCode', field: 'partsList', args: { code: id } })));
  return codes;
}

/**
 * The slots of a part are in its own bill of material, those of a device's boards in each board's.
 * Rule: repairing#slots.
 */
async function slotProblems(ctx: Context, unit: Unit, rows: readonly RepairRow[]): Promise<Problem[]> {
  if (unit.type === GoodsType.Board) {
    const slots = await readModelSlots(ctx, unit.salesCode);
    return rows.flatMap((it, i) => validateSlots(it, i, slots));
  }
  const slots = await slotsBySn(
    ctx,
    rows.map((it) => it.sn),
  );
  return rows.flatMap((it, i) => validateSlots(it, i, slots.get(it.sn) ?? null));
}

/** The part is scrap; the new one takes its place on the bill and in the chain. Rule: events#e16. */
async function exchangeUnit(
  ctx: Context,
  unit: Unit,
  sn: string,
  { rpbId, to, field }: { rpbId: string; to: Node; field: string },
): Promise<void> {
  refuseIfAny(await validateNewParts(ctx, unit.sn, [sn], () => field));
  const substitute = (await readUnits(ctx.db, [sn])).get(sn);
  const archive = await archiveParts(ctx, [sn], unit);
  const scrap = { sns: [unit.sn], held: [unit.sn], archive: new Map([[unit.sn, unit]]) };
  await scrapBoards(ctx, scrap, rpbId, unit);
  await replaceUnit(ctx, unit, { sn, rpbId, to, from: substitute?.ivyId ?? null, archived: archive.get(sn) });
}

/** Takes replaced boards out of the device and puts the new ones in, where a row names them; gives where these lay. */
async function exchangeParts(
  ctx: Context,
  unit: Unit,
  rows: readonly RepairRow[],
  rpbId: string,
): Promise<PartLocation[]> {
  const replacements = replacementsOf(rows);
  if (replacements.length === 0) return [];
  const news = replacements.map((it) => it.row.replaceSn);
  const olds = replacements.map(({ row }) => oldPart(row, unit.sn));
  const fieldOf = (name: string) => (i: number) => `partsList.${replacements[i]?.index}.${name}`;
  refuseIfAny(await validateNewParts(ctx, unit.sn, news, fieldOf('replaceSn')));
  refuseIfAny(await validateOldParts(ctx, unit.sn, olds, fieldOf('sn')));
  const bound = new Map((await partsBoundTo(ctx, [unit.sn])).map((it) => [it.componentSn, it]));
  const again = news.find((it) => bound.has(it));
  if (again) throw new Refusal({ key: 'partBound', field: 'replaceSn', args: { sn: again, device: unit.sn } });

  const real = [...new Set(olds)].filter((it) => it !== '');
  const held = [...(await readUnits(ctx.db, real)).keys()];
  const archive = await archiveParts(ctx, [...real, ...news]);
  await unbindParts(ctx, unit.sn, real);
  await scrapBoards(ctx, { sns: real, held, archive }, rpbId);
  const parts = replacements.map(({ row }) => newPart(row, bound.get(row.sn)));
  await bindParts(ctx, unit.sn, parts, rpbId, archive);
  return takeInside(ctx, unit.sn, news, { step: 'repair', billId: rpbId });
}

/** The board that a row takes out; empty where it has no SN of its own, or stands for none. Rule: repairing#records. */
const oldPart = (row: RepairRow, deviceSn: string): string => (row.sn === deviceSn || row.sn === NO_PART ? '' : row.sn);

/** A new board's QR code is not known before it is assembled. */
const newPart = (row: RepairRow, old: Binding | undefined) => ({
  sn: row.replaceSn,
  componentType: old?.componentType ?? componentTypeOf(row.partsType),
  qrCodeNum: null,
});
