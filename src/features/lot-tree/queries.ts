import { sql } from 'kysely';
import { OperateStatus } from '#domain/enums.ts';
import { inProcessStages, workOrderModules } from '#domain/wafer.ts';
import type { Context } from '#server/context.ts';
import { nameIn } from '#server/engine/describe.ts';
import { createScopeCondition } from '#server/engine/scope.ts';
import { requireDefinition } from '#server/requireDefinition.ts';
import { orderTables } from '#server/workflow/workOrders.ts';
import type { Tree, TreeLot, TreeOrder } from './rules.ts';

/** So many lots are told of one tree. */
const MOST_LOTS = 500;

type LotRow = Pick<
  TreeLot,
  'id' | 'wipId' | 'waferLotId' | 'stage' | 'part' | 'supplierName' | 'siteName' | 'stockQty'
> & {
  parents: string[];
};

/**
 * The tree of a lot: all that it came from, back to the foundry, and all that came of those. What came of them may have
 * other parents too, which are told only if they are in it themselves. Each step asks for all lots of a generation at
 * once. Rule: wafer-bank#tree.
 */
export async function readTree(ctx: Context, wipId: string): Promise<Tree> {
  const lots = new Map<string, LotRow>();
  const add = async (ids: Iterable<string>): Promise<LotRow[]> => {
    const wanted = [...new Set(ids)].filter((it) => !lots.has(it)).slice(0, MOST_LOTS - lots.size + 1);
    const rows = await readLots(ctx, wanted);
    for (const it of rows) lots.set(it.wipId, it);
    return rows;
  };
  let next = await add([wipId]);
  while (next.length > 0 && lots.size <= MOST_LOTS) next = await add(next.flatMap((it) => it.parents));
  next = [...lots.values()];
  while (next.length > 0 && lots.size <= MOST_LOTS) {
    const ids = next.map((it) => it.wipId);
    next = await add(await childrenOf(ctx, ids));
  }
  const all = [...lots.values()].slice(0, MOST_LOTS).sort((a, b) => a.id - b.id);
  const told = await addEntries(ctx, all);
  const numbers = new Set(told.flatMap((it) => it.takenBy.map((by) => by.workOrderNo)));
  const seen = told.filter((it) => it.comeQty > 0 || it.stockQty !== 0 || it.wipId === wipId);
  return { lots: seen, orders: await readOrders(ctx, [...numbers]), isCut: lots.size > MOST_LOTS };
}

async function readLots({ db, model, currentUser, lang }: Context, wipIds: readonly string[]): Promise<LotRow[]> {
  if (wipIds.length === 0) return [];
  const scope = createScopeCondition(requireDefinition(model, 'icopWip'), currentUser, model);
  const { rows } = await sql<LotRow>`
    SELECT t.id::int AS id, t."wipId", coalesce(t."waferLotId", '') AS "waferLotId", t.stage,
           coalesce(t."devicePn", t."waferPn", '') AS part, coalesce(t."chipQty", 0)::int AS "stockQty",
           coalesce((SELECT ${nameIn(lang, 's.supplierName')} FROM icop_supplier AS s WHERE s."supplierId" = t."supplierId"), '') AS "supplierName",
           coalesce((SELECT ${nameIn(lang, 'u.siteName')} FROM ubs_site AS u WHERE u."siteId" = t."siteId"), '') AS "siteName",
           coalesce(string_to_array(t."parentWipIds", ','), '{}') AS parents
      FROM icop_wip AS t WHERE ${scope} AND t."wipId" = ANY(${[...wipIds]}) ORDER BY t.id`.execute(db);
  return rows;
}

/** What came of these lots: out of the orders that took of them, or by a merge. */
async function childrenOf({ db }: Context, wipIds: readonly string[]): Promise<string[]> {
  const ids = [...wipIds];
  const { rows } = await sql<{ wipId: string }>`
    SELECT w."wipId" FROM icop_wip AS w
     WHERE w."workOrderNo" IN (SELECT "workOrderNo" FROM icop_transaction
                                WHERE "wipId" = ANY(${ids}) AND "transactionType" = 'RESERVE' AND "operateStatus" = ${OperateStatus.Normal})
       AND string_to_array(w."parentWipIds", ',') && ${ids}::text[] AND NOT w.stage = ANY(${[...inProcessStages]})
     UNION
    SELECT remark FROM icop_transaction
     WHERE "wipId" = ANY(${ids}) AND "transactionType" = 'ADJUST' AND "operateStatus" = ${OperateStatus.Normal} AND remark IS NOT NULL
     LIMIT ${sql.lit(MOST_LOTS + 1)}`.execute(db);
  return rows.map((it) => it.wipId);
}

