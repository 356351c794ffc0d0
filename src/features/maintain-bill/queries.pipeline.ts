import { sql, type RawBuilder } from 'kysely';
import { BillStatus, DeliverStatus, Flag, ReceiveStatus, type StockupStatus } from '#domain/enums.ts';
import { Node } from '#domain/nodes.ts';
import { stepNodes, type Stage, type StageCount } from '#domain/pipeline.ts';
import type { Context } from '#server/context.ts';
import { inSites } from '#server/db/conditions.ts';
import type { Row } from '#server/engine/rows.ts';
import { itemIsUnreceived, stockupShips } from '#server/workflow/states.ts';

/** The stage of an item `i` of the bill `b`, whose unit is `u`. Rule: bills#pipeline. */
const stageOf = sql`CASE
  WHEN i."deliverStatus" = ${sql.lit(DeliverStatus.Shipped)} THEN 'delivered'
  WHEN i."deliverStatus" = ${sql.lit(DeliverStatus.BoughtOut)} THEN CASE WHEN b.own THEN 'stocked' ELSE 'boughtOut' END
  WHEN i."deliverStatus" = ${sql.lit(DeliverStatus.Scrapped)} AND i.scrap = ${sql.lit(Flag.Yes)} THEN 'scrapped'
  WHEN i."deliverStatus" = ${sql.lit(DeliverStatus.Scrapped)} THEN 'discarded'
  WHEN i."receiveStatus" = ${sql.lit(ReceiveStatus.NotReceived)} THEN 'notReceived'
  WHEN ${itemIsUnreceived('i')} THEN CASE WHEN b.signed THEN 'receive' ELSE 'signFor' END
  ${sql.join(
    stepNodes.map(({ step, node }) => sql`WHEN u."ivyId" = ${sql.lit(node)} THEN ${sql.lit(step)}`),
    sql` `,
  )}
  WHEN i."deliverStatus" = ${sql.lit(DeliverStatus.CanShip)} THEN 'deliver'
  WHEN u."ivyId" = ${sql.lit(Node.Scrapped)} THEN 'scrapped'
  ELSE 'receive' END`;

/** All items of the bill that the user sees, each with its unit, its stage and since when it is there. */
const itemsOf = (mtbId: string, { currentUser }: Context): RawBuilder<unknown> => sql`
  bill AS (
    SELECT "mtbId", "createTime", "billType" IS NOT NULL AS own,
           "billStatus" <> ${sql.lit(BillStatus.Awaiting)}
           OR EXISTS (SELECT FROM rma_arrival_bill AS a WHERE a."mtbId" = ${mtbId}) AS signed
      FROM rma_maintain_bill WHERE "mtbId" = ${mtbId}),
  placed AS MATERIALIZED (
    SELECT i.id, i."mtblId", i."mtbliId", coalesce(u.sn, i."receiveSn") AS sn, u.sn AS "unitSn", ${stageOf} AS stage,
           i.warranty, i."deliverShipNo",
           CASE WHEN i."deliverStatus" = ${sql.lit(DeliverStatus.Shipped)} THEN i."deliverTime"
                WHEN ${itemIsUnreceived('i')} THEN b."createTime"
                ELSE coalesce(u."updateTime", u."createTime", i."updateTime", i."createTime") END AS since
      FROM rma_maintain_bill_line_item AS i
      JOIN bill AS b ON b."mtbId" = i."mtbId"
      LEFT JOIN (SELECT DISTINCT ON ("mtbliId") "mtbliId", sn, "ivyId", "updateTime", "createTime"
                   FROM rma_inventory WHERE "mtbId" = ${mtbId} ORDER BY "mtbliId", id DESC) AS u
             ON u."mtbliId" = i."mtbliId"
     WHERE i."mtbId" = ${mtbId} AND ${inSites('i.siteId', currentUser)})`;

const millis = (moment: RawBuilder<unknown>) => sql`floor(extract(epoch FROM ${moment}) * 1000)::float8`;

interface Progress {
  stages: StageCount[];
  warranties: { warranty: string; count: number }[];
  shipments: { deliverShipNo: string; count: number }[];
}

