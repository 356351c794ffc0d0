import { sql } from 'kysely';
import { undeliveredItems, Flag, unreceivedItems } from '#domain/enums.ts';
import type { Context } from '#server/context.ts';
import { touchSql } from '#server/touch.ts';

/**
 * What was written down of a unit under its SN while it is with us, by table and column. Whatever asks for the present
 * stay compares these by their SN.
 */
const records = [
  ['rma_transaction', 'sn'],
  ['rma_receive_bill_line_item', 'receiveSn'],
  ['rma_check_bill_line', 'sn'],
  ['rma_repair_bill', 'sn'],
  ['rma_assemble_bill', 'sn'],
  ['rma_burnin_bill_line', 'sn'],
  ['rma_examine_bill_line', 'sn'],
  ['rma_store_bill_line', 'sn'],
] as const;

/**
 * A unit is called otherwise from now on: in the inventory, in the archive, in what it is bound to, on its open item and
 * its open stock-up line, and in the records of its present stay. Stays that have ended keep the SN under which they did.
 * The caller holds both SNs and the unit. Rule: units#former-sns.
 */
export async function renameUnit(ctx: Context, from: string, to: string): Promise<void> {
  const { db, currentUser } = ctx;
  const touched = touchSql(currentUser);
  await sql`UPDATE ubs_item_object SET sn = ${to}, ${touched} WHERE sn = ${from}`.execute(db);
  await sql`
    UPDATE ubs_assembly
       SET "deviceSn" = CASE "deviceSn" WHEN ${from} THEN ${to} ELSE "deviceSn" END,
           "componentSn" = CASE "componentSn" WHEN ${from} THEN ${to} ELSE "componentSn" END, ${touched}
     WHERE ("deviceSn" = ${from} OR "componentSn" = ${from}) AND "unbindTime" IS NULL`.execute(db);
  const isDeclared = sql`"receiveStatus" = ANY(${unreceivedItems})`;
  const isItsOwn = sql`"mtbliId" = (SELECT "mtbliId" FROM rma_inventory WHERE sn = ${from})`;
  await sql`
    UPDATE rma_maintain_bill_line_item
       SET "receiveSn" = ${to}, ${touched}
     WHERE "receiveSn" = ${from} AND (${isDeclared} OR ${isItsOwn})`.execute(db);
  await sql`
    UPDATE rma_maintain_bill_line_item
       SET "powerSn" = ${to}, ${touched}
     WHERE "powerSn" = ${from} AND "deliverStatus" = ANY(${undeliveredItems})`.execute(db);
  await sql`
    UPDATE rma_stockup_bill_line SET sn = ${to}, ${touched}
     WHERE sn = ${from} AND delivered IS DISTINCT FROM ${Flag.Yes}`.execute(db);
  await sql`UPDATE rma_inventory SET sn = ${to}, ${touched} WHERE sn = ${from}`.execute(db);

  const { rows } = await sql<{ ended: string | null }>`
    SELECT max(coalesce(i."deliverTime", (SELECT max(t."eventTime") FROM rma_transaction AS t
                                           WHERE t.sn = ${from} AND t."mtbliId" = i."mtbliId")))::text AS ended
      FROM rma_maintain_bill_line_item AS i
     WHERE i."receiveSn" = ${from} OR i."deliverSn" = ${from}`.execute(db);
  const ended = rows[0]?.ended ?? null;
  for (const [table, column] of records) {
    const time = sql.ref(table === 'rma_transaction' ? 'eventTime' : 'createTime');
    await sql`
      UPDATE ${sql.table(table)} SET ${sql.ref(column)} = ${to}
       WHERE ${sql.ref(column)} = ${from} AND (${ended}::timestamptz IS NULL OR ${time} > ${ended}::timestamptz)`.execute(
      db,
    );
  }
}
