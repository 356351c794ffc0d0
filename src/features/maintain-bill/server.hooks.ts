import { sql } from 'kysely';
import { undeliveredItems } from '#domain/enums.ts';
import type { Context } from '#server/context.ts';
import { anyOf } from '#server/db/conditions.ts';
import type { RmaMaintainBill } from '#server/db/tables.ts';
import type { Hooks } from '#server/engine/hooks.ts';

/** A bill whose goods ship together with those of another customer's would send them to the wrong one. */
export const maintainBillHooks: Hooks<RmaMaintainBill> = {
  async check({ btmUserId }, before, ctx) {
    if (!before?.mtbId || !btmUserId || btmUserId === before.btmUserId) return [];
    const other = await shipsWithOther(ctx, before.mtbId, btmUserId);
    return other ? [{ key: 'shipsTogether', field: 'btmUserId', args: { id: other } }] : [];
  },
};

/** A bill that names another customer than this, of those whose goods are still to ship together with this bill's. */
async function shipsWithOther({ db }: Context, mtbId: string, btmUserId: string): Promise<string | undefined> {
  const { rows } = await sql<{ mtbId: string }>`
    WITH ships AS (
      SELECT ${mtbId} AS "mtbId"
       UNION
      SELECT "deliverMtbId" FROM rma_maintain_bill_line_item
       WHERE "mtbId" = ${mtbId} AND "deliverMtbId" IS NOT NULL AND "deliverStatus" = ${anyOf(undeliveredItems)}
    ), together AS (
      SELECT "mtbId" FROM ships
       UNION
      SELECT i."mtbId" FROM rma_maintain_bill_line_item AS i JOIN ships ON i."deliverMtbId" = ships."mtbId"
       WHERE i."deliverStatus" = ${anyOf(undeliveredItems)}
    )
    SELECT b."mtbId" FROM rma_maintain_bill AS b JOIN together ON together."mtbId" = b."mtbId"
     WHERE b."mtbId" <> ${mtbId} AND b."btmUserId" <> ${btmUserId}
     ORDER BY b."mtbId" LIMIT 1`.execute(db);
  return rows[0]?.mtbId;
}
