import type { DataOf, InputOf } from '#domain/call.ts';
import { offeredOptions } from '#domain/definition/options.ts';
import { OperateStatus } from '#domain/enums.ts';
import { exactId } from '#domain/exact.ts';
import { Refusal, refuseIfAny } from '#domain/refusal.ts';
import { normaliseSn } from '#domain/sn.ts';
import { isUnseen } from '#domain/signs.ts';
import { atSite, seesSite, type Context } from '#server/context.ts';
import { recordInLedger } from '#server/ledger.ts';
import { route } from '#server/route.ts';
import { recordEvents } from '#server/workflow/moves.ts';
import { latestChange, namesOfOne, refuseFormer } from '#server/workflow/names.ts';
import { lockParts } from '#server/workflow/parts.ts';
import { renameUnit } from '#server/workflow/rename.ts';
import { undoSnChange } from '#server/workflow/undo/names.ts';
import { laterFirst, latestStep, markRolledBack, notUndoable } from '#server/workflow/undo/records.ts';
import { holdUnits } from '#server/workflow/unitLocks.ts';
import { readSns } from '#server/workflow/units.ts';
import { changeSn, generateSn, querySnInfo, rollbackChange } from './contract.change.ts';
import { changeById, isTaken, readObject, readPlace } from './queries.change.ts';
import { countPrint, takeNumbers } from './queries.ts';
import { serialOf } from './rules.ts';
import { shapeOf, validateChange, validateChangeable, validateFree, validateNewForm } from './rules.change.ts';

export const snChangeRoutes = [
  /** What is shown of an SN before it is changed. Refused where it may not be. Rule: labels#changing. */
  route(querySnInfo, async (input, ctx) => {
    const [sn] = readSns([input.sn], () => 'sn') as [string];
    const object = await objectOrRefuse(ctx, sn, 'sn');
    const place = await readPlace(ctx, sn);
    refuseIfAny(validateChangeable(sn, place, (it) => seesSite(ctx.currentUser, it), 'sn'));
    return {
      itemObjectId: object.id,
      sn,
      salesCode: object.salesCode,
      description: object.saleDesc ?? object.itemName,
      modelCode: object.modelCode,
      shape: shapeOf(object),
      ivyId: place.unit?.ivyId ?? null,
      siteId: place.unit?.siteId ?? null,
    };
  }),

  /** A number in the form of all that are given, of the model and version that the thing has. Rule: labels#numbers. */
  route(generateSn, async ({ itemObjectId }, ctx) => {
    const object = await readObject(ctx, { id: itemObjectId });
    if (!object) {
      const args = { what: { module: 'ubsItemObject', field: 'sn' }, value: itemObjectId };
      throw new Refusal({ key: 'notFound', field: 'itemObjectId', args });
    }
    const place = await readPlace(ctx, object.sn);
    refuseIfAny(validateChangeable(object.sn, place, (it) => seesSite(ctx.currentUser, it), 'itemObjectId'));
    for (;;) {
      const { numbers, yearWeek } = await takeNumbers(ctx, 1);
      const { modelCode, productVer } = object;
      const of = { modelCode: modelCode ?? '', productVer: productVer ?? '', yearWeek, kind: shapeOf(object) };
      const sn = serialOf(of, numbers[0] as number);
      if (await isTaken(ctx, sn)) continue;
      await recordInLedger(ctx, { what: 'generateSn', module: 'ubsItemObject', recordId: sn, to: { itemObjectId } });
      return { sn };
    }
  }),

  route(changeSn, change),
  route(rollbackChange, takeBack),
];

/**
 * The unit has another SN, and everything that is open about it goes by that; who asks for the former one is led to the
 * same unit. Refused for a unit that is away, scrap, held or another site's, and for an SN that is or was anybody
 * else's. Rule: labels#changing, events#e41, units#former-sns.
 */
