import { sql } from 'kysely';
import type { DataOf, InputOf } from '#domain/call.ts';
import { DeliverStatus, Flag, OperateStatus, StorageType } from '#domain/enums.ts';
import { groupBy } from '#domain/group.ts';
import { ownSite, validateReturn } from '#domain/itemActions.ts';
import { Node } from '#domain/nodes.ts';
import { refuseIfAny, Refusal, type Problem } from '#domain/refusal.ts';
import { normaliseNo } from '#domain/sn.ts';
import { registrations } from '#domain/workflow.ts';
import { atSite, type Context } from '#server/context.ts';
import { anyOf, inSites } from '#server/db/conditions.ts';
import { recordInLedger } from '#server/ledger.ts';
import { touch, touchSql } from '#server/touch.ts';
import { toStorageType } from '#server/reports/movements.ts';
import { recountLines } from '#server/workflow/bills.ts';
import { createMove, recordEvents, rolledBackSql } from '#server/workflow/moves.ts';
import { dropProposals, shelve } from '#server/workflow/placing.ts';
import { unsettle } from '#server/workflow/settled.ts';
import { leavesStockup } from '#server/workflow/stockup.ts';
import { holdUnits } from '#server/workflow/unitLocks.ts';
import { readSns, type Unit } from '#server/workflow/units.ts';
import type { rollbackToPreliminaryTest } from './contract.ts';
import { validateReturnedUnits } from './rules.ts';
import { moveAtSites, recordAtSites } from './server.sites.ts';

/**
 * Units wait for their first test again, and all that was done since the first one is rolled back: nothing is held,
 * scrap or ready to ship any more. Refuses a repeat, and what has left or was closed with its bill. Rule: events#e30.
 */
export async function returnToCheck(
  input: InputOf<typeof rollbackToPreliminaryTest>,
  ctx: Context,
): Promise<DataOf<typeof rollbackToPreliminaryTest>> {
  const rows = (Array.isArray(input) ? input : input.list).map((it) => ({
    sn: it.sn,
    mtbliId: normaliseNo(it.mtbliId),
    mtbId: normaliseNo(it.mtbId),
  }));
  refuseIfAny(validateReturnedUnits(rows));
  const fieldOf = (i: number) => `${i}.sn`;
  const sns = readSns(
    rows.map((it) => it.sn),
    fieldOf,
  );
  const held = await holdUnits(ctx.db, sns);
  const units = sns.map((sn, i): Unit => {
    const unit = held.get(sn);
    if (!unit) throw new Refusal({ key: 'notFound', field: fieldOf(i), args: { what: 'SN', value: sn } });
    return unit;
  });
  const items = await readItems(
    ctx,
    rows.map((it) => it.mtbliId),
  );
  const latest = await latestStatuses(ctx, sns);
  refuseIfAny(
    units.flatMap((unit, i): Problem[] => {
      const { mtbliId = '', mtbId = '' } = rows[i] ?? {};
      const said = { mtbliId, mtbId, siteId: ownSite(ctx.currentUser), latest: latest.get(unit.sn) ?? null };
      return validateReturn(unit, items.get(mtbliId), said, fieldOf(i));
    }),
  );

  const mtbliIds = rows.map((it) => it.mtbliId);
  await unsettle(ctx, mtbliIds);
  await leavesStockup(ctx, mtbliIds);
  await dropProposals(ctx, units);
  const left = await rollBackSinceCheck(ctx, sns);
  await moveBack(ctx, units, left);
  await shelve(ctx, sns, Node.AwaitingCheck);
  await recordSites(ctx, units, left);
  await clearItems(ctx, mtbliIds);
  await recountLines(
    ctx.db,
    units.flatMap((it) => it.mtblId ?? []),
  );
  const mtbIds = [...new Set(rows.map((it) => it.mtbId))];
  await showRolledBack(ctx, mtbIds);
  for (const mtbId of mtbIds) {
    const returned = units.filter((it) => it.mtbId === mtbId);
    await recordInLedger(ctx, {
      what: 'rollbackToPreliminaryTest',
      module: 'rmaMaintainBill',
      recordId: mtbId,
      from: Object.fromEntries(
        returned.map(({ sn, ivyId, deliverStatus, held: it }) => [sn, { ivyId, deliverStatus, held: it }]),
      ),
      to: { node: Node.AwaitingCheck, sns: returned.map((it) => it.sn) },
    });
  }
  return { snList: sns };
}

