import type { DataOf, InputOf } from '#domain/call.ts';
import { offeredOptions } from '#domain/definition/options.ts';
import { GoodsType } from '#domain/enums.ts';
import { refuseIfAny } from '#domain/refusal.ts';
import { normaliseNo } from '#domain/sn.ts';
import { validateActivation } from '#domain/workflow.ts';
import type { Context } from '#server/context.ts';
import { recordInLedger } from '#server/ledger.ts';
import { createMove, moveUnits } from '#server/workflow/moves.ts';
import { refuseFormer } from '#server/workflow/names.ts';
import { devicesAround, lockParts, takeOut } from '#server/workflow/parts.ts';
import { unitOutside } from '#server/workflow/outside.ts';
import { holdUnits } from '#server/workflow/unitLocks.ts';
import { readSns, readUnits, type Unit } from '#server/workflow/units.ts';
import type { storeStart, validateInventorySn } from './contract.ts';
import { ACTIVATION_SHELF, outcomeOf, validateWarehouse } from './rules.ts';
import { admit, archived, putOnShelf, readStorageType, readStorage } from './queries.ts';

/**
 * A unit of the site that is on no open bill becomes a stock machine in a warehouse, and stands where that
 * warehouse's kind of goods begins; a part is not in its device any more. Rule: events#e23.
 */
export async function activate(input: InputOf<typeof storeStart>, ctx: Context): Promise<DataOf<typeof storeStart>> {
  const [sn] = readSns([input.sn], () => 'sn') as [string];
  const subinventoryCode = normaliseNo(input.subinventoryCode) || ACTIVATION_SHELF;
  const warehouses = offeredOptions(ctx.model.options, 'subinventory').map((it) => it.value);
  refuseIfAny(validateWarehouse(subinventoryCode, warehouses));
  await lockParts(ctx, [sn]);
  const found = (await holdUnits(ctx.db, [sn])).get(sn);
  const known = found ? undefined : await archived(ctx, sn);
  await refuseUnlessOpen(ctx, sn, found, known !== undefined);
  if (!found && known) await admit(ctx, known);
  const was = found && (await readStorage(ctx, sn));
  const unit = found ?? unitOutside(sn, { siteId: ctx.currentUser.siteId, type: known?.type ?? GoodsType.Device });

  const note = input.remark?.trim() ?? '';
  const outcome = outcomeOf(await readStorageType(ctx, subinventoryCode));
  const move = createMove({ ...unit, mtbId: null }, 'storeStart', outcome, note);
  await moveUnits(ctx, [move], 'storeStart', null);
  await putOnShelf(ctx, [unit], subinventoryCode, { leavesBill: true });
  await takeOut(ctx, sn);
  const { mtbId, mtblId, mtbliId, siteId } = unit;
  await recordInLedger(ctx, {
    what: 'storeStart',
    module: 'rmaStoreBill',
    recordId: sn,
    from: { node: unit.ivyId, siteId, mtbId, mtblId, mtbliId, subinventoryCode: null, storageType: null, ...was },
    to: { node: move.to, subinventoryCode, remark: note },
  });
  return { sn, nextNode: move.to };
}

/** Whether an SN may be activated, and where it stands until then. Rule: events#e23, guard#attempts. */
export async function readActivation(
  input: InputOf<typeof validateInventorySn>,
  ctx: Context,
): Promise<DataOf<typeof validateInventorySn>> {
  const [sn] = readSns([input.sn], () => 'sn') as [string];
  const found = (await readUnits(ctx.db, [sn])).get(sn);
  const known = found ? undefined : await archived(ctx, sn);
  await refuseUnlessOpen(ctx, sn, found, known !== undefined);
  const { type = GoodsType.Device, salesCode = null, itemName = null } = found ?? known ?? {};
  const { subinventoryCode = null } = (await readStorage(ctx, sn)) ?? {};
  return { sn, ivyId: found?.ivyId ?? null, type, salesCode, itemName, subinventoryCode };
}

/** What both the attempt and the activation itself ask of the SN. */
async function refuseUnlessOpen(ctx: Context, sn: string, unit: Unit | undefined, isArchived: boolean): Promise<void> {
  if (!unit && !isArchived) await refuseFormer(ctx, [sn]);
  const inside = (await devicesAround(ctx, [sn])).get(sn) ?? null;
  refuseIfAny(validateActivation(sn, unit, { isArchived, inside, siteId: ctx.currentUser.siteId }));
}
