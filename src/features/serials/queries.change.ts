import { sql } from 'kysely';
import { OperateStatus } from '#domain/enums.ts';
import type { Context } from '#server/context.ts';
import { inSites } from '#server/db/conditions.ts';
import { findDevice } from '#server/workflow/parts.ts';
import { readUnits } from '#server/workflow/units.ts';

/** What the archive and the catalogue know of an SN; held where it is going to be another one's. */
export async function readObject({ db }: Context, of: { sn: string } | { id: number }, hold = false) {
  let query = db
    .selectFrom('ubs_item_object as o')
    .leftJoin('ubs_item as i', 'i.salesCode', 'o.salesCode')
    .select(['o.id', 'o.sn', 'o.type', 'o.origin', 'o.salesCode', 'o.itemName', 'o.productVer', 'o.barcodeType'])
    .select(['o.productOrder', 'i.saleDesc'])
    .select(sql<string | null>`coalesce(o."modelCode", i."modelCode")`.as('modelCode'));
  query = 'sn' in of ? query.where('o.sn', '=', of.sn) : query.where('o.id', '=', of.id);
  if (hold) query = query.forUpdate('o');
  return query.executeTakeFirst();
}

/** The unit of an SN, if the workshop has it, and the device inside of which it is. */
export async function readPlace(ctx: Context, sn: string) {
  const device = await findDevice(ctx, sn);
  const units = await readUnits(ctx.db, [sn, ...(device === null ? [] : [device])]);
  return { unit: units.get(sn), carrier: units.get(device ?? '') };
}

/** Whether an SN is or was anybody's, wherever it was ever written down. */
export async function isTaken({ db }: Context, sn: string): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    SELECT EXISTS (SELECT 1 FROM ubs_item_object WHERE sn = ${sn})
        OR EXISTS (SELECT 1 FROM rma_inventory WHERE sn = ${sn})
        OR EXISTS (SELECT 1 FROM rma_transaction WHERE sn = ${sn})
        OR EXISTS (SELECT 1 FROM rma_maintain_bill_line_item WHERE "receiveSn" = ${sn} OR "deliverSn" = ${sn})
        OR EXISTS (SELECT 1 FROM ubs_assembly WHERE "deviceSn" = ${sn} OR "componentSn" = ${sn})
        OR EXISTS (SELECT 1 FROM ubs_sn_change_log
                    WHERE "operateStatus" IS DISTINCT FROM ${sql.lit(OperateStatus.Rollbacked)} AND ("oldSn" = ${sn} OR "newSn" = ${sn})) AS taken
  `.execute(db);
  return rows[0]?.taken === true;
}

/** Within the user's sites; another site's change is as if it did not exist. */
export async function changeById({ db, currentUser }: Context, id: number, hold: boolean) {
  let query = db.selectFrom('ubs_sn_change_log').selectAll().where('id', '=', id).where(inSites('siteId', currentUser));
  if (hold) query = query.forUpdate();
  return query.executeTakeFirst();
}
