import { sql, type Insertable, type Kysely } from 'kysely';
import { BillStatus, DeliverPriority, DeliverStatus, Flag, ReceiveStatus } from '#domain/enums.ts';
import { Node } from '#domain/nodes.ts';
import type { Tables } from '#server/db/tables.ts';
import { recountLines } from '#server/workflow/bills.ts';
import { newCounts } from '#server/workflow/lines.ts';

type Db = Kysely<Tables>;
type Row<Table extends keyof Tables> = Partial<Insertable<Tables[Table]>>;

let made = 0;
const next = (prefix: string) => `${prefix}${String(++made).padStart(5, '0')}`;

export interface Bill {
  mtbId: string;
  siteId: string;
}

/** A maintain bill whose receipt is closed. */
export async function maintainBill(db: Db, row: Row<'rma_maintain_bill'> = {}): Promise<Bill> {
  const mtbId = row.mtbId ?? next('MTB-T');
  const bill = {
    siteId: 'SZ',
    billStatus: BillStatus.Received,
    userName: '宁远矿业',
    receiveShipNo: `SHIP-${mtbId}`,
    ...row,
    mtbId,
  };
  await db.insertInto('rma_maintain_bill').values(bill).execute();
  return { mtbId, siteId: bill.siteId };
}

export interface UnitOnBill extends Bill {
  sn: string;
  mtblId: string;
  mtbliId: string;
  /** The item's row id. */
  itemId: number;
}

interface Standing {
  node: Node;
  sn?: string;
  siteId?: string;
  /** Where several units stand on one bill. */
  bill?: Bill;
  billStatus?: BillStatus;
  salesCode?: string;
  item?: Row<'rma_maintain_bill_line_item'>;
  unit?: Row<'rma_inventory'>;
}

/** A device that a customer sent in and that stands at a node, with its bill, line and item, as the stations leave them. */
export async function unitOnBill(db: Db, it: Standing): Promise<UnitOnBill> {
  const { node, sn = next('RX19P4A26110T'), siteId = 'SZ', salesCode = 'RX19' } = it;
  const bill = it.bill ?? (await maintainBill(db, { siteId, billStatus: it.billStatus ?? billStatusAt(node) }));
  const { mtbId } = bill;
  const [mtblId, mtbliId] = [next('MBL-T'), next('MBI-T')];
  const goods = { type: '0', salesCode, itemName: `${salesCode} 104T` };
  await db
    .insertInto('rma_maintain_bill_line')
    .values({ ...newCounts, mtblId, mtbId, ...goods, productName: salesCode, count: 1 })
    .execute();
  const item = await db
    .insertInto('rma_maintain_bill_line_item')
    .values({
      mtbliId,
      mtblId,
      mtbId,
      billType: sql<string>`(SELECT "billType" FROM rma_maintain_bill WHERE "mtbId" = ${mtbId})` as never,
      siteId,
      receiveSn: sn,
      receiveStatus: ReceiveStatus.Received,
      receiveTime: sql<string>`now()` as never,
      scrap: flagAt(node, Node.Scrapped),
      exchange: Flag.No,
      stockup: Flag.No,
      deliverPriority: DeliverPriority.Normal,
      deliverStatus: statusAt[node] ?? DeliverStatus.CannotShip,
      ...it.item,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('rma_inventory')
    .values({ sn, ...goods, siteId, ivyId: node, mtbId, mtblId, mtbliId, storageType: '1', ...it.unit })
    .execute();
  if (node === Node.Shipped) {
    const dvbId = next('DVB-T');
    await db.insertInto('rma_deliver_bill').values({ dvbId, siteId, userId: 'warehouse' }).execute();
    await db.insertInto('rma_deliver_bill_line').values({ dvbId, mtbId, mtbliId, sn, salesCode }).execute();
  }
  await recountLines(db, [mtblId]);
  return { sn, mtblId, mtbliId, itemId: Number(item.id), mtbId, siteId };
}

const statusAt: Partial<Record<Node, DeliverStatus>> = {
  [Node.Scrapped]: DeliverStatus.Scrapped,
  [Node.CanShip]: DeliverStatus.CanShip,
  [Node.Shipped]: DeliverStatus.Shipped,
};
const billStatusAt = (node: Node) =>
  node === Node.Scrapped || node === Node.Shipped ? BillStatus.Finished : BillStatus.Received;
const flagAt = (node: Node, at: Node) => (node === at ? Flag.Yes : Flag.No);

/** A machine of the site's own stock: on no bill. */
export async function stockMachine(db: Db, node: Node, row: Row<'rma_inventory'> = {}): Promise<string> {
  const sn = row.sn ?? next('RX19P4A26110S');
  await db
    .insertInto('rma_inventory')
    .values({ type: '0', salesCode: 'RX19', itemName: 'RX19 104T', siteId: 'SZ', ivyId: node, ...row, sn })
    .execute();
  return sn;
}

export interface HeldUnit extends UnitOnBill {
  ckbId: string;
}

/** A unit that its checker proposed to scrap, or to give back unrepaired, and that a supervisor has not yet seen. */
export async function heldUnit(
  db: Db,
  confirmation: 'scrap' | 'nofault' = 'scrap',
  standing: Partial<Standing> = {},
): Promise<HeldUnit> {
  const unit = await unitOnBill(db, { node: Node.AwaitingCheck, ...standing });
  return { ...unit, ckbId: await proposal(db, confirmation, unit) };
}

/** A check that proposes to scrap a unit, or to give it back unrepaired; gives the number of its bill. */
export async function proposal(
  db: Db,
  confirmation: 'scrap' | 'nofault',
  {
    sn,
    mtbId = null,
    mtbliId = null,
    siteId = 'SZ',
  }: { sn: string; mtbId?: string | null; mtbliId?: string | null; siteId?: string },
): Promise<string> {
  const ckbId = next('CKB-T');
  await db.insertInto('rma_check_bill').values({ ckbId, mtbId, siteId, userId: 'tech' }).execute();
  await db
    .insertInto('rma_check_bill_line')
    .values({
      ckbId,
      sn,
      mtbliId,
      disposition: confirmation,
      [confirmation === 'scrap' ? 'scrapStatus' : 'nofaultConfirmStatus']: '0',
    })
    .execute();
  return ckbId;
}

/** What a pending package says beside its number and where it is. */
export const packageFacts = {
  languageType: 'zh',
  receiveShipId: 'SF',
  repairableCount: 1,
  userName: '宁远矿业',
  mobile: '13800000000',
  countryCode: '95',
};

/** Those who repair for the sites and stand on price bills and fee bills. */
export async function repairSuppliers(db: Kysely<Tables>, ...names: string[]): Promise<void> {
  await db
    .insertInto('rma_repair_supplier')
    .values(names.map((supplierName) => ({ supplierName })))
    .execute();
}
