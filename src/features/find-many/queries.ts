import { sql, type RawBuilder } from 'kysely';
import type { DataOf } from '#domain/call.ts';
import type { Context } from '#server/context.ts';
import { nameIn } from '#server/engine/describe.ts';
import { isHeldForSites } from '#server/workflow/holds.ts';
import { nowIn } from '#server/workflow/names.ts';
import type { findMany } from './contract.ts';
import { Place } from './rules.ts';

type Found = DataOf<typeof findMany>['items'][number];

/**
 * One row for each SN, in their order: the unit that it is called now or was once, as far as the user sees its site; of
 * another site's no more than that it is there. Rule: units#many, rights#other-sites.
 */
export function placesOf({ currentUser, lang }: Pick<Context, 'currentUser' | 'lang'>, sns: readonly string[]) {
  const { sites } = currentUser;
  const isSeen =
    sites === 'all' ? sql`true` : sql`(u."siteId" = ANY(${[...sites]}::text[]) OR ${isHeldForSites(currentUser)})`;
  const seen = (column: RawBuilder<unknown>) => sql`CASE WHEN ${isSeen} THEN ${column} END`;
  const known = (column: string) =>
    sql`CASE WHEN u.id IS NULL THEN o.${sql.ref(column)} WHEN ${isSeen} THEN u.${sql.ref(column)} END`;
  return sql<Found & { n: number }>`
    SELECT a.n::int AS n, a.sn AS asked,
           CASE WHEN x.now <> a.sn AND (u.id IS NULL OR ${isSeen}) THEN x.now END AS now,
           CASE WHEN u.id IS NOT NULL AND ${isSeen} THEN ${sql.lit(Place.Workshop)}
                WHEN u.id IS NOT NULL THEN ${sql.lit(Place.Elsewhere)}
                WHEN o.id IS NOT NULL THEN ${sql.lit(Place.Archive)}
                ELSE ${sql.lit(Place.Unknown)} END AS place,
           ${seen(sql`u."ivyId"`)} AS node, ${seen(nameIn(lang, 's.siteName'))} AS "siteName",
           ${seen(sql`u."mtbId"`)} AS "mtbId", ${seen(sql`b."userName"`)} AS customer,
           ${known('salesCode')} AS "salesCode", ${known('itemName')} AS "itemName",
           ${seen(sql`u."subinventoryCode"`)} AS "subinventoryCode", ${seen(sql`u."holdKind"`)} AS "holdKind",
           ${seen(sql`coalesce(u."updateTime", u."createTime")`)} AS since
      FROM unnest(${[...sns]}::text[]) WITH ORDINALITY AS a(sn, n)
      LEFT JOIN rma_inventory AS d ON d.sn = a.sn
     -- What a unit is called now is nobody's former SN.
     CROSS JOIN LATERAL (SELECT CASE WHEN d.id IS NULL THEN ${nowIn(sql.ref('a.sn'))} ELSE a.sn END AS now) AS x
      -- One by one, by their indexes: a few thousand of a million.
      LEFT JOIN LATERAL (SELECT * FROM rma_inventory AS i WHERE i.sn = x.now LIMIT 1) AS u ON true
      LEFT JOIN LATERAL (SELECT id, "salesCode", "itemName" FROM ubs_item_object AS i WHERE i.sn = x.now LIMIT 1) AS o ON true
      LEFT JOIN ubs_site AS s ON s."siteId" = u."siteId"
      LEFT JOIN rma_maintain_bill AS b ON b."mtbId" = u."mtbId"
     ORDER BY a.n`;
}
