import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { Flag } from '#domain/enums.ts';
import { limits } from '#domain/reports.ts';
import { anywhere } from '#server/db/conditions.ts';
import { dayIn, midnightIn, monthIn } from '#server/db/days.ts';
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

/** Whether it is so, as the options of yes and no say it. */
export const yesNo = (condition: RawBuilder<unknown>) =>
  sql<string>`CASE WHEN ${condition} THEN ${sql.lit(Flag.Yes)} ELSE ${sql.lit(Flag.No)} END`;

/** A length of time in days, or hours, with one decimal. */
export const days = (interval: RawBuilder<unknown>) =>
  sql<number>`round(extract(epoch FROM ${interval})::numeric / 86400, 1)::float8`;
export const hours = (seconds: RawBuilder<unknown>) => sql<number>`round((${seconds})::numeric / 3600, 1)::float8`;

/** A share of a whole, four decimals; empty where there is no whole. */
export const share = (part: RawBuilder<unknown>, whole: RawBuilder<unknown>) =>
  sql<number | null>`round((${part})::numeric / nullif(${whole}, 0), 4)::float8`;

/** The month in which a moment falls on the workshop's clock, as its first day. */
export const toMonth = (column: string, { timeZone }: Pick<Params, 'timeZone'>) => monthIn(sql.ref(column), timeZone);

/**
 * A unit came in again soon after it had left: so many days of the workshop's calendar after, whatever the hour.
 * Rule: reports#limits.
 */
export const isSoonAfter = (left: RawBuilder<unknown>, came: RawBuilder<unknown>, timeZone: string): Condition =>
  sql<SqlBool>`${dayIn(came, timeZone)} - ${dayIn(left, timeZone)} <= ${sql.lit(limits.secondRepairDays)}`;

/** The first moment of the days before one, in which what was sent out may come back as a second repair. Rule: reports#second-repairs. */
export const soonBefore = (moment: RawBuilder<unknown>, timeZone: string): RawBuilder<Date> =>
  midnightIn(sql`${dayIn(moment, timeZone)} - ${sql.lit(limits.secondRepairDays)}`, timeZone);

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

export const equals = (value: string, column: RawBuilder<unknown>): Condition =>
  value === '' ? sql<SqlBool>`true` : sql<SqlBool>`${column} = ${value}`;
