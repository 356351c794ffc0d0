import { sql, type Selectable } from 'kysely';
import { OperateStatus } from '#domain/enums.ts';
import { splitUrls } from '#domain/images.ts';
import { codesOfText, IssueCategory } from '#domain/issueCode.ts';
import type { Context } from '#server/context.ts';
import { anyOf, inSites } from '#server/db/conditions.ts';
import type { Tables } from '#server/db/tables.ts';
import { nameIn } from '#server/engine/describe.ts';
import { rowsSeen } from '#server/engine/scope.ts';
import { requireDefinition } from '#server/requireDefinition.ts';
import { isHeldForSites } from '#server/workflow/holds.ts';
import { seesBinding } from '#server/workflow/parts.ts';
import { namesOfCodes } from '#server/workflow/issueCodes.ts';

/** The unit of an SN within the user's sites, with what its bill, its item and its stock-up bill say of it. */
export async function findUnit({ db, currentUser, lang }: Context, sn: string) {
  const query = db
    .selectFrom('rma_inventory as u')
    .leftJoin('ubs_site as s', 's.siteId', 'u.siteId')
    .leftJoin('rma_maintain_bill as b', 'b.mtbId', 'u.mtbId')
    .leftJoin('rma_maintain_bill_line_item as i', 'i.mtbliId', 'u.mtbliId')
    .leftJoinLateral(
      (it) =>
        it
          .selectFrom('rma_stockup_bill_line as l')
          .innerJoin('rma_stockup_bill as k', 'k.skbId', 'l.skbId')
          .select(['k.skbId', 'k.status as skbStatus', 'k.siteId as skbSiteId', 'l.delivered', 'l.itemId'])
          .whereRef('l.mtbliId', '=', 'u.mtbliId')
          .whereRef('l.sn', '=', 'u.sn')
          .orderBy('l.id', 'desc')
          .limit(1)
          .as('k'),
      (join) => join.onTrue(),
    )
    .select(['u.id', 'u.sn', 'u.type', 'u.salesCode', 'u.itemName', 'u.ivyId', 'u.siteId', 'u.mtbId'])
    .select(['u.subinventoryCode', 'u.storageType', 'u.updateTime'])
    .select(nameIn(lang, 's.siteName').$castTo<string | null>().as('siteName'))
    .select(['b.userName as customer', 'b.billStatus'])
    .select(['i.powerSn', 'i.deliverStatus', 'i.deliverPriority', 'i.deliverTime', 'i.deliverShipNo'])
    .select(['i.returness', 'i.warranty', 'i.maintains', 'i.depreciation', 'i.id as itemRowId'])
    .select(['k.skbId', 'k.skbStatus', 'k.skbSiteId', 'k.delivered', 'k.itemId as talliedItemId'])
    .where('u.sn', '=', sn)
    .where((eb) => eb.or([inSites('u.siteId', currentUser), isHeldForSites(currentUser)]));
  return query.executeTakeFirst();
}
export type FoundUnit = NonNullable<Awaited<ReturnType<typeof findUnit>>>;

/** The item of a bill for which the unit stands now. */
export async function findItem({ db }: Context, sn: string) {
  const row = await db
    .selectFrom('rma_inventory as u')
    .innerJoin('rma_maintain_bill_line_item as i', 'i.mtbliId', 'u.mtbliId')
    .select(['i.id', 'i.mtbliId', 'i.mtblId', 'i.siteId', 'i.receiveSn', 'i.receiveStatus', 'i.scrap', 'i.checkTime'])
    .select('i.deliverPayment')
    .where('u.sn', '=', sn)
    .executeTakeFirst();
  return row && { ...row, id: Number(row.id) };
}

/** Whether the workshop has this SN at all, wherever. */
export async function isElsewhere({ db }: Context, sn: string): Promise<boolean> {
  return (await db.selectFrom('rma_inventory').select('id').where('sn', '=', sn).executeTakeFirst()) !== undefined;
}

/** What the archive knows of an SN, as the user sees it in the archive's list. */
export async function findArchived(ctx: Context, sn: string): Promise<Archived | undefined> {
  const { rows } = await sql<Archived>`
    SELECT "salesCode", "itemName", type, origin, "productOrder", customer, "outTime", "warrantyUntil"
      FROM ${rowsSeen(requireDefinition(ctx.model, 'ubsItemObject'), ctx)} AS t WHERE sn = ${sn}`.execute(ctx.db);
  return rows[0];
}
type Archived = Pick<
  Selectable<Tables['ubs_item_object']>,
  'salesCode' | 'itemName' | 'type' | 'origin' | 'productOrder' | 'customer' | 'outTime' | 'warrantyUntil'
>;

/** So many events are read at once. */
export const PAGE = 100;

