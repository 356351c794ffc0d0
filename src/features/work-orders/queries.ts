import { sql } from 'kysely';
import { Flag, OperateStatus } from '#domain/enums.ts';
import { ftBins, GOOD_BIN, Stage, type WorkOrderModule, WorkOrderStatus } from '#domain/wafer.ts';
import type { Context } from '#server/context.ts';
import { nameIn } from '#server/engine/describe.ts';
import { requireDefinition } from '#server/requireDefinition.ts';
import { goodOutput } from '#server/workflow/yields.ts';
import { orderTables } from '#server/workflow/workOrders.ts';
import { createScopeCondition } from '#server/engine/scope.ts';
import { touch, touchSql } from '#server/touch.ts';

export interface BankLotRow {
  wipId: string;
  waferLotId: string;
  stage: string;
  waferPn: string;
  waferMpn: string;
  devicePn: string;
  deviceErpCode: string;
  packageType: string;
  chipQty: number;
  waferIds: string;
  supplierId: string;
  supplierName: string;
  frontFtTestProgram: string;
  ftTestProgram: string;
  originalMarking: string;
  marking: string;
  dateCode: string;
  siteId: string;
  /** The wafers, or the bins, with what is left of each. */
  waferList: { waferId: string; chipQty: number }[];
  /** What each bin of an assembled or tested lot holds. */
  bins: Record<string, number>;
}

interface Wanted {
  stages: readonly string[];
  waferPn?: string | undefined;
  devicePn?: string | undefined;
  /** Lots that lie at this supplier come first. */
  supplierId?: string | undefined;
  wipIds?: readonly string[];
  assySiteId?: string | undefined;
  /** Between which moments they came into the bank. */
  from?: Date | undefined;
  until?: Date | undefined;
}

const MOST = 200;
const tested: readonly string[] = [Stage.AssemblyBank, Stage.Ft1Bank, Stage.Ft2Bank];

/** Lots of these banks within the user's sites: those that are named, or the first 200 that hold something. */
export async function readBank(ctx: Context, wanted: Wanted): Promise<BankLotRow[]> {
  const { stages, waferPn, devicePn, supplierId = '', wipIds, assySiteId, from, until } = wanted;
  const scope = createScopeCondition(requireDefinition(ctx.model, 'icopWip'), ctx.currentUser, ctx.model);
  const bins = ftBins.map((it) => sql`'${sql.raw(it)}', coalesce(t.${sql.ref(`bin${it}`)}, 0)`);
  const { rows } = await sql<Omit<BankLotRow, 'waferList'> & { wafers: BankLotRow['waferList'] | null }>`
    SELECT t."wipId", coalesce(t."waferLotId", '') AS "waferLotId", t.stage, coalesce(t."waferPn", '') AS "waferPn",
           coalesce(t."waferMpn", '') AS "waferMpn", coalesce(t."devicePn", '') AS "devicePn",
           coalesce(t."deviceErpCode", '') AS "deviceErpCode", coalesce(t."packageType", '') AS "packageType",
           coalesce(t."chipQty", 0) AS "chipQty", coalesce(t."waferIds", '') AS "waferIds",
           coalesce(t."supplierId", '') AS "supplierId", coalesce(t.marking, '') AS marking,
           coalesce((SELECT ${nameIn(ctx.lang, 's.supplierName')} FROM icop_supplier AS s WHERE s."supplierId" = t."supplierId"), '') AS "supplierName",
           coalesce(t."ftTestProgram", '') AS "ftTestProgram", coalesce(t."ftTestProgram", '') AS "frontFtTestProgram",
           coalesce(t."originalMarking", '') AS "originalMarking", coalesce(t."dateCode", '') AS "dateCode",
           coalesce(t."siteId", '') AS "siteId",
           (SELECT json_agg(json_build_object('waferId', w."waferId", 'chipQty', w."chipQty") ORDER BY w."waferId")
              FROM icop_wip_wafer AS w WHERE w."wipId" = t."wipId" AND w."chipQty" > 0) AS wafers,
           json_build_object(${sql.lit(GOOD_BIN)}, coalesce(t."binG", 0), ${sql.join(bins)}) AS bins
      FROM icop_wip AS t
     WHERE ${scope} AND t.stage = ANY(${[...stages]}) ${wipIds ? sql`` : sql`AND coalesce(t."chipQty", 0) > 0`}
       ${waferPn ? sql`AND t."waferPn" = ${waferPn}` : sql``}
       ${devicePn ? sql`AND t."devicePn" = ${devicePn}` : sql``}
       ${assySiteId ? sql`AND t."assySiteId" = ${assySiteId}` : sql``}
       ${from ? sql`AND t."inTime" >= ${from}` : sql``}
       ${until ? sql`AND t."inTime" < ${until}` : sql``}
       ${wipIds ? sql`AND t."wipId" = ANY(${[...wipIds]})` : sql``}
     ORDER BY (t."supplierId" = ${supplierId}) DESC, t."inTime", t."wipId"
     LIMIT ${wipIds ? sql`ALL` : MOST}`.execute(ctx.db);
  return rows.map(({ wafers, ...it }) => ({
    ...it,
    waferList: tested.includes(it.stage)
      ? Object.entries(it.bins)
          .map(([waferId, chipQty]) => ({ waferId, chipQty }))
          .filter((bin) => bin.chipQty > 0)
      : (wafers ?? []),
  }));
}

