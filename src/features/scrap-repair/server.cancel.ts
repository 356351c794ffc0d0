import type { DataOf, InputOf } from '#domain/call.ts';
import { ScrapRepairStatus } from '#domain/enums.ts';
import { Refusal, refuseIfAny } from '#domain/refusal.ts';
import { Node } from '#domain/nodes.ts';
import { atSite, type Context } from '#server/context.ts';
import { refuseUnseenOf } from '#server/engine/seen.ts';
import { recordInLedger } from '#server/ledger.ts';
import { releaseHold } from '#server/workflow/holds.ts';
import { moveUnits } from '#server/workflow/moves.ts';
import { lockUnits } from '#server/workflow/unitLocks.ts';
import type { Unit } from '#server/workflow/units.ts';
import type { cancelScrapRepair } from './contract.ts';
import { billOf, readLines, setBill, type StoredBill } from './queries.ts';
import { validateCanceller, validateOpen } from './rules.ts';

/** A bill that nothing came back on is given up by who made it; its SNs are free scrap again. Rule: scrap-repair#cancelling. */
export async function cancel(
  input: InputOf<typeof cancelScrapRepair>,
  ctx: Context,
): Promise<DataOf<typeof cancelScrapRepair>> {
  const bill = await billOf(ctx, input.id, { isHeld: true });
  const { userId, sites } = ctx.currentUser;
  refuseIfAny(validateOpen(bill, 'id'));
  refuseIfAny(validateCanceller(bill, { userId, seesAll: sites === 'all' }));
  await refuseUnseenOf(ctx, 'rmaScrapRepairBill', bill.id, input.version);
  const there = atSite(ctx, bill.siteId);
  const { id, srbId } = bill;
  const sns = (await readLines(there, srbId)).map((it) => it.sn);
  const units = await lockScrap(there, bill, sns);
  await releaseHold(there, sns, { kind: 'scrapRepair', billId: srbId });
  await backToScrap(there, srbId, units);
  const billStatus = ScrapRepairStatus.Cancelled;
  await setBill(there, id, billStatus);
  await recordInLedger(there, {
    what: 'cancelScrapRepair',
    module: 'rmaScrapRepairBill',
    recordId: srbId,
    from: { billStatus: bill.billStatus },
    to: { billStatus, sns },
  });
  return { id, srbId, billStatus };
}

/** The units of a bill, held: each still lies among the scrap. `besides` are held with them. */
export async function lockScrap(
  ctx: Context,
  { srbId }: StoredBill,
  sns: readonly string[],
  besides: readonly string[] = [],
): Promise<Unit[]> {
  const known = await lockUnits(ctx.db, [...sns, ...besides]);
  const units = sns.flatMap((sn) => known.get(sn) ?? []);
  const isOurs = ({ ivyId, held }: Unit) => ivyId === Node.Scrapped && held?.billId === srbId;
  if (units.length < sns.length || !units.every(isOurs)) throw new Refusal({ key: 'stale' });
  return units;
}

/** What nothing was made of is scrap as before. Rule: scrap-repair#unused. */
export const backToScrap = (ctx: Context, srbId: string, units: readonly Unit[]): Promise<void> =>
  moveUnits(
    ctx,
    units.map((unit) => ({ unit, to: Node.Scrapped })),
    'scrapRepairReturn',
    srbId,
  );
