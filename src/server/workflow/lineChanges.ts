import { sql } from 'kysely';
import { DeliverStatus, Flag } from '#domain/enums.ts';
import type { Context } from '#server/context.ts';
import type { ArchivedAs } from '#server/workflow/lines.ts';
import { selectTally, type Tally } from '#server/workflow/stockup.ts';

/**
 * What an item has of its line, its unit's model and its delivery, before the office changes some of it.
 * Rule: events#e31, events#e32.
 */
interface ItemOnLine {
  mtbliId: string;
  mtbId: string;
  mtblId: string;
  /** Of the line, and of the unit. */
  salesCode: string;
  unitSalesCode: string | null;
  unitItemName: string | null;
  /** What the archive calls it; earlier versions did not ask. */
  archived?: ArchivedAs | null;
  receiveStatus: string;
  deliverStatus: string;
  stockup: string | null;
  siteId: string;
  exchange: string | null;
  deliverSalesCode: string | null;
  deliverMtbId: string | null;
  deliverGroup: string | null;
  deliverSiteId: string | null;
  deliverShipId: string | null;
  /** Its row on the stock-up bill on which it waits. */
  tally: Tally | null;
}

/** An item as it was, and whether the line that it left counts one less. */
export type ItemLeft = ItemOnLine & { counted: boolean };

/** It could ship, and a stock-up bill that was cancelled let it wait. */
export const wasLetGo = ({ deliverStatus, stockup }: ItemOnLine): boolean =>
  deliverStatus === DeliverStatus.CanShip && stockup !== Flag.Yes;

/** Items as they are now, for the ledger: a rollback makes them so again. Rule: events#e37. */
export async function itemsOnLines({ db }: Context, mtbliIds: readonly string[]): Promise<ItemOnLine[]> {
  const { rows } = await sql<ItemOnLine>`
    SELECT i."mtbliId", i."mtbId", i."mtblId", l."salesCode", u."salesCode" AS "unitSalesCode",
           u."itemName" AS "unitItemName", i."receiveStatus", i."deliverStatus", i.stockup, i."siteId", i.exchange, i."deliverSalesCode", i."deliverMtbId",
           i."deliverGroup", i."deliverSiteId", i."deliverShipId",
           ${selectTally('i')} AS tally,
           (SELECT jsonb_build_object('salesCode', o."salesCode", 'itemId', o."itemId", 'itemName', o."itemName")
              FROM ubs_item_object AS o WHERE o.sn = u.sn) AS archived
      FROM rma_maintain_bill_line_item AS i
      JOIN rma_maintain_bill_line AS l ON l."mtblId" = i."mtblId"
      LEFT JOIN rma_inventory AS u ON u."mtbliId" = i."mtbliId"
     WHERE i."mtbliId" = ANY(${mtbliIds})`.execute(db);
  return rows;
}

/** The ledger's words for them, by item. */
export const ledgerItems = (items: readonly ItemOnLine[], counted: ReadonlySet<string>): Record<string, ItemLeft> =>
  Object.fromEntries(items.map((it) => [it.mtbliId, { ...it, counted: counted.has(it.mtbliId) }]));

/** What the ledger has of a step that changed a unit's line or delivery, written in the step's own moment. */
export async function findLineChange<To>(
  { db }: Context,
  { id }: { id: number },
): Promise<{ was: ItemLeft; to: To } | undefined> {
  const { rows } = await sql<{ was: ItemLeft; to: To }>`
    SELECT g.before->'items'->u."mtbliId" AS was, g.after AS to
      FROM rma_transaction AS t
      JOIN rma_inventory AS u ON u.sn = t.sn
      JOIN ledger AS g ON g."userId" = t."userId" AND g.at = t."eventTime" AND g.what = t.step
     WHERE t.id = ${id} AND g.module = 'rmaMaintainBillLineItem' AND g.before->'items' ? u."mtbliId"
     ORDER BY g.id DESC LIMIT 1`.execute(db);
  return rows[0];
}

/** The bills to which the undoing of such a step leads back. */
export async function billsBefore(ctx: Context, step: { id: number }): Promise<string[]> {
  const change = await findLineChange(ctx, step);
  return change ? [change.was.mtbId, change.was.deliverMtbId ?? []].flat() : [];
}
