import { sql } from 'kysely';
import { fileIdOf, joinUrls, splitUrls } from '#domain/images.ts';
import { Refusal } from '#domain/refusal.ts';
import { MAX_PAPERS, documentKinds } from '#domain/uploads.ts';
import type { Context } from '#server/context.ts';
import { anyOf, inSites } from '#server/db/conditions.ts';
import { fileInUse } from '#server/workflow/pictures.ts';

/**
 * The papers of a bill, each one uploaded by who hands them in or on this bill already; from now on they belong to the
 * bill's site and are seen by whoever sees its list.
 * @throws Refusal noFile, images (too many), fileInUse for one of another row, notFound for an address that is none of these.
 */
export async function claimDocuments(
  ctx: Context,
  sent: string | readonly string[] | null | undefined,
  bill: { module: string; siteId: string; field: string; before: string | null },
): Promise<string> {
  const urls = [...new Set(splitUrls(sent))];
  if (urls.length === 0) throw new Refusal({ key: 'noFile', field: bill.field });
  if (urls.length > MAX_PAPERS)
    throw new Refusal({ key: 'images', field: bill.field, args: { min: 1, max: MAX_PAPERS } });
  const ids = urls.map(fileIdOf);
  const here = splitUrls(bill.before).map(fileIdOf);
  const { rows } = await sql<{ id: string }>`
    UPDATE file SET "right" = ${`${bill.module}:list`}, "siteId" = ${bill.siteId}, "inUse" = true
     WHERE id = ANY(${ids}) AND owner IS NULL AND kind = ANY(${[...documentKinds]})
       AND (("createBy" = ${ctx.currentUser.userId} AND "right" = '' AND NOT "inUse") OR id = ANY(${here}))
    RETURNING id`.execute(ctx.db);
  const known = new Set(rows.map((it) => it.id));
  const stray = urls.find((it) => !known.has(fileIdOf(it)));
  if (stray !== undefined) {
    const own = ctx.db.selectFrom('file').where('id', '=', fileIdOf(stray)).where('owner', 'is', null);
    const file = await own.where('createBy', '=', ctx.currentUser.userId).select(['inUse', 'right']).executeTakeFirst();
    if (file && (file.inUse || file.right !== '')) throw fileInUse(stray, bill.field);
    const what = { zh: '文件', en: 'File' };
    throw new Refusal({ key: 'notFound', field: bill.field, args: { what, value: stray.slice(0, 60) } });
  }
  return joinUrls(urls);
}

/** The month's bill of a site, locked; undefined where there is none. */
export const monthBill = (ctx: Context, siteId: string, recPeriod: string) =>
  ctx.db
    .selectFrom('rma_logistics_costs_bill')
    .select(['id', 'lcbId', 'billStatus', 'version', 'currency', 'totalAmount', 'createBy'])
    .where('siteId', '=', siteId)
    .where('recPeriod', '=', recPeriod)
    .orderBy('id', 'desc')
    .forNoKeyUpdate()
    .executeTakeFirst();

/** The lines of logistics costs as their workbook had them. */
export const costLines = ({ db }: Context, lcbId: string) =>
  db
    .selectFrom('rma_logistics_costs_bill_line')
    .select([
      ...(['deliverShipNo', 'logisticsProviders', 'count', 'weight', 'amount', 'currency'] as const),
      ...(['productName', 'chargeItems'] as const),
    ])
    .where('lcbId', '=', lcbId)
    .orderBy('id')
    .execute();

/** How many lines logistics costs have. */
export async function countCostLines({ db }: Context, lcbId: string): Promise<number> {
  const query = db.selectFrom('rma_logistics_costs_bill_line').where('lcbId', '=', lcbId);
  return (await query.select((it) => it.fn.countAll<number>().as('n')).executeTakeFirstOrThrow()).n;
}

/**
 * What the costs of a site are in: what those of this month were in, else those that came last. Null where none said.
 * Rule: money#logistics-costs.
 */
export async function usualCurrency({ db }: Context, siteId: string, recPeriod: string): Promise<string | null> {
  const bill = await db
    .selectFrom('rma_logistics_costs_bill')
    .select('currency')
    .where('siteId', '=', siteId)
    .where('currency', 'is not', null)
    .orderBy((it) => it('recPeriod', 'is not distinct from', recPeriod), 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return bill?.currency ?? null;
}

interface BilledParcel {
  deliverShipNo: string;
  chargeItems: string | null;
  lcbId: string;
}

/** Which of these delivery numbers stand on a bill other than this one, and what each is charged for there. */
export async function billedParcels({ db }: Context, numbers: readonly string[], but: string): Promise<BilledParcel[]> {
  if (numbers.length === 0) return [];
  return db
    .selectFrom('rma_logistics_costs_bill_line')
    .select(['deliverShipNo', 'chargeItems', 'lcbId'])
    .where('deliverShipNo', '=', anyOf([...numbers]))
    .where('lcbId', '<>', but)
    .orderBy('id')
    .execute();
}

/** Until the end of the transaction nobody else writes freight: a parcel is billed once, whoever brings it. */
export async function lockParcels({ db }: Pick<Context, 'db'>): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('billed parcels', 0))`.execute(db);
}

export const readCouriers = ({ db }: Context) =>
  db.selectFrom('ubs_shipment').select(['shipId', 'name', 'nameEn']).execute();

/** Which of these delivery numbers a deliver bill of the user's sites has. */
export async function knownShipNos(ctx: Context, numbers: readonly string[]): Promise<Set<string>> {
  if (numbers.length === 0) return new Set();
  const query = ctx.db
    .selectFrom('rma_deliver_bill')
    .select('deliverShipNo')
    .distinct()
    .where('deliverShipNo', '=', anyOf([...numbers]))
    .where(inSites('siteId', ctx.currentUser));
  return new Set((await query.execute()).map((it) => String(it.deliverShipNo)));
}
