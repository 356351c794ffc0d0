import { sql } from 'kysely';
import { DeliverStatus, Flag, undeliveredItems } from '#domain/enums.ts';
import { Node } from '#domain/nodes.ts';
import type { Context } from '#server/context.ts';
import { touchSql } from '#server/touch.ts';
import { hasReceived, recountLines, reopenBills, settleLeft } from '#server/workflow/bills.ts';
import { findLineChange, wasLetGo, type ItemLeft } from '#server/workflow/lineChanges.ts';
import { forgetCode, moveToLine, recode } from '#server/workflow/lines.ts';
import { leavesStockup, tallyAsBefore } from '#server/workflow/stockup.ts';
import type { Unit } from '#server/workflow/units.ts';
import { laterFirst, moveBack, unitNow } from './records.ts';
import type { RecordedStep, Undo } from './step.ts';

/**
 * Which of a move's parts were asked for, where to, and where the goods go from there if that was new.
 * Rule: events#e32.
 */
interface Moved {
  mtblId: string;
  moveBillFlag: string;
  deliverFlag: string;
  splitDeliverFlag: string;
  deliverSiteId?: string | null;
  deliverShipId?: string | null;
}

/** The unit is on its former bill and line again, and ships with whom and where to it did before. Rule: events#e32. */
export const undoMove: Undo = async (ctx, step, unit, remark) => {
  const change = await findLineChange<Moved>(ctx, step);
  if (!change) throw laterFirst(step.step);
  const { was, to } = change;
  const moved = to.moveBillFlag === Flag.Yes;
  await refuseGone(ctx, step, unit, { was, line: moved ? to.mtblId : was.mtblId });
  const delivers = to.deliverFlag === Flag.Yes || to.splitDeliverFlag === Flag.Yes;
  const left = delivers ? await leavesStockup(ctx, [was.mtbliId]) : [];
  if (moved) await backToLine(ctx, unit, was);
  const shipsAsBefore = await shipAsBefore(ctx, was, to);
  await moveBack(ctx, step, unit, remark);
  // What was let go by a stock-up bill that was cancelled waits again, unless it was held back then and was freed since.
  if (left.length > 0 && !wasLetGo(was)) {
    await tallyAsBefore(ctx, await unitNow(ctx, unit), shipsAsBefore ? was.tally : null);
  }
  if (moved) await settleBoth(ctx, unit, was);
  return { mtbliId: was.mtbliId, mtbId: unit.mtbId, mtblId: unit.mtblId };
};

/**
 * What a change of item set: the code that is sent, or the lines of the right code, some of them made for it.
 * Rule: events#e31.
 */
interface Changed {
  salesCode: string;
  replaceFlag: string;
  mtblIds: string[];
  made: string[];
}

/**
 * Nothing else is sent for the item, or its unit is of its former model again, on the line of that. Rule: events#e31.
 */
export const undoItemChange: Undo = async (ctx, step, unit, remark) => {
  const change = await findLineChange<Changed>(ctx, step);
  if (!change) throw laterFirst(step.step);
  const { was, to } = change;
  const corrected = to.replaceFlag === Flag.Yes;
  const own = to.mtblIds.find((it) => it === unit.mtblId);
  await refuseGone(ctx, step, unit, { was, line: corrected ? own : was.mtblId });
  if (corrected) {
    await backToLine(ctx, unit, was);
    await recode(ctx, [was], { salesCode: was.unitSalesCode, name: was.unitItemName });
    if (was.archived) await forgetCode(ctx, was.mtbliId, to.salesCode, was.archived);
    await dropEmpty(ctx, to.made);
    await recountLines(ctx.db, [was.mtblId, unit.mtblId as string]);
  } else if (!(await promiseAsBefore(ctx, was, to.salesCode))) {
    throw laterFirst(step.step);
  }
  await moveBack(ctx, step, unit, remark);
  return { mtbliId: was.mtbliId, mtblId: unit.mtblId };
};

/** The item must still be where the step left it, and be open, and what it goes back to must be there. */
async function refuseGone(
  { db }: Context,
  { step }: RecordedStep,
  unit: Unit,
  { was, line }: { was: ItemLeft; line: string | undefined },
): Promise<void> {
  const { deliverStatus } = unit;
  const isOpen = undeliveredItems.includes(deliverStatus ?? '');
  const { rows } = await sql<{ there: boolean }>`
    SELECT EXISTS (SELECT 1 FROM rma_maintain_bill_line AS l JOIN rma_maintain_bill AS b ON b."mtbId" = l."mtbId"
                    WHERE l."mtblId" = ${was.mtblId} AND l."mtbId" = ${was.mtbId})
       AND (${was.deliverMtbId}::text IS NULL
            OR EXISTS (SELECT 1 FROM rma_maintain_bill WHERE "mtbId" = ${was.deliverMtbId})) AS there`.execute(db);
  if (!isOpen || unit.mtblId !== line || !rows[0]?.there) throw laterFirst(step);
}

