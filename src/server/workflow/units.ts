import { sql, type Kysely } from 'kysely';
import { Node } from '#domain/nodes.ts';
import { refuseIfAny, Refusal, type Problem } from '#domain/refusal.ts';
import { isSn, normaliseSn, repeatedSns } from '#domain/sn.ts';
import { problemsOfUnit, type GuardedUnit, type Step } from '#domain/workflow.ts';
import type { Context } from '#server/context.ts';
import { anyOf } from '#server/db/conditions.ts';
import type { Tables } from '#server/db/tables.ts';

/** A unit with what its bill and its item say of it. */
export interface Unit extends GuardedUnit {
  type: string;
  salesCode: string;
  itemName: string;
  mtblId: string | null;
  mtbliId: string | null;
  itemRowId: number | null;
  /** The SN that was received for its item: another one's, where this part took its place. Rule: events#e16. */
  receiveSn: string | null;
  /** When it was checked on this bill. */
  checkTime: number | null;
  powerSn: string | null;
  deliverStatus: string | null;
  deliverPriority: string | null;
  deliverSiteId: string | null;
  deliverShipId: string | null;
  /** Another bill with whose goods it ships; null with its own bill's. Rule: events#e32. */
  deliverMtbId: string | null;
  /** Those that ship apart from the other goods of their bill. */
  deliverGroup: string | null;
}

type Db = Kysely<Tables>;

/** The scanned SNs as they are kept, checked by themselves: there, well formed, none twice. Rule: guard#sns. */
export function readSns(scanned: readonly (string | null | undefined)[], fieldOf: (i: number) => string): string[] {
  const sns = scanned.map((it) => normaliseSn(it ?? ''));
  refuseIfAny(sns.flatMap((sn, i) => problemsOfText(sn, fieldOf(i))));
  refuseIfAny(
    repeatedSns(sns).map((sn) => ({ key: 'duplicateSn', field: fieldOf(sns.lastIndexOf(sn)), args: { sn } })),
  );
  return sns;
}

/** What is wrong with an SN before anything is known of its unit. */
export function problemsOfText(sn: string, field: string): Problem[] {
  if (sn === '') return [{ key: 'required', field, args: { fields: [{ zh: 'SN', en: 'SN' }] } }];
  return isSn(sn) ? [] : [{ key: 'format', field, args: { field: { zh: 'SN', en: 'SN' } } }];
}

/** The unit of one scanned SN, if this step may be done on it; reads only. */
export async function scanUnit(ctx: Context, scanned: string, step: Exclude<Step, 'receive'>): Promise<Unit> {
  const [sn] = readSns([scanned], () => 'sn') as [string];
  const unit = (await readUnits(ctx.db, [sn])).get(sn);
  refuseIfAny(problemsOfUnit(sn, unit, step, ctx.who.siteId));
  return unit as Unit;
}

/**
 * Takes hold of the units of a submit and lets them through the general guard; all or nothing. The bills, and `bills`
 * besides theirs, come first when their counts will change, so that submits on one bill follow one another. `besides`
 * are held with the units and not judged: the parts that go into a device or out of it. Rule: guard#order.
 */
export async function guardUnits(
  ctx: Context,
  sns: readonly string[],
  step: Exclude<Step, 'receive'>,
  options: {
    fieldOf?: (i: number) => string;
    withBills?: boolean;
    bills?: readonly string[];
    besides?: readonly string[];
  } = {},
): Promise<Unit[]> {
  const { fieldOf = () => 'sn', withBills = false, bills = [], besides = [] } = options;
  const locked = withBills ? await lockBillsOf(ctx.db, sns, bills) : null;
  const units = await lockUnits(ctx.db, [...sns, ...besides]);
  refuseIfAny(sns.flatMap((sn, i) => problemsOfUnit(sn, units.get(sn), step, ctx.who.siteId, fieldOf(i))));
  const found = sns.map((sn) => units.get(sn) as Unit);
  if (locked) refuseMoved(found, locked);
  return found;
}

/** Takes hold of units, their bills and `besides` before them; refuses it where one has gone to another bill meanwhile. */
export async function holdUnits(
  db: Db,
  sns: readonly string[],
  besides: readonly string[] = [],
): Promise<Map<string, Unit>> {
  const locked = await lockBillsOf(db, sns, besides);
  const units = await lockUnits(db, sns);
  refuseMoved([...units.values()], locked);
  return units;
}

/** A unit stands on a bill that is held, or on none. */
function refuseMoved(units: readonly Unit[], locked: ReadonlySet<string>): void {
  if (units.some((it) => it.mtbId && !locked.has(it.mtbId))) throw new Refusal({ key: 'stale' });
}

/**
 * The units that stand for these items or on these bills, held. The bills are locked by the caller; a part that takes a
 * unit's place while that one is waited for refuses the whole submit. Rule: events#e16.
 */
