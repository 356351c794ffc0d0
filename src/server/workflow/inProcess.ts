import { sql } from 'kysely';
import { OperateStatus } from '#domain/enums.ts';
import { inProcessStages, inStageOf, WorkOrderStatus, type WorkOrderModule } from '#domain/wafer.ts';
import type { Context } from '#server/context.ts';
import { anyOf } from '#server/db/conditions.ts';
import type { Row } from '#server/engine/rows.ts';
import { touch } from '#server/touch.ts';
import { emptyBins } from '#server/workflow/lots.ts';
import { orderTables } from '#server/workflow/workOrders.ts';
import { isGood, partOf } from '#server/workflow/yields.ts';

/** What of an order is still in process, by the lot that went in, or by the group that is tested together. */
interface Out {
  group: number | null;
  parents: string[];
  /** The one of which most went in: a group is called after it. */
  largest: string;
  inputQty: number;
  outputQty: number;
  lossQty: number;
  leftQty: number;
  goodQty: number;
  waferIds: string | null;
}

/**
 * Writes what of an order is in process into the list of lots, in the stage of its process: while it is sent or in process,
 * a row for each lot that went in, or for each group; none once all of it came back. The order is held by the caller.
 * Rule: wafer-bank#in-process.
 */
export async function tellInProcess(ctx: Context, workOrderNo: string, among?: WorkOrderModule): Promise<void> {
  const { db, currentUser } = ctx;
  const found = await findOrder(ctx, workOrderNo, among);
  if (!found) return;
  const { module, order } = found;
  const isOut = order['billStatus'] === WorkOrderStatus.Sent || order['billStatus'] === WorkOrderStatus.InProcess;
  const wanted = isOut ? await readOut(ctx, workOrderNo) : [];
  const rows = await db
    .selectFrom('icop_wip')
    .select(['wipId', 'parentWipIds', 'group', ...counted])
    .where('workOrderNo', '=', workOrderNo)
    .where('stage', '=', anyOf(inProcessStages))
    .execute();
  const there = new Map(rows.map((it) => [nameOf(it.group, it.parentWipIds ?? ''), it]));
  const gone = new Set(rows.map((it) => it.wipId));
  const added: Out[] = [];
  for (const it of wanted) {
    const row = there.get(nameOf(it.group, it.parents.join(',')));
    if (!row) {
      added.push(it);
      continue;
    }
    gone.delete(row.wipId);
    const counts = countsOf(it);
    // Of an order with hundreds of lots a report changes a few.
    if (counted.every((name) => row[name] === counts[name])) continue;
    const changed = { ...counts, ...touch(currentUser) };
    await db.updateTable('icop_wip').set(changed).where('wipId', '=', row.wipId).execute();
  }
  await sql`DELETE FROM icop_wip WHERE "wipId" = ${anyOf([...gone])}`.execute(db);
  await addRows(ctx, module, order, added);
}

const nameOf = (group: number | null, parents: string): string => `${group ?? ''}/${parents}`;

async function findOrder({ db }: Context, workOrderNo: string, among?: WorkOrderModule) {
  const modules = among ? [among] : (Object.keys(orderTables) as WorkOrderModule[]);
  for (const module of modules) {
    const { rows } = await sql<Row>`
      SELECT * FROM ${sql.table(orderTables[module])} WHERE "workOrderNo" = ${workOrderNo}`.execute(db);
    if (rows[0]) return { module, order: rows[0] };
  }
  return null;
}

async function readOut({ db }: Context, workOrderNo: string): Promise<Out[]> {
  const { rows } = await sql<Out>`
    WITH entry AS (
      SELECT e."transactionType" AS type, e."wipId", e."waferId", e.qty, coalesce(w."group", l."group") AS "group",
             coalesce(w."group"::text, l."group"::text, w."parentWipIds", e."wipId") AS key, ${isGood(sql`e.bin`)} AS good
        FROM icop_transaction AS e
        LEFT JOIN icop_ft_work_order_line AS l ON (l."workOrderNo", l."wipId", l.bin) = (e."workOrderNo", e."wipId", e.bin)
        LEFT JOIN icop_wip AS w ON w."wipId" = e."wipId" AND e."transactionType" = 'OUTPUT'
        LEFT JOIN ${partOf('w')}
       WHERE e."workOrderNo" = ${workOrderNo} AND e."operateStatus" = ${sql.lit(OperateStatus.Normal)}),
    piece AS (
      SELECT key, "waferId", sum(CASE type WHEN 'RESERVE' THEN qty ELSE -qty END) AS qty
        FROM entry WHERE "waferId" IS NOT NULL AND type IN ('RESERVE', 'OUTPUT', 'LOSS') GROUP BY 1, 2),
    wafers AS (SELECT key, string_agg("waferId", ',' ORDER BY "waferId") AS ids FROM piece WHERE qty > 0 GROUP BY 1),
    sums AS (
      SELECT key, max("group") AS "group",
             array_agg("wipId" ORDER BY qty DESC, "wipId") FILTER (WHERE type = 'RESERVE') AS taken,
             coalesce(sum(qty) FILTER (WHERE type = 'RESERVE'), 0)::int AS "inputQty",
             coalesce(sum(qty) FILTER (WHERE type = 'OUTPUT'), 0)::int AS "outputQty",
             coalesce(sum(qty) FILTER (WHERE type = 'LOSS'), 0)::int AS "lossQty",
             coalesce(sum(qty) FILTER (WHERE type = 'OUTPUT' AND good), 0)::int AS "goodQty"
        FROM entry GROUP BY 1)
    SELECT s."group", s.taken[1] AS largest,
           (SELECT array_agg(DISTINCT it ORDER BY it) FROM unnest(s.taken) AS it) AS parents,
           s."inputQty", s."outputQty", s."lossQty", s."goodQty", s."inputQty" - s."outputQty" - s."lossQty" AS "leftQty",
           w.ids AS "waferIds"
      FROM sums AS s LEFT JOIN wafers AS w USING (key)
     WHERE s."inputQty" > s."outputQty" + s."lossQty" ORDER BY s.taken[1], s.key`.execute(db);
  return rows;
}

