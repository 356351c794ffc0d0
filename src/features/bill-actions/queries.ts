import { sql } from 'kysely';
import { exactId } from '#domain/exact.ts';
import { itemName } from '#domain/itemActions.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import { anyOf, inSites } from '#server/db/conditions.ts';
import { touch } from '#server/touch.ts';
import { lockBills, lockUnitsOn } from '#server/workflow/unitLocks.ts';
import { readUnits, type Unit } from '#server/workflow/units.ts';
import type { ActedItem } from './rules.ts';

/** An item with its line, its bill and its unit, as all of them are while they are held. */
export interface HeldItem extends ActedItem {
  id: number;
  deliverPriority: string | null;
  deliverMtbId: string | null;
  unit: Unit | null;
}

/**
 * Takes hold of items within the user's sites: their bills and `besides` first, then the units, in the order of every
 * submit. An item is named by its row id or its number. Refuses an unknown one, and one that is named twice.
 */
export async function holdItems(
  ctx: Context,
  refs: readonly string[],
  fieldOf: (i: number) => string,
  besides: readonly string[] = [],
): Promise<HeldItem[]> {
  const found = await findItems(ctx, refs);
  const what = { module: 'rmaMaintainBillLineItem', field: 'mtbliId' };
  const named = refs.map((ref, i) => {
    const row = found.get(ref);
    if (!row) throw new Refusal({ key: 'notFound', field: fieldOf(i), args: { what, value: ref } });
    return row;
  });
  const mtbliIds = named.map((it) => it.mtbliId);
  const twice = named.findIndex((it, i) => mtbliIds.indexOf(it.mtbliId) !== i);
  const repeated = named[twice];
  if (repeated) {
    throw new Refusal({
      key: 'duplicateSn',
      field: fieldOf(twice),
      args: { sn: itemName({ ...repeated, unit: null }) },
    });
  }
  const bills = named.flatMap((it) => [it.mtbId, it.deliverMtbId ?? []].flat());
  const locked = await lockBills(ctx.db, [...bills, ...besides]);
  const units = await lockUnitsOn(ctx.db, 'mtbliId', mtbliIds);
  const items = await readItems(ctx, mtbliIds, new Map(units.map((it) => [it.mtbliId ?? '', it])));
  return mtbliIds.map((it) => {
    const item = items.get(it);
    if (!item || !locked.has(item.mtbId)) throw new Refusal({ key: 'stale' });
    return item;
  });
}

interface Found {
  mtbliId: string;
  mtbId: string;
  deliverMtbId: string | null;
  receiveSn: string | null;
}

/** By what each was named; another site's is as if it did not exist. */
async function findItems({ db, currentUser }: Context, refs: readonly string[]): Promise<Map<string, Found>> {
  const ids = refs.map(exactId).filter((it) => it !== null);
  const { rows } = await sql<Found & { id: number }>`
    SELECT id, "mtbliId", "mtbId", "deliverMtbId", "receiveSn" FROM rma_maintain_bill_line_item
     WHERE (id = ANY(${ids}) OR "mtbliId" = ANY(${refs})) AND ${inSites('siteId', currentUser)}`.execute(db);
  return new Map(rows.flatMap((it) => [[String(it.id), it] as const, [it.mtbliId, it] as const]));
}

async function readItems(
  { db }: Context,
  mtbliIds: readonly string[],
  units: ReadonlyMap<string, Unit>,
): Promise<Map<string, HeldItem>> {
  const rows = await db
    .selectFrom('rma_maintain_bill_line_item as i')
    .innerJoin('rma_maintain_bill_line as l', 'l.mtblId', 'i.mtblId')
    .innerJoin('rma_maintain_bill as b', 'b.mtbId', 'i.mtbId')
    .leftJoin('rma_maintain_bill as d', 'd.mtbId', 'i.deliverMtbId')
    .select(['i.id', 'i.mtbliId', 'i.mtblId', 'i.mtbId', 'i.siteId', 'i.receiveSn', 'i.receiveStatus', 'i.scrap'])
    .select(['i.deliverStatus', 'i.deliverPriority', 'i.deliverSiteId', 'i.deliverSalesCode', 'i.deliverMtbId'])
    .select(['i.stockup', 'l.type', 'l.salesCode', 'b.billStatus', 'b.billType', 'b.btmUserId'])
    .select('d.btmUserId as shipsForUserId')
    .where('i.mtbliId', '=', anyOf(mtbliIds))
    .execute();
  return new Map(rows.map((it) => [it.mtbliId, { ...it, id: Number(it.id), unit: units.get(it.mtbliId) ?? null }]));
}

/** The units as they are after an action has written. */
export const unitsNow = async (ctx: Context, units: readonly Pick<Unit, 'sn'>[]): Promise<Unit[]> => [
  ...(
    await readUnits(
      ctx.db,
      units.map((it) => it.sn),
    )
  ).values(),
];

/** Writes the same to all of these items. */
export async function setItems(
  { db, currentUser }: Context,
  mtbliIds: readonly string[],
  values: Partial<
    Record<'deliverStatus' | 'scrap' | 'exchange' | 'deliverSiteId' | 'siteId', string> &
      Record<'deliverSalesCode', string | null>
  >,
): Promise<void> {
  if (mtbliIds.length === 0) return;
  await db
    .updateTable('rma_maintain_bill_line_item')
    .set({ ...values, ...touch(currentUser) })
    .where('mtbliId', '=', anyOf(mtbliIds))
    .execute();
}

export async function readBillStatus({ db }: Context, mtbId: string): Promise<string> {
  const row = await db
    .selectFrom('rma_maintain_bill')
    .select('billStatus')
    .where('mtbId', '=', mtbId)
    .executeTakeFirst();
  return row?.billStatus ?? '';
}
