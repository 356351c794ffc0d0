import { sql } from 'kysely';
import { Flag } from '#domain/enums.ts';
import type { Context } from '#server/context.ts';
import { anywhere, inSites } from '#server/db/conditions.ts';
import { seesBinding } from '#server/workflow/parts.ts';

type EnumTable = 'ubs_enum_parts_type' | 'rma_enum_repair_method' | 'ubs_enum_component_type' | 'rma_enum_depreciation';

/** The entries of an enumeration in the order in which they were made. */
export const enumeration = ({ db }: Context, table: EnumTable) =>
  db.selectFrom(table).select(['value', 'name', 'nameEn']).orderBy('id').execute();

/** Bills of material whose name or number has these words. */
export async function bomsNamed({ db }: Context, words: string) {
  const pattern = anywhere(words);
  return db
    .selectFrom('ubs_bom')
    .select(['bomid', 'bomdescription'])
    .where((it) => it.or([it('bomdescription', 'ilike', pattern), it('bomid', 'ilike', pattern)]))
    .orderBy('bomid')
    .limit(50)
    .execute();
}

export async function bomItems({ db }: Context, bomid: string) {
  return db
    .selectFrom('ubs_bom_item')
    .select(['location', 'productName'])
    .where('bomid', '=', bomid)
    .orderBy('location')
    .execute();
}

/** More than any site has kinds of labels; each scan of a label is tried against all of them. */
const MOST_RULES = 100;

/** The rules for labels that are in use at the user's site. */
export async function labelRules({ db, currentUser }: Context) {
  return db
    .selectFrom('ubs_label_rule')
    .select(['id', 'name', 'kind', 'template', 'snLength'])
    .where('siteId', '=', currentUser.siteId)
    .where('enabled', '=', Flag.Yes)
    .orderBy('seq')
    .orderBy('id')
    .limit(MOST_RULES)
    .execute();
}

export async function itemsBeginning({ db }: Context, salesCode: string) {
  const rows = await db
    .selectFrom('ubs_item')
    .select(['itemId', 'salesCode', 'name', 'productName', 'type', 'deviceType', 'bomId', 'boardCount'])
    .where(sql<boolean>`starts_with("salesCode", ${salesCode})`)
    .orderBy('salesCode')
    .limit(100)
    .execute();
  return rows.map(({ productName, ...it }) => ({
    ...it,
    salesCode: it.salesCode ?? '',
    alias: productName,
    deviceType: it.deviceType ?? it.type,
  }));
}

/** In which devices of the user's sites a part is and was, the newest first. */
export async function listPartBindings(ctx: Context, componentSn: string) {
  const rows = await ctx.db
    .selectFrom('ubs_assembly as t')
    .select(['deviceSn', 'componentSn', 'componentType', 'qrCodeNum', 'bindTime', 'unbindTime'])
    .where('componentSn', '=', componentSn)
    .where(seesBinding(ctx, 't'))
    .orderBy('id', 'desc')
    .limit(200)
    .execute();
  return rows.map((it) => ({
    ...it,
    componentType: it.componentType ?? '',
  }));
}

export async function sitesFor({ db }: Context, sites: 'all' | readonly string[]) {
  const query = db
    .selectFrom('ubs_site')
    .select(['siteId', 'siteName', 'country'])
    .orderBy('siteId')
    .where(inSites('siteId', { sites }));
  return query.execute();
}
