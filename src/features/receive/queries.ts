import { sql } from 'kysely';
import { BillStatus, Flag, Origin, ReceiveStatus } from '#domain/enums.ts';
import type { Node } from '#domain/nodes.ts';
import type { Context } from '#server/context.ts';
import { anyOf } from '#server/db/conditions.ts';
import { dayIn, todayIn } from '#server/db/days.ts';
import { leftAs } from '#server/workflow/deliveries.ts';
import { billHoldOf, selectBillHold } from '#server/workflow/holds.ts';
import { nowIn, widen } from '#server/workflow/names.ts';
import { itemIsReceived } from '#server/workflow/states.ts';
import {
  NOT_OUR,
  REPAIR_WARRANTY_DAYS,
  parseSlaveCodes,
  type BillLine,
  type Known,
  type UnitLocation,
} from './rules.ts';

/** The bill of a parcel at the user's site: one that may still receive first, then the newest. */
export async function findBillOfParcel({ db, currentUser }: Context, receiveShipNo: string) {
  return db
    .selectFrom('rma_maintain_bill')
    .select(['mtbId', 'receiveShipNo', 'billStatus', 'userName'])
    .where('receiveShipNo', '=', receiveShipNo)
    .where('siteId', '=', currentUser.siteId)
    .orderBy((it) => it('billStatus', 'not in', [BillStatus.Awaiting, BillStatus.ReceivedLater]))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export async function isParcelSigned({ db, currentUser }: Context, receiveShipNo: string): Promise<boolean> {
  const found = await db
    .selectFrom('rma_arrival_bill')
    .select('id')
    .where('receiveShipNo', '=', receiveShipNo)
    .where('siteId', '=', currentUser.siteId)
    .executeTakeFirst();
  return found !== undefined;
}

/** Whether the user's site receives only what was signed for at its gate. Rule: receiving#signed-first. */
export async function signsFirst({ db, currentUser }: Context): Promise<boolean> {
  const site = await db
    .selectFrom('ubs_site')
    .select('signFirst')
    .where('siteId', '=', currentUser.siteId)
    .executeTakeFirst();
  return site?.signFirst === Flag.Yes;
}

/** The bill at the user's site, held for a submit or only read. */
export async function billAt({ db, currentUser }: Context, mtbId: string, hold: boolean) {
  let query = db
    .selectFrom('rma_maintain_bill')
    .select(['mtbId', 'billStatus', 'btmUserId', 'receiveShipNo'])
    .where('mtbId', '=', mtbId)
    .where('siteId', '=', currentUser.siteId);
  if (hold) query = query.forNoKeyUpdate();
  return query.executeTakeFirst();
}

export async function readLines({ db }: Context, mtbId: string) {
  return db
    .selectFrom('rma_maintain_bill_line')
    .select(['mtblId', 'type', 'salesCode', 'itemName', 'productName', 'count', 'receiveCount'])
    .where('mtbId', '=', mtbId)
    .orderBy('id')
    .execute();
}

/** The units that are on the bill already, the newest first. */
export async function receivedOn({ db }: Context, mtbId: string) {
  return db
    .selectFrom('rma_maintain_bill_line_item as i')
    .leftJoin('rma_maintain_bill_line as l', 'l.mtblId', 'i.mtblId')
    .leftJoin('rma_inventory as u', 'u.mtbliId', 'i.mtbliId')
    .select(['i.receiveSn', 'i.mtbliId', 'i.mtblId', 'i.receiveTime', 'u.ivyId'])
    .select(['l.salesCode', 'l.itemName'])
    .where('i.mtbId', '=', mtbId)
    .where(itemIsReceived('i'))
    .orderBy('i.receiveTime', 'desc')
    .orderBy('i.id', 'desc')
    .limit(2000)
    .execute();
}

export async function depreciations({ db }: Context): Promise<string[]> {
  const rows = await db.selectFrom('rma_enum_depreciation').select('value').execute();
  return rows.map((it) => it.value);
}

/** What the archive and the catalogue know of these SNs. */
export async function knownSns({ db, config }: Pick<Context, 'db' | 'config'>, sns: readonly string[]) {
  const code = sql<string | null>`coalesce(o."salesCode", CASE o.origin WHEN ${Origin.NotOurs} THEN ${NOT_OUR} END)`;
  const rows = await db
    .selectFrom('ubs_item_object as o')
    .leftJoin('ubs_item as i', (on) => on.on('i.salesCode', '=', code))
    .select(['o.sn', 'o.type', code.as('salesCode'), 'o.itemName', 'o.warrantyUntil', 'o.origin'])
    .select(['i.itemId', 'i.name', 'i.productName', 'i.slaveCodes', 'i.deviceType'])
    .select(sql<boolean>`o."warrantyUntil" >= ${todayIn(config.timeZone)}`.as('inWarranty'))
    .where('o.sn', '=', anyOf(sns))
    .execute();
  return new Map(
    rows.map((it) => [
      it.sn,
      {
        type: it.type,
        salesCode: it.salesCode ?? '',
        slaveCodes: parseSlaveCodes(it.slaveCodes),
        itemId: it.itemId,
        name: it.name ?? it.itemName ?? it.salesCode ?? '',
        productName: it.productName,
        origin: it.origin,
        deviceType: (it.salesCode === NOT_OUR ? null : it.deviceType) ?? it.type,
        inWarranty: it.inWarranty === true,
      } satisfies Known & Record<string, unknown>,
    ]),
  );
}
export type KnownSn = Awaited<ReturnType<typeof knownSns>> extends Map<string, infer K> ? K : never;

/** What the catalogue knows of these models. */
export async function knownModels({ db }: Context, salesCodes: readonly string[]) {
  const rows = await db
    .selectFrom('ubs_item')
    .select(['itemId', 'salesCode', 'name', 'productName', 'type', 'slaveCodes'])
    .where('salesCode', '=', anyOf(salesCodes))
    .execute();
  return new Map(
    rows.map((it) => [
      it.salesCode as string,
      {
        ...it,
        salesCode: it.salesCode ?? '',
        slaveCodes: parseSlaveCodes(it.slaveCodes),
      } satisfies Known & Record<string, unknown>,
    ]),
  );
}
export type KnownModel = Awaited<ReturnType<typeof knownModels>> extends Map<string, infer K> ? K : never;

/** Where these SNs are, and as what; held for a submit in one order for everybody, or only read. */
export async function readLocations({ db }: Context, sns: readonly string[], hold: boolean) {
  let query = db
    .selectFrom('rma_inventory as u')
    .select(['u.sn', 'u.type', 'u.siteId', 'u.ivyId', 'u.mtbId', 'u.mtblId', 'u.mtbliId', 'u.salesCode', 'u.itemName'])
    .select(['u.subinventoryCode', 'u.storageType'])
    .$call(selectBillHold)
    .where('u.sn', '=', anyOf(sns))
    .orderBy('u.sn');
  if (hold) query = query.forUpdate('u');
  const rows = await query.execute();
  return new Map(
    rows.map((it) => [it.sn, { ...it, ivyId: it.ivyId as Node | null, held: billHoldOf(it) } satisfies UnitLocation]),
  );
}

interface Past {
  maintains: number;
  /** Shipped by us within the repair warranty. */
  recently: boolean;
  /** Who sent it in last. */
  lastUserId: string | null;
}

/** What happened to these SNs on earlier bills, with which they left us. Rule: receiving#findings. */
export async function readPast(
  { db, config: { timeZone } }: Pick<Context, 'db' | 'config'>,
  sns: readonly string[],
): Promise<Map<string, Past>> {
  const { all, now } = await widen(db, sns);
  const { rows } = await sql<{ sn: string; maintains: number; recently: boolean; lastUserId: string | null }>`
    SELECT n.now AS sn, count(*)::int AS maintains,
           bool_or(${dayIn(sql`i."deliverTime"`, timeZone)} >= ${todayIn(timeZone)} - ${REPAIR_WARRANTY_DAYS}::int) AS recently,
           (array_agg(b."btmUserId" ORDER BY i."deliverTime" DESC))[1] AS "lastUserId"
      FROM rma_maintain_bill_line_item AS i
      JOIN unnest(${[...now.keys()]}::text[], ${[...now.values()]}::text[]) AS n(sn, now)
        ON n.sn = coalesce(i."deliverSn", i."receiveSn")
      LEFT JOIN rma_maintain_bill AS b ON b."mtbId" = i."mtbId"
     WHERE ${leftAs('i', sql`ANY(${all})`)}
     GROUP BY n.now`.execute(db);
  return new Map(rows.map((it) => [it.sn, it]));
}

/**
 * Those of these devices of which a part is bound to another device since, whatever both are called by now.
 * Rule: receiving#findings.
 */
export async function mixedSns({ db }: Context, sns: readonly string[]): Promise<Set<string>> {
  const { all, now } = await widen(db, sns);
  const { rows } = await sql<{ sn: string }>`
    WITH named AS (SELECT * FROM unnest(${all}::text[], ${all.map((it) => now.get(it))}::text[]) AS n(sn, now))
    SELECT DISTINCT n.now AS sn
      FROM named AS n
      JOIN ubs_assembly AS mine ON mine."deviceSn" = n.sn
      JOIN ubs_assembly AS theirs
        ON theirs."componentSn" = ${nowIn(sql`mine."componentSn"`)}
       AND theirs."bindTime" > mine."bindTime" AND theirs."unbindTime" IS NULL
       AND NOT EXISTS (SELECT 1 FROM named AS same WHERE same.now = n.now AND same.sn = theirs."deviceSn")
     WHERE mine."bindTime" = (SELECT max(last."bindTime") FROM named AS same
                                JOIN ubs_assembly AS last ON last."deviceSn" = same.sn
                               WHERE same.now = n.now)`.execute(db);
  return new Set(rows.map((it) => it.sn));
}

/** Declared items of these lines that still wait for their unit, the oldest first. */
export async function waitingItems({ db }: Context, mtblIds: readonly string[]) {
  const rows = await db
    .selectFrom('rma_maintain_bill_line_item')
    .select(['mtbliId', 'mtblId', 'receiveSn', 'receiveStatus'])
    .where('mtblId', '=', anyOf(mtblIds))
    .where('receiveStatus', 'in', [ReceiveStatus.Awaiting, ReceiveStatus.NotReceived])
    .orderBy('id')
    .execute();
  return rows.map((it) => ({
    mtbliId: it.mtbliId,
    mtblId: it.mtblId,
    receiveSn: it.receiveSn,
    receiveStatus: it.receiveStatus,
  }));
}

export type { BillLine };
