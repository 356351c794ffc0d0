import { sql } from 'kysely';
import { BillStatus } from '#domain/enums.ts';
import type { Context } from '#server/context.ts';
import { touch } from '#server/touch.ts';

interface LinkedBill {
  mtbId: string;
  billStatus: string | null;
}

export async function isSignedHere({ db, currentUser }: Context, shipNo: string): Promise<boolean> {
  const found = await db
    .selectFrom('rma_arrival_bill')
    .select('id')
    .where('receiveShipNo', '=', shipNo)
    .where('siteId', '=', currentUser.siteId)
    .executeTakeFirst();
  return found !== undefined;
}

/** The maintain bill of a parcel at the user's site: an unfinished one first, then the newest. Takes hold of it. */
export async function lockBillOfParcel({ db, currentUser }: Context, shipNo: string): Promise<LinkedBill | null> {
  const found = await db
    .selectFrom('rma_maintain_bill')
    .select(['mtbId', 'billStatus'])
    .where('receiveShipNo', '=', shipNo)
    .where('siteId', '=', currentUser.siteId)
    .orderBy((it) => it('billStatus', '=', BillStatus.Finished))
    .orderBy('id', 'desc')
    .limit(1)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return found ? { mtbId: found.mtbId, billStatus: found.billStatus } : null;
}

export async function lockArrival({ db, currentUser }: Context, id: number) {
  return db
    .selectFrom('rma_arrival_bill')
    .select(['id', 'abId', 'status', 'mtbId', 'receiveShipNo'])
    .where('id', '=', id)
    .where('siteId', '=', currentUser.siteId)
    .forUpdate()
    .executeTakeFirst();
}

export async function lockBill({ db }: Context, mtbId: string): Promise<LinkedBill | null> {
  const found = await db
    .selectFrom('rma_maintain_bill')
    .select(['mtbId', 'billStatus'])
    .where('mtbId', '=', mtbId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return found ? { mtbId, billStatus: found.billStatus } : null;
}

/** A line of the bill that has received less than was declared. */
export async function hasShortLine({ db }: Context, mtbId: string): Promise<boolean> {
  const found = await db
    .selectFrom('rma_maintain_bill_line')
    .select('id')
    .where('mtbId', '=', mtbId)
    .where(sql<boolean>`coalesce("receiveCount", 0) < coalesce(count, 0)`)
    .executeTakeFirst();
  return found !== undefined;
}

export async function changeBill(
  { db, currentUser }: Context,
  mtbId: string,
  change: { billStatus?: string; receivePackageCount?: number },
): Promise<void> {
  await db
    .updateTable('rma_maintain_bill')
    .set({ ...change, ...touch(currentUser) })
    .where('mtbId', '=', mtbId)
    .execute();
}
