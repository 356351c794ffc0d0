import { sql } from 'kysely';
import { Flag, GoodsType, OperateStatus, RepairType, StorageType } from '#domain/enums.ts';
import { Node } from '#domain/nodes.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import { anyOf } from '#server/db/conditions.ts';
import { touch } from '#server/touch.ts';
import { NO_WAREHOUSE, recordEvents, readLocations } from '#server/workflow/moves.ts';
import { tallyAs } from '#server/workflow/stockup.ts';
import type { ArchivedPart } from '#server/workflow/parts.ts';
import type { Unit } from '#server/workflow/units.ts';

/** What the latest first test of this SN found; as the power of another device it was not tested itself. */
export async function lastCheckCodes({ db }: Context, sn: string): Promise<string | null> {
  const row = await db
    .selectFrom('rma_check_bill_line')
    .select('icdIds')
    .where('sn', '=', sn)
    .where('disposition', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.icdIds ?? null;
}

/** The step and code with which aging or QC sent the unit back, if that is how it came here. */
export async function lastFail({ db }: Context, sn: string): Promise<{ step: string; code: string } | null> {
  const row = await db
    .selectFrom('rma_transaction')
    .select(['step', 'note'])
    .where('sn', '=', sn)
    .where('operateStatus', '=', OperateStatus.Normal)
    // What it is called tells nothing of what is wrong with it.
    .where('step', '!=', 'changeSn')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!row?.note || (row.step !== 'aging' && row.step !== 'qc')) return null;
  return { step: row.step, code: row.note };
}

/** The slots of each SN whose model has a bill of material with slots. */
export async function slotsBySn({ db }: Context, sns: readonly string[]): Promise<Map<string, Set<string>>> {
  const rows = await db
    .selectFrom('ubs_item_object as o')
    .innerJoin('ubs_item as i', 'i.salesCode', 'o.salesCode')
    .innerJoin('ubs_bom_item as b', 'b.bomid', 'i.bomId')
    .select(['o.sn', 'b.location'])
    .where('o.sn', '=', anyOf(sns))
    .execute();
  const slots = new Map<string, Set<string>>();
  for (const { sn, location } of rows) {
    const of = slots.get(sn) ?? new Set<string>();
    slots.set(sn, of.add(location.toUpperCase()));
  }
  return slots;
}

/** The slots of a model's bill of material; null where it has none. */
export async function readModelSlots({ db }: Context, salesCode: string): Promise<Set<string> | null> {
  const rows = await db
    .selectFrom('ubs_item as i')
    .innerJoin('ubs_bom_item as b', 'b.bomid', 'i.bomId')
    .select('b.location')
    .where('i.salesCode', '=', salesCode)
    .orderBy('b.id')
    .execute();
  return rows.length === 0 ? null : new Set(rows.map((it) => it.location.toUpperCase()));
}

/**
 * Which repair type is proposed for a machine of the site's stock: what was scrap before it was activated is that.
 * Rule: events#e23.
 */
export async function proposedType({ db }: Context, sn: string): Promise<string> {
  const row = await db
    .selectFrom('rma_transaction')
    .select('fromNode')
    .where('sn', '=', sn)
    .where('step', '=', 'storeStart')
    .where('operateStatus', '=', OperateStatus.Normal)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.fromNode === Node.Scrapped ? RepairType.InventoryScrapped : RepairType.Defective;
}

/**
 * Boards that were replaced: scrap of the site, on nobody's bill. `held` are those that the workshop knows; one that has
 * come in meanwhile refuses the whole submit. Rule: events#e15, events#e16.
 */
