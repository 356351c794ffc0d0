import { sql } from 'kysely';
import type { DataOf, InputOf } from '#domain/call.ts';
import { OperateStatus } from '#domain/enums.ts';
import { Refusal, refuseIfAny } from '#domain/refusal.ts';
import { ftBins, GOOD_BIN, MOST_DIES, Stage } from '#domain/wafer.ts';
import type { Context } from '#server/context.ts';
import { anyOf } from '#server/db/conditions.ts';
import { seeRow } from '#server/engine/rowOf.ts';
import type { Row } from '#server/engine/rows.ts';
import { refuseUnseen } from '#server/engine/seen.ts';
import { recordInLedger } from '#server/ledger.ts';
import { requireDefinition } from '#server/requireDefinition.ts';
import { touch } from '#server/touch.ts';
import { holdBank } from '#server/workflow/bankLocks.ts';
import { changeLot, listWafers, noteLot, noteLots, type LotEvent } from '#server/workflow/lots.ts';
import { tellYields } from '#server/workflow/yields.ts';
import type { merge, toMerge } from './contract.ts';

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
const same = [
  ...['waferPn', 'stage', 'supplierId', 'devicePn', 'siteId', 'ftTestProgram'],
  ...['lotType', 'engineeringCode', 'dateCode', 'inventoryOrg'],
  // Of these the merged lot says one for all of it: what a device is, what is printed on it, and where it was assembled.
  ...['deviceErpCode', 'packageType', 'marking', 'originalMarking', 'assySiteId'],
];
const bins = [GOOD_BIN, ...ftBins];
const sums = bins.map((it) => `bin${it}` as 'binG');

interface MergeLot {
  id: number;
  version: number;
  wipId: string;
  waferLotId: string;
  waferIds: string;
  chipQty: number;
  workOrderNo: string;
  inTime: number | null;
}

/** The lots of the same part, bank, store, supplier, device, program and kind that hold something, the asked one among them. */
async function alikeTo(ctx: Context, lot: Row): Promise<MergeLot[]> {
  const stage = String(lot['stage']);
  const word = (value: string) => ({ options: 'icopStages', value });
  if (!banks.includes(stage)) {
    const args = { id: String(lot['wipId']), status: word(stage), expected: banks.map(word) };
    throw new Refusal({ key: 'billState', field: 'id', args });
  }
  const alike = [...same, ...(waferBanks.includes(stage) ? ['waferLotId'] : [])].map(
    (name) => sql`${sql.ref(name)} IS NOT DISTINCT FROM ${lot[name]}`,
  );
  const { rows } = await sql<MergeLot>`
    SELECT id::int AS id, version, "wipId", coalesce("waferLotId", '') AS "waferLotId", coalesce("waferIds", '') AS "waferIds", "chipQty",
           coalesce("workOrderNo", '') AS "workOrderNo", "inTime"
      FROM icop_wip WHERE ${sql.join(alike, sql` AND `)} AND "chipQty" > 0 ORDER BY id`.execute(ctx.db);
  return rows;
}

/** What may be merged with a lot; nothing where it is empty itself. Rule: wafer-bank#merge. */
export async function readAlike(input: InputOf<typeof toMerge>, ctx: Context): Promise<DataOf<typeof toMerge>> {
  const lot = await seeRow(ctx, 'icopWip', input.id);
  const rows = await alikeTo(ctx, lot);
  const others = rows.filter((it) => it.wipId !== lot['wipId']);
  return { items: others.length < rows.length ? others.map(({ id: _, ...it }) => it) : [] };
}

/**
 * Merges a lot with those that were chosen: a new lot with all of them as parents, which are empty afterwards. Refused in
 * process, where one of them is empty or no longer the same goods, and where none was chosen. Rule: wafer-bank#merge.
 */
