import { sql, type RawBuilder } from 'kysely';
import { DeliverStatus, Flag, SubmitType } from '#domain/enums.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import { touch, touchSql } from '#server/touch.ts';
import { unsettle } from '#server/workflow/settled.ts';
import { endsAnew } from '#server/workflow/work.ts';
import { backOnStockup, recountStockup } from '#server/workflow/stockup.ts';
import type { Unit } from '#server/workflow/units.ts';

/** A delivery as its deliver bill keeps it. */
interface DeliveryRecord {
  dvbId: string;
  skbId: string | null;
  mtbliId: string;
  sn: string;
  promisedSalesCode: string | null;
}

/**
 * That an item is one with which this SN left: what was sent counts, which need not be what had come in for it. `= sn`
 * may be an `= ANY(…)`; either column's index serves it. Rule: stock-up#advance, events#e16.
 */
export const leftAs = (item: string, sn: RawBuilder<unknown>) => sql<boolean>`
  ${sql.ref(`${item}.deliverStatus`)} = ${DeliverStatus.Shipped}
  AND (${sql.ref(`${item}.deliverSn`)} = ${sn}
       OR (${sql.ref(`${item}.deliverSn`)} IS NULL AND ${sql.ref(`${item}.receiveSn`)} = ${sn}))`;

/**
 * The model that the office had promised instead, which an item forgets as soon as it knows what went.
 * Rule: events#e31.
 */
export const promisedTo = (mtbliId: string | null) => sql<string | null>`(
  SELECT "deliverSalesCode" FROM rma_maintain_bill_line_item WHERE "mtbliId" = ${mtbliId} AND exchange = ${Flag.Yes})`;

/**
 * The item is not delivered any more: its one line leaves the deliver bill, and the item is as it was before, with what
 * it was promised. Refused once it is settled. Rule: events#e37, money#rolled-back-steps.
 */
export async function takeBackDelivery(
  ctx: Context,
  mtbliId: string,
  deliverStatus: string,
): Promise<DeliveryRecord | undefined> {
  const { db, currentUser } = ctx;
  await unsettle(ctx, [mtbliId]);
  const destination = await readDestinationBefore(db, mtbliId);
  const rows = await db
    .deleteFrom('rma_deliver_bill_line')
    .where('mtbliId', '=', mtbliId)
    .returning(['dvbId', 'skbId', 'mtbliId', 'sn', 'promisedSalesCode'])
    .execute();
  await sql`
    DELETE FROM rma_deliver_bill AS b
     WHERE b."dvbId" = ANY(${rows.map((it) => it.dvbId)})
       AND NOT EXISTS (SELECT 1 FROM rma_deliver_bill_line AS l WHERE l."dvbId" = b."dvbId")`.execute(db);
  await sql`
    UPDATE rma_maintain_bill_line_item
       SET "deliverStatus" = ${deliverStatus}, "deliverTime" = NULL, "deliverShipNo" = NULL, "deliverSn" = NULL,
           "deliverSalesCode" = ${rows[0]?.promisedSalesCode ?? null}::text,
           "deliverSiteId" = ${destination ? sql`${destination.deliverSiteId}::text` : sql.ref('deliverSiteId')},
           "deliverShipId" = ${destination ? sql`${destination.deliverShipId}::text` : sql.ref('deliverShipId')},
           ${touchSql(currentUser)}
     WHERE "mtbliId" = ${mtbliId} AND "deliverStatus" = ${DeliverStatus.Shipped}`.execute(db);
  return rows[0] as DeliveryRecord | undefined;
}

/** From where and how an item was to go, which its delivery wrote over: the ledger's row of that has it. */
async function readDestinationBefore(db: Context['db'], mtbliId: string): Promise<Destination | null> {
  const { rows } = await sql<{ place: Destination | null }>`
    SELECT coalesce(g.before->'places'->l."mtbliId", '{}'::jsonb) AS place
      FROM rma_deliver_bill_line AS l
      JOIN ledger AS g ON g.module = 'rmaDeliverBill' AND g."recordId" = l."dvbId" AND g.what = 'deliver'
     WHERE l."mtbliId" = ${mtbliId} AND g.before ? 'places'`.execute(db);
  const destination = rows[0]?.place;
  return destination
    ? { deliverSiteId: destination.deliverSiteId ?? null, deliverShipId: destination.deliverShipId ?? null }
    : null;
}

