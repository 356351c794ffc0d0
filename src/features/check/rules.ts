import {
  Disposition,
  isChipCode,
  isImageCode,
  needsChipCount,
  NO_POWER,
  type IssueCodeFacts,
} from '#domain/issueCode.ts';
import { GoodsType, PIECES_MAX } from '#domain/enums.ts';
import type { Problem } from '#domain/refusal.ts';
import type { Outcome } from '#domain/workflow.ts';

export interface FoundCode extends IssueCodeFacts {
  disposition: string | null;
}

/** What a first test found, of the unit and of its power. */
interface Check {
  codes: readonly FoundCode[];
  powerCodes: readonly FoundCode[];
  /** How many pictures show something. */
  shown: number;
  repairChipCount: number | null;
}

/**
 * What a check must have: a picture for certain codes, and for chip codes the number of chips and a picture; a no-fault
 * code stands alone, beside a faulty power as well. Rule: checking#codes, events#e08, events#e09, events#e10.
 */
export function validateCheck({ codes, powerCodes, shown, repairChipCount }: Check): Problem[] {
  const all = [...codes, ...powerCodes];
  const problems: Problem[] = [];
  if (isMixed(all)) problems.push({ key: 'confirmationNotMixed', field: 'issueCodeIdList' });
  if (repairChipCount !== null && repairChipCount > PIECES_MAX) {
    const args = { field: { module: 'rmaCheckBillLine', field: 'repairChipCount' }, max: PIECES_MAX };
    problems.push({ key: 'atMost', field: 'repairChipCount', args });
  } else if (needsChipCount(all) && !isPositiveInteger(repairChipCount)) {
    problems.push({ key: 'chips', field: 'repairChipCount' });
  }
  if (shown > 0) return problems;
  if (all.some((it) => isChipCode(it.code))) problems.push({ key: 'imagesForChip', field: 'checkUrls' });
  else if (all.some(isImageCode)) problems.push({ key: 'images', field: 'checkUrls', args: { min: 1, max: 4 } });
  return problems;
}

/** What a check needs before anything is looked up; a power is another thing than its device. Rule: checking#power. */
export function validateEntry(it: { sn: string; codes: number; powerCodes: number; powerSn: string }): Problem[] {
  const missing = (name: string, field: string): Problem => ({
    key: 'required',
    field,
    args: { fields: [{ module: 'rmaCheckBillLine', field: name }] },
  });
  if (it.codes === 0) return [missing('icdIds', 'issueCodeIdList')];
  if (it.powerSn === '') return it.powerCodes > 0 ? [missing('powerSn', 'powerSn')] : [];
  return it.powerSn === it.sn ? [{ key: 'duplicateSn', field: 'powerSn', args: { sn: it.sn } }] : [];
}

/** Where the codes send the unit: to repair, or to a supervisor who decides about scrap or no-fault. */
export function outcomeOf(codes: readonly FoundCode[]): Extract<Outcome, 'repair' | 'scrap' | 'nofault'> {
  if (codes.some((it) => it.disposition === Disposition.Scrap)) return 'scrap';
  return codes.some((it) => it.disposition === Disposition.NoFault) ? 'nofault' : 'repair';
}

/** A device without a power SN carries FX409, and only such a one; said, not refused. Rule: checking#power. */
export function powerWarning(
  type: string,
  powerSn: string,
  codes: readonly { code: string }[],
): 'powerMissing' | 'powerBesideCode' | null {
  const says = codes.some((it) => it.code === NO_POWER);
  if (type === GoodsType.Device && powerSn === '' && !says) return 'powerMissing';
  return powerSn !== '' && says ? 'powerBesideCode' : null;
}

const isMixed = (codes: readonly FoundCode[]): boolean =>
  codes.some((it) => it.disposition === Disposition.NoFault) &&
  codes.some((it) => it.disposition !== Disposition.NoFault);

const isPositiveInteger = (n: number | null): boolean => n !== null && Number.isInteger(n) && n > 0;
