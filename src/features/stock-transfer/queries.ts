import { sql, type NotNull } from 'kysely';
import { itemTypeOf } from '#domain/itemType.ts';
import { TransferSnStatus, TransferStatus, Warehouse, type StorageType } from '#domain/enums.ts';
import type { Node } from '#domain/nodes.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import { anyOf } from '#server/db/conditions.ts';
import { nameIn } from '#server/engine/describe.ts';
import { touch, touchSql } from '#server/touch.ts';
import type { Unit } from '#server/workflow/units.ts';
import type { NewLine, StockUnit } from './rules.ts';

/** The sites of the product, by their names. */
export const readSites = ({ db, lang }: Context) =>
  db
    .selectFrom('ubs_site')
    .select(['id as btmId', 'siteId', nameIn(lang, 'siteName').as('name')])
    .orderBy('siteId')
    .execute();

const catalogueColumns = ['salesCode', 'name', 'type', 'itemType'] as const;

/** Catalogue items whose code begins so. */
export async function itemsBeginning({ db }: Context, salesCode: string) {
  const rows = await db
    .selectFrom('ubs_item')
    .select(catalogueColumns)
    .where(sql<boolean>`starts_with("salesCode", ${salesCode})`)
    .$narrowType<{ salesCode: NotNull }>()
    .orderBy('salesCode')
    .limit(100)
    .execute();
  return rows.map((it) => ({ salesCode: it.salesCode, name: it.name, itemType: itemTypeOf(it) }));
}

/** The catalogue items of these codes. */
export async function itemsByCode({ db }: Context, codes: readonly string[]) {
  const rows = await db
    .selectFrom('ubs_item')
    .select(catalogueColumns)
    .where('salesCode', '=', anyOf(codes))
    .$narrowType<{ salesCode: NotNull }>()
    .execute();
  return new Map(rows.map((it) => [it.salesCode, { name: it.name, itemType: itemTypeOf(it) }]));
}

/** The transfer as it was made: its lines, and an empty item for each unit that a line takes. Rule: transfers#initiating. */
export async function recordTransfer(
  { db, currentUser: { userId: createBy } }: Context,
  head: { sktbId: string; deliverSiteId: string; receiveSiteId: string; remark: string | null },
  lines: readonly (NewLine & { sktblId: string; name: string })[],
): Promise<number> {
  const { sktbId } = head;
  const count = lines.reduce((sum, it) => sum + it.count, 0);
  const { id } = await db
    .insertInto('rma_stock_transfer_bill')
    .values({ ...head, billStatus: TransferStatus.AwaitingDelivery, count, createBy })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('rma_stock_transfer_bill_line')
    .values(lines.map((it) => ({ ...it, sktbId, remark: it.remark || null, createBy })))
    .execute();
  await sql`
    INSERT INTO rma_stock_transfer_bill_line_item ("sktblId", "sktbId", "snStatus", "createBy")
    SELECT l."sktblId", l."sktbId", ${TransferSnStatus.ToEnter}, ${createBy}
      FROM rma_stock_transfer_bill_line AS l CROSS JOIN LATERAL generate_series(1, l.count)
     WHERE l."sktbId" = ${sktbId} ORDER BY l.id`.execute(db);
  return id;
}

/** The lines of a transfer, in their order. */
export async function readLines({ db }: Context, sktbId: string) {
  const rows = await db
    .selectFrom('rma_stock_transfer_bill_line')
    .select(['sktblId', 'salesCode', 'name', 'itemType', 'storageType', 'count'])
    .where('sktbId', '=', sktbId)
    .orderBy('id')
    .execute();
  return rows.map((it) => ({
    ...it,
    salesCode: it.salesCode ?? '',
    itemType: it.itemType ?? '',
    storageType: it.storageType ?? '',
    count: it.count ?? 0,
  }));
}

/** The items of a transfer, in their order; of one SN alone, where that is asked. */
export async function readItems({ db }: Context, sktbId: string, sn?: string) {
  const rows = await db
    .selectFrom('rma_stock_transfer_bill_line_item as i')
    .innerJoin('rma_stock_transfer_bill_line as l', 'l.sktblId', 'i.sktblId')
    .select(['i.id', 'i.sn', 'i.snStatus', 'i.sktblId', 'i.fromNode', 'i.fromSubinventoryCode'])
    .select(['l.salesCode', 'l.name', 'l.storageType'])
    .where('l.sktbId', '=', sktbId)
    .$if(sn !== undefined, (it) => it.where('i.sn', '=', sn ?? ''))
    .orderBy('i.id')
    .execute();
  return rows.map((it) => ({ ...it, snStatus: it.snStatus ?? '', fromNode: it.fromNode as Node | null }));
}
export type TransferItem = Awaited<ReturnType<typeof readItems>>[number];

/** What the inventory says of these units, as a transfer has to know it. Rule: transfers#lines. */
export async function readStock(
  { db }: Context,
  units: ReadonlyMap<string, Unit>,
): Promise<Map<string, Unit & StockUnit & { name: string; subinventoryCode: string | null }>> {
  const rows = await db
    .selectFrom('rma_inventory as u')
    .leftJoin('ubs_item as it', 'it.salesCode', 'u.salesCode')
    .select(['u.sn', 'u.salesCode', 'u.itemName', 'u.storageType', 'u.subinventoryCode', 'u.type'])
    .select(['it.name', 'it.itemType'])
    .where('u.sn', '=', anyOf([...units.keys()]))
    .execute();
  return new Map(
    rows.flatMap(({ sn, name, itemName, type, ...it }) => {
      const unit = units.get(sn);
      const goods = { salesCode: it.salesCode ?? '', itemType: itemTypeOf({ ...it, type }) };
      const storageType = it.storageType ?? '';
      const known = { ...goods, storageType, name: name ?? itemName ?? '', subinventoryCode: it.subinventoryCode };
      return unit ? [[sn, { ...unit, ...known }] as const] : [];
    }),
  );
}