export async function scrapBoards(
  ctx: Context,
  it: { sns: readonly string[]; held: readonly string[]; archive: ReadonlyMap<string, ArchivedPart> },
  rpbId: string,
  { mtbId, mtbliId }: Pick<Unit, 'mtbId' | 'mtbliId'> = { mtbId: null, mtbliId: null },
): Promise<void> {
  const { sns, held, archive } = it;
  if (sns.length === 0) return;
  const { currentUser } = ctx;
  const boards = sns.map((sn) => {
    const { salesCode = null, itemName = null } = archive.get(sn) ?? {};
    return { sn, salesCode, itemName };
  });
  const { numAffectedRows } = await sql`
    WITH before AS (SELECT sn, "ivyId", "subinventoryCode", "storageType" FROM rma_inventory WHERE sn = ANY(${sns})),
    moved AS (
      INSERT INTO rma_inventory AS u
        (sn, type, "salesCode", "itemName", "siteId", "ivyId", "storageType", "createBy")
      SELECT b.sn, ${GoodsType.Board}, b."salesCode", b."itemName", ${currentUser.siteId}, ${Node.Scrapped},
             ${StorageType.Scraps}, ${currentUser.userId}
        FROM json_to_recordset(${JSON.stringify(boards)}::json) AS b(sn text, "salesCode" text, "itemName" text)
       ORDER BY b.sn
          ON CONFLICT (sn) DO UPDATE
         SET "siteId" = excluded."siteId", "ivyId" = excluded."ivyId", "storageType" = excluded."storageType",
             "mtbId" = NULL, "mtblId" = NULL, "mtbliId" = NULL, "subinventoryCode" = NULL,
             version = u.version + 1, "updateBy" = excluded."createBy", "updateTime" = now()
       WHERE u.sn = ANY(${held})
      RETURNING u.sn)
    INSERT INTO rma_transaction
      (sn, "mtbId", "mtbliId", "siteId", step, "billId", "fromNode", "toNode", "operateStatus", "eventTime", "userId",
       "createBy", "fromSubinventoryCode", "fromStorageType")
    SELECT m.sn, ${mtbId}, ${mtbliId}, ${currentUser.siteId}, 'repair', ${rpbId}, before."ivyId", ${Node.Scrapped},
           ${OperateStatus.Normal}, now(), ${currentUser.userId},
           ${currentUser.userId}, coalesce(before."subinventoryCode", ${NO_WAREHOUSE}), before."storageType"
      FROM moved AS m LEFT JOIN before ON before.sn = m.sn`.execute(ctx.db);
  if (Number(numAffectedRows) !== sns.length) throw new Refusal({ key: 'stale' });
}

/**
 * A new part stands where the old one stood on its bill, past its repair; the item goes on with it. Rule: events#e16.
 */
export async function replaceUnit(
  ctx: Context,
  old: Unit,
  it: { sn: string; rpbId: string; from: Node | null; to: Node; archived: ArchivedPart | undefined },
): Promise<void> {
  const { db, currentUser } = ctx;
  const { sn, from, to } = it;
  const salesCode = it.archived?.salesCode ?? old.salesCode;
  const itemName = it.archived?.itemName ?? old.itemName;
  const location = (await readLocations(ctx, [sn])).get(sn) ?? null;
  const { numAffectedRows } = await sql`
    INSERT INTO rma_inventory AS u
      (sn, type, "salesCode", "itemName", "siteId", "ivyId", "mtbId", "mtblId", "mtbliId", "storageType", "createBy")
    VALUES (${sn}, ${GoodsType.Board}, ${salesCode}, ${itemName}, ${currentUser.siteId}, ${to}, ${old.mtbId}, ${old.mtblId},
            ${old.mtbliId}, ${StorageType.Defectives}, ${currentUser.userId})
        ON CONFLICT (sn) DO UPDATE
       SET "siteId" = excluded."siteId", "ivyId" = excluded."ivyId", "mtbId" = excluded."mtbId",
           "mtblId" = excluded."mtblId", "mtbliId" = excluded."mtbliId", "storageType" = excluded."storageType",
           "subinventoryCode" = NULL, version = u.version + 1, "updateBy" = excluded."createBy", "updateTime" = now()
     WHERE u."ivyId" IS NOT DISTINCT FROM ${from}`.execute(db);
  if (Number(numAffectedRows) !== 1) throw new Refusal({ key: 'stale' });
  const unit = { sn, mtbId: old.mtbId, mtbliId: old.mtbliId, ivyId: from };
  await recordEvents(ctx, [{ unit, to, location }], 'repair', it.rpbId);
  if (!old.mtbliId) return;
  await tallyAs(ctx, old.mtbliId, sn);
  await db
    .updateTable('rma_maintain_bill_line_item')
    .set({ exchange: Flag.Yes, ...touch(currentUser) })
    .where('mtbliId', '=', old.mtbliId)
    .execute();
}