export async function lockUnitsOn(db: Db, place: 'mtbliId' | 'mtbId', ids: readonly string[]): Promise<Unit[]> {
  const standing = async () => {
    const query = db.selectFrom('rma_inventory').select('sn').where(place, '=', anyOf(ids));
    return (await query.execute()).map((it) => it.sn as string);
  };
  const units = await lockUnits(db, await standing());
  if ((await standing()).some((it) => !units.has(it))) throw new Refusal({ key: 'stale' });
  return [...units.values()];
}

/** Locks units in one order for everybody, then reads what is true of them now. */
export async function lockUnits(db: Db, sns: readonly string[]): Promise<Map<string, Unit>> {
  await db.selectFrom('rma_inventory').select('id').where('sn', '=', anyOf(sns)).orderBy('sn').forUpdate().execute();
  return readUnits(db, sns);
}

/**
 * Holds the maintain bills on which these units stand, those with whose goods they ship, and `besides`, in one order for
 * everybody and before the units.
 */
export async function lockBillsOf(
  db: Db,
  sns: readonly string[],
  besides: readonly string[] = [],
): Promise<Set<string>> {
  const { rows } = await sql<{ mtbId: string | null; deliverMtbId: string | null }>`
    SELECT u."mtbId", i."deliverMtbId"
      FROM rma_inventory AS u LEFT JOIN rma_maintain_bill_line_item AS i ON i."mtbliId" = u."mtbliId"
     WHERE u.sn = ANY(${sns}) AND u."mtbId" IS NOT NULL`.execute(db);
  return lockBills(db, rows.flatMap((it) => [it.mtbId ?? [], it.deliverMtbId ?? []].flat()).concat(besides));
}

/** Holds maintain bills in one order for everybody; gives those that exist. */
export async function lockBills(db: Db, mtbIds: readonly string[]): Promise<Set<string>> {
  if (mtbIds.length === 0) return new Set();
  const rows = await db
    .selectFrom('rma_maintain_bill')
    .select('mtbId')
    .where('mtbId', '=', anyOf([...new Set(mtbIds)]))
    .orderBy('mtbId')
    .forUpdate()
    .execute();
  return new Set(rows.map((it) => it.mtbId as string));
}

/** The units of these SNs; an SN that the house does not know is not in the map. */
export async function readUnits(db: Db, sns: readonly string[]): Promise<Map<string, Unit>> {
  const rows = await db
    .selectFrom('rma_inventory as u')
    .leftJoin('rma_maintain_bill as b', 'b.mtbId', 'u.mtbId')
    .leftJoin('rma_maintain_bill_line_item as i', 'i.mtbliId', 'u.mtbliId')
    .leftJoinLateral(
      (it) =>
        it
          .selectFrom('rma_check_bill_line as l')
          .select(['l.id as lineId', 'l.ckbId', 'l.disposition', 'l.scrapStatus', 'l.nofaultConfirmStatus'])
          .whereRef('l.sn', '=', 'u.sn')
          // A power that was checked along with its device has a line as well; that decides nothing of a unit.
          .where('l.disposition', 'is not', null)
          .where('u.ivyId', '=', Node.AwaitingCheck)
          .orderBy('l.id', 'desc')
          .limit(1)
          .as('c'),
      (join) => join.onTrue(),
    )
    .select(['u.sn', 'u.type', 'u.salesCode', 'u.itemName', 'u.siteId', 'u.ivyId', 'u.mtbId', 'u.mtblId', 'u.mtbliId'])
    .select(['b.billStatus', 'i.id as itemRowId', 'i.powerSn', 'i.deliverStatus', 'i.deliverPriority'])
    .select(['i.deliverSiteId', 'i.deliverShipId', 'i.deliverMtbId', 'i.deliverGroup', 'i.checkTime', 'i.receiveSn'])
    .select(['c.lineId', 'c.ckbId', 'c.disposition', 'c.scrapStatus', 'c.nofaultConfirmStatus'])
    .where('u.sn', '=', anyOf(sns))
    .execute();
  return new Map(
    rows.map(({ lineId, ckbId, disposition, scrapStatus, nofaultConfirmStatus, ...row }) => [
      row.sn as string,
      {
        ...row,
        sn: row.sn as string,
        type: row.type ?? '0',
        salesCode: row.salesCode ?? '',
        itemName: row.itemName ?? '',
        ivyId: row.ivyId as Node | null,
        held: holdOf({ lineId, ckbId, disposition, scrapStatus, nofaultConfirmStatus }),
      },
    ]),
  );
}

type LatestCheck = Record<'ckbId' | 'disposition' | 'scrapStatus' | 'nofaultConfirmStatus', string | null> & {
  lineId: number | null;
};

function holdOf({ lineId, ckbId, ...it }: LatestCheck): Unit['held'] {
  if (!ckbId || lineId === null) return null;
  if (it.disposition === 'scrap' && it.scrapStatus === '0') return { confirmation: 'scrap', ckbId, lineId };
  if (it.disposition === 'nofault' && it.nofaultConfirmStatus === '0')
    return { confirmation: 'nofault', ckbId, lineId };
  return null;
}
