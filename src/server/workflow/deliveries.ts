import { sql } from 'kysely';
import { DeliverStatus, Flag, SubmitType } from '#domain/enums.ts';
import type { Context } from '#server/context.ts';
import { recountStockup } from '#server/workflow/stockup.ts';
import type { Unit } from '#server/workflow/units.ts';

/** A delivery as its deliver bill keeps it. */
export interface KeptDelivery {
  dvbId: string;
  skbId: string | null;
  mtbliId: string;
  sn: string;
}

/** Takes the delivery of an item off its deliver bill; every delivery of an item has exactly one line. Decisions 2, 1.3. */
export async function takeOffDelivery({ db }: Context, mtbliId: string): Promise<KeptDelivery | undefined> {
  const rows = await db
    .deleteFrom('rma_deliver_bill_line')
    .where('mtbliId', '=', mtbliId)
    .returning(['dvbId', 'skbId', 'mtbliId', 'sn'])
    .execute();
  await sql`
    DELETE FROM rma_deliver_bill AS b
     WHERE b."dvbId" = ANY(${rows.map((it) => it.dvbId)})
       AND NOT EXISTS (SELECT 1 FROM rma_deliver_bill_line AS l WHERE l."dvbId" = b."dvbId")`.execute(db);
  return rows[0] as KeptDelivery | undefined;
}

/** The item is not delivered any more; what the delivery wrote on it is taken back. */
export async function clearDelivery({ db, who }: Context, mtbliId: string, deliverStatus: string): Promise<void> {
  await sql`
    UPDATE rma_maintain_bill_line_item
       SET "deliverStatus" = ${deliverStatus}, "deliverTime" = NULL, "deliverShipNo" = NULL, "deliverSn" = NULL,
           "deliverSalesCode" = CASE WHEN exchange = '1' THEN "deliverSalesCode" END, version = version + 1,
           "updateBy" = ${who.userId}, "updateTime" = now()
     WHERE "mtbliId" = ${mtbliId} AND "deliverStatus" = ${DeliverStatus.Shipped}`.execute(db);
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
    rows.map((it) => it.skbId as string),
  );
}

/** A delivery that nobody scanned: the deliver bill that every delivered item has. */
export async function recordByHand(ctx: Context, unit: Unit): Promise<string> {
  const { db, who } = ctx;
  const dvbId = await ctx.numbers.next('DVB');
  const createBy = who.userId;
  await db
    .insertInto('rma_deliver_bill')
    .values({ dvbId, submitType: SubmitType.WithSn, userId: createBy, siteId: who.siteId, createBy })
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
      version: sql`version + 1`,
      updateBy: who.userId,
      updateTime: sql`now()`,
    })
    .where('mtbliId', '=', unit.mtbliId)
    .execute();
  return dvbId;
}
