import { sql } from 'kysely';
import { OperateStatus } from '#domain/enums.ts';
import { Refusal } from '#domain/refusal.ts';
import { ftBins, GOOD_BIN } from '#domain/wafer.ts';
import type { Context } from '#server/context.ts';
import { anyOf } from '#server/db/conditions.ts';
import { touch } from '#server/touch.ts';

/** So much more, or less, of a lot: of one of its wafers or bins, where these are named. */
export interface LotChange {
  wipId: string;
  waferId: string | null;
  bin: string | null;
  by: number;
}

const bins = new Set<string>([GOOD_BIN, ...ftBins]);

/**
 * Changes what is left of a lot, and gives what was left of the piece before and after. A lot never holds less than
 * nothing: 100042. What an order reserves, or gives back, counts in the lot's input as well. Rule: wafer-bank#taking.
 */
export async function changeLot(
  ctx: Context,
  { wipId, waferId, bin, by }: LotChange,
  { isReserve = false }: { isReserve?: boolean } = {},
): Promise<{ before: number; after: number }> {
  const lot = await ctx.db
    .selectFrom('icop_wip')
    .selectAll()
    .where('wipId', '=', wipId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!lot) throw new Refusal({ key: 'notFound', args: { what: { zh: '批次', en: 'Lot' }, value: wipId } });
  const column = bin && bins.has(bin) ? (`bin${bin}` as 'binG') : null;
  const wafer = waferId
    ? await ctx.db
        .selectFrom('icop_wip_wafer')
        .select(['id', 'chipQty'])
        .where('wipId', '=', wipId)
        .where('waferId', '=', waferId)
        .executeTakeFirst()
    : undefined;
  const before = Number(wafer ? wafer.chipQty : column ? lot[column] : lot.chipQty) || 0;
  const after = before + by;
  const left = (lot.chipQty ?? 0) + by;
  if (after < 0 || left < 0) {
    const what = [lot.waferLotId ?? wipId, waferId ?? bin].filter(Boolean).join(' / ');
    throw new Refusal({ key: 'quantityGone', args: { what } });
  }
  if (wafer) await ctx.db.updateTable('icop_wip_wafer').set({ chipQty: after }).where('id', '=', wafer.id).execute();
  await ctx.db
    .updateTable('icop_wip')
    .set({
      chipQty: left,
      remainQty: left,
      ...(isReserve && { inputQty: Math.max(0, (lot.inputQty ?? 0) - by) }),
      ...(column && !wafer && { [column]: after }),
      ...touch(ctx.currentUser),
    })
    .where('id', '=', lot.id)
    .execute();
  if (wafer) await listWafers(ctx, wipId);
  return { before, after };
}

/** The wafers of a lot that still hold something are its wafers. */
export async function listWafers({ db }: Context, wipId: string): Promise<void> {
  await sql`
    UPDATE icop_wip AS w
       SET "waferIds" = c.ids, "waferQty" = c.n
      FROM (SELECT string_agg("waferId", ',' ORDER BY "waferId") AS ids, count(*) AS n
              FROM icop_wip_wafer WHERE "wipId" = ${wipId} AND "chipQty" > 0) AS c
     WHERE w."wipId" = ${wipId}`.execute(db);
}

/** A lot that holds no bins. */
export const emptyBins = {
  ...{ binG: null, bin1: null, bin2: null, bin3: null, bin4: null },
  ...{ bin5: null, bin6: null, bin7: null, bin8: null, bin9: null },
};

export interface LotEvent {
  wipId: string;
  waferId: string | null;
  bin: string | null;
  type: 'IN' | 'RESERVE' | 'OUTPUT' | 'LOSS' | 'ADJUST' | 'REVERSE';
  qty: number;
  before: number;
  after: number;
  workOrderNo?: string | null;
  remark?: string;
  /** The row of a report to which it belongs. */
  reportMark?: string | null;
  /** The row that a rollback itself writes is rolled back from the start. */
  isRollback?: boolean;
}

/** One line in the history of a lot. */
export const noteLot = (ctx: Context, event: LotEvent): Promise<void> => noteLots(ctx, [event]);

/** Lines in the histories of lots, in this order. */
export async function noteLots({ db, currentUser }: Context, events: readonly LotEvent[]): Promise<void> {
  if (events.length === 0) return;
  const lots = await db
    .selectFrom('icop_wip')
    .select(['wipId', 'waferLotId', 'siteId'])
    .where('wipId', '=', anyOf([...new Set(events.map((it) => it.wipId))]))
    .execute();
  const byId = new Map(lots.map((it) => [it.wipId, it]));
  const rows = events.map((it) => ({
    wipId: it.wipId,
    transactionType: it.type,
    waferLotId: byId.get(it.wipId)?.waferLotId ?? null,
    waferId: it.waferId,
    bin: it.bin,
    qty: it.qty,
    beforeQty: it.before,
    afterQty: it.after,
    workOrderNo: it.workOrderNo ?? null,
    operateStatus: it.isRollback ? OperateStatus.Rollbacked : OperateStatus.Normal,
    eventTime: sql<string>`now()`,
    userId: currentUser.userId,
    siteId: byId.get(it.wipId)?.siteId ?? currentUser.siteId,
    remark: it.remark ?? null,
    reportMark: it.reportMark ?? null,
    createBy: currentUser.userId,
  }));
  await db.insertInto('icop_transaction').values(rows).execute();
}
