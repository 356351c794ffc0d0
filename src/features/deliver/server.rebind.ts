import { partOf, validateDevice, validateParts } from '#domain/assembly.ts';
import type { DataOf, InputOf } from '#domain/call.ts';
import { validatePartInside } from '#domain/parts.ts';
import { refuseIfAny } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import { recordInLedger } from '#server/ledger.ts';
import { recordEvents } from '#server/workflow/moves.ts';
import * as bound from '#server/workflow/parts.ts';
import { guardUnits } from '#server/workflow/unitLocks.ts';
import { readSns, type Unit } from '#server/workflow/units.ts';
import type { rebindSn } from './contract.ts';

/** The parts of a device that stands ready to leave are written down; it stays where it is. Rule: events#e27. */
export async function makeUp(input: InputOf<typeof rebindSn>, ctx: Context): Promise<DataOf<typeof rebindSn>> {
  const [sn] = readSns([input.sn], () => 'sn') as [string];
  const entered = input.partsList.map((it) => partOf(it.sn, it.component_type ?? '', it.qrCodeNum ?? ''));
  refuseIfAny(validateParts(sn, entered));
  const sns = entered.map((it) => it.sn);
  await bound.lockParts(ctx, sns);
  const [unit] = (await guardUnits(ctx, [sn], 'deliver', { besides: sns })) as [Unit];
  refuseIfAny(validateDevice(unit.type, sn));
  refuseIfAny(await bound.validateNewParts(ctx, sn, sns, (i) => `partsList.${i}.sn`, validatePartInside));

  const parts = entered.map((it) => ({ ...it, qrCodeNum: it.qrCodeNum || null }));
  const number = await ctx.numbers.next('RBD');
  const { shelves } = await bound.putTogether(ctx, unit, parts, { step: 'rebind', billId: number });
  if (unit.ivyId) await recordEvents(ctx, [{ unit, to: unit.ivyId }], 'rebind', number);
  await recordInLedger(ctx, {
    what: 'rebindSn',
    module: 'rmaDeliverBill',
    recordId: number,
    from: { sn, powerSn: unit.powerSn, shelves },
    to: { sn, parts: sns },
  });
  return { sn, partsCount: parts.length };
}
