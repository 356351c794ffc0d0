import type { DataOf, InputOf } from '#domain/call.ts';
import { Refusal, refuseIfAny } from '#domain/refusal.ts';
import { normaliseNo } from '#domain/sn.ts';
import { Node } from '#domain/nodes.ts';
import { atSite, seesSite, type Context } from '#server/context.ts';
import { recordInLedger } from '#server/ledger.ts';
import { holdFor } from '#server/workflow/holds.ts';
import { moveUnits } from '#server/workflow/moves.ts';
import { refuseFormer } from '#server/workflow/names.ts';
import { lockUnits } from '#server/workflow/unitLocks.ts';
import { readSns, type Unit } from '#server/workflow/units.ts';
import type { combineRepair } from './contract.ts';
import { recordBill } from './queries.ts';
import { validateCombined, validateSalesCode, validateScrap } from './rules.ts';

/** The scrap site, which is the user's; another one is as if it did not exist. Rule: scrap-repair#sites. */
export function siteOrRefuse(ctx: Context, said: string | null | undefined): string {
  const siteId = normaliseNo(said);
  const label = { module: 'rmaScrapRepairBill', field: 'siteId' };
  if (siteId === '') throw new Refusal({ key: 'required', field: 'siteId', args: { fields: [label] } });
  if (seesSite(ctx.currentUser, siteId)) return siteId;
  throw new Refusal({ key: 'notFound', field: 'siteId', args: { what: label, value: siteId } });
}

/**
 * Scrap of a site goes out for repair: from now on the new bill speaks for it. All of it or nothing; what another bill
 * speaks for is refused by its number. Rule: scrap-repair#combining.
 */
export async function combine(
  input: InputOf<typeof combineRepair>,
  ctx: Context,
): Promise<DataOf<typeof combineRepair>> {
  const lines = input.scrapRepairLineRequestList ?? [];
  const count = input.count ?? null;
  refuseIfAny(validateCombined({ siteId: normaliseNo(input.siteId), count }, lines.length));
  const there = atSite(ctx, siteOrRefuse(ctx, input.siteId));
  const { siteId } = there.currentUser;
  const fieldOf = (i: number) => `scrapRepairLineRequestList.${i}.sn`;
  const sns = readSns(
    lines.map((it) => it.sn),
    fieldOf,
  );
  const known = await lockUnits(ctx.db, sns);
  await refuseFormer(
    ctx,
    sns.filter((it) => !known.has(it)),
    (sn) => fieldOf(sns.indexOf(sn)),
  );
  refuseIfAny(sns.flatMap((sn, i) => validateScrap(sn, known.get(sn), siteId, fieldOf(i))));
  const units = sns.map((sn) => known.get(sn) as Unit);
  refuseIfAny(
    units.flatMap(({ sn, salesCode }, i) =>
      validateSalesCode(sn, normaliseNo(lines[i]?.salesCode), salesCode, fieldOf(i)),
    ),
  );

  const srbId = await ctx.numbers.next('SRB');
  const department = input.department?.trim() || null;
  const remark = input.remark?.trim() || null;
  const id = await recordBill(there, { srbId, department, remark }, units);
  await moveUnits(
    there,
    units.map((unit) => ({ unit, to: Node.Scrapped, ...(department && { note: department }) })),
    'combineRepair',
    srbId,
  );
  await holdFor(there, sns, { kind: 'scrapRepair', billId: srbId });
  await recordInLedger(there, {
    what: 'combineRepair',
    module: 'rmaScrapRepairBill',
    recordId: srbId,
    to: { siteId, department, remark, sns },
  });
  return { id, srbId, count: sns.length };
}
