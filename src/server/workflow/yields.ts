import { sql, type RawBuilder } from 'kysely';
import { OperateStatus } from '#domain/enums.ts';
import { GOOD_BIN, USUAL_GOOD_BINS } from '#domain/wafer.ts';
import type { Context } from '#server/context.ts';
import { anyOf } from '#server/db/conditions.ts';
import { touchSql } from '#server/touch.ts';

const stands = sql.lit(OperateStatus.Normal);

/** The part of the device of `t`, as `n`. */
export const partOf = (t: string) => sql`icop_part_number_line AS n ON n."devicePn" = ${sql.ref(`${t}.devicePn`)}`;

/** Whether a bin is good by the part `n` of its device; what is not counted in bins is. Rule: wafer-bank#yield. */
export const isGood = (bin: RawBuilder<unknown>) => sql`
  coalesce(${bin} = ${sql.lit(GOOD_BIN)}
           OR ${bin} = ANY(string_to_array(coalesce(nullif(n."goodBins", ''), ${sql.lit(USUAL_GOOD_BINS)}), ',')), true)`;

/** What of the output of an order `t` came into good bins, in SQL. Rule: wafer-bank#yield. */
export const goodOutput = (t: 'o' | 't', { hasBins }: { hasBins: boolean }): RawBuilder<unknown> => {
  const output = sql`coalesce(${sql.ref(`${t}.outputQty`)}, 0)`;
  if (!hasBins) return output;
  return sql`
    (${output} - coalesce((
       SELECT sum(e.qty) FROM icop_transaction AS e
         LEFT JOIN ${partOf(t)}
        WHERE e."workOrderNo" = ${sql.ref(`${t}.workOrderNo`)} AND e."transactionType" = 'OUTPUT'
          AND e."operateStatus" = ${stands} AND NOT ${isGood(sql`e.bin`)}), 0))`;
};

/** The lots that came out of these orders, and those into which they were merged. */
export async function lotsOutOf({ db }: Context, orders: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ wipId: string }>`
    WITH RECURSIVE lot AS (
      SELECT "wipId" FROM icop_transaction WHERE "workOrderNo" = ${anyOf(orders)} AND "transactionType" = 'OUTPUT'
       UNION
      SELECT m.remark FROM lot JOIN icop_transaction AS m USING ("wipId")
       WHERE m."transactionType" = 'ADJUST' AND m."operateStatus" = ${stands} AND m.remark IS NOT NULL)
    SELECT "wipId" FROM lot`.execute(db);
  return rows.map((it) => it.wipId);
}

/**
 * Writes down what came out into these lots, what was lost of what was reported with it, and the good share of both, as the
 * histories say it by now; a lot that was merged is that of all its parents. Rule: wafer-bank#yield.
 */
export async function tellYields({ db, currentUser }: Context, wipIds: readonly string[]): Promise<void> {
  if (wipIds.length === 0) return;
  // A report is one moment, in which each position of an order is told once.
  await sql`
    WITH RECURSIVE part AS (
      SELECT "wipId", "wipId" AS of FROM icop_wip WHERE "wipId" = ${anyOf(wipIds)}
       UNION
      SELECT p."wipId", m."wipId"
        FROM part AS p JOIN icop_wip AS w ON w."wipId" = p.of
        JOIN icop_transaction AS m ON m."wipId" = ANY(string_to_array(w."parentWipIds", ','))
       WHERE m."transactionType" = 'ADJUST' AND m."operateStatus" = ${stands} AND m.remark = p.of),
    came AS (
      SELECT p."wipId", e."workOrderNo", e."eventTime", e."waferId", e.qty, w."parentWipIds", w."group", w."workOrderType",
             ${isGood(sql`e.bin`)} AS good
        FROM part AS p JOIN icop_wip AS w ON w."wipId" = p.of
        JOIN icop_transaction AS e ON e."wipId" = p.of AND e."transactionType" = 'OUTPUT' AND e."operateStatus" = ${stands}
        LEFT JOIN ${partOf('w')}),
    lost AS (
      SELECT DISTINCT c."wipId", e.id, e.qty
        FROM came AS c
        JOIN icop_transaction AS e ON (e."workOrderNo", e."eventTime") = (c."workOrderNo", c."eventTime")
         AND e."transactionType" = 'LOSS' AND e."operateStatus" = ${stands}
        LEFT JOIN icop_ft_work_order_line AS l ON (l."workOrderNo", l."wipId", l.bin) = (e."workOrderNo", e."wipId", e.bin)
       WHERE CASE WHEN c."workOrderType" = 'icopFtWorkOrder' THEN l."group" = c."group"
                  ELSE e."wipId" = c."parentWipIds" AND e."waferId" IS NOT DISTINCT FROM c."waferId" END),
    told AS (
      SELECT w."wipId", coalesce(o.came, 0) AS came, coalesce(o.good, 0) AS good, coalesce(l.lost, 0) AS lost
        FROM icop_wip AS w
        LEFT JOIN (SELECT "wipId", sum(qty) AS came, sum(qty) FILTER (WHERE good) AS good FROM came GROUP BY 1) AS o USING ("wipId")
        LEFT JOIN (SELECT "wipId", sum(qty) AS lost FROM lost GROUP BY 1) AS l USING ("wipId")
       WHERE w."wipId" = ${anyOf(wipIds)})
    UPDATE icop_wip AS t
       SET "outputQty" = told.came, "lossQty" = told.lost,
           yield = round(100.0 * told.good / nullif(told.came + told.lost, 0), 2), ${touchSql(currentUser, 't')}
      FROM told WHERE told."wipId" = t."wipId"`.execute(db);
}
