import { partOf, validateDevice, validateParts } from '#domain/assembly.ts';
import { validatePartInside } from '#domain/parts.ts';
import { refuseIfAny } from '#domain/refusal.ts';
import { recordInLedger } from '#server/ledger.ts';
import { route } from '#server/route.ts';
import { recordAssembly } from '#server/workflow/assemblies.ts';
import { readItem } from '#server/workflow/items.ts';
import { createMove, moveUnits } from '#server/workflow/moves.ts';
import * as bound from '#server/workflow/parts.ts';
import { guardUnits } from '#server/workflow/unitLocks.ts';
import { readSns, scanUnit, type Unit } from '#server/workflow/units.ts';
import { assemble, validatePart, validateSn } from './contract.ts';

export const assembleRoutes = [
  route(validateSn, async (input, ctx) => {
    const unit = await scanUnit(ctx, input.sn, 'assemble');
    refuseIfAny(validateDevice(unit.type, unit.sn));
    const { item, boardCount } = await readItem(ctx, unit);
    return {
      sn: unit.sn,
      mtbId: unit.mtbId,
      item: { ...item, boardCount },
      boundParts: (await bound.partsBoundTo(ctx, [unit.sn])).map(({ deviceSn: _, ...it }) => it),
    };
  }),

  route(validatePart, async (input, ctx) => {
    const [sn, componentSn] = readSns([input.sn, input.componentSn], (i) => (i === 0 ? 'sn' : 'componentSn')) as [
      string,
      string,
    ];
    refuseIfAny(await bound.validateNewParts(ctx, sn, [componentSn], () => 'componentSn', validatePartInside));
    return { componentSn };
  }),

  /** A device is put together; its former bindings are closed and the new ones written. Rule: events#e17. */
  route(assemble, async (input, ctx) => {
    const [sn] = readSns([input.sn], () => 'sn') as [string];
    const entered = input.partsList.map((it) => partOf(it.sn, it.component_type ?? '', it.qrCodeNum ?? ''));
    refuseIfAny(validateParts(sn, entered));
    const sns = entered.map((it) => it.sn);
    await bound.lockParts(ctx, sns);
    const [unit] = (await guardUnits(ctx, [sn], 'assemble', { besides: sns })) as [Unit];
    refuseIfAny(validateDevice(unit.type, sn));
    refuseIfAny(await bound.validateNewParts(ctx, sn, sns, (i) => `partsList.${i}.sn`, validatePartInside));

    const parts = entered.map((it) => ({ ...it, qrCodeNum: it.qrCodeNum || null }));
    const asbId = await ctx.numbers.next('ASB');
    const { archive, shelves } = await bound.putTogether(ctx, unit, parts, { step: 'assemble', billId: asbId });
    await recordAssembly(ctx, asbId, unit, parts, archive);
    const move = createMove(unit, 'assemble');
    await moveUnits(ctx, [move], 'assemble', asbId);
    await recordInLedger(ctx, {
      what: 'assemble',
      module: 'rmaAssembleBill',
      recordId: asbId,
      from: { sn, node: unit.ivyId, powerSn: unit.powerSn, shelves },
      to: { sn, node: move.to, parts: sns },
    });
    return { asbId, sn, nextNode: move.to };
  }),
];
