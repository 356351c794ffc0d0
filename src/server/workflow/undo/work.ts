import { sql } from 'kysely';
import { ComponentType } from '#domain/assembly.ts';
import { Flag, OperateStatus } from '#domain/enums.ts';
import { Node } from '#domain/nodes.ts';
import { refuseIfAny, Refusal } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import { anyOf } from '#server/db/conditions.ts';
import { touchSql } from '#server/touch.ts';
import { leftAs } from '#server/workflow/deliveries.ts';
import { NO_WAREHOUSE, rolledBackSql } from '#server/workflow/moves.ts';
import { findDevice, lockParts, partsBoundTo, validateFreeParts } from '#server/workflow/parts.ts';
import { tallyAs } from '#server/workflow/stockup.ts';
import { lockUnits } from '#server/workflow/unitLocks.ts';
import type { Unit } from '#server/workflow/units.ts';
import { beforeStep, laterFirst, moveBack, now, takeOffRecord } from './records.ts';
import type { RecordedStep, Undo } from './step.ts';

/**
 * What was assembled is taken apart: the former parts are bound again, those from the stock lie where they lay. Refused
 * when one of them is elsewhere by now. Rule: events#e17.
 */
export const undoAssembly: Undo = async (ctx, step, unit, remark) => {
  await takeApart(ctx, step, unit.sn, remark);
  const { asbId: head, taken: removed } = await takeOffAssembly(ctx, step);
  await moveBack(ctx, step, unit, remark);
  if (unit.mtbliId) await restorePower(ctx, step, unit.mtbliId);
  return { asbId: head, taken: removed };
};

/** Parts that were made up for a device on the shelf are taken out again; it stays there. Rule: events#e27. */
export const undoRebind: Undo = async (ctx, step, unit, remark) => {
  await takeApart(ctx, step, unit.sn, remark);
  await moveBack(ctx, step, unit, remark);
  if (unit.mtbliId) await restorePower(ctx, step, unit.mtbliId);
  return { rebound: step.billId };
};

const repairs = { head: 'rma_repair_bill', lines: 'rma_repair_bill_line', by: 'rpbId' };

/**
 * A repair is undone: boards that were taken out are back in the device and no scrap any more. Rule: events#e15,
 * events#e16.
 */
export const undoRepair: Undo = async (ctx, step, unit, remark) => {
  const repaired = await repairedSn(ctx, step);
  // A part that was taken out comes back with the device, or with the part that took its place.
  if (step.toNode === Node.Scrapped) {
    throw repaired === step.sn ? laterFirst(step.step) : goesAlong(step.sn, repaired);
  }
  if (repaired !== step.sn && step.toNode !== null) return undoExchange(ctx, step, unit, remark, repaired);
  const boards = await takeApart(ctx, step, unit.sn, remark);
  const removed = await takeOffRecord(ctx, repairs, step.billId, 'all');
  await moveBack(ctx, step, unit, remark);
  return { taken: removed, boards };
};

/** The unit that the repair bill is about. */
async function repairedSn({ db }: Context, step: RecordedStep): Promise<string> {
  const row = await db.selectFrom('rma_repair_bill').select('sn').where('rpbId', '=', step.billId).executeTakeFirst();
  return row?.sn ?? step.sn;
}

/**
 * The old part waits for its repair on its bill again, the new one is where it was before it took the place.
 * Rule: events#e16.
 */
async function undoExchange(ctx: Context, step: RecordedStep, unit: Unit, remark: string, old: string) {
  const { db } = ctx;
  const { mtbId, mtblId, mtbliId } = unit;
  await bringBoardsBack(ctx, step, [old], remark);
  const removed = await takeOffRecord(ctx, repairs, step.billId, 'all');
  await moveBack(ctx, step, unit, remark);
  await db
    .updateTable('rma_inventory')
    .set({ mtbId: null, mtblId: null, mtbliId: null })
    .where('sn', '=', unit.sn)
    .execute();
  await db.updateTable('rma_inventory').set({ mtbId, mtblId, mtbliId }).where('sn', '=', old).execute();
  await sql`
    UPDATE rma_maintain_bill_line_item
       SET exchange = ${Flag.No}, ${touchSql(ctx.currentUser)}
     WHERE "mtbliId" = ${mtbliId} AND "receiveSn" = ${old} AND "deliverSalesCode" IS NULL`.execute(db);
  if (mtbliId) await tallyAs(ctx, mtbliId, old);
  return { taken: removed, boards: [old] };
}