/** A unit with the line that takes it. */
interface Sent {
  sn: string;
  sktblId: string;
  fromNode: string | null;
  fromSubinventoryCode: string | null;
}

/** The empty items of the lines take the SNs, and remember where each lay. Rule: transfers#transit. */
export async function fillItems({ db, currentUser }: Context, sent: readonly Sent[]): Promise<void> {
  const { numAffectedRows } = await sql`
    WITH sent AS (
      SELECT s.*, row_number() OVER (PARTITION BY s."sktblId" ORDER BY s.n) AS place
        FROM json_to_recordset(${JSON.stringify(sent.map((it, n) => ({ ...it, n })))}::json)
             AS s(n int, sn text, "sktblId" text, "fromNode" text, "fromSubinventoryCode" text)),
    empty AS (
      SELECT id, "sktblId", row_number() OVER (PARTITION BY "sktblId" ORDER BY id) AS place
        FROM rma_stock_transfer_bill_line_item
       WHERE "sktblId" = ANY(${[...new Set(sent.map((it) => it.sktblId))]}) AND "snStatus" = ${TransferSnStatus.ToEnter})
    UPDATE rma_stock_transfer_bill_line_item AS i
       SET sn = sent.sn, "snStatus" = ${TransferSnStatus.Sent}, "fromNode" = sent."fromNode",
           "fromSubinventoryCode" = sent."fromSubinventoryCode", ${touchSql(currentUser, 'i')}
      FROM sent JOIN empty USING ("sktblId", place)
     WHERE i.id = empty.id`.execute(db);
  if (Number(numAffectedRows) !== sent.length) throw new Refusal({ key: 'stale' });
}

/** Where a unit is laid that comes out of a transfer. */
interface Laid {
  sn: string;
  storageType: string | null;
  subinventoryCode: string | null;
}

/**
 * Units lie in stock of this site; with one that stands for an item, as scrap does, the item is there, as after a change
 * of store. Rule: transfers#receiving, transfers#returning.
 */
export async function enterStock({ db, currentUser }: Context, siteId: string, laid: readonly Laid[]): Promise<void> {
  await sql`
    UPDATE rma_inventory AS u
       SET "siteId" = ${siteId}, "subinventoryCode" = s."subinventoryCode", "storageType" = s."storageType"
      FROM json_to_recordset(${JSON.stringify(laid)}::json)
           AS s(sn text, "subinventoryCode" text, "storageType" text)
     WHERE u.sn = s.sn`.execute(db);
  await sql`
    UPDATE rma_maintain_bill_line_item AS i
       SET "siteId" = ${siteId}, "deliverSiteId" = ${siteId}, ${touchSql(currentUser, 'i')}
      FROM rma_inventory AS u
     WHERE u.sn = ANY(${laid.map((it) => it.sn)}) AND i."mtbliId" = u."mtbliId"
       AND i."siteId" IS DISTINCT FROM ${siteId}`.execute(db);
}

/** The items that were settled: signed for, or returned; each was still under way. */
export async function settleItems(
  { db, currentUser }: Context,
  ids: readonly number[],
  snStatus: string,
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('rma_stock_transfer_bill_line_item')
    .set({ snStatus, ...touch(currentUser) })
    .where('id', '=', anyOf(ids))
    .where('snStatus', '=', TransferSnStatus.Sent)
    .executeTakeFirstOrThrow();
  if (Number(numUpdatedRows) !== ids.length) throw new Refusal({ key: 'stale' });
}

type Kind = (typeof StorageType)[keyof typeof StorageType];
const usual: Record<Kind, string> = { 0: Warehouse.Goods, 1: Warehouse.Defectives, 2: Warehouse.Scraps };

/** The warehouse of a site in which each kind of goods is laid by itself: the usual one, or the first that it has. */
export async function defaultWarehouses({ db }: Context, siteId: string): Promise<(storageType: string) => string> {
  const rows = await db
    .selectFrom('ubs_subinventory')
    .select(['subinventoryCode', 'storageType'])
    .where('siteId', '=', siteId)
    .orderBy('subinventoryCode')
    .execute();
  return (storageType) => {
    const preferred = usual[storageType as Kind] ?? Warehouse.Goods;
    const fitting = rows.filter((it) => it.storageType === storageType).map((it) => it.subinventoryCode);
    return fitting.includes(preferred) ? preferred : (fitting[0] ?? preferred);
  };
}

/** A transfer is set to what it is now. */
export async function setTransfer(
  { db, currentUser }: Context,
  id: number,
  values: { billStatus: string; accepted?: 'deliver' | 'receive' },
): Promise<void> {
  const { billStatus, accepted } = values;
  const by = { [`${accepted}By`]: currentUser.userId, [`${accepted}Time`]: sql<string>`now()` };
  await db
    .updateTable('rma_stock_transfer_bill')
    .set({ billStatus, ...(accepted && by), ...touch(currentUser) })
    .where('id', '=', id)
    .execute();
}
