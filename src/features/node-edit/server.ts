import { validateNotOnBill } from '#domain/hold.ts';
import type { Node } from '#domain/nodes.ts';
import { refuseIfAny, Refusal } from '#domain/refusal.ts';
import { seesSite, type Context } from '#server/context.ts';
import { recordInLedger } from '#server/ledger.ts';
import { route } from '#server/route.ts';
import { refuseFormer } from '#server/workflow/names.ts';
import { findDevice, devicesAround } from '#server/workflow/parts.ts';
import { setUnitNode } from '#server/workflow/placing.ts';
import { holdUnits } from '#server/workflow/unitLocks.ts';
import { readSns, readUnits, type Unit } from '#server/workflow/units.ts';
import { modifyIvyId } from './contract.ts';
import { validateMove, validateNode, validateNotInDevice } from './rules.ts';

export const nodeEditRoutes = [
  /** A unit is put to any of the nine nodes; item, line, stock-up and bill follow. Rule: events#e36. */
  route(modifyIvyId, async (input, ctx) => {
    const [sn] = readSns([input.sn], () => 'sn') as [string];
    const to = (input.ivyId ?? '').trim() as Node;
    refuseIfAny(validateNode(to));
    const found = (await holdUnits(ctx.db, [sn])).get(sn);
    if (!found) await refuseFormer(ctx, [sn]);
    const unit = unitOrRefuse(ctx, sn, found);
    refuseIfAny(validateNotOnBill(unit, 'sn'));
    refuseIfAny(validateMove(sn, unit.ivyId, to));
    const around = (await devicesAround(ctx, [sn])).get(sn) ?? null;
    refuseIfAny(validateNotInDevice(sn, unit.ivyId, { device: await findDevice(ctx, sn), around }));
    const note = input.remark?.trim() ?? '';
    const was = await setUnitNode(ctx, unit, to, { step: 'modifyNode', note });
    const after = (await readUnits(ctx.db, [sn])).get(sn);
    await recordInLedger(ctx, {
      what: 'modifyIvyId',
      module: 'rmaInventory',
      recordId: sn,
      from: {
        node: unit.ivyId,
        deliverStatus: unit.deliverStatus,
        billStatus: unit.billStatus,
        held: unit.held,
        ...(was && { items: { [sn]: was } }),
      },
      to: { node: to, deliverStatus: after?.deliverStatus, billStatus: after?.billStatus, remark: note },
    });
    return { sn, ivyId: to, billStatus: after?.billStatus ?? null };
  }),
];

/** A unit of the user's sites; of another site's no more is said than that. Rule: rights#other-sites. */
function unitOrRefuse({ currentUser }: Context, sn: string, unit: Unit | undefined): Unit {
  if (!unit) throw new Refusal({ key: 'notFound', field: 'sn', args: { what: 'SN', value: sn } });
  if (!seesSite(currentUser, unit.siteId)) throw new Refusal({ key: 'otherSite', field: 'sn', args: { sn } });
  return unit;
}