/** What each line of an order says besides its quantities. */
export async function readLineWords({ db }: Context, module: WorkOrderModule, workOrderNo: string) {
  const isFt = module === 'icopFtWorkOrder';
  const { rows } = await sql<{
    wipId: string;
    bin: string | null;
    group: number | null;
    ftTestProgram: string | null;
    originPlace: string | null;
    remark: string | null;
  }>`
    SELECT "wipId", remark, ${isFt ? sql`bin, "group", "ftTestProgram", "originPlace"` : sql`NULL AS bin, NULL AS "group", NULL AS "ftTestProgram", NULL AS "originPlace"`}
      FROM ${sql.table(`${orderTables[module]}_line`)} WHERE "workOrderNo" = ${workOrderNo} ORDER BY id`.execute(db);
  return rows;
}

/** So many orders tell what is usual. */
const USUAL_ORDERS = 20;

/** The yield of the latest orders of a part that are done, as a share of what went in. Rule: wafer-bank#foresight. */
export async function readUsualYield(
  { db, model, currentUser }: Context,
  module: WorkOrderModule,
  { part, processType, ftType }: { part: string; processType?: string | null; ftType?: string | null },
) {
  const scope = createScopeCondition(requireDefinition(model, module), currentUser, model);
  const isFt = module === 'icopFtWorkOrder';
  const { rows } = await sql<{ orders: number; yield: number | null }>`
    SELECT count(*)::int AS orders, (sum(good)::float8 / nullif(sum("chipQty"), 0)) AS yield
      FROM (SELECT ${goodOutput('t', { hasBins: module !== 'icopBumpingCpWorkOrder' })} AS good, t."chipQty" FROM ${sql.table(orderTables[module])} AS t
             WHERE ${scope} AND t.${isFt ? sql`"devicePn"` : sql`"waferPn"`} = ${part}
               AND t."billStatus" = ${WorkOrderStatus.Done} AND t."chipQty" > 0
               ${processType ? sql`AND t."processType" = ${processType}` : sql``}
               ${ftType && module !== 'icopBumpingCpWorkOrder' ? sql`AND t."ftType" = ${ftType}` : sql``}
             ORDER BY t.id DESC LIMIT ${sql.lit(USUAL_ORDERS)}) AS latest`.execute(db);
  return rows[0] ?? { orders: 0, yield: null };
}

/** The wafer part numbers in use, at most 500. */
export async function waferParts({ db }: Context) {
  return db
    .selectFrom('icop_part_number')
    .select(['waferPn', 'waferMpn'])
    .where('status', '=', Flag.Yes)
    .orderBy('waferPn')
    .limit(500)
    .execute();
}

/** The program of the part first, then those of its 50 latest orders, at this supplier where one is named. */
export async function cpTestPrograms(ctx: Context, waferPn: string, supplierId: string | undefined) {
  const orders = requireDefinition(ctx.model, 'icopBumpingCpWorkOrder');
  const scope = createScopeCondition(orders, ctx.currentUser, ctx.model);
  const { rows } = await sql<{ program: string }>`
    SELECT n."cpTestProgram" AS program FROM icop_part_number AS n WHERE n."waferPn" = ${waferPn} AND n."cpTestProgram" <> ''
     UNION ALL
    (SELECT t."cpTestProgram" FROM icop_bumping_cp_work_order AS t
      WHERE ${scope} AND t."waferPn" = ${waferPn} AND t."cpTestProgram" <> ''
        ${supplierId ? sql`AND t."supplierId" = ${supplierId}` : sql``}
      ORDER BY t.id DESC LIMIT 50)`.execute(ctx.db);
  return [...new Set(rows.map((it) => it.program))].map((cpTestProgram) => ({ waferPn, cpTestProgram }));
}

