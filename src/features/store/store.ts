import { sql } from 'kysely';
import { DeliverStatus, StorageType } from '#domain/enums.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import type { IssueCode } from '#server/workflow/issueCodes.ts';
import type { Unit } from '#server/workflow/units.ts';

/** The warehouse that was named, or the site's own for goods; it must be one of the site's for goods. */
export async function warehouseOf({ db, who }: Context, code: string): Promise<string | null> {
  let query = db
    .selectFrom('ubs_subinventory')
    .select('subinventoryCode')
    .where('siteId', '=', who.siteId)
    .where('storageType', '=', StorageType.Goods)
    .orderBy('id')
    .limit(1);
  if (code !== '') query = query.where('subinventoryCode', '=', code);
  const found = await query.executeTakeFirst();
  if (found || code === '') return found?.subinventoryCode ?? null;
  const args = { what: { module: 'rmaStoreBill', field: 'subinventoryCode' }, value: code };
  throw new Refusal({ key: 'notFound', field: 'subinventoryCode', args });
}

/** The store bill and its lines. */
export async function recordStore(
  { db, who }: Context,
  head: { stbId: string; packageCount: number; subinventoryCode: string | null },
  stored: readonly { unit: Unit; code: IssueCode | null }[],
): Promise<void> {
  const createBy = who.userId;
  await db
    .insertInto('rma_store_bill')
    .values({ ...head, userId: createBy, siteId: who.siteId, createBy })
    .execute();
  await db
    .insertInto('rma_store_bill_line')
    .values(
      stored.map(({ unit, code }) => ({
        stbId: head.stbId,
        sn: unit.sn,
        salesCode: unit.salesCode,
        name: unit.itemName,
        icdId: code?.code ?? null,
        mtbId: unit.mtbId,
        createBy,
      })),
    )
    .execute();
}

/** The units lie in this warehouse, as goods. */
export async function shelve({ db }: Context, sns: readonly string[], subinventoryCode: string | null): Promise<void> {
  await db
    .updateTable('rma_inventory')
    .set({ subinventoryCode, storageType: StorageType.Goods })
    .where('sn', '=', sql<string>`ANY(${sns})`)
    .execute();
}

/** These items can ship now. */
export async function makeShippable({ db, who }: Context, mtbliIds: readonly string[]): Promise<void> {
  await db
    .updateTable('rma_maintain_bill_line_item')
    .set({
      deliverStatus: DeliverStatus.CanShip,
      version: sql`version + 1`,
      updateBy: who.userId,
      updateTime: sql`now()`,
    })
    .where('mtbliId', '=', sql<string>`ANY(${mtbliIds})`)
    .execute();
}