export async function mergeLots(input: InputOf<typeof merge>, ctx: Context): Promise<DataOf<typeof merge>> {
  const chosen = listed(input.wipIds);
  const seen = await seeRow(ctx, 'icopWip', input.id);
  const own = String(seen['wipId']);
  const wanted = [...new Set([own, ...chosen])];
  await holdBank(ctx, { lots: wanted });
  const lot = await seeRow(ctx, 'icopWip', input.id);
  refuseUnseen(requireDefinition(ctx.model, 'icopWip'), lot, input.version);
  await refuseUnseenLots(ctx, chosen, input);
  const stage = String(lot['stage']);
  const rows = (await alikeTo(ctx, lot)).filter((it) => wanted.includes(it.wipId));
  if (wanted.length < 2) {
    const fields = [{ zh: '要合并的批次', en: 'Lots to merge' }];
    throw new Refusal({ key: 'required', field: 'wipIds', args: { fields } });
  }
  const other = wanted.find((it) => !rows.some(({ wipId }) => wipId === it));
  if (other) {
    // The lot itself may be the one that is empty.
    const beside = other === own ? (wanted[1] as string) : own;
    throw new Refusal({ key: 'notSameGoods', field: 'wipIds', args: { id: other, with: beside } });
  }
  const parents = rows.map((it) => it.wipId);
  const chipQty = rows.reduce((sum, it) => sum + Number(it.chipQty), 0);
  if (chipQty > MOST_DIES) {
    const field = { module: 'icopWip', field: 'chipQty' };
    throw new Refusal({ key: 'atMost', field: 'id', args: { field, max: MOST_DIES } });
  }
  const wipId = await ctx.numbers.next('WIP');
  const given = await piecesOf(ctx, stage, parents, wipId);
  await copyLot(ctx, wipId, Number(lot['id']), parents, chipQty);
  // What came back to a lot after it was merged is of a wafer that the merged lot has counted: it did not come twice.
  await sql`
    INSERT INTO icop_wip_wafer ("wipId", "waferId", "chipQty", "originalQty", "createBy")
    WITH RECURSIVE counted AS (
      SELECT "wipId", remark AS by FROM icop_transaction
       WHERE "wipId" = ANY(${parents}) AND "transactionType" = 'ADJUST' AND "operateStatus" = ${OperateStatus.Normal}
       UNION
      SELECT c."wipId", m.remark FROM counted AS c JOIN icop_transaction AS m ON m."wipId" = c.by
       WHERE m."transactionType" = 'ADJUST' AND m."operateStatus" = ${OperateStatus.Normal})
    SELECT ${wipId}, "waferId", sum("chipQty"),
           coalesce(sum("originalQty") FILTER (WHERE "wipId" NOT IN (SELECT "wipId" FROM counted WHERE by = ANY(${parents}))),
                    max("originalQty")), ${ctx.currentUser.userId}
      FROM icop_wip_wafer WHERE "wipId" = ANY(${parents}) AND "chipQty" > 0 GROUP BY "waferId"`.execute(ctx.db);
  await sql`UPDATE icop_wip_wafer SET "chipQty" = 0 WHERE "wipId" = ANY(${parents})`.execute(ctx.db);
  if (waferBanks.includes(stage)) await listWafers(ctx, wipId);
  await noteLots(ctx, given);
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
  await tellYields(ctx, [wipId]);
  await recordInLedger(ctx, { what: 'merge', module: 'icopWip', recordId: wipId, from: { parents }, to: { chipQty } });
  return { wipId, chipQty, parents };
}

