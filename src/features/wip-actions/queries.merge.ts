import { sql } from 'kysely';
import type { DataOf, InputOf } from '#domain/call.ts';
import { Refusal } from '#domain/refusal.ts';
import { MOST_DIES, Stage } from '#domain/wafer.ts';
import type { Context } from '#server/context.ts';
import { anyOf } from '#server/db/conditions.ts';
import { seeRow } from '#server/engine/rowOf.ts';
import { recordInLedger } from '#server/ledger.ts';
import { touch } from '#server/touch.ts';
import { holdBank } from '#server/workflow/bankLocks.ts';
import { listWafers, noteLot } from '#server/workflow/lots.ts';
import type { merge } from './contract.ts';

/** Where lots lie still; every other stage is in process. Rule: wafer-bank#banks. */
const banks: readonly string[] = [
  Stage.WaferBank,
  Stage.BumpingBank,
  Stage.CpBank,
  Stage.AssemblyBank,
  Stage.Ft1Bank,
  Stage.Ft2Bank,
];
/** Lots of these banks are wafers, and wafers of two lots are never one. */
const waferBanks: readonly string[] = [Stage.WaferBank, Stage.BumpingBank, Stage.CpBank];
const same = ['waferPn', 'stage', 'supplierId', 'devicePn', 'siteId', 'ftTestProgram'];
const sums = ['binG', 'bin1', 'bin2', 'bin3', 'bin4', 'bin5', 'bin6', 'bin7', 'bin8', 'bin9'] as const;

/**
 * Merges a lot with all of the same part, bank, supplier, device and program: a new lot with all of them as parents,
 * which are empty afterwards. Refused in process, where the lot is empty, and where nothing lies beside it.
 */
export async function mergeLots(input: InputOf<typeof merge>, ctx: Context): Promise<DataOf<typeof merge>> {
  const lot = await seeRow(ctx, 'icopWip', input.id);
  const stage = String(lot['stage']);
  const word = (value: string) => ({ options: 'icopStages', value });
  if (!banks.includes(stage)) {
    const args = { id: String(lot['wipId']), status: word(stage), expected: banks.map(word) };
    throw new Refusal({ key: 'billState', field: 'id', args });
  }
  const alike = [...same, ...(waferBanks.includes(stage) ? ['waferLotId'] : [])].map(
    (name) => sql`${sql.ref(name)} IS NOT DISTINCT FROM ${lot[name]}`,
  );
  const found = () =>
    sql<{ id: number; wipId: string; chipQty: number }>`
      SELECT id, "wipId", "chipQty" FROM icop_wip
       WHERE ${sql.join(alike, sql` AND `)} AND "chipQty" > 0 ORDER BY id`.execute(ctx.db);
  const held = (await found()).rows.map((it) => it.wipId);
  await holdBank(ctx, { lots: held });
  const rows = (await found()).rows.filter((it) => held.includes(it.wipId));
  if (rows.length < 2 || !rows.some((it) => it.wipId === lot['wipId'])) {
    throw new Refusal({ key: 'nothingToMerge', field: 'id', args: { id: String(lot['wipId']) } });
  }
  const parents = rows.map((it) => it.wipId);
  const chipQty = rows.reduce((sum, it) => sum + Number(it.chipQty), 0);
  if (chipQty > MOST_DIES) {
    const field = { module: 'icopWip', field: 'chipQty' };
    throw new Refusal({ key: 'atMost', field: 'id', args: { field, max: MOST_DIES } });
  }
  const wipId = await ctx.numbers.next('WIP');
  await copyLot(ctx, wipId, Number(lot['id']), parents, chipQty);
  await sql`
    INSERT INTO icop_wip_wafer ("wipId", "waferId", "chipQty", "originalQty", "createBy")
    SELECT ${wipId}, "waferId", sum("chipQty"), sum("originalQty"), ${ctx.currentUser.userId}
      FROM icop_wip_wafer WHERE "wipId" = ANY(${parents}) AND "chipQty" > 0 GROUP BY "waferId"`.execute(ctx.db);
  await sql`UPDATE icop_wip_wafer SET "chipQty" = 0 WHERE "wipId" = ANY(${parents})`.execute(ctx.db);
  if (waferBanks.includes(stage)) await listWafers(ctx, wipId);
  for (const it of rows) {
    const qty = Number(it.chipQty);
    await noteLot(ctx, {
      wipId: it.wipId,
      waferId: null,
      bin: null,
      type: 'ADJUST',
      qty,
      before: qty,
      after: 0,
      remark: wipId,
    });
  }
  await noteLot(ctx, {
    wipId,
    waferId: null,
    bin: null,
    type: 'IN',
    qty: chipQty,
    before: 0,
    after: chipQty,
    remark: parents.join(', ').slice(0, 500),
  });
  await recordInLedger(ctx, { what: 'merge', module: 'icopWip', recordId: wipId, from: { parents }, to: { chipQty } });
  return { wipId, chipQty, parents };
}

/** The new lot is as the chosen one, with the sums of all; they keep nothing. */
async function copyLot(
  ctx: Context,
  wipId: string,
  id: number,
  parents: readonly string[],
  chipQty: number,
): Promise<void> {
  const added = sql.join(sums.map((it) => sql`sum(${sql.ref(it)}) AS ${sql.ref(it)}`));
  const { rows } = await sql<Record<string, number | null>>`
    SELECT ${added} FROM icop_wip WHERE "wipId" = ANY(${parents})`.execute(ctx.db);
  const lot = await ctx.db.selectFrom('icop_wip').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const { id: _, version: __, createTime: ___, updateBy: ____, updateTime: _____, ...rest } = lot;
  await ctx.db
    .insertInto('icop_wip')
    .values({
      ...rest,
      ...Object.fromEntries(sums.map((it) => [it, rows[0]?.[it] === null ? null : Number(rows[0]?.[it] ?? 0)])),
      wipId,
      chipQty,
      remainQty: chipQty,
      inputQty: 0,
      parentWipIds: parents.join(','),
      inTime: sql<string>`now()`,
      createBy: ctx.currentUser.userId,
    })
    .execute();
  const empty = Object.fromEntries(sums.map((it) => [it, sql`CASE WHEN ${sql.ref(it)} IS NULL THEN NULL ELSE 0 END`]));
  await ctx.db
    .updateTable('icop_wip')
    .set({
      ...empty,
      chipQty: 0,
      remainQty: 0,
      waferQty: 0,
      waferIds: null,
      ...touch(ctx.currentUser),
    })
    .where('wipId', '=', anyOf(parents))
    .execute();
}
