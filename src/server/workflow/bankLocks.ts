import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { anyOf } from '#server/db/conditions.ts';
import { orderTables } from '#server/workflow/workOrders.ts';

/**
 * Holds what a call on the bank looks at or changes, in one order for everybody: the orders by kind and number, then the
 * lots by their ids, those that are named and all that the orders took or gave. Whatever was read before may have changed
 * meanwhile and is read anew. Rule: wafer-bank#locks.
 */
export async function holdBank(
  { db }: Context,
  { orders = [], lots = [] }: { orders?: readonly string[]; lots?: readonly string[] },
): Promise<void> {
  if (orders.length > 0) {
    for (const table of ['icop_wafer_work_order', ...Object.values(orderTables)]) {
      await sql`
        SELECT 1 FROM ${sql.table(table)} WHERE "workOrderNo" = ${anyOf(orders)}
         ORDER BY "workOrderNo" FOR NO KEY UPDATE`.execute(db);
    }
  }
  const ids = [...lots];
  if (orders.length > 0) {
    const query = db.selectFrom('icop_transaction').select('wipId').distinct();
    ids.push(...(await query.where('workOrderNo', '=', anyOf(orders)).execute()).map((it) => it.wipId));
  }
  await sql`SELECT 1 FROM icop_wip WHERE "wipId" = ${anyOf(ids)} ORDER BY "wipId" FOR NO KEY UPDATE`.execute(db);
}