/** What happened to the unit, under whichever of its SNs, within the user's sites, the newest first: a page, and one more where there are earlier ones. */
export async function listEvents(
  { db, currentUser, lang }: Context,
  names: readonly string[],
  { mtbId = '', before = 0 },
) {
  let query = db
    .selectFrom('rma_transaction as t')
    .leftJoin('admin_user as a', 'a.userId', 't.userId')
    .leftJoin('ubs_site as s', 's.siteId', 't.siteId')
    .select(['t.id', 't.mtbId', 't.siteId', 't.step', 't.billId', 't.fromNode', 't.toNode', 't.operateStatus'])
    .select(['t.eventTime', 't.userId', 't.note', 'a.userName'])
    .select(nameIn(lang, 's.siteName').$castTo<string | null>().as('siteName'))
    .where('t.sn', '=', anyOf(names))
    .where(inSites('t.siteId', currentUser))
    .orderBy('t.id', 'desc')
    .limit(PAGE + 1);
  if (mtbId !== '') query = query.where('t.mtbId', '=', mtbId);
  if (before > 0) query = query.where('t.id', '<', before);
  return query.execute();
}
export type FoundEvent = Awaited<ReturnType<typeof listEvents>>[number];

/** The latest step of the SN that still stands, wherever it was done: the one that a rollback undoes. */
export async function findLastStep({ db }: Context, names: readonly string[]) {
  return db
    .selectFrom('rma_transaction')
    .select(['id', 'step', 'siteId', 'toNode'])
    .where('sn', '=', anyOf(names))
    .where('operateStatus', '=', OperateStatus.Normal)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** What the bills of these events keep of the SN: pictures, and issue codes by their bill. */
export async function findingsOn({ db }: Context, names: readonly string[], billIds: readonly string[]) {
  const found = new Map<string, { urls: string[]; codes: string[] }>();
  if (billIds.length === 0) return found;
  const { rows } = await sql<{ billId: string; urls: string | null; codes: string | null }>`
    SELECT "ckbId" AS "billId", "checkUrls" AS urls, NULL AS codes FROM rma_check_bill WHERE "ckbId" = ANY(${billIds})
    UNION ALL SELECT "rvbId", "receiveUrls", "issueCodes" FROM rma_receive_bill_line_item
               WHERE "rvbId" = ANY(${billIds}) AND "receiveSn" = ANY(${names})
    UNION ALL SELECT "rpbId", "repairUrls", "icdIds" FROM rma_repair_bill_line WHERE "rpbId" = ANY(${billIds})
    UNION ALL SELECT "bnbId", "burninUrls", "icdId" FROM rma_burnin_bill_line
               WHERE "bnbId" = ANY(${billIds}) AND sn = ANY(${names})`.execute(db);
  for (const row of rows) {
    const at = found.get(row.billId) ?? { urls: [], codes: [] };
    at.urls.push(...splitUrls(row.urls));
    at.codes.push(...codesOfText(row.codes));
    found.set(row.billId, at);
  }
  return found;
}

/** Which issue codes a step writes down. */
const categories: Readonly<Record<string, IssueCategory>> = {
  receive: IssueCategory.Receipt,
  check: IssueCategory.Check,
  repair: IssueCategory.Repair,
  aging: IssueCategory.Aging,
  qc: IssueCategory.Qc,
  store: IssueCategory.Store,
};

/** The names of codes as their steps use them, all at once; gives them by step and code. */
export async function codeNames(ctx: Context, codes: readonly string[]) {
  const nameOf = await namesOfCodes(ctx, codes);
  return (step: string, code: string): string | undefined => nameOf(categories[step] ?? '', code);
}

/** The images of an item's first test, with those that were added to it later. Rule: events#e34. */
export async function readCheckPictures(
  { db, currentUser }: Context,
  names: readonly string[],
  mtbIds: readonly string[],
) {
  if (mtbIds.length === 0) return new Map<string, string[]>();
  const query = db
    .selectFrom('rma_maintain_bill_line_item')
    .select(['mtbId', 'checkUrls'])
    .where('receiveSn', '=', anyOf(names))
    .where('mtbId', '=', anyOf(mtbIds))
    .where(inSites('siteId', currentUser));
  return new Map((await query.execute()).map((it) => [it.mtbId, splitUrls(it.checkUrls)]));
}

/** Whose bills these are. */
export async function listStays({ db, currentUser }: Context, mtbIds: readonly string[]) {
  if (mtbIds.length === 0) return [];
  const query = db
    .selectFrom('rma_maintain_bill')
    .select(['mtbId', 'userName as customer'])
    .where('mtbId', '=', anyOf(mtbIds))
    .where(inSites('siteId', currentUser));
  return query.execute();
}

/** More bindings than any device has; what lies before them is no longer told. */
const MOST_BINDINGS = 1000;

/** What was ever bound to the SN, or what it was ever bound to, the newest first; of devices within the user's sites. */
export async function listBindings(ctx: Context, names: readonly string[], as: 'deviceSn' | 'componentSn') {
  const rows = await ctx.db
    .selectFrom('ubs_assembly as t')
    .select(['deviceSn', 'componentSn', 'componentType', 'qrCodeNum', 'salesCode', 'bindTime', 'unbindTime'])
    .where(as, '=', anyOf(names))
    .where(seesBinding(ctx, 't'))
    .orderBy('id', 'desc')
    .limit(MOST_BINDINGS)
    .execute();
  return rows.map((it) => ({
    ...it,
    componentType: it.componentType ?? '',
  }));
}