export async function assemblySites({ db, lang }: Context) {
  return db
    .selectFrom('ubs_site')
    .select(['siteId', nameIn(lang, 'siteName').as('siteName')])
    .orderBy('siteId')
    .limit(500)
    .execute();
}

/** The stores of a site by their codes, at most 500. */
export async function storesOf({ db, lang }: Context, siteId: string) {
  return db
    .selectFrom('icop_store')
    .select((it) => ['btmId', nameIn(lang, 'name').as('name'), it.fn.coalesce('remark', sql.lit('')).as('remark')])
    .where('siteId', '=', siteId)
    .orderBy('btmId')
    .limit(500)
    .execute();
}

export async function deviceParts(
  { db }: Context,
  { devicePn, pageStart, pageCount }: { devicePn?: string | null | undefined; pageStart: number; pageCount: number },
) {
  return db
    .selectFrom('icop_part_number_line')
    .select((it) => [
      'devicePn',
      ...(['waferPn', 'waferMpn', 'deviceErpCode', 'packageType'] as const).map((name) =>
        it.fn.coalesce(name, sql.lit('')).as(name),
      ),
    ])
    .$if(Boolean(devicePn), (it) => it.where('devicePn', '=', devicePn ?? ''))
    .orderBy('devicePn')
    .offset(pageStart)
    .limit(pageCount)
    .execute();
}

/** What goes into an order leaves its wafer or bin, and is noted. The lots are locked by the caller. */
export async function reserve(
  ctx: Context,
  workOrderNo: string,
  lot: BankLotRow,
  pieces: readonly { piece: string; inputQty: number; remainQty: number }[],
): Promise<void> {
  const { db, currentUser } = ctx;
  const total = pieces.reduce((sum, it) => sum + it.inputQty, 0);
  const isTested = tested.includes(lot.stage);
  for (const { piece, remainQty } of pieces) {
    if (isTested) {
      await sql`UPDATE icop_wip SET ${sql.ref(`bin${piece}`)} = ${remainQty} WHERE "wipId" = ${lot.wipId}`.execute(db);
    } else {
      await db
        .updateTable('icop_wip_wafer')
        .set({ chipQty: remainQty, ...touch(currentUser) })
        .where('wipId', '=', lot.wipId)
        .where('waferId', '=', piece)
        .execute();
    }
  }
  await sql`
    UPDATE icop_wip AS t
       SET "chipQty" = t."chipQty" - ${total}::int, "remainQty" = t."chipQty" - ${total}::int,
           "inputQty" = coalesce(t."inputQty", 0) + ${total}::int, ${touchSql(currentUser, 't')}
     WHERE t."wipId" = ${lot.wipId}`.execute(db);
  if (!isTested) {
    await sql`
      UPDATE icop_wip AS t SET "waferIds" = w.ids, "waferQty" = w.n
        FROM (SELECT string_agg("waferId", ',' ORDER BY "waferId") AS ids, count(*)::int AS n
                FROM icop_wip_wafer WHERE "wipId" = ${lot.wipId} AND "chipQty" > 0) AS w
       WHERE t."wipId" = ${lot.wipId}`.execute(db);
  }
  await db
    .insertInto('icop_transaction')
    .values(
      pieces.map(({ piece, inputQty, remainQty }) => ({
        wipId: lot.wipId,
        transactionType: 'RESERVE',
        waferLotId: lot.waferLotId,
        waferId: isTested ? null : piece,
        bin: isTested ? piece : null,
        qty: inputQty,
        beforeQty: inputQty + remainQty,
        afterQty: remainQty,
        workOrderNo,
        operateStatus: OperateStatus.Normal,
        eventTime: sql<Date>`now()` as never,
        userId: currentUser.userId,
        siteId: lot.siteId,
        createBy: currentUser.userId,
      })),
    )
    .execute();
}