const listed = (text: string | null | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((it) => it.trim())
    .filter(Boolean);

/** Each chosen lot is as it was shown; where one is not, it is named with what it held then and holds now. */
async function refuseUnseenLots(
  { db }: Context,
  chosen: readonly string[],
  { versions, chipQtys }: InputOf<typeof merge>,
): Promise<void> {
  const [seen, qtys] = [listed(versions), listed(chipQtys)];
  const missing = [seen, qtys].find((it) => it.length !== chosen.length);
  if (missing) {
    const name = missing === seen ? 'versions' : 'chipQtys';
    throw new Refusal({ key: 'required', field: name, args: { fields: name } });
  }
  const lots = await db
    .selectFrom('icop_wip')
    .select(['wipId', 'version', 'chipQty'])
    .where('wipId', '=', anyOf([...chosen]))
    .execute();
  refuseIfAny(
    chosen.flatMap((id, i) => {
      const lot = lots.find((it) => it.wipId === id);
      if (!lot || (String(lot.version) === seen[i] && String(lot.chipQty ?? 0) === qtys[i])) return [];
      const args = { id, was: qtys[i] as string, now: lot.chipQty ?? 0 };
      return [{ key: 'lotChanged' as const, field: 'wipIds', args }];
    }),
  );
}

/** What each lot gives to the new one, wafer by wafer or bin by bin, so that it can be given back. */
async function piecesOf({ db }: Context, stage: string, parents: readonly string[], to: string): Promise<LotEvent[]> {
  const of = { type: 'ADJUST', after: 0, remark: to } as const;
  if (waferBanks.includes(stage)) {
    const rows = await db
      .selectFrom('icop_wip_wafer')
      .select(['wipId', 'waferId', 'chipQty'])
      .where('wipId', '=', anyOf(parents))
      .where('chipQty', '>', 0)
      .orderBy('id')
      .execute();
    return rows.map(({ chipQty: qty, ...it }) => ({ ...of, ...it, bin: null, qty, before: qty }));
  }
  const rows = await db.selectFrom('icop_wip').selectAll().where('wipId', '=', anyOf(parents)).orderBy('id').execute();
  return rows.flatMap((row) =>
    bins
      .map((bin) => ({ bin, qty: row[`bin${bin}` as 'binG'] ?? 0 }))
      .filter((it) => it.qty > 0)
      .map((it) => ({ ...of, ...it, wipId: row.wipId, waferId: null, before: it.qty })),
  );
}

/** What was merged into this lot, and the lots that it came from: they are its parents, by which they are found. */
export const mergeOf = ({ db }: Context, wipId: string) =>
  db
    .selectFrom('icop_transaction')
    .select(['id', 'wipId', 'waferId', 'bin', 'qty'])
    .where(
      sql<boolean>`"wipId" = ANY((SELECT string_to_array("parentWipIds", ',') FROM icop_wip WHERE "wipId" = ${wipId})::text[])`,
    )
    .where('transactionType', '=', 'ADJUST')
    .where('operateStatus', '=', OperateStatus.Normal)
    .where('remark', '=', wipId)
    .orderBy('id')
    .execute();

/**
 * Gives each lot back what it gave to the merged one, which the caller found unused and holds with all of them. Refused of
 * a merge that did not note its pieces.
 */
export async function undoMerge(ctx: Context, wipId: string, remark: string): Promise<void> {
  const given = await mergeOf(ctx, wipId);
  if (given.length === 0 || given.some((it) => !it.waferId && !it.bin)) {
    const step = { options: 'icopTransactionTypes', value: 'ADJUST' };
    throw new Refusal({ key: 'notUndoable', field: 'id', args: { step } });
  }
  const of = { type: 'REVERSE', remark, isRollback: true } as const;
  for (const { id: _, qty, ...piece } of given) {
    const change = { ...piece, by: qty ?? 0 };
    await noteLot(ctx, { ...of, ...piece, qty: qty ?? 0, ...(await changeLot(ctx, change)) });
    const taken = { ...change, wipId, by: -change.by };
    await noteLot(ctx, { ...of, ...taken, qty: qty ?? 0, ...(await changeLot(ctx, taken)) });
  }
  await ctx.db
    .updateTable('icop_transaction')
    .set({ operateStatus: OperateStatus.Rollbacked, ...touch(ctx.currentUser) })
    .where((it) =>
      it.or([
        it('id', '=', anyOf(given.map(({ id }) => id))),
        it.and([
          it('wipId', '=', wipId),
          it('transactionType', '=', 'IN'),
          it('operateStatus', '=', OperateStatus.Normal),
        ]),
      ]),
    )
    .execute();
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
  // What a lot is not counted in, it does not begin to be counted in by this.
  const empty = Object.fromEntries(
    [...sums, 'waferQty'].map((it) => [it, sql`CASE WHEN ${sql.ref(it)} IS NULL THEN NULL ELSE 0 END`]),
  );
  await ctx.db
    .updateTable('icop_wip')
    .set({
      ...empty,
      chipQty: 0,
      remainQty: 0,
      waferIds: null,
      ...touch(ctx.currentUser),
    })
    .where('wipId', '=', anyOf(parents))
    .execute();
}
