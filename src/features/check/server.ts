import { ComponentType } from '#domain/assembly.ts';
import { imageLimits, joinUrls } from '#domain/images.ts';
import { IssueCategory } from '#domain/issueCode.ts';
import { refuseIfAny } from '#domain/refusal.ts';
import { normaliseSn } from '#domain/sn.ts';
import { validateTab } from '#domain/workflow.ts';
import type { Context } from '#server/context.ts';
import { recordInLedger } from '#server/ledger.ts';
import { route } from '#server/route.ts';
import { issueCodesOf, issueCodesOfText } from '#server/workflow/issueCodes.ts';
import { readItem } from '#server/workflow/items.ts';
import { createMove, moveUnits } from '#server/workflow/moves.ts';
import { partsBoundTo } from '#server/workflow/parts.ts';
import { findPictures, takePictures } from '#server/workflow/pictures.ts';
import { guardUnits } from '#server/workflow/unitLocks.ts';
import { validateSnText, readSns, scanUnit, type Unit } from '#server/workflow/units.ts';
import { warningOf } from '#server/workflow/warnings.ts';
import { check, getScrapRemark, validateSn } from './contract.ts';
import { outcomeOf, powerWarning, validateCheck, validateEntry } from './rules.ts';
import { readDeclared, foundBefore, recordFindings, receiptCodes, recordCheck, readRemarks } from './queries.ts';

export const checkRoutes = [
  route(validateSn, async ({ sn, checkType }, ctx) => {
    const unit = await scanUnit(ctx, sn, 'check');
    refuseIfAny(validateTab(unit, checkType));
    const { item } = await readItem(ctx, unit);
    const declared = await readDeclared(ctx, unit);
    const codes = await issueCodesOfText(ctx, await receiptCodes(ctx, unit), IssueCategory.Receipt);
    return {
      sn: unit.sn,
      powerSn: unit.powerSn ?? (await boundPower(ctx, unit)),
      mtbId: unit.mtbId,
      item,
      receiveIssueCodes: codes.map(({ codeId, code, name }) => ({ codeId, code, name })),
      quotedFaultCode: declared?.quotedFaultCode ?? null,
      maintains: declared?.maintains ?? 0,
      warranty: declared?.warranty ?? null,
    };
  }),

  /**
   * The first test sends a unit to repair, or proposes to scrap it or to give it back. Rule: events#e08, events#e09,
   * events#e10.
   */
  route(check, async (input, ctx) => {
    const powerSn = normaliseSn(input.powerSn ?? '');
    const powerCodeIds = input.powerIssueCodeList ?? [];
    const [sn] = readSns([input.sn], () => 'sn') as [string];
    refuseIfAny(validateEntry({ sn, codes: input.issueCodeIdList.length, powerCodes: powerCodeIds.length, powerSn }));
    if (powerSn !== '') refuseIfAny(validateSnText(powerSn, 'powerSn'));
    const [unit] = (await guardUnits(ctx, [sn], 'check')) as [Unit];
    refuseIfAny(validateTab(unit, input.checkType));

    const codes = await issueCodesOf(ctx, input.issueCodeIdList, IssueCategory.Check);
    const powerCodes = await issueCodesOf(ctx, powerCodeIds, IssueCategory.Check, 'powerIssueCodeList');
    const pictures = await findPictures(ctx, input.checkUrls, { field: 'checkUrls', max: imageLimits.generic });
    const repairChipCount = input.repairChipCount ?? null;
    refuseIfAny(validateCheck({ codes, powerCodes, shown: pictures.shown, repairChipCount }));

    const outcome = outcomeOf(codes);
    const ckbId = await ctx.numbers.next('CKB');
    const urls = joinUrls(pictures.urls);
    const record = { ckbId, unit, powerSn, urls, codes, powerCodes, repairChipCount, outcome };
    const known = await boundPower(ctx, unit);
    const before = await foundBefore(ctx, unit);
    await takePictures(ctx, pictures.urls, 'checkUrls');
    await recordCheck(ctx, record);
    await recordFindings(ctx, record, powerSn !== '' && known !== null && known !== powerSn);
    const note = codes.map((it) => it.code).join(',');
    const move = createMove(unit, 'check', outcome, note);
    await moveUnits(ctx, [move], 'check', ckbId);
    await recordInLedger(ctx, {
      what: 'check',
      module: 'rmaCheckBill',
      recordId: ckbId,
      from: { sn, node: unit.ivyId, item: before },
      to: { sn, node: move.to, codes: note, outcome },
    });
    const warned = powerWarning(unit.type, powerSn, codes);
    return {
      ckbId,
      sn,
      nextNode: move.to,
      confirm: outcome === 'repair' ? ('none' as const) : outcome,
      ...warningOf(warned ? [{ key: warned }] : [], ctx.lang),
    };
  }),

  route(getScrapRemark, async ({ sn }, ctx) => readRemarks(ctx, readSns([sn], () => 'sn')[0] as string)),
];

/** The power that was bound to the device when it was last assembled. */
async function boundPower(ctx: Context, unit: Unit): Promise<string | null> {
  const parts = await partsBoundTo(ctx, [unit.sn]);
  return parts.find((it) => it.componentType === ComponentType.Power)?.componentSn ?? null;
}