/** Item, unit and what waits on a stock-up bill are on the former line, which counts them again if it did. */
async function backToLine(ctx: Context, unit: Unit, was: ItemLeft): Promise<void> {
  const { mtbId, mtblId, counted } = was;
  const line = await ctx.db
    .selectFrom('rma_maintain_bill_line')
    .select('productName')
    .where('mtblId', '=', mtblId)
    .executeTakeFirstOrThrow();
  await moveToLine(ctx, [was], { mtbId, mtblId, productName: line.productName ?? was.unitItemName });
  await sql`
    UPDATE rma_maintain_bill_line
       SET count = greatest(coalesce(count, 0) + CASE WHEN "mtblId" = ${mtblId} THEN ${counted ? 1 : 0} ELSE -1 END, 0),
           ${touchSql(ctx.currentUser)}
     WHERE "mtblId" IN (${mtblId}, ${unit.mtblId})`.execute(ctx.db);
}

/**
 * Whether it goes where it went before: a site that was chosen since the move is kept. No site of its own is the one
 * where the item is.
 */
async function shipAsBefore({ db, currentUser }: Context, was: ItemLeft, to: Moved): Promise<boolean> {
  const back = (name: 'deliverSiteId' | 'deliverShipId') => {
    const unset = name === 'deliverSiteId' ? sql.ref('siteId') : sql`NULL`;
    return sql`
      CASE WHEN coalesce(${sql.ref(name)}, ${unset}) IS NOT DISTINCT FROM coalesce(${to[name] ?? was[name]}::text, ${unset})
           THEN ${was[name]}::text ELSE ${sql.ref(name)} END`;
  };
  const { rows } = await sql<Pick<ItemLeft, 'deliverSiteId' | 'deliverShipId'>>`
    UPDATE rma_maintain_bill_line_item
       SET "deliverMtbId" = ${was.deliverMtbId}, "deliverGroup" = ${was.deliverGroup},
           "deliverSiteId" = ${back('deliverSiteId')}, "deliverShipId" = ${back('deliverShipId')},
           ${touchSql(currentUser)}
     WHERE "mtbliId" = ${was.mtbliId}
    RETURNING "deliverSiteId", "deliverShipId"`.execute(db);
  return rows[0]?.deliverSiteId === was.deliverSiteId && rows[0].deliverShipId === was.deliverShipId;
}

/** Both lines count anew; the bill to which the unit returns is open, the one that it leaves may be finished. */
async function settleBoth(ctx: Context, unit: Unit, was: ItemLeft): Promise<void> {
  const left = unit.mtbId as string;
  await recountLines(ctx.db, [was.mtblId, unit.mtblId as string]);
  await hasReceived(ctx, was.mtbId);
  await reopenBills(ctx.db, [was.mtbId]);
  await settleLeft(ctx, [left]);
}

/**
 * Whether it could be: not when another model was promised since, or a machine goes out in advance because of this one.
 * Choosing the model of its own line ended a promise. Rule: events#e31, events#e37.
 */
async function promiseAsBefore({ db, currentUser }: Context, was: ItemLeft, salesCode: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE rma_maintain_bill_line_item AS i
       SET "deliverSalesCode" = ${was.deliverSalesCode}, exchange = ${was.exchange}, ${touchSql(currentUser, 'i')}
      FROM rma_inventory AS u
     WHERE i."mtbliId" = ${was.mtbliId} AND u."mtbliId" = i."mtbliId"
       AND (i."deliverSalesCode" = ${salesCode} OR (i."deliverSalesCode" IS NULL AND ${salesCode === was.salesCode}))
       AND (${was.exchange === Flag.Yes} OR u."ivyId" = ${sql.lit(Node.CanShip)}
            OR (i.stockup IS DISTINCT FROM ${sql.lit(Flag.Yes)}
                AND i."deliverStatus" <> ${sql.lit(DeliverStatus.CanShip)}))`.execute(db);
  return Number(numAffectedRows) > 0;
}

/** The lines that the step had made go with their last item. */
async function dropEmpty({ db }: Context, made: readonly string[]): Promise<void> {
  await sql`
    DELETE FROM rma_maintain_bill_line AS l
     WHERE l."mtblId" = ANY(${made}) AND l.count = 0
       AND NOT EXISTS (SELECT 1 FROM rma_maintain_bill_line_item AS i WHERE i."mtblId" = l."mtblId")`.execute(db);
}
