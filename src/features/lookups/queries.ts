import { sql } from 'kysely';
import { ComponentType } from '#domain/assembly.ts';
import { Flag } from '#domain/enums.ts';
import type { Context } from '#server/context.ts';
import { anyOf, anywhere, inSites } from '#server/db/conditions.ts';
import { nameIn } from '#server/engine/describe.ts';
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

/** The parts of a device now, each with its kind in the user's language. */
export async function listBoundParts(ctx: Context, deviceSn: string) {
  return ctx.db
    .selectFrom('ubs_assembly as a')
    .leftJoin('ubs_enum_component_type as k', 'k.value', 'a.componentType')
    .leftJoin('ubs_item_object as o', 'o.sn', 'a.componentSn')
    .select([
      sql<string>`coalesce(a."componentType", '')`.as('componentType'),
      'a.componentSn',
      'a.qrCodeNum',
      sql<string>`coalesce(${ctx.lang === 'en' ? sql.ref('k.nameEn') : sql.ref('k.name')}, k.name, a."componentType", '')`.as(
        'label',
      ),
      'o.itemName as name',
    ])
    .where('a.deviceSn', '=', deviceSn)
    .where('a.unbindTime', 'is', null)
    .orderBy('a.id')
    .execute();
}

interface AssemblyRecord {
  assemblySn: string;
  powerSn: string | null;
  controlSn: string | null;
  hashBoardList: string[];
  qrCodeNumList: (string | null)[];
  bindingTime: number | null;
  siteCode: string | null;
  createBy: string | null;
}

/** When a part was bound; of what was bound before that was written, when its record was made. */
const since = (alias: string) => sql`coalesce(${sql.ref(`${alias}.bindTime`)}, ${sql.ref(`${alias}.createTime`)})`;

/** As many boards as a device has at most. */
const MOST_BOARDS = 8;

/**
 * What devices were made of whenever that changed, the newest first: a change is a moment at which something was bound.
 * `snList` are all names of one device or part.
 */
export async function listAssemblyRecords(ctx: Context, snList: readonly string[]): Promise<AssemblyRecord[]> {
  const snsOf = (type: string) => sql`max(p."componentSn") FILTER (WHERE p."componentType" = ${sql.lit(type)})`;
  const boards = (name: string) => sql`
    coalesce((array_agg(p.${sql.ref(name)} ORDER BY p.id)
              FILTER (WHERE p."componentType" = ${sql.lit(ComponentType.Board)}))[1:${sql.lit(MOST_BOARDS)}], '{}')`;
  const { rows } = await sql<AssemblyRecord>`
    WITH asked AS (
      SELECT t."deviceSn", ${since('t')} AS since, t."unbindTime" AS until
        FROM ubs_assembly AS t
       WHERE (t."componentSn" = ${anyOf(snList)} OR t."deviceSn" = ${anyOf(snList)}) AND ${seesBinding(ctx, 't')}),
    changes AS (
      SELECT d."deviceSn", ${since('d')} AS at, max(d.id) AS id, max(d."createBy") AS "createBy"
        FROM asked
        JOIN ubs_assembly AS d ON d."deviceSn" = asked."deviceSn" AND ${since('d')} >= asked.since
                              AND (asked.until IS NULL OR ${since('d')} < asked.until)
       GROUP BY d."deviceSn", ${since('d')}
       ORDER BY id DESC LIMIT 100)
    SELECT c."deviceSn" AS "assemblySn", parts.*, c.at AS "bindingTime",
           coalesce(${nameIn(ctx.lang, 's.siteName')}, v."siteId") AS "siteCode",
           coalesce(u."userName", c."createBy") AS "createBy"
      FROM changes AS c
     CROSS JOIN LATERAL (
           SELECT ${snsOf(ComponentType.Power)} AS "powerSn", ${snsOf(ComponentType.Controls)} AS "controlSn",
                  ${boards('componentSn')} AS "hashBoardList", ${boards('qrCodeNum')} AS "qrCodeNumList"
             FROM ubs_assembly AS p
            WHERE p."deviceSn" = c."deviceSn" AND ${since('p')} <= c.at
              AND (p."unbindTime" IS NULL OR p."unbindTime" > c.at) AND ${seesBinding(ctx, 'p')}) AS parts
      LEFT JOIN rma_inventory AS v ON v.sn = c."deviceSn"
      LEFT JOIN ubs_site AS s ON s."siteId" = v."siteId"
      LEFT JOIN admin_user AS u ON u."userId" = c."createBy"
     ORDER BY c.id DESC`.execute(ctx.db);
  return rows;
}

export async function sitesFor({ db, lang }: Context, sites: 'all' | readonly string[]) {
  const query = db
    .selectFrom('ubs_site')
    .select(['siteId', nameIn(lang, 'siteName').as('siteName'), 'country'])
    .orderBy('siteId')
    .where(inSites('siteId', { sites }));
  return query.execute();
}

export const statesOf = ({ db, lang }: Context, countryId: string) =>
  db
    .selectFrom('ubs_state')
    .select(['stateId', nameIn(lang, 'name').as('name')])
    .where('countryId', '=', countryId)
    .orderBy('stateId')
    .execute();

export const citiesOf = ({ db, lang }: Context, stateId: string) =>
  db
    .selectFrom('ubs_city')
    .select(['cityId', nameIn(lang, 'name').as('name')])
    .where('stateId', '=', stateId)
    .orderBy('cityId')
    .execute();
