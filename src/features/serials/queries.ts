import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { clockText } from '#server/db/days.ts';
import { touch } from '#server/touch.ts';
import type { LabelKind } from '#domain/labelPrint.ts';

const MOST_ORDERS = 50;

export const findItem = ({ db }: Context, itemId: number) =>
  db
    .selectFrom('ubs_item')
    .select(['itemId', 'salesCode', 'name', 'type', 'modelCode', 'productVerList'])
    .where('itemId', '=', itemId)
    .executeTakeFirst();

export async function ordersBeginning({ db }: Context, salesCode: string, orderNo: string) {
  return db
    .selectFrom('ubs_product_order')
    .select(['orderNo', 'productVer', 'qty'])
    .where('salesCode', '=', salesCode)
    .where('status', '=', OPEN)
    .where(sql<boolean>`starts_with("orderNo", ${orderNo})`)
    .orderBy('orderNo')
    .limit(MOST_ORDERS)
    .execute();
}
const OPEN = '0';

/** Whether the item has such an order, an open one or any. */
export async function isOrderOf(
  { db }: Context,
  salesCode: string,
  orderNo: string,
  isOpen: boolean,
): Promise<boolean> {
  let query = db
    .selectFrom('ubs_product_order')
    .select('id')
    .where('orderNo', '=', orderNo)
    .where('salesCode', '=', salesCode);
  if (isOpen) query = query.where('status', '=', OPEN);
  return (await query.executeTakeFirst()) !== undefined;
}

/** The numbers of this many new SNs, and the year and ISO week of today in the workshop's zone. Kept with the submit. */
export async function takeNumbers({ db, config }: Context, count: number) {
  const { last, yearWeek } = await db
    .insertInto('serial_number')
    .values({ last: count })
    .onConflict((it) => it.column('single').doUpdateSet({ last: sql<number>`serial_number.last + ${count}` }))
    .returning(['last', clockText(sql`now()`, config.timeZone, 'IYIW').as('yearWeek')])
    .executeTakeFirstOrThrow();
  return { numbers: Array.from({ length: count }, (_, i) => last - count + 1 + i), yearWeek };
}

export interface NewSerial {
  itemId: number;
  salesCode: string | null;
  itemName: string | null;
  type: string;
  origin: string;
  productOrder: string | null;
  modelCode: string;
  productVer: string;
  productVerType: string;
  barcodeType: LabelKind;
  printReason: string;
}

/** The archive learns new SNs; gives those that it did not know yet. */
export async function archiveSerials(
  { db, currentUser }: Context,
  sns: readonly string[],
  of: NewSerial,
): Promise<string[]> {
  const rows = await db
    .insertInto('ubs_item_object')
    .values(sns.map((sn) => ({ ...of, sn, printCount: 1, createBy: currentUser.userId })))
    .onConflict((it) => it.column('sn').doNothing())
    .returning('sn')
    .execute();
  return rows.map((it) => it.sn);
}

const columns = [
  'o.id',
  'o.sn',
  'o.type',
  'o.salesCode',
  'o.itemName',
  'o.productVer',
  'o.productVerType',
  'o.productOrder',
  'o.barcodeType',
  'i.saleDesc',
] as const;

/** An SN of the archive with what the catalogue says of its item. */
const archived = ({ db }: Context) =>
  db
    .selectFrom('ubs_item_object as o')
    .leftJoin('ubs_item as i', 'i.salesCode', 'o.salesCode')
    .select([...columns, sql<string | null>`coalesce(o."modelCode", i."modelCode")`.as('modelCode')]);

export const archivedSn = (ctx: Context, sn: string) => archived(ctx).where('o.sn', '=', sn).executeTakeFirst();

/** Held, so that two prints of one label are counted as two. */
export const heldSn = (ctx: Context, id: number) =>
  archived(ctx).where('o.id', '=', id).forUpdate('o').executeTakeFirst();

export async function countPrint(
  { db, currentUser }: Context,
  id: number,
  label: { productOrder: string | null; barcodeType: LabelKind },
): Promise<void> {
  await db
    .updateTable('ubs_item_object')
    .set({
      printCount: sql`coalesce("printCount", 0) + 1`,
      ...label,
      ...touch(currentUser),
    })
    .where('id', '=', id)
    .execute();
}
