import { partOf, problemsOfDevice, problemsOfParts } from '#domain/assembly.ts';
import { problemsOfPartInside } from '#domain/parts.ts';
import { refuseIfAny } from '#domain/refusal.ts';
import { ledger } from '#server/ledger.ts';
import { route } from '#server/route.ts';
import { itemOf } from '#server/workflow/items.ts';
import { moveOf, moveUnits } from '#server/workflow/moves.ts';
import * as bound from '#server/workflow/parts.ts';
import { guardUnits } from '#server/workflow/unitLocks.ts';
import { readSns, scanUnit, type Unit } from '#server/workflow/units.ts';
import { assemble, validateSn } from './contract.ts';
import { recordAssembly } from './store.ts';

export const assembleRoutes = [
  route(validateSn, async (input, ctx) => {
    const unit = await scanUnit(ctx, input.sn, 'assemble');
    refuseIfAny(problemsOfDevice(unit.type, unit.sn));
    const { item, boardCount } = await itemOf(ctx, unit);
    return {
      sn: unit.sn,
      mtbId: unit.mtbId,
      item: { ...item, boardCount },
      boundParts: (await bound.partsBoundTo(ctx, [unit.sn])).map(({ deviceSn: _, ...it }) => it),
    };
  }),

  /** A device is put together; its former bindings are closed and the new ones written. Rule: events#e17. */
  route(assemble, async (input, ctx) => {
    const [sn] = readSns([input.sn], () => 'sn') as [string];
    const entered = input.partsList.map((it) => partOf(it.sn, it.component_type ?? '', it.qrCodeNum ?? ''));
    refuseIfAny(problemsOfParts(sn, entered));
    const sns = entered.map((it) => it.sn);
    await bound.lockParts(ctx, sns);
    const [unit] = (await guardUnits(ctx, [sn], 'assemble', { besides: sns })) as [Unit];
    refuseIfAny(problemsOfDevice(unit.type, sn));
    refuseIfAny(await bound.problemsOfNewParts(ctx, sn, sns, (i) => `partsList.${i}.sn`, problemsOfPartInside));

    const parts = entered.map((it) => ({ ...it, qrCodeNum: it.qrCodeNum || null }));
    const asbId = await ctx.numbers.next('ASB');
    const { archive, shelves } = await bound.putTogether(ctx, unit, parts, { step: 'assemble', billId: asbId });
    await recordAssembly(ctx, asbId, unit, parts, archive);
    const move = moveOf(unit, 'assemble');
    await moveUnits(ctx, [move], 'assemble', asbId);
    await ledger(ctx, {
      what: 'assemble',
      module: 'rmaAssembleBill',
      recordId: asbId,
      from: { sn, node: unit.ivyId, powerSn: unit.powerSn, shelves },
      to: { sn, node: move.to, parts: sns },
    });
    return { asbId, sn, nextNode: move.to };
  }),
];
