import { sql, type Kysely } from 'kysely';
import { groupBy } from '#domain/group.ts';
import type { Tables } from '#server/db/tables.ts';

/**
 * What must hold in every database at every moment, each as a query for what breaks it. `shows` is a text that names
 * the broken thing. Rule: counts#pairs.
 */
const invariants: Record<string, string> = {
  'the counts of a line are those of its items': `
    SELECT l."mtblId" AS shows
      FROM rma_maintain_bill_line AS l
      LEFT JOIN LATERAL (
        SELECT count(*) FILTER (WHERE "receiveStatus" IN ('1', '3')) AS received,
               count(*) FILTER (WHERE "deliverStatus" = '2') AS delivered,
               count(*) FILTER (WHERE scrap = '1') AS scrapped,
               count(*) FILTER (WHERE "deliverStatus" = '3' AND scrap IS DISTINCT FROM '1') AS discarded,
               count(*) FILTER (WHERE "deliverStatus" = '4') AS bought
          FROM rma_maintain_bill_line_item WHERE "mtblId" = l."mtblId") AS i ON true
     WHERE (l."receiveCount", l."deliverCount", l."scrapCount", l."discardCount", l."buyOutCount")
           IS DISTINCT FROM (i.received, i.delivered, i.scrapped, i.discarded, i.bought)`,

  'a bill whose receipt is closed is finished exactly when no item is open': `
    SELECT b."mtbId" || ' is ' || b."billStatus" AS shows
      FROM rma_maintain_bill AS b
     WHERE b."billStatus" IN ('1', '2')
       AND (b."billStatus" = '1') <> EXISTS (
             SELECT 1 FROM rma_maintain_bill_line_item AS i
              WHERE i."mtbId" = b."mtbId" AND i."receiveStatus" IN ('1', '3') AND i."deliverStatus" IN ('0', '1'))`,

  'a bill that was not received has no received item': `
    SELECT b."mtbId" AS shows FROM rma_maintain_bill AS b
      JOIN rma_maintain_bill_line_item AS i ON i."mtbId" = b."mtbId"
     WHERE b."billStatus" = '3' AND i."receiveStatus" IN ('1', '3')`,

  'a unit is shipped exactly when its item is': `
    SELECT u.sn || ' at ' || u."ivyId" AS shows
      FROM rma_inventory AS u JOIN rma_maintain_bill_line_item AS i ON i."mtbliId" = u."mtbliId"
     WHERE i.exchange IS DISTINCT FROM '1' AND (u."ivyId" = '900') <> (i."deliverStatus" = '2')`,

  'a unit is scrapped exactly when its item is': `
    SELECT u.sn || ' at ' || u."ivyId" AS shows
      FROM rma_inventory AS u JOIN rma_maintain_bill_line_item AS i ON i."mtbliId" = u."mtbliId"
     WHERE i.exchange IS DISTINCT FROM '1' AND (u."ivyId" = '40') <> (i."deliverStatus" = '3')`,

  'an item that can ship has its unit on the shelf': `
    SELECT u.sn || ' at ' || u."ivyId" AS shows
      FROM rma_inventory AS u JOIN rma_maintain_bill_line_item AS i ON i."mtbliId" = u."mtbliId"
     WHERE i.exchange IS DISTINCT FROM '1' AND (i."deliverStatus" = '1' OR i.stockup = '1') AND u."ivyId" <> '100'`,

  'a unit that was bought out stands on no bill': `
    SELECT u.sn AS shows
      FROM rma_inventory AS u JOIN rma_maintain_bill_line_item AS i ON i."mtbliId" = u."mtbliId"
     WHERE i."deliverStatus" = '4'`,

  'a stocked-up item stands on exactly one stock-up bill that is not finished': `
    SELECT i."mtbliId" AS shows
      FROM rma_maintain_bill_line_item AS i
     WHERE i.stockup = '1'
       AND 1 <> (SELECT count(*) FROM rma_stockup_bill_line AS l JOIN rma_stockup_bill AS b ON b."skbId" = l."skbId"
                  WHERE l."mtbliId" = i."mtbliId" AND b.status IN ('0', '1', '3'))`,

  'what lies on a stock-up bill goes to its customer and place': `
    SELECT l."mtbliId" || ' on ' || b."skbId" || ' of ' || b."mtbId" AS shows
      FROM rma_stockup_bill AS b
      JOIN rma_stockup_bill_line AS l ON l."skbId" = b."skbId"
      JOIN rma_maintain_bill_line_item AS i ON i."mtbliId" = l."mtbliId"
      LEFT JOIN rma_inventory AS u ON u."mtbliId" = i."mtbliId"
      LEFT JOIN rma_maintain_bill AS own ON own."mtbId" = i."mtbId"
      LEFT JOIN rma_maintain_bill AS ships ON ships."mtbId" = b."mtbId"
     WHERE b.status IN ('0', '1', '3') AND l.delivered = '0'
       AND ((b."mtbId", b."deliverGroup", b."deliverSiteId", b."siteId", l."mtbId", l."mtblId")
              IS DISTINCT FROM
            (coalesce(i."deliverMtbId", i."mtbId"), i."deliverGroup", coalesce(i."deliverSiteId", i."siteId"),
             coalesce(u."siteId", i."siteId"), i."mtbId", i."mtblId")
            OR own."btmUserId" <> ships."btmUserId")`,

  'the counts and the status of a stock-up bill are those of its lines': `
    SELECT b."skbId" || ' is ' || b.status AS shows
      FROM rma_stockup_bill AS b
      LEFT JOIN LATERAL (
        SELECT count(*) AS lines, count(*) FILTER (WHERE delivered = '1') AS delivered
          FROM rma_stockup_bill_line WHERE "skbId" = b."skbId") AS l ON true
     WHERE b.status IN ('0', '1', '2')
       AND ((b."allCount", b."deliveredCount") IS DISTINCT FROM (l.lines, l.delivered)
            OR b.status <> CASE WHEN l.delivered = 0 THEN '0' WHEN l.delivered < l.lines THEN '1' ELSE '2' END)`,

  'every delivery of an item has exactly one deliver line': `
    SELECT i."mtbliId" AS shows
      FROM rma_maintain_bill_line_item AS i
     WHERE (i."deliverStatus" = '2')::int <>
           (SELECT count(*) FROM rma_deliver_bill_line AS l WHERE l."mtbliId" = i."mtbliId")`,

  'no SN is an open item of two bills': `
    SELECT i."receiveSn" AS shows
      FROM rma_maintain_bill_line_item AS i
     WHERE i."receiveSn" IS NOT NULL AND i."receiveStatus" IN ('1', '3') AND i."deliverStatus" IN ('0', '1')
     GROUP BY i."receiveSn" HAVING count(*) > 1`,

  'a unit and its item name the same bill and line': `
    SELECT u.sn AS shows
      FROM rma_inventory AS u LEFT JOIN rma_maintain_bill_line_item AS i ON i."mtbliId" = u."mtbliId"
     WHERE u."mtbliId" IS NOT NULL AND (u."mtbId", u."mtblId") IS DISTINCT FROM (i."mtbId", i."mtblId")`,

  'a unit stands where its latest transaction left it': `
    SELECT u.sn || ' at ' || u."ivyId" || ', last ' || t."toNode" AS shows
      FROM rma_inventory AS u
      JOIN LATERAL (SELECT "toNode" FROM rma_transaction WHERE sn = u.sn ORDER BY id DESC LIMIT 1) AS t ON true
     WHERE u."ivyId" IS DISTINCT FROM t."toNode"`,

  'each transaction of a unit begins where the one before it ended': `
    SELECT sn || ' ' || step AS shows
      FROM (SELECT sn, step, "fromNode", lag("toNode") OVER w AS before, row_number() OVER w AS n
              FROM rma_transaction WINDOW w AS (PARTITION BY sn ORDER BY id)) AS t
     WHERE n > 1 AND "fromNode" IS DISTINCT FROM before`,

  'a part is bound to one device at a time': `
    SELECT "componentSn" AS shows FROM ubs_assembly
     WHERE "unbindTime" IS NULL AND "componentSn" <> 'XXXX' GROUP BY "componentSn" HAVING count(*) > 1`,
};

/** All of them in one statement: each sentence that does not hold, with the first few things that break it. */
export const invariantsQuery = Object.entries(invariants)
  .map(([sentence, query]) => `(SELECT '${sentence}' AS sentence, shows::text FROM (${query}) AS broken LIMIT 5)`)
  .join('\nUNION ALL\n');

/** The invariants that do not hold, each with the first few things that break it; none is what tests want to see. */
export async function brokenInvariants(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql.raw<{ sentence: string; shows: string }>(invariantsQuery).execute(db);
  return [...groupBy(rows, (it) => it.sentence)].map(
    ([sentence, broken]) => `${sentence}: ${broken.map((it) => it.shows).join(', ')}`,
  );
}
