import type { Static } from 'typebox';
import { Flag } from '#domain/enums.ts';
import type { IssueCategory } from '#domain/issueCode.ts';
import { refuseIfAny, Refusal } from '#domain/refusal.ts';
import { validateTestResults, type ResultRules, type TestResult } from '#domain/testResults.ts';
import type { TestedSn } from '#domain/wire.ts';
import type { Context } from '#server/context.ts';
import { issueCodesOf, type IssueCode } from '#server/workflow/issueCodes.ts';
import { createMove, moveUnits } from '#server/workflow/moves.ts';
import { guardUnits } from '#server/workflow/unitLocks.ts';
import { readSns, scanUnit, type Unit } from '#server/workflow/units.ts';

/** A test station: aging or QC. Both list units, each with a code that says pass or fail. Rule: testing#stations. */
export interface TestStation extends ResultRules {
  step: 'aging' | 'qc';
  category: IssueCategory;
}

export interface Tested {
  unit: Unit;
  code: IssueCode;
}

/** One unit with its result as the list shows it, if it may be listed; stores nothing. */
export async function checkTest(ctx: Context, station: TestStation, row: TestResult): Promise<Static<typeof TestedSn>> {
  const { module, category } = station;
  if (row.codeId === null || row.codeId === '') {
    throw new Refusal({ key: 'required', field: 'icdId', args: { fields: [{ module, field: 'icdId' }] } });
  }
  const unit = await scanUnit(ctx, row.sn, station.step);
  const [code] = (await issueCodesOf(ctx, [row.codeId], category, 'icdId')) as [IssueCode];
  if (row.urls?.length) refuseIfAny(validateTestResults([row], station));
  return {
    sn: unit.sn,
    salesCode: unit.salesCode,
    name: unit.itemName,
    mtbId: unit.mtbId,
    icdId: code.codeId,
    code: code.code,
    codeName: code.name,
    passFlag: code.passFlag ?? Flag.No,
  };
}

/** The units of a submit with their results, guarded and held; nothing is written yet. */
export async function readResults(ctx: Context, station: TestStation, rows: readonly TestResult[]): Promise<Tested[]> {
  const { step, category, list } = station;
  refuseIfAny(validateTestResults(rows, station));
  const fieldOf = (i: number) => `${list}.${i}.sn`;
  const sns = readSns(
    rows.map((it) => it.sn),
    fieldOf,
  );
  const units = await guardUnits(ctx, sns, step, { fieldOf });
  const codeIds = rows.map((it) => it.codeId as number | string);
  const codes = new Map((await issueCodesOf(ctx, codeIds, category, list)).map((it) => [String(it.codeId), it]));
  return units.map((unit, i) => ({ unit, code: codes.get(String(codeIds[i])) as IssueCode }));
}

export const hasPassed = ({ code }: Tested): boolean => code.passFlag === Flag.Yes;

/**
 * Passed units go on, failed ones go back to repair; the history keeps each one's code. Rule: events#e18, events#e19,
 * events#e20, events#e21.
 */
export async function moveTested(
  ctx: Context,
  { step }: TestStation,
  results: readonly Tested[],
  billId: string,
): Promise<{ passCount: number; failCount: number }> {
  const moves = results.map((it) => createMove(it.unit, step, hasPassed(it) ? 'pass' : 'fail', it.code.code));
  await moveUnits(ctx, moves, step, billId);
  const passCount = results.filter(hasPassed).length;
  return { passCount, failCount: results.length - passCount };
}