interface Destination {
  deliverSiteId: string | null;
  deliverShipId: string | null;
}

/** The delivered line of an item leaves its stock-up bill, which counts anew. */
export async function takeOffTally(ctx: Context, mtbliId: string): Promise<void> {
  const rows = await ctx.db
    .deleteFrom('rma_stockup_bill_line')
    .where('mtbliId', '=', mtbliId)
    .where('delivered', '=', Flag.Yes)
    .returning('skbId')
    .execute();
  await recountStockup(
    ctx,
    rows.map((it) => it.skbId),
  );
}

/** All rows that say of an item that it was delivered, as the database has them. */
export interface DeliveryBefore {
  bill: { dvbId: string } | null;
  line: object;
  tally: { skbId: string; delivered: string } | null;
  item: object;
}

/**
 * The item is delivered as it was: on the deliver bill that it had, and on its stock-up bill, which counts anew and
 * lives again if it had ended for want of lines. Refused when somebody has cancelled that bill since. Rule: events#e37.
 */
export async function putBackDelivery(
  ctx: Context,
  mtbliId: string,
  { bill, line, tally, item }: DeliveryBefore,
): Promise<void> {
  const { db, currentUser } = ctx;
  if (bill) {
    await sql`
      INSERT INTO rma_deliver_bill
      SELECT was.* FROM jsonb_populate_record(NULL::rma_deliver_bill, ${JSON.stringify(bill)}::jsonb) AS was
       WHERE NOT EXISTS (SELECT 1 FROM rma_deliver_bill WHERE "dvbId" = ${bill.dvbId})`.execute(db);
  }
  await sql`
    INSERT INTO rma_deliver_bill_line
    SELECT was.* FROM jsonb_populate_record(NULL::rma_deliver_bill_line, ${JSON.stringify(line)}::jsonb) AS was`.execute(
    db,
  );
  await sql`
    UPDATE rma_maintain_bill_line_item AS i
       SET "deliverStatus" = ${DeliverStatus.Shipped}, "deliverTime" = was."deliverTime",
           "deliverShipNo" = was."deliverShipNo", "deliverSn" = was."deliverSn",
           "deliverSalesCode" = was."deliverSalesCode",
           "deliverSiteId" = coalesce(was."deliverSiteId", i."deliverSiteId"),
           "deliverShipId" = coalesce(was."deliverShipId", i."deliverShipId"),
           ${touchSql(currentUser, 'i')}
      FROM jsonb_populate_record(NULL::rma_maintain_bill_line_item, ${JSON.stringify(item)}::jsonb) AS was
     WHERE i."mtbliId" = ${mtbliId}`.execute(db);
  await endsAnew(ctx, [mtbliId]);
  if (tally && !(await backOnStockup(ctx, tally))) throw new Refusal({ key: 'stale' });
}

/** A delivery that nobody scanned: the deliver bill that every delivered item has. */
export async function recordByHand(ctx: Context, unit: Unit): Promise<string> {
  const { db, currentUser } = ctx;
  const dvbId = await ctx.numbers.next('DVB');
  const createBy = currentUser.userId;
  await db
    .insertInto('rma_deliver_bill')
    .values({ dvbId, submitType: SubmitType.WithSn, userId: createBy, siteId: currentUser.siteId, createBy })
    .execute();
  await db
    .insertInto('rma_deliver_bill_line')
    .values({
      dvbId,
      deliverItemId: unit.itemRowId,
      mtbId: unit.mtbId,
      mtbliId: unit.mtbliId,
      sn: unit.sn,
      salesCode: unit.salesCode,
      deliverSalesCode: unit.salesCode,
      promisedSalesCode: promisedTo(unit.mtbliId),
      name: unit.itemName,
      createBy,
    })
    .execute();
  await db
    .updateTable('rma_maintain_bill_line_item')
    .set({
      deliverStatus: DeliverStatus.Shipped,
      deliverTime: sql`now()`,
      deliverSn: unit.sn,
      deliverSalesCode: unit.salesCode,
      ...touch(currentUser),
    })
    .where('mtbliId', '=', unit.mtbliId)
    .execute();
  await endsAnew(ctx, unit.mtbliId ? [unit.mtbliId] : []);
  return dvbId;
}