/** Items by their numbers, within the user's sites. */
async function readItems({ db, currentUser }: Context, mtbliIds: readonly string[]) {
  const query = db
    .selectFrom('rma_maintain_bill_line_item')
    .select(['mtbliId', 'receiveSn', 'deliverStatus', 'scrap'])
    .where('mtbliId', '=', anyOf(mtbliIds))
    .where(inSites('siteId', currentUser));
  return new Map((await query.execute()).map((it) => [it.mtbliId, it]));
}

/** Whether the latest thing that was done to each unit was to roll something back; a return is that also where it stands. */
async function latestStatuses({ db }: Context, sns: readonly string[]): Promise<Map<string, string | null>> {
  const { rows } = await sql<{ sn: string; operateStatus: string | null }>`
    SELECT s.sn, CASE WHEN t.step = 'returnToCheck' THEN ${OperateStatus.Rollbacked} ELSE t."operateStatus" END AS "operateStatus"
      FROM unnest(${sns}::text[]) AS s(sn)
     CROSS JOIN LATERAL (SELECT step, "operateStatus" FROM rma_transaction WHERE sn = s.sn ORDER BY id DESC LIMIT 1) AS t
  `.execute(db);
  return new Map(rows.map((it) => [it.sn, it.operateStatus]));
}

const beginnings = sql.join(['receive', ...registrations].map((it) => sql.lit(it)));
/** By this step a part came to its bill in the place of another. Rule: events#e16. */
const tookAPlace = sql`(step = 'repair' AND "toNode" = ${sql.lit(Node.AwaitingTest)} AND EXISTS (
  SELECT 1 FROM rma_repair_bill AS b WHERE b."rpbId" = "billId" AND b.sn <> rma_transaction.sn))`;

/** By this edit a unit that came as scrap left it. Rule: events#e30. */
const tookOutOfScrap = sql`(t.id = f.id AND t.step = 'modifyNode' AND t."fromNode" = ${sql.lit(Node.Scrapped)})`;
/** It led into the workshop, where the unit stays; goods and shipped units are none any more. Rule: reports#movements. */
const ledToWork = sql`${toStorageType('t.toNode')} IS NOT DISTINCT FROM ${sql.lit(StorageType.Defectives)}`;

/** Where a unit was before what was rolled back. */
interface Before {
  /** Its site, where that was changed since. */
  siteId: string | undefined;
  /** It came as scrap, and no edit that stands has brought it into the workshop. */
  wasScrap: boolean;
}

/**
 * What was done since the first test after it came to its bill, or since the unit first left for elsewhere
 * without one; gives where each unit was then.
 */