async function change(input: InputOf<typeof changeSn>, ctx: Context): Promise<DataOf<typeof changeSn>> {
  const cause = (input.cause ?? '').trim();
  const remark = input.remark?.trim() ?? '';
  const oldSn = normaliseSn(input.oldSn ?? '');
  const newSn = normaliseSn(input.newSn ?? '');
  const causes = offeredOptions(ctx.model.options, 'snChangeCauses').map((it) => it.value);
  refuseIfAny(validateChange({ cause, oldSn, newSn, remark }, causes));

  await lockParts(ctx, [oldSn, newSn]);
  const { carrier: device } = await readPlace(ctx, oldSn);
  await holdUnits(ctx.db, [oldSn, ...(device ? [device.sn] : [])]);
  const object = await objectOrRefuse(ctx, oldSn, 'oldSn', true);
  const place = await readPlace(ctx, oldSn);
  refuseIfAny(validateChangeable(oldSn, place, (it) => seesSite(ctx.currentUser, it), 'oldSn'));
  refuseIfAny(validateNewForm(newSn, object.origin));
  const isItsOwn = (await namesOfOne(ctx.db, oldSn)).all.includes(newSn);
  refuseIfAny(validateFree(newSn, !isItsOwn && (await isTaken(ctx, newSn))));

  const { unit } = place;
  const siteId = unit?.siteId ?? ctx.currentUser.siteId;
  const there = atSite(ctx, siteId);
  const { id: itemObjectId, salesCode, productOrder } = object;
  await renameUnit(ctx, oldSn, newSn);
  await ctx.db
    .insertInto('ubs_sn_change_log')
    .values({
      oldSn,
      newSn,
      cause,
      remark: remark || null,
      salesCode,
      siteId,
      itemObjectId,
      operateStatus: OperateStatus.Normal,
      createBy: ctx.currentUser.userId,
    })
    .execute();
  const { mtbId = null, mtbliId = null, ivyId = null } = unit ?? {};
  const moved = { sn: newSn, mtbId, mtbliId, ivyId };
  const note = [`${oldSn} → ${newSn}`, remark].filter((it) => it !== '').join(' · ');
  await recordEvents(there, [{ unit: moved, to: moved.ivyId, note }], 'changeSn', null);
  const barcodeType = shapeOf(object);
  await countPrint(ctx, itemObjectId, { productOrder, barcodeType });
  await recordInLedger(ctx, {
    what: 'changeSn',
    module: 'ubsItemObject',
    recordId: newSn,
    from: { sn: oldSn },
    to: { sn: newSn, cause, remark, itemObjectId },
  });
  return { itemObjectId, sn: newSn, modelCode: object.modelCode ?? '', barcodeType };
}

/** A change is taken back; refused where it was already, or where something was done with the unit since. Rule: events#e41. */
async function takeBack(input: InputOf<typeof rollbackChange>, ctx: Context): Promise<DataOf<typeof rollbackChange>> {
  const remark = input.remark?.trim() ?? '';
  const label = (field: string) => ({ module: 'ubsSnChangeLog', field });
  if (isUnseen(remark)) throw new Refusal({ key: 'required', field: 'remark', args: { fields: [label('remark')] } });
  if (!input.id) throw new Refusal({ key: 'required', field: 'id', args: { fields: 'id' } });
  const what = { zh: '换号记录', en: 'SN change' };
  const id = exactId(input.id);
  const found = id === null ? undefined : await changeById(ctx, id, false);
  if (!found) throw new Refusal({ key: 'notFound', field: 'id', args: { what, value: input.id } });
  const { oldSn, newSn, itemObjectId } = found;
  if (itemObjectId === null) throw notUndoable('changeSn');
  await lockParts(ctx, [oldSn, newSn]);
  const unit = (await holdUnits(ctx.db, [newSn])).get(newSn);
  const now = await changeById(ctx, found.id, true);
  if (now?.operateStatus === OperateStatus.Rollbacked) throw new Refusal({ key: 'rolledBack', field: 'id' });
  if ((await latestChange(ctx.db, itemObjectId))?.id !== found.id) throw laterFirst('changeSn');
  const step = await latestStep(ctx, newSn);
  if (!step) throw notUndoable('changeSn');
  if (step.step !== 'changeSn') throw laterFirst(step.step);
  const ivyId = unit?.ivyId ?? null;
  if (ivyId !== step.toNode) throw new Refusal({ key: 'stale', field: 'id' });
  const there = atSite(ctx, step.siteId);
  const thing = unit ?? { sn: newSn, mtbId: null, mtbliId: null, ivyId: null, siteId: null };
  const done = await undoSnChange(there, { step: 'changeSn' }, thing, remark);
  await markRolledBack(there, step);
  await recordInLedger(ctx, {
    what: 'rollback',
    module: 'ubsSnChangeLog',
    recordId: String(found.id),
    from: done,
    to: { sn: oldSn, remark },
  });
  return { id: found.id, sn: oldSn };
}

/** The archive's record of an SN; of a former one it is said what it is called now. */
async function objectOrRefuse(ctx: Context, sn: string, field: string, hold = false) {
  const object = await readObject(ctx, { sn }, hold);
  if (object) return object;
  await refuseFormer(ctx, [sn], () => field);
  throw new Refusal({ key: 'notInArchive', field, args: { sn } });
}
