import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { ComponentType } from '#domain/assembly.ts';
import { GoodsType, Origin } from '#domain/enums.ts';
import { Node } from '#domain/nodes.ts';
import { validateNewPart, validateOldPart, type KnownPart } from '#domain/parts.ts';
import type { Problem } from '#domain/refusal.ts';
import { NO_PART } from '#domain/sn.ts';
import type { Context } from '#server/context.ts';
import { anyOf } from '#server/db/conditions.ts';
import { requireDefinition } from '#server/requireDefinition.ts';
import { createScopeCondition } from '#server/engine/scope.ts';
import { touch } from '#server/touch.ts';
import { moveUnits } from '#server/workflow/moves.ts';
import { refuseFormer, validateFormer } from '#server/workflow/names.ts';
import { lockUnits } from '#server/workflow/unitLocks.ts';
import { readUnits } from '#server/workflow/units.ts';

export interface Binding {
  deviceSn: string;
  componentType: string;
  componentSn: string;
  qrCodeNum: string | null;
}

export interface Part {
  sn: string;
  componentType: string;
  qrCodeNum: string | null;
}

/** The steps by which it is said of what a whole device consists. */
type PuttingTogether = 'assemble' | 'rebind' | 'onSiteRepair';

/** Where a part of the stock lay before it went into a device. */
export interface PartLocation {
  sn: string;
  subinventoryCode: string | null;
  storageType: string | null;
}

/**
 * Whether the user may see a binding: not that of a device of another site. Every question about what a device is made
 * of passes through it, as the list of bindings does. Rule: parts#sites.
 */
export const seesBinding = ({ currentUser, model }: Context, alias: string): RawBuilder<SqlBool> =>
  createScopeCondition(requireDefinition(model, 'ubsAssembly'), currentUser, model, alias);

export interface ArchivedPart {
  salesCode: string | null;
  itemName: string | null;
}

/** The parts that are bound to these devices now, in the order in which they were bound. */
export async function partsBoundTo({ db }: Context, deviceSns: readonly string[]): Promise<Binding[]> {
  const rows = await db
    .selectFrom('ubs_assembly')
    .select(['deviceSn', 'componentType', 'componentSn', 'qrCodeNum'])
    .where('deviceSn', '=', anyOf(deviceSns))
    .where('unbindTime', 'is', null)
    .orderBy('id')
    .execute();
  return rows.map((it) => ({
    deviceSn: it.deviceSn,
    componentType: it.componentType ?? '',
    componentSn: it.componentSn,
    qrCodeNum: it.qrCodeNum,
  }));
}

/** Of which devices in the workshop these SNs are parts now; who is loose, or whose device has left, is not in the map. */
export async function devicesAround({ db }: Context, sns: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('ubs_assembly as a')
    .innerJoin('rma_inventory as d', 'd.sn', 'a.deviceSn')
    .select(['a.componentSn', 'a.deviceSn'])
    .where('a.componentSn', '=', anyOf(sns))
    .where('a.unbindTime', 'is', null)
    .where('d.ivyId', 'not in', [Node.Scrapped, Node.Shipped])
    .execute();
  return new Map(rows.map((it) => [it.componentSn, it.deviceSn]));
}

/** The device of which this SN is a part now, wherever that is. */
export async function findDevice({ db }: Context, sn: string): Promise<string | null> {
  const row = await db
    .selectFrom('ubs_assembly')
    .select('deviceSn')
    .where('componentSn', '=', sn)
    .where('unbindTime', 'is', null)
    .executeTakeFirst();
  return row?.deviceSn ?? null;
}

/** The part is not in its device any more; that one has left the workshop without it. Rule: events#e23. */
export async function takeOut({ db, currentUser }: Context, sn: string): Promise<void> {
  await db
    .updateTable('ubs_assembly')
    .set({ unbindTime: sql`now()`, ...touch(currentUser) })
    .where('componentSn', '=', sn)
    .where('unbindTime', 'is', null)
    .execute();
}

