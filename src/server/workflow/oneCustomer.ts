import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Tables } from '#server/db/tables.ts';
import { anyOf } from '#server/db/conditions.ts';

/** Bills with which goods ship, as a subquery of their numbers. */
type Ships = RawBuilder<{ mtbId: string }>;

/** With what these items ship, or have shipped. */
export const selectItemShips = (mtbliIds: readonly string[]): Ships => sql`
  SELECT coalesce("deliverMtbId", "mtbId") AS "mtbId" FROM rma_maintain_bill_line_item WHERE "mtbliId" = ${anyOf(mtbliIds)}`;

/** What ships with this bill, and with what its goods ship. */
export const selectBillShips = (mtbId: string): Ships => sql`
  SELECT ${mtbId}::text AS "mtbId"
   UNION
  SELECT "deliverMtbId" FROM rma_maintain_bill_line_item WHERE "mtbId" = ${mtbId} AND "deliverMtbId" IS NOT NULL`;

/**
 * The bills, if any, by whose goods two customers would meet in one shipment: what ships with one bill, or has shipped with
 * it, is one customer's, also where that bill itself names nobody. What has shipped counts as well, as a delivery may be
 * taken back. Asked after what is to be judged was written, in its transaction. Rule: stock-up#one-customer.
 */
export async function customersMeet(db: Kysely<Tables>, ships: Ships): Promise<string[]> {
  const { rows } = await sql<{ named: string[] }>`
    WITH ships AS MATERIALIZED (${ships}), owners AS (
      SELECT "mtbId" AS ship, "mtbId" FROM ships
       UNION
      SELECT ships."mtbId", i."mtbId" FROM ships JOIN rma_maintain_bill_line_item AS i ON i."deliverMtbId" = ships."mtbId"
    )
    SELECT array_agg(b."mtbId" ORDER BY b."mtbId") AS named
      FROM owners JOIN rma_maintain_bill AS b ON b."mtbId" = owners."mtbId"
     WHERE b."btmUserId" IS NOT NULL
     GROUP BY owners.ship
    HAVING count(DISTINCT b."btmUserId") > 1
     LIMIT 1`.execute(db);
  return rows[0]?.named ?? [];
}
