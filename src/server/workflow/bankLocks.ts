import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { anyOf } from '#server/db/conditions.ts';
import { lotsOutOf } from '#server/workflow/yields.ts';
import { orderTables } from '#server/workflow/workOrders.ts';

interface Held {
  orders?: readonly string[];
  lots?: readonly string[];
  /** Those into which what came of the orders was merged as well. */
  isWhole?: boolean;
}

/**
 * Holds what a call on the bank looks at or changes, in one order for everybody: the orders by kind and number, then the
 * lots by their ids, those that are named and all that the orders took or gave. Whatever was read before may have changed
 * meanwhile and is read anew. Rule: wafer-bank#locks.
 */
export async function holdBank(ctx: Context, { orders = [], lots = [], isWhole = false }: Held): Promise<void> {
  const { db } = ctx;
  if (orders.length > 0) {
    for (const table of ['icop_wafer_work_order', ...Object.values(orderTables)]) {
      await sql`
        SELECT 1 FROM ${sql.table(table)} WHERE "workOrderNo" = ${anyOf(orders)}
         ORDER BY "workOrderNo" FOR NO KEY UPDATE`.execute(db);
    }
  }
  const ids = new Set(lots);
  if (orders.length > 0) {
    const query = db.selectFrom('icop_transaction').select('wipId').distinct();
    for (const { wipId } of await query.where('workOrderNo', '=', anyOf(orders)).execute()) ids.add(wipId);
  }
  const newOnes = async () => (isWhole ? (await lotsOutOf(ctx, orders)).filter((it) => !ids.has(it)) : []);
  for (const it of await newOnes()) ids.add(it);
  await holdLots(ctx, [...ids]);
  // A merge holds no order, so that it may have made one more until then; such a lot is newer than all that are held.
  for (let more = await newOnes(); more.length > 0; more = await newOnes()) {
    await holdLots(ctx, more);
    for (const it of more) ids.add(it);
  }
}

async function holdLots({ db }: Context, ids: readonly string[]): Promise<void> {
  await sql`SELECT 1 FROM icop_wip WHERE "wipId" = ${anyOf(ids)} ORDER BY "wipId" FOR NO KEY UPDATE`.execute(db);
}