/** Locks part SNs, known or not, so that two submits can't bind one part to two devices. */
export async function lockParts({ db }: Context, sns: readonly string[]): Promise<void> {
  const sorted = [...new Set(sns)].filter((it) => it !== NO_PART).toSorted();
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('part ' || sn, 0))
              FROM unnest(${sorted}::text[]) WITH ORDINALITY AS t(sn, n) ORDER BY n`.execute(db);
}

/**
 * What forbids to put these parts into this device: bound to another one, or themselves units of a customer in the
 * workshop. Rule: events#e17, parts#going-in.
 */
export async function validateFreeParts(
  { db }: Context,
  deviceSn: string,
  sns: readonly string[],
  fieldOf: (i: number) => string,
): Promise<Problem[]> {
  const bound = await db
    .selectFrom('ubs_assembly')
    .select(['componentSn', 'deviceSn'])
    .where('componentSn', '=', anyOf(sns))
    .where('unbindTime', 'is', null)
    .where('deviceSn', '!=', deviceSn)
    .execute();
  const inHouse = await db
    .selectFrom('rma_inventory')
    .select(['sn', 'mtbId'])
    .where('sn', '=', anyOf(sns))
    .where('mtbId', 'is not', null)
    .where('ivyId', 'not in', [Node.Scrapped, Node.Shipped])
    .execute();
  const holder = new Map([
    ...inHouse.map((it) => [it.sn, it.mtbId] as const),
    ...bound.map((it) => [it.componentSn, it.deviceSn] as const),
  ]);
  return sns.flatMap((sn, i) => {
    const device = sn === NO_PART ? undefined : holder.get(sn);
    return device ? [{ key: 'partBound' as const, field: fieldOf(i), args: { sn, device } }] : [];
  });
}

/**
 * What forbids to put these parts into this device, or into its place: as above, and where each of them stands, by the
 * rule for what is done. The caller holds them. Rule: events#e15, events#e16, events#e17, events#e27.
 */
export async function validateNewParts(
  ctx: Context,
  deviceSn: string,
  sns: readonly string[],
  fieldOf: (i: number) => string,
  validate = validateNewPart,
): Promise<Problem[]> {
  const known = await knownParts(ctx, deviceSn, sns);
  return [
    ...(await validateFormerParts(ctx, known, sns, fieldOf)),
    ...(await validateFreeParts(ctx, deviceSn, sns, fieldOf)),
    ...sns.flatMap((sn, i) => validate(sn, known.get(sn), ctx.currentUser.siteId, fieldOf(i))),
  ];
}

/**
 * What forbids to take these parts out of this device as scrap; an empty SN is a part that has none. Rule: events#e15.
 */
export async function validateOldParts(
  ctx: Context,
  deviceSn: string,
  sns: readonly string[],
  fieldOf: (i: number) => string,
): Promise<Problem[]> {
  const known = await knownParts(ctx, deviceSn, sns);
  const device = { sn: deviceSn, siteId: ctx.currentUser.siteId };
  return [
    ...(await validateFormerParts(ctx, known, sns, fieldOf)),
    ...(await validateFreeParts(ctx, deviceSn, sns, fieldOf)),
    ...sns.flatMap((sn, i) => validateOldPart(sn, known.get(sn), device, fieldOf(i))),
  ];
}

/** A part that nobody knows may be one that is called otherwise by now. Rule: units#former-sns. */
const validateFormerParts = (
  ctx: Context,
  known: ReadonlyMap<string, KnownPart>,
  sns: readonly string[],
  fieldOf: (i: number) => string,
): Promise<Problem[]> =>
  validateFormer(
    ctx,
    sns.filter((it) => !known.has(it)),
    (sn) => fieldOf(sns.indexOf(sn)),
  );

/** What the workshop knows of these parts of a device, by the archive alone of what was never here. */
async function knownParts(ctx: Context, deviceSn: string, sns: readonly string[]): Promise<Map<string, KnownPart>> {
  const real = sns.filter((it) => it !== '' && it !== NO_PART);
  const units = await readUnits(ctx.db, real);
  const bound = new Set<string | null>((await partsBoundTo(ctx, [deviceSn])).map((it) => it.componentSn));
  const archived = await ctx.db
    .selectFrom('ubs_item_object')
    .select(['sn', 'type'])
    .where('sn', '=', anyOf(real))
    .execute();
  const known = new Map<string, KnownPart>();
  for (const { sn, type } of archived) {
    known.set(sn, { type, siteId: null, ivyId: null, held: null, isBound: bound.has(sn) });
  }
  for (const [sn, unit] of units) known.set(sn, { ...unit, isBound: bound.has(sn) });
  return known;
}

/**
 * What the archive knows of these parts; the unknown ones get a record of their own. Rule: parts#archive. One that goes
 * on as a customer's part in place of another is known as that other was, and comes back as such. Rule: events#e16.
 */
export async function archiveParts(
  ctx: Context,
  sns: readonly string[],
  replaces?: ArchivedPart & { sn: string },
): Promise<Map<string, ArchivedPart>> {
  const real = [...new Set(sns)].filter((it) => it !== NO_PART);
  if (real.length === 0) return new Map();
  const rows = await ctx.db
    .selectFrom('ubs_item_object')
    .select(['sn', 'salesCode', 'itemName'])
    .where('sn', '=', anyOf(real))
    .execute();
  const known = new Map(rows.map((it) => [it.sn, it]));
  const unknown = real.filter((it) => !known.has(it));
  await refuseFormer(ctx, unknown);
  if (replaces) await archiveAs(ctx, real, replaces);
  else if (unknown.length > 0) {
    await ctx.db
      .insertInto('ubs_item_object')
      .values(
        unknown.map((sn) => ({ sn, type: GoodsType.Board, origin: Origin.NotOurs, createBy: ctx.currentUser.userId })),
      )
      .onConflict((it) => it.column('sn').doNothing())
      .execute();
  }
  return known;
}

/** A part that was never more than a part until now has no code of its own yet. */
async function archiveAs(
  { db, currentUser }: Context,
  sns: readonly string[],
  { sn, salesCode, itemName }: ArchivedPart & { sn: string },
): Promise<void> {
  await sql`
    INSERT INTO ubs_item_object AS o (sn, type, "itemId", "salesCode", "itemName", origin, "createBy")
    SELECT s.sn, ${GoodsType.Board}, was."itemId", ${salesCode}, ${itemName}, coalesce(was.origin, ${Origin.Ours}), ${currentUser.userId}
      FROM unnest(${sns}::text[]) AS s(sn) LEFT JOIN ubs_item_object AS was ON was.sn = ${sn}
        ON CONFLICT (sn) DO UPDATE
       SET "itemId" = excluded."itemId", "salesCode" = excluded."salesCode", "itemName" = excluded."itemName",
           origin = excluded.origin, version = o.version + 1, "updateBy" = excluded."createBy", "updateTime" = now()
     WHERE o."salesCode" IS NULL AND o.origin = ${Origin.NotOurs}`.execute(db);
}

/** Binds parts to a device; XXXX is no part and is bound nowhere. */
export async function bindParts(
  ctx: Context,
  deviceSn: string,
  parts: readonly Part[],
  billId: string,
  archive: ReadonlyMap<string, ArchivedPart>,
): Promise<void> {
  const real = parts.filter((it) => it.sn !== NO_PART);
  if (real.length === 0) return;
  await ctx.db
    .insertInto('ubs_assembly')
    .values(
      real.map((it) => ({
        deviceSn,
        componentSn: it.sn,
        componentType: it.componentType,
        qrCodeNum: it.qrCodeNum,
        salesCode: archive.get(it.sn)?.salesCode ?? null,
        bindTime: sql<string>`now()`,
        billId,
        createBy: ctx.currentUser.userId,
      })),
    )
    .execute();
}

/** Closes the bindings of a device: all, or those of the parts that are named. */
export async function unbindParts(ctx: Context, deviceSn: string, sns?: readonly string[]): Promise<void> {
  let update = ctx.db
    .updateTable('ubs_assembly')
    .set({ unbindTime: sql`now()`, ...touch(ctx.currentUser) })
    .where('deviceSn', '=', deviceSn)
    .where('unbindTime', 'is', null);
  if (sns) update = update.where('componentSn', '=', anyOf(sns));
  await update.execute();
}

/**
 * What was stock until now is inside the device and stands nowhere by itself, so that nobody ships it or counts it as
 * stock; gives where each lay. What is not in the workshop by itself stays as it is. The caller holds them.
 * Rule: events#e15, events#e17, events#e27.
 */
export async function takeInside(
  ctx: Context,
  deviceSn: string,
  sns: readonly string[],
  { step, billId }: { step: 'repair' | PuttingTogether; billId: string },
): Promise<PartLocation[]> {
  const outside: readonly (Node | null)[] = [null, Node.Shipped, Node.Scrapped];
  const units = [...(await readUnits(ctx.db, sns)).values()].filter((it) => !outside.includes(it.ivyId));
  if (units.length === 0) return [];
  const moves = units.map((unit) => ({ unit, to: null, note: deviceSn }));
  const ofThese = sql<boolean>`sn = ANY(${units.map((it) => it.sn)})`;
  const shelves = await ctx.db
    .selectFrom('rma_inventory')
    .select(['sn', 'subinventoryCode', 'storageType'])
    .where(ofThese)
    .execute();
  await moveUnits(ctx, moves, step, billId);
  await ctx.db.updateTable('rma_inventory').set({ subinventoryCode: null, storageType: null }).where(ofThese).execute();
  return shelves;
}

/** Parts of the stock that are no longer inside the device wait for their check, as stock of the site. Rule: parts#coming-out. */
async function comeOut(
  ctx: Context,
  deviceSn: string,
  sns: readonly string[],
  { step, billId }: { step: PuttingTogether | 'outsourcingAccept'; billId: string },
): Promise<void> {
  const units = [...(await lockUnits(ctx.db, sns)).values()].filter((it) => it.ivyId === null && !it.mtbId && !it.held);
  if (units.length === 0) return;
  const moves = units.map((unit) => ({ unit, to: Node.AwaitingCheck, note: deviceSn }));
  await moveUnits(ctx, moves, step, billId);
  const { siteId } = ctx.currentUser;
  await ctx.db
    .updateTable('rma_inventory')
    .set({ siteId })
    .where('sn', '=', anyOf(units.map((it) => it.sn)))
    .where('siteId', 'is distinct from', siteId)
    .execute();
}

/** A device is taken apart for another one, which gets some of its parts; those of the stock that it does not get come out. Rule: scrap-repair#parts. */
export async function takeApart(
  ctx: Context,
  deviceSn: string,
  kept: readonly string[],
  action: { step: 'outsourcingAccept'; billId: string },
): Promise<void> {
  const inside = (await partsBoundTo(ctx, [deviceSn])).map((it) => it.componentSn);
  await unbindParts(ctx, deviceSn);
  const out = inside.filter((it) => !kept.includes(it));
  await comeOut(ctx, deviceSn, out, action);
}

/**
 * A device consists of these parts from now on: its former bindings are closed, and its item knows the power. Gives
 * what the archive knows of them, and where those of the stock lay. Rule: events#e17, events#e27.
 */
export async function putTogether(
  ctx: Context,
  { sn, mtbliId }: { sn: string; mtbliId: string | null },
  parts: readonly Part[],
  action: { step: PuttingTogether; billId: string },
): Promise<{ archive: Map<string, ArchivedPart>; shelves: PartLocation[] }> {
  const archive = await archiveParts(
    ctx,
    parts.map((it) => it.sn),
  );
  const former = (await partsBoundTo(ctx, [sn])).map((it) => it.componentSn);
  await unbindParts(ctx, sn);
  await bindParts(ctx, sn, parts, action.billId, archive);
  const shelves = await takeInside(
    ctx,
    sn,
    parts.map((it) => it.sn),
    action,
  );
  const out = former.filter((it) => !parts.some((part) => part.sn === it));
  // What is taken out on site is not in the workshop.
  if (action.step !== 'onSiteRepair') await comeOut(ctx, sn, out, action);
  const power = parts.find((it) => it.componentType === ComponentType.Power)?.sn ?? NO_PART;
  if (mtbliId) await notePower(ctx, mtbliId, power === NO_PART ? null : power);
  return { archive, shelves };
}

/** The unit's item on its bill knows the power that is in it now. */
async function notePower({ db, currentUser }: Context, mtbliId: string, powerSn: string | null): Promise<void> {
  await db
    .updateTable('rma_maintain_bill_line_item')
    .set({ powerSn, ...touch(currentUser) })
    .where('mtbliId', '=', mtbliId)
    .execute();
}
