import { sql } from 'kysely';
import { DeliverStatus, Flag, OperateStatus, ReceiveStatus } from '#domain/enums.ts';
import { Node } from '#domain/nodes.ts';
import type { HistoryStep } from '#domain/workflow.ts';
import type { Context } from '#server/context.ts';
import type { RmaInventory } from '#server/db/tables.ts';
import { recordInLedger } from '#server/ledger.ts';
import { touchSql } from '#server/touch.ts';
import { leftAs } from '#server/workflow/deliveries.ts';
import { NO_WAREHOUSE, rolledBackSql } from '#server/workflow/moves.ts';
import { namesIn } from '#server/workflow/names.ts';
import { itemIsUnreceived } from '#server/workflow/states.ts';
import { leavesStockup } from '#server/workflow/stockup.ts';

/** A line that only the receipt made declares what it received. Rule: counts#lines. */
export async function countReceivedLines({ db }: Context, mtblIds: readonly string[]): Promise<void> {
  await sql`
    UPDATE rma_maintain_bill_line AS l SET count = l."receiveCount"
     WHERE l."mtblId" = ANY(${mtblIds})
       AND NOT EXISTS (SELECT 1 FROM rma_maintain_bill_line_item AS i
                        WHERE i."mtblId" = l."mtblId"
                          AND (${itemIsUnreceived('i')} OR i."receiveTime" IS DISTINCT FROM i."createTime"))`.execute(
    db,
  );
}

/**
 * Writes down what came in, and as what, at which site and on which bill each unit was known before; a new one as it
 * came. Rule: events#e03.
 */
export async function noteReceipt(
  ctx: Context,
  rvbId: string,
  known: readonly (Pick<RmaInventory, 'sn' | 'salesCode' | 'itemName' | 'siteId' | 'mtbId' | 'mtblId' | 'mtbliId'> & {
    declared: { receiveSn: string | null; receiveStatus: string | null };
  })[],
  mtbId: string,
): Promise<void> {
  const units = Object.fromEntries(
    known.map(({ sn, salesCode, itemName, siteId, mtbId: on, mtblId, mtbliId, declared }) => [
      sn,
      { salesCode, itemName, siteId, mtbId: on, mtblId, mtbliId, declared },
    ]),
  );
  const to = { mtbId, sns: known.map((it) => it.sn) };
  await recordInLedger(ctx, { what: 'receive', module: 'rmaReceiveBill', recordId: rvbId, from: { units }, to });
}

/**
 * Those of these units that had their first test since they came in. A check that was rolled back has left its bill as
 * well; one before a return to first test stands on it still. Rule: events#e30, events#e37.
 */
export async function testedSns({ db }: Context, sns: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ sn: string }>`
    SELECT DISTINCT t.sn
      FROM rma_transaction AS t
      JOIN rma_check_bill_line AS l ON l."ckbId" = t."billId" AND l.sn = t.sn
     WHERE t.sn = ANY(${sns}) AND t.step = 'check'
       AND NOT EXISTS (SELECT 1 FROM rma_transaction AS r WHERE r.sn = t.sn AND r.id > t.id AND r.step = 'receive')`.execute(
    db,
  );
  return new Set(rows.map((it) => it.sn));
}

/**
 * Undoes the receipt of units: each goes back to where and what it was before (not here, or shipped on its earlier
 * bill; the ledger's row of the receipt says as what), a declared item waits again, and nothing for which it was
 * stocked up; an item or line that only the receipt made disappears, and the unit leaves its receive bill. The bills are
 * locked by the caller. Gives what went off the receive bills, for the ledger. Rule: events#e06.
 */
