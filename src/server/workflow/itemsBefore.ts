import { sql } from 'kysely';
import { DeliverStatus, Flag } from '#domain/enums.ts';
import { Node } from '#domain/nodes.ts';
import type { Context } from '#server/context.ts';
import type { DeliveryBefore } from '#server/workflow/deliveries.ts';
import { selectTally, type Tally } from '#server/workflow/stockup.ts';

/** An item as it was before its unit was placed by hand, or given up with its bill. */
export interface ItemBefore {
  mtbliId: string;
  exchange: string | null;
  stockup: string | null;
  scrap: string | null;
  deliverStatus: string | null;
  deliverPriority: string | null;
  isOnShelf: boolean;
  /** Its row on the stock-up bill on which it waits. */
  waits?: Tally | null;
  delivery: DeliveryBefore | null;
}

/** Items as they are now, for the ledger: a rollback makes them so again. Rule: events#e37. */
export async function itemsBefore({ db }: Context, mtbliIds: readonly string[]): Promise<Map<string, ItemBefore>> {
  if (mtbliIds.length === 0) return new Map();
  const { rows } = await sql<ItemBefore>`
    SELECT i."mtbliId", i.exchange, i.stockup, i.scrap, i."deliverStatus", i."deliverPriority",
           u."ivyId" = ${Node.CanShip} AS "isOnShelf",
           ${selectTally('i')} AS waits,
           CASE WHEN i."deliverStatus" = ${DeliverStatus.Shipped} AND l.id IS NOT NULL THEN
             jsonb_build_object('bill', to_jsonb(b), 'line', to_jsonb(l), 'tally', to_jsonb(t), 'item',
               jsonb_build_object('deliverTime', i."deliverTime", 'deliverShipNo', i."deliverShipNo",
                                  'deliverSn', i."deliverSn", 'deliverSalesCode', i."deliverSalesCode",
                                  'deliverSiteId', i."deliverSiteId", 'deliverShipId', i."deliverShipId"))
           END AS delivery
      FROM rma_maintain_bill_line_item AS i
      JOIN rma_inventory AS u ON u."mtbliId" = i."mtbliId"
      LEFT JOIN rma_deliver_bill_line AS l ON l."mtbliId" = i."mtbliId"
      LEFT JOIN rma_deliver_bill AS b ON b."dvbId" = l."dvbId"
      LEFT JOIN rma_stockup_bill_line AS t ON t."mtbliId" = i."mtbliId" AND t.delivered = ${Flag.Yes}
     WHERE i."mtbliId" = ANY(${mtbliIds})`.execute(db);
  return new Map(rows.map((it) => [it.mtbliId, it]));
}

/** What the ledger has of a step's item from before it: the row that was written in the step's own moment. */
export async function itemBefore(
  { db }: Context,
  { id, sn }: { id: number; sn: string },
  { what, module, recordId }: { what: string; module: string; recordId: string | null },
): Promise<ItemBefore | undefined> {
  const row = await db
    .selectFrom('ledger')
    .select(sql<ItemBefore | null>`before->'items'->${sn}::text`.as('was'))
    .where('module', '=', module)
    .where('recordId', '=', recordId)
    .where('what', '=', what)
    .where('at', '=', sql<number>`(SELECT "eventTime" FROM rma_transaction WHERE id = ${id})`)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.was ?? undefined;
}