const ofChips = ['chipQty', 'remainQty', 'inputQty', 'outputQty', 'lossQty', 'yield'] as const;
const counted = [...ofChips, 'waferIds', 'waferQty'] as const;

const countsOf = (it: Out) => ({
  ...{ chipQty: it.leftQty, remainQty: it.leftQty },
  ...{ inputQty: it.inputQty, outputQty: it.outputQty, lossQty: it.lossQty },
  ...{ waferIds: it.waferIds, waferQty: it.waferIds?.split(',').length ?? null },
  yield: it.outputQty + it.lossQty === 0 ? null : Math.round((it.goodQty / (it.outputQty + it.lossQty)) * 10_000) / 100,
});

/** As the lot that went in, with what the order and its line say. */
async function addRows(ctx: Context, module: WorkOrderModule, order: Row, added: readonly Out[]): Promise<void> {
  if (added.length === 0) return;
  const { db, currentUser } = ctx;
  const workOrderNo = String(order['workOrderNo']);
  const largest = added.map((it) => it.largest);
  const lots = await db.selectFrom('icop_wip').selectAll().where('wipId', '=', anyOf(largest)).execute();
  const sources = new Map(lots.map((it) => [it.wipId, it]));
  const { rows: lines } = await sql<Row>`
    SELECT * FROM ${sql.table(`${orderTables[module]}_line`)}
     WHERE "workOrderNo" = ${workOrderNo} AND "wipId" = ${anyOf(largest)}`.execute(db);
  const numbers = await ctx.numbers.many('WIP', added.length);
  const stage = inStageOf(module, order);
  const text = (name: string) => (order[name] ?? null) as string | null;
  const values = added.map((it, i) => {
    const source = sources.get(it.largest);
    if (!source) throw new Error(`no lot ${it.largest}`);
    const { id: _id, version: _version, createTime: _created, updateBy: _by, updateTime: _at, ...rest } = source;
    const isOwn = (line: Row) => line['wipId'] === it.largest && (it.group === null || line['group'] === it.group);
    const line = lines.find(isOwn) ?? {};
    const isMerged = it.parents.length > 1 && !source.waferLotId?.endsWith('M');
    return {
      ...{ ...rest, ...emptyBins, ...deviceOf(order, line, source), ...countsOf(it) },
      ...{ wipId: numbers[i] as string, stage, stageName: stage },
      ...{ workOrderNo, workOrderType: module, processType: text('processType'), ftType: text('ftType') },
      ...{ lotType: text('lotType'), engineeringCode: text('engineeringCode') },
      ...{ supplierId: text('supplierId'), supplierName: text('supplierId') },
      ...{ siteId: text('siteId'), siteName: text('siteId'), inventoryOrg: text('inventoryOrg') },
      ...(module === 'icopFtWorkOrder' && {
        waferLotId: isMerged ? `${source.waferLotId ?? source.wipId}M` : source.waferLotId,
        frontFtTestProgram: source.ftTestProgram,
        ftTestProgram: (line['ftTestProgram'] ?? null) as string | null,
      }),
      cpTestProgram: text('cpTestProgram') ?? source.cpTestProgram,
      ...{ group: it.group, parentWipIds: it.parents.join(','), remark: null },
      ...{ inTime: sql<string>`now()`, createBy: currentUser.userId },
    };
  });
  await db.insertInto('icop_wip').values(values).execute();
}

type Device = Record<'devicePn' | 'deviceErpCode' | 'packageType' | 'productName', string | null>;

/** What is made of a lot says its line, or its order; where neither does, it is what the lot is. */
export function deviceOf(order: Row, line: object, lot: Device): Device {
  const of: Row[] = [{ ...line }, order];
  const said = (name: string, own: keyof Device) =>
    (of.map((it) => it[name]).find((it) => it != null) as string | undefined) ?? lot[own];
  return {
    ...{ devicePn: said('devicePn', 'devicePn'), deviceErpCode: said('erpCode', 'deviceErpCode') },
    ...{ packageType: said('packageType', 'packageType'), productName: said('productName', 'productName') },
  };
}