export async function takeOffUnits(
  ctx: Context,
  mtbId: string,
  mtblIds: readonly string[],
  sns: readonly string[],
  { step = 'receive', note = null }: { step?: HistoryStep; note?: string | null } = {},
): Promise<Record<string, unknown>[]> {
  const { db, currentUser } = ctx;
  // An SN that came back to the bill from which it was shipped has a delivered item there, which stays.
  const theirs = sql`"mtbId" = ${mtbId} AND "mtbliId" IN (SELECT u."mtbliId" FROM rma_inventory AS u WHERE u.sn = ANY(${sns}))`;
  // A unit that was moved since was received on another bill.
  const { rows: receipts } = await sql<{ id: number }>`
    SELECT DISTINCT ON (sn) id FROM rma_transaction
     WHERE sn = ANY(${sns}) AND step = 'receive' AND "operateStatus" = ${sql.lit(OperateStatus.Normal)}
     ORDER BY sn, id DESC`.execute(db);
  const receiptIds = receipts.map((it) => it.id);
  const noted = sql`
    SELECT n.value AS was FROM ledger AS g CROSS JOIN LATERAL jsonb_each(g.before->'units') AS n
     WHERE g.module = 'rmaReceiveBill' AND g."recordId" = e."billId" AND g.what = 'receive'
       AND n.key = ANY(${namesIn(sql`e.sn`)}) LIMIT 1`;
  // What would have gone out in advance for them does not; that another model is sent was promised to the declared item.
  const { rows: items } = await sql<{ mtbliId: string }>`
    SELECT "mtbliId" FROM rma_maintain_bill_line_item WHERE ${theirs}`.execute(db);
  await leavesStockup(
    ctx,
    items.map((it) => it.mtbliId),
  );
  const wasDeclared = sql`w.was->'declared'`;
  await sql`
    UPDATE rma_maintain_bill_line_item AS i
       SET exchange = CASE WHEN i."deliverSalesCode" IS NULL THEN ${Flag.No} ELSE i.exchange END,
           "receiveSn" = ${wasDeclared}->>'receiveSn',
           "receiveStatus" = CASE WHEN ${step === 'rollback'}
                                  THEN coalesce(${wasDeclared}->>'receiveStatus', ${ReceiveStatus.Awaiting})
                                  ELSE ${ReceiveStatus.Awaiting} END,
           "receiveTime" = NULL, depreciation = NULL, warranty = NULL, maintains = 0, continues = ${Flag.No},
           mixbound = ${Flag.No}, "secondHand" = ${Flag.No}, "deliverStatus" = ${DeliverStatus.CannotShip},
           ${touchSql(currentUser, 'i')}
      FROM rma_inventory AS u
      LEFT JOIN rma_transaction AS e ON e.sn = u.sn AND e.id = ANY(${receiptIds})
      LEFT JOIN LATERAL (${noted}) AS w ON true
     WHERE u.sn = ANY(${sns}) AND i."mtbliId" = u."mtbliId" AND i."mtbId" = ${mtbId}
       AND i."receiveTime" IS DISTINCT FROM i."createTime"`.execute(db);
  // What is left as received was added by the receipt itself.
  await sql`
    DELETE FROM rma_maintain_bill_line_item
     WHERE ${theirs} AND "receiveSn" = ANY(${sns}) AND "receiveTime" IS NOT NULL`.execute(db);
  await sql`
    UPDATE rma_inventory AS u
       SET "ivyId" = e."fromNode",
           "mtbId" = CASE WHEN w.was ? 'mtbliId' THEN w.was->>'mtbId' ELSE p."mtbId" END,
           "mtblId" = CASE WHEN w.was ? 'mtbliId' THEN w.was->>'mtblId' ELSE p."mtblId" END,
           "mtbliId" = CASE WHEN w.was ? 'mtbliId' THEN w.was->>'mtbliId' ELSE p."mtbliId" END,
           "salesCode" = coalesce(w.was->>'salesCode', u."salesCode"), "itemName" = coalesce(w.was->>'itemName', u."itemName"),
           "siteId" = coalesce(w.was->>'siteId', u."siteId"),
           "subinventoryCode" = nullif(e."fromSubinventoryCode", ${NO_WAREHOUSE}), "storageType" = e."fromStorageType",
           ${touchSql(currentUser, 'u')}
      FROM (SELECT sn, "fromNode", "billId", "fromSubinventoryCode", "fromStorageType" FROM rma_transaction WHERE id = ANY(${receiptIds})) AS e
      LEFT JOIN LATERAL (${noted}) AS w ON true
      LEFT JOIN LATERAL (SELECT i."mtbId", i."mtblId", i."mtbliId" FROM rma_maintain_bill_line_item AS i
                          WHERE ${leftAs('i', sql`ANY(${namesIn(sql`e.sn`)})`)}
                          ORDER BY i."deliverTime" DESC LIMIT 1) AS p ON e."fromNode" = ${sql.lit(Node.Shipped)}
     WHERE u.sn = e.sn`.execute(db);
  // What was decided about a unit since goes with its receipt: by that alone it would have come from scrap, or be elsewhere.
  await sql`
    UPDATE rma_transaction AS t SET ${rolledBackSql}, ${touchSql(currentUser, 't')}
      FROM rma_transaction AS e
     WHERE e.id = ANY(${receiptIds}) AND t.sn = e.sn AND t.id >= e.id AND t.step <> 'changeSn'
       AND t."operateStatus" = ${sql.lit(OperateStatus.Normal)}`.execute(db);
  await sql`
    INSERT INTO rma_transaction
      (sn, "mtbId", "mtbliId", "siteId", step, "fromNode", "toNode", "operateStatus", "eventTime", "userId", "createBy",
       note)
    SELECT u.sn, ${mtbId}, e."mtbliId", ${currentUser.siteId}, ${step}, p."toNode", u."ivyId", ${OperateStatus.Rollbacked}, now(),
           ${currentUser.userId}, ${currentUser.userId}, ${note}
      FROM rma_inventory AS u
      JOIN rma_transaction AS e ON e.sn = u.sn AND e.id = ANY(${receiptIds})
     CROSS JOIN LATERAL (SELECT "toNode" FROM rma_transaction WHERE sn = u.sn ORDER BY id DESC LIMIT 1) AS p`.execute(
    db,
  );
  await sql`
    DELETE FROM rma_maintain_bill_line AS l
     WHERE l."mtblId" = ANY(${mtblIds})
       AND NOT EXISTS (SELECT 1 FROM rma_maintain_bill_line_item AS i WHERE i."mtblId" = l."mtblId")`.execute(db);
  return takeOffReceiveBills(ctx, receiptIds);
}