async function rollBackSinceCheck({ db, currentUser }: Context, sns: readonly string[]): Promise<Map<string, Before>> {
  const { rows } = await sql<{ id: number; sn: string; fromSiteId: string | null; wasScrap: boolean }>`
    UPDATE rma_transaction AS t
       SET ${rolledBackSql}, ${touchSql(currentUser, 't')}
      FROM unnest(${sns}::text[]) AS s(sn)
     CROSS JOIN LATERAL (SELECT coalesce(max(id), 0) AS id FROM rma_transaction
                          WHERE sn = s.sn AND (step IN (${beginnings}) OR ${tookAPlace})
                            AND "operateStatus" = ${sql.lit(OperateStatus.Normal)}) AS r
     CROSS JOIN LATERAL (SELECT min(id) AS id FROM rma_transaction
                          WHERE sn = s.sn AND id > r.id AND "operateStatus" = ${sql.lit(OperateStatus.Normal)}
                            AND step <> 'changeSn' AND (step = 'check' OR "toNode" <> ${Node.AwaitingCheck})) AS f
     WHERE t.sn = s.sn AND t.id >= f.id AND t.step <> 'changeSn' AND NOT (${tookOutOfScrap} AND ${ledToWork})
       AND t."operateStatus" = ${sql.lit(OperateStatus.Normal)}
    RETURNING t.id, t.sn, t."fromSiteId", ${tookOutOfScrap} AS "wasScrap"`.execute(db);
  const steps = groupBy(
    rows.toSorted((a, b) => a.id - b.id),
    (it) => it.sn,
  );
  return new Map(
    [...steps].map(([sn, all]) => {
      const siteId = all.find((it) => it.fromSiteId !== null)?.fromSiteId ?? undefined;
      return [sn, { siteId, wasScrap: all.some((it) => it.wasScrap) }];
    }),
  );
}

/**
 * To their first test. What was scrap before is that again, and from there the return itself brings it into the workshop,
 * from the site at which it was scrap: so it stands. Rule: events#e30, reports#movements.
 */
async function moveBack(ctx: Context, units: readonly Unit[], left: ReadonlyMap<string, Before>): Promise<void> {
  const scrap = units.filter((it) => left.get(it.sn)?.wasScrap && it.ivyId !== Node.Scrapped);
  await recordAtSites(
    ctx,
    scrap.map((unit) => ({ unit, to: Node.Scrapped })),
    'returnToCheck',
  );
  const moves = units.map((unit) => {
    const { siteId, wasScrap } = left.get(unit.sn) ?? {};
    const fromSiteId = siteId === unit.siteId ? undefined : siteId;
    return { ...createMove(unit, 'returnToCheck'), ...(wasScrap && { cameFrom: Node.Scrapped, fromSiteId }) };
  });
  await moveAtSites(ctx, moves, 'returnToCheck');
}

/** The units stay where they were brought meanwhile, and the history says so: what went from site to site is balanced. */
async function recordSites(ctx: Context, units: readonly Unit[], left: ReadonlyMap<string, Before>): Promise<void> {
  for (const unit of units) {
    const { siteId: fromSiteId, wasScrap } = left.get(unit.sn) ?? {};
    if (wasScrap || fromSiteId === undefined || fromSiteId === unit.siteId) continue;
    const there = atSite(ctx, unit.siteId ?? ctx.currentUser.siteId);
    const moved = { ...unit, ivyId: Node.AwaitingCheck };
    await recordEvents(there, [{ unit: moved, to: Node.AwaitingCheck, fromSiteId }], 'updateSiteId', null);
  }
}

/** The item knows nothing of a test any more, and nothing is ready to leave. */
async function clearItems({ db, currentUser }: Context, mtbliIds: readonly string[]): Promise<void> {
  await sql`
    UPDATE rma_maintain_bill_line_item
       SET "deliverStatus" = ${DeliverStatus.CannotShip}, scrap = ${Flag.No}, stockup = ${Flag.No},
           "checkTime" = NULL, "checkUrls" = NULL,
           "checkIcdIds" = NULL, "powerSn" = NULL, ${touchSql(currentUser)}
     WHERE "mtbliId" = ANY(${mtbliIds})`.execute(db);
}

/** A bill shows that the latest thing done on it was a rollback. Rule: units#latest-step. */
async function showRolledBack({ db, currentUser }: Context, mtbIds: readonly string[]): Promise<void> {
  await db
    .updateTable('rma_maintain_bill')
    .set({
      operateStatus: OperateStatus.Rollbacked,
      ...touch(currentUser),
    })
    .where('mtbId', '=', anyOf(mtbIds))
    .execute();
}