/** What the history of each lot says came into it and went on from it. */
async function addEntries({ db }: Context, lots: readonly LotRow[]): Promise<TreeLot[]> {
  interface Sum {
    wipId: string;
    type: string;
    workOrderNo: string | null;
    qty: number;
  }
  const { rows } = await sql<Sum>`
    SELECT "wipId", "transactionType" AS type, "workOrderNo", sum(qty)::int AS qty
      FROM icop_transaction
     WHERE "wipId" = ANY(${lots.map((it) => it.wipId)}) AND "operateStatus" = ${OperateStatus.Normal}
       AND "transactionType" IN ('IN', 'OUTPUT', 'RESERVE', 'ADJUST')
     GROUP BY 1, 2, 3 ORDER BY min(id)`.execute(db);
  const of = new Map<string, Sum[]>();
  for (const it of rows) of.set(it.wipId, [...(of.get(it.wipId) ?? []), it]);
  return lots.map((lot) => {
    const entries = of.get(lot.wipId) ?? [];
    const sum = (...types: string[]) =>
      entries.filter((it) => types.includes(it.type)).reduce((total, it) => total + it.qty, 0);
    const taken = new Map<string, number>();
    for (const { type, workOrderNo, qty } of entries) {
      if (workOrderNo !== null && type === 'RESERVE') taken.set(workOrderNo, (taken.get(workOrderNo) ?? 0) + qty);
    }
    const takenBy = [...taken].map(([workOrderNo, qty]) => ({ workOrderNo, qty })).filter((it) => it.qty !== 0);
    const made = entries.find((it) => it.type === 'IN' || it.type === 'OUTPUT');
    return {
      ...lot,
      workOrderNo: made?.workOrderNo ?? null,
      comeQty: sum('IN', 'OUTPUT'),
      takenQty: takenBy.reduce((total, it) => total + it.qty, 0),
      mergedQty: sum('ADJUST'),
      takenBy,
    };
  });
}

/** The orders of these numbers: what the history of the lots says of each, and what it says itself. */
async function readOrders({ db }: Context, numbers: readonly string[]): Promise<TreeOrder[]> {
  if (numbers.length === 0) return [];
  const heads = workOrderModules.map(
    (module) => sql`
      SELECT id::int AS id, ${module}::text AS module, "workOrderNo", "billStatus", coalesce("chipQty", 0)::int AS input,
             coalesce("outputQty", 0)::int AS output, coalesce("lossQty", 0)::int AS loss
        FROM ${sql.table(orderTables[module])} WHERE "workOrderNo" = ANY(${[...numbers]})`,
  );
  const { rows } = await sql<Omit<TreeOrder, 'said'> & { input: number; output: number; loss: number }>`
    SELECT o.*, coalesce(e."inputQty", 0)::int AS "inputQty", coalesce(e."outputQty", 0)::int AS "outputQty",
           coalesce(e."lossQty", 0)::int AS "lossQty"
      FROM (${sql.join(heads, sql` UNION ALL `)}) AS o
      LEFT JOIN (SELECT "workOrderNo",
                        sum(qty) FILTER (WHERE "transactionType" = 'RESERVE') AS "inputQty",
                        sum(qty) FILTER (WHERE "transactionType" = 'OUTPUT') AS "outputQty",
                        sum(qty) FILTER (WHERE "transactionType" = 'LOSS') AS "lossQty"
                   FROM icop_transaction
                  WHERE "workOrderNo" = ANY(${[...numbers]}) AND "operateStatus" = ${OperateStatus.Normal}
                  GROUP BY 1) AS e USING ("workOrderNo")
     ORDER BY o."workOrderNo"`.execute(db);
  return rows.map(({ input, output, loss, ...it }) => ({
    ...it,
    said: { inputQty: input, outputQty: output, lossQty: loss },
  }));
}