/** Units leave their receive bills, which count anew; one that is left empty goes, with what its parcel cost. Rule: events#e06, events#e37. */
async function takeOffReceiveBills(
  { db, currentUser }: Context,
  receiptIds: readonly number[],
): Promise<Record<string, unknown>[]> {
  const { rows } = await sql<Record<string, unknown>>`
    DELETE FROM rma_receive_bill_line_item AS i USING rma_transaction AS e
     WHERE e.id = ANY(${receiptIds}) AND i."rvbId" = e."billId" AND i."receiveSn" = e.sn RETURNING i.*`.execute(db);
  const rvbIds = [...new Set(rows.map((it) => String(it['rvbId'])))];
  await sql`
    UPDATE rma_receive_bill_line AS l
       SET "receiveCount" = (SELECT count(*) FROM rma_receive_bill_line_item AS i
                              WHERE i."rvbId" = l."rvbId" AND i."mtblId" = l."mtblId"), ${touchSql(currentUser, 'l')}
     WHERE l."rvbId" = ANY(${rvbIds})`.execute(db);
  await sql`DELETE FROM rma_receive_bill_line WHERE "rvbId" = ANY(${rvbIds}) AND "receiveCount" = 0`.execute(db);
  const { rows: bills } = await sql<Record<string, unknown>>`
    DELETE FROM rma_receive_bill AS b
     WHERE b."rvbId" = ANY(${rvbIds})
       AND NOT EXISTS (SELECT 1 FROM rma_receive_bill_line AS l WHERE l."rvbId" = b."rvbId") RETURNING *`.execute(db);
  return [...rows, ...bills];
}
