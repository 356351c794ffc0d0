import type { DataOf, InputOf } from '#domain/call.ts';
import type { Node } from '#domain/nodes.ts';
import { refuseIfAny } from '#domain/refusal.ts';
import { events } from '#domain/workflow.ts';
import { atSite, type Context } from '#server/context.ts';
import { readableNames, readRow } from '#server/engine/rows.ts';
import { refuseUnseen } from '#server/engine/seen.ts';
import { recordInLedger } from '#server/ledger.ts';
import { requireDefinition } from '#server/requireDefinition.ts';
import { moveUnits, NO_WAREHOUSE } from '#server/workflow/moves.ts';
import { namesOf } from '#server/workflow/names.ts';
import { lockBills, lockUnits } from '#server/workflow/unitLocks.ts';
import type { Unit } from '#server/workflow/units.ts';
import type { deleteRegistration } from './contract.ts';
import { validateDeletion } from './rules.ts';
import {
  itemsBesides,
  latestSteps,
  layBack,
  placesBefore,
  registeredSns,
  returnedSns,
  removeBill,
  removeRegistration,
} from './queries.ts';

/**
 * With a registration goes everything that it made: the maintain bill, its lines and items; each unit is where and what
 * it was before. Refused as soon as one of them has moved or was tested. Rule: bills#own-goods.
 */
export async function deleteAll(
  { id, version }: InputOf<typeof deleteRegistration>,
  ctx: Context,
): Promise<DataOf<typeof deleteRegistration>> {
  const definition = requireDefinition(ctx.model, 'rmaDefectiveProductRepairBill');
  const row = await readRow(definition, id, readableNames(definition), ctx, false);
  if (version !== undefined) refuseUnseen(definition, row, version);
  const dpbId = String(row['dpbId']);
  const mtbId = String(row['mtbId'] ?? '');
  await lockBills(ctx.db, [mtbId]);
  const registered = await registeredSns(ctx, dpbId);
  const names = await namesOf(ctx.db, registered);
  // The registration says what they were called when they came.
  const sns = registered.map((it) => names.get(it)?.now ?? it);
  const units = await lockUnits(ctx.db, sns);
  const latest = await latestSteps(ctx, sns);
  const returned = await returnedSns(ctx, dpbId, sns);
  const strangers = await itemsBesides(ctx, mtbId, sns);
  refuseIfAny(
    validateDeletion(dpbId, [
      ...sns.map((sn) => {
        const last = latest.get(sn);
        const isReturned = returned.has(sn);
        return { sn, latest: last, isUntouched: isUntouched(units.get(sn), mtbId, last?.step), isReturned };
      }),
      // Moved here from another bill.
      ...strangers.map((sn) => ({ sn, latest: latest.get(sn), isUntouched: false, isReturned: false })),
    ]),
  );
  const places = await placesBefore(ctx, dpbId);
  const there = atSite(ctx, String(row['siteId']));
  const moves = places.map(({ sn, fromNode }) => ({
    unit: units.get(sn) as Unit,
    to: fromNode as Node | null,
    note: dpbId,
  }));
  await moveUnits(there, moves, 'rollback', dpbId);
  await layBack(
    there,
    dpbId,
    places.map(({ fromSubinventoryCode: code, ...it }) => ({
      ...it,
      subinventoryCode: code === NO_WAREHOUSE ? null : code,
    })),
  );
  await removeBill(there, mtbId);
  await removeRegistration(ctx, dpbId);
  await recordInLedger(ctx, {
    what: 'deleteById',
    module: 'rmaDefectiveProductRepairBill',
    recordId: dpbId,
    from: { ...row, sns },
  });
  return { id: Number(row['id']) };
}

/** It stands where its registration put it, on the bill that this made, and waits for nobody's word. */
function isUntouched(unit: Unit | undefined, mtbId: string, step: string | undefined): boolean {
  const to = events.find((it) => it.step === step)?.to;
  return unit !== undefined && unit.mtbId === mtbId && unit.held === null && unit.ivyId === to;
}