async function takeOffAssembly(ctx: Context, step: RecordedStep) {
  const assemblies = { head: 'rma_assemble_bill', lines: 'rma_assemble_bill_line', by: 'asbId' };
  return { asbId: step.billId, taken: await takeOffRecord(ctx, assemblies, step.billId, 'all') };
}

/** The device is made of what it was made of before the step; gives the parts that have a step of their own in it. */
async function takeApart(ctx: Context, step: RecordedStep, deviceSn: string, remark: string): Promise<string[]> {
  if (step.toNode === null) throw goesAlong(step.sn, (await findDevice(ctx, step.sn)) ?? deviceSn);
  // Only a part comes from inside.
  if (step.fromNode === null) throw goesAlong(step.sn, (await deviceOf(ctx, step)) ?? deviceSn);
  const boards = await readParts(ctx, step);
  await bringBoardsBack(ctx, step, boards, remark);
  await layBack(ctx, step);
  await rebind(ctx, step, deviceSn);
  return boards;
}

/** The device in whose step a part was taken out. */
async function deviceOf({ db }: Context, step: RecordedStep): Promise<string | undefined> {
  const row = await db
    .selectFrom('rma_transaction')
    .select('sn')
    .where('billId', '=', step.billId)
    .where('step', '=', step.step)
    .where('fromNode', 'is not', null)
    .where('toNode', 'is not', null)
    .executeTakeFirst();
  return row?.sn;
}

/** A part's step is undone with that of its device. */
const goesAlong = (sn: string, device: string): Refusal =>
  new Refusal({ key: 'goesAlong', field: 'id', args: { sn, device } });

/** What a step bound is unbound, what it unbound at that moment is bound again. */
async function rebind(ctx: Context, step: RecordedStep, deviceSn: string): Promise<void> {
  const { rows } = await sql<{ componentSn: string }>`
    SELECT a."componentSn" FROM ubs_assembly AS a JOIN rma_transaction AS t ON t.id = ${step.id}
     WHERE a."deviceSn" = ${deviceSn} AND a."unbindTime" = t."eventTime"`.execute(ctx.db);
  const former = rows.map((it) => it.componentSn);
  await lockParts(ctx, former);
  await lockUnits(ctx.db, former);
  if (await haveGoneOn(ctx, step, former)) throw laterFirst(step.step);
  refuseIfAny(await validateFreeParts(ctx, deviceSn, former, () => 'id'));
  await sql`
    DELETE FROM ubs_assembly
     WHERE "deviceSn" = ${deviceSn} AND "billId" = ${step.billId} AND "unbindTime" IS NULL`.execute(ctx.db);
  await sql`
    UPDATE ubs_assembly AS a
       SET "unbindTime" = NULL, ${touchSql(ctx.currentUser, 'a')}
      FROM rma_transaction AS t
     WHERE t.id = ${step.id} AND a."deviceSn" = ${deviceSn} AND a."unbindTime" = t."eventTime"`.execute(ctx.db);
}

/** The item knows the power that it knew before; of a step that did not keep it, the one in the unit or of its check. */
async function restorePower(ctx: Context, step: RecordedStep, mtbliId: string): Promise<void> {
  const { sn } = step;
  const before = await beforeStep(ctx, {
    ...itemLedgers[step.step as keyof typeof itemLedgers],
    recordId: step.billId,
  });
  if ('powerSn' in before) {
    const powerSn = before['powerSn'] as string | null;
    await ctx.db
      .updateTable('rma_maintain_bill_line_item')
      .set({ powerSn, ...now(ctx) })
      .where('mtbliId', '=', mtbliId)
      .execute();
    return;
  }
  const parts = await partsBoundTo(ctx, [sn]);
  const power = parts.find((it) => it.componentType === ComponentType.Power)?.componentSn ?? null;
  await sql`
    UPDATE rma_maintain_bill_line_item
       SET "powerSn" = coalesce(${power}::text, (SELECT l."powerSn" FROM rma_check_bill_line AS l
                                                  WHERE l.sn = ${sn} AND l.disposition IS NOT NULL
                                                  ORDER BY l.id DESC LIMIT 1)),
           ${touchSql(ctx.currentUser)}
     WHERE "mtbliId" = ${mtbliId}`.execute(ctx.db);
}

/** Whether something was done since with one of these parts by itself: it is on a shelf, scrap, or in hand. */
async function haveGoneOn({ db }: Context, step: RecordedStep, sns: readonly string[]): Promise<boolean> {
  const later = await db
    .selectFrom('rma_transaction')
    .select('id')
    .where('sn', '=', anyOf(sns))
    .where('id', '>', step.id)
    .where('operateStatus', '=', OperateStatus.Normal)
    .limit(1)
    .executeTakeFirst();
  return later !== undefined;
}

