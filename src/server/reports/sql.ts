import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { anywhere } from '#server/db/conditions.ts';
import { nameIn } from '#server/engine/describe.ts';
import type { Params } from './report.ts';

type Condition = RawBuilder<SqlBool>;

/** In the range, both of its days included. */
export const inRange = (column: string, { from, until }: Pick<Params, 'from' | 'until'>): Condition =>
  sql<SqlBool>`${sql.ref(column)} >= ${from} AND ${sql.ref(column)} < ${until}`;

/** Items `i` of maintain bills with their bill, line and site. */
export const items = sql`
  rma_maintain_bill_line_item AS i
  JOIN rma_maintain_bill AS b ON b."mtbId" = i."mtbId"
  LEFT JOIN rma_maintain_bill_line AS l ON l."mtblId" = i."mtblId"
  LEFT JOIN ubs_site AS s ON s."siteId" = i."siteId"`;

/** What `commonColumns` show of them. */
export const commonValues = ({ lang }: Pick<Params, 'lang'>) => sql`
  coalesce(${nameIn(lang, 's.siteName')}, i."siteId") AS site, b."mtbId", b."btmMtbId", b."receiveShipNo", b."btmUserId", b."userName",
  l."salesCode", l."productName", i."receiveSn" AS sn, i.warranty`;

/** A length of time in days, or hours, with one decimal. */
export const days = (interval: RawBuilder<unknown>) =>
  sql<number>`round(extract(epoch FROM ${interval})::numeric / 86400, 1)::float8`;
export const hours = (seconds: RawBuilder<unknown>) => sql<number>`round((${seconds})::numeric / 3600, 1)::float8`;

/** A share of a whole, four decimals; empty where there is no whole. */
export const share = (part: RawBuilder<unknown>, whole: RawBuilder<unknown>) =>
  sql<number | null>`round((${part})::numeric / nullif(${whole}, 0), 4)::float8`;

/** The month in which a moment falls on the workshop's clock, as its first day. */
export const toMonth = (column: string, { timeZone }: Pick<Params, 'timeZone'>) =>
  sql<string>`date_trunc('month', ${sql.ref(column)} AT TIME ZONE ${sql.lit(timeZone)})::date`;

/** Midnight in the workshop of a calendar day. */
export const midnight = (date: RawBuilder<unknown>, { timeZone }: Pick<Params, 'timeZone'>) =>
  sql<Date>`((${date})::timestamp AT TIME ZONE ${sql.lit(timeZone)})`;

/** `2026-11`. */
export const monthText = (date: RawBuilder<unknown>) => sql<string>`to_char(${date}, 'YYYY-MM')`;

/** What is written somewhere in one of these texts; an empty search finds everything. */
export const isIn = (texts: readonly RawBuilder<unknown>[], search: string): Condition =>
  search === ''
    ? sql<SqlBool>`true`
    : sql<SqlBool>`(${sql.join(
        texts.map((it) => sql`${it} ILIKE ${anywhere(search)}`),
        sql` OR `,
      )})`;

export const equals = (value: string, column: string): Condition =>
  value === '' ? sql<SqlBool>`true` : sql<SqlBool>`${sql.ref(column)} = ${value}`;