/** How many items stand at each stage, and what else is counted over all of them: in one statement. */
export async function readProgress(ctx: Context, mtbId: string): Promise<Progress> {
  const { rows } = await sql<Progress>`
    WITH ${itemsOf(mtbId, ctx)}
    SELECT (SELECT coalesce(json_agg(s), '[]')
              FROM (SELECT stage, count(*)::int AS count, ${millis(sql`min(since)`)} AS oldest
                      FROM placed GROUP BY stage) AS s) AS stages,
           (SELECT coalesce(json_agg(w ORDER BY w.warranty), '[]')
              FROM (SELECT warranty, count(*)::int AS count
                      FROM placed WHERE warranty <> '' GROUP BY warranty) AS w) AS warranties,
           (SELECT coalesce(json_agg(d ORDER BY d."deliverShipNo"), '[]')
              FROM (SELECT "deliverShipNo", count(*)::int AS count
                      FROM placed WHERE "deliverShipNo" <> '' GROUP BY "deliverShipNo" LIMIT 20) AS d) AS shipments`.execute(
    ctx.db,
  );
  return rows[0] as Progress;
}

/** An item with its own columns, and what decides what may be done with it. */
export type FoundItem = Row & {
  id: number;
  mtblId: string;
  mtbliId: string;
  mtbId: string;
  /** Of its unit; before that has come, and after it has left the bill, the one that was received. */
  sn: string | null;
  unitSn: string | null;
  stage: Stage;
  since: number | null;
  salesCode: string | null;
  itemName: string | null;
  productName: string | null;
  type: string | null;
  siteId: string;
  receiveSn: string | null;
  receiveStatus: string | null;
  deliverStatus: string | null;
  deliverPriority: string | null;
  scrap: string | null;
  checkTime: number | null;
  tally: { skbId: string; siteId: string | null; status: StockupStatus } | null;
};

interface Asked {
  mtbId: string;
  mtblId: string;
  stage: string;
  pageStart: number;
  pageCount: number;
}

/**
 * A page of the items in the order in which they were declared, line by line, and how many there are in all: in one
 * statement. `names` are the item's own columns.
 */
export async function readItemPage(
  ctx: Context,
  { mtbId, mtblId, stage, pageStart, pageCount }: Asked,
  names: readonly string[],
): Promise<{ itemTotal: number; items: FoundItem[] }> {
  const { rows } = await sql<FoundItem & { itemTotal: number }>`
    WITH ${itemsOf(mtbId, ctx)},
         asked AS (SELECT p.*, l.id AS "lineId", l."salesCode", l."itemName", l."productName", l.type
                     FROM placed AS p JOIN rma_maintain_bill_line AS l ON l."mtblId" = p."mtblId"
                    WHERE (${mtblId}::text = '' OR p."mtblId" = ${mtblId}) AND (${stage}::text = '' OR p.stage = ${stage})),
         page AS (SELECT * FROM asked ORDER BY "lineId", id OFFSET ${pageStart} LIMIT ${pageCount})
    SELECT n."itemTotal", p.sn, p."unitSn", p.stage, p.since, p."salesCode", p."itemName", p."productName", p.type,
           ${sql.join(names.map((it) => sql.ref(`i.${it}`)))},
           (SELECT json_build_object('skbId', k."skbId", 'siteId', k."siteId", 'status', k.status)
              FROM rma_stockup_bill_line AS t JOIN rma_stockup_bill AS k ON k."skbId" = t."skbId"
             WHERE t."mtbliId" = i."mtbliId" AND t.sn = p.sn AND t.delivered = ${sql.lit(Flag.No)}
               AND ${stockupShips('k')}
             ORDER BY t.id DESC LIMIT 1) AS tally
      FROM (SELECT count(*)::int AS "itemTotal" FROM asked) AS n
      LEFT JOIN (page AS p JOIN rma_maintain_bill_line_item AS i ON i.id = p.id) ON true
     ORDER BY p."lineId", i.id`.execute(ctx.db);
  const itemTotal = rows[0]?.itemTotal ?? 0;
  // Past the last page the count stands alone.
  return { itemTotal, items: rows.filter((it) => it.id !== null).map(({ itemTotal: _, ...it }) => it as FoundItem) };
}

/** A bill within the user's sites. */
export async function findBill({ db, currentUser }: Context, mtbId: string) {
  return db
    .selectFrom('rma_maintain_bill')
    .select(['mtbId', 'billStatus', 'receiveShipNo', 'siteId'])
    .where('mtbId', '=', mtbId)
    .where(inSites('siteId', currentUser))
    .executeTakeFirst();
}
export type FoundBill = NonNullable<Awaited<ReturnType<typeof findBill>>>;