/** The parts that a step took out of the device or put into it: their own steps under the same bill. */
async function readParts({ db }: Context, step: RecordedStep): Promise<string[]> {
  const rows = await db
    .selectFrom('rma_transaction')
    .select('sn')
    .where('billId', '=', step.billId)
    .where('step', '=', step.step)
    .where('operateStatus', '=', OperateStatus.Normal)
    .where('sn', '!=', step.sn)
    .orderBy('sn')
    .execute();
  return rows.map((it) => it.sn);
}

/** Parts of the stock lie where they lay before they went into the device: the ledger's row of the action has it. */
async function layBack({ db }: Context, step: RecordedStep): Promise<void> {
  const { what, module } = itemLedgers[step.step as keyof typeof itemLedgers];
  await sql`
    UPDATE rma_inventory AS u SET "subinventoryCode" = s."subinventoryCode", "storageType" = s."storageType"
      FROM ledger AS l,
           jsonb_to_recordset(coalesce(l.before -> 'shelves', '[]'))
             AS s(sn text, "subinventoryCode" text, "storageType" text)
     WHERE l.module = ${module} AND l."recordId" = ${step.billId} AND l.what = ${what} AND u.sn = s.sn`.execute(db);
}

/** Where the ledger has what a step took from the stock. */
const itemLedgers = {
  repair: { what: 'repair', module: 'rmaRepairBill' },
  assemble: { what: 'assemble', module: 'rmaAssembleBill' },
  rebind: { what: 'rebindSn', module: 'rmaDeliverBill' },
} as const;

/** Each board is where it was before the step; refused when one has gone on since. */
async function bringBoardsBack(
  ctx: Context,
  step: RecordedStep,
  boards: readonly string[],
  remark: string,
): Promise<void> {
  if (boards.length === 0) return;
  const { db, currentUser } = ctx;
  await lockUnits(db, boards);
  const { numAffectedRows } = await sql`
    UPDATE rma_inventory AS u
       SET "ivyId" = t."fromNode", "subinventoryCode" = nullif(t."fromSubinventoryCode", ${NO_WAREHOUSE}),
           "storageType" = t."fromStorageType", "mtbId" = p."mtbId", "mtblId" = p."mtblId",
           "mtbliId" = p."mtbliId", ${touchSql(currentUser, 'u')}
      FROM rma_transaction AS t
      LEFT JOIN LATERAL (SELECT i."mtbId", i."mtblId", i."mtbliId" FROM rma_maintain_bill_line_item AS i
                          WHERE ${leftAs('i', sql`t.sn`)}
                          ORDER BY i."deliverTime" DESC LIMIT 1) AS p ON t."fromNode" = ${sql.lit(Node.Shipped)}
     WHERE u.sn = ANY(${boards}) AND t.sn = u.sn AND t."billId" = ${step.billId} AND t.step = ${step.step}
       AND t."operateStatus" = ${sql.lit(OperateStatus.Normal)} AND u."ivyId" IS NOT DISTINCT FROM t."toNode"
       AND NOT EXISTS (SELECT 1 FROM rma_transaction AS later
                        WHERE later.sn = t.sn AND later.id > t.id
                          AND later."operateStatus" = ${sql.lit(OperateStatus.Normal)})`.execute(db);
  if (Number(numAffectedRows) !== boards.length) throw laterFirst(step.step);
  await sql`
    INSERT INTO rma_transaction
      (sn, "mtbId", "mtbliId", "siteId", step, "billId", "fromNode", "toNode", "operateStatus", "eventTime", "userId",
       "createBy", note)
    SELECT sn, "mtbId", "mtbliId", "siteId", 'rollback', "billId", "toNode", "fromNode", ${OperateStatus.Rollbacked}, now(),
           ${currentUser.userId}, ${currentUser.userId}, ${remark}
      FROM rma_transaction
     WHERE sn = ANY(${boards}) AND "billId" = ${step.billId} AND step = ${step.step}
       AND "operateStatus" = ${sql.lit(OperateStatus.Normal)}`.execute(db);
  await sql`
    UPDATE rma_transaction SET ${rolledBackSql}, ${touchSql(currentUser)}
     WHERE sn = ANY(${boards}) AND "billId" = ${step.billId} AND step = ${step.step}
       AND "operateStatus" = ${sql.lit(OperateStatus.Normal)}`.execute(db);
}
