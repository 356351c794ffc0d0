import type { Kysely } from 'kysely';
import { groupBy } from '#domain/group.ts';
import type { Tables } from '#server/db/tables.ts';
import { readKept } from '#tests/support/keptQuery.ts';

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

  'a step that was rolled back says when': `
    SELECT sn || ' ' || step AS shows FROM rma_transaction
     WHERE "operateStatus" = 'Rollbacked' AND "rolledBackTime" IS NULL AND "createBy" IS NOT NULL
       AND step NOT IN ('rollback', 'returnToCheck') AND NOT (step = 'receive' AND "fromNode" IN ('10', '40'))`,

  'an item is at the site of its unit': `
    SELECT u.sn || ' at ' || u."siteId" || ', ' || i."mtbliId" || ' at ' || i."siteId" AS shows
      FROM rma_inventory AS u JOIN rma_maintain_bill_line_item AS i ON i."mtbliId" = u."mtbliId"
     WHERE u."ivyId" IS NOT NULL AND u."siteId" IS DISTINCT FROM i."siteId"`,

  'a unit that was bought out stands on no bill': `
    SELECT u.sn AS shows
      FROM rma_inventory AS u JOIN rma_maintain_bill_line_item AS i ON i."mtbliId" = u."mtbliId"
     WHERE i."deliverStatus" = '4'`,

  'own goods are not stocked up, and on the shelf they are on no bill': `
    SELECT i."mtbliId" AS shows
      FROM rma_maintain_bill AS b JOIN rma_maintain_bill_line_item AS i ON i."mtbId" = b."mtbId"
      LEFT JOIN rma_inventory AS u ON u."mtbliId" = i."mtbliId"
     WHERE b."billType" IS NOT NULL AND (i.stockup = '1' OR i."deliverStatus" = '1' OR u."ivyId" = '100')`,

  'an item is own goods as its bill is': `
    SELECT i."mtbliId" || ' on ' || b."mtbId" AS shows
      FROM rma_maintain_bill AS b JOIN rma_maintain_bill_line_item AS i ON i."mtbId" = b."mtbId"
     WHERE i."billType" IS DISTINCT FROM b."billType"`,

  'a registration of own goods is in the state of its bill': `
    SELECT r."dpbId" || ' is ' || r."billStatus" AS shows
      FROM rma_defective_product_repair_bill AS r LEFT JOIN rma_maintain_bill AS b ON b."mtbId" = r."mtbId"
     WHERE (r."billStatus", r."billType") IS DISTINCT FROM (b."billStatus", b."billType")`,

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

  // What was received, and replaced by another part since, may have come back as something else.
  'no SN is an open item of two bills': `
    SELECT i."receiveSn" AS shows
      FROM rma_maintain_bill_line_item AS i
     WHERE i."receiveSn" IS NOT NULL AND i."receiveStatus" IN ('1', '3') AND i."deliverStatus" IN ('0', '1')
       AND NOT EXISTS (SELECT 1 FROM rma_inventory AS u WHERE u."mtbliId" = i."mtbliId" AND u.sn <> i."receiveSn")
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

  'a unit is on its way exactly when an item of its transfer waits to be signed for': `
    SELECT coalesce(u.sn, i.sn) || ' on ' || coalesce(u."holdBillId", l."sktbId") AS shows
      FROM (SELECT * FROM rma_inventory WHERE "holdKind" = 'transfer') AS u
      FULL JOIN (SELECT * FROM rma_stock_transfer_bill_line_item WHERE "snStatus" = '1') AS i ON i.sn = u.sn
      LEFT JOIN rma_stock_transfer_bill_line AS l ON l."sktblId" = i."sktblId"
      LEFT JOIN rma_stock_transfer_bill AS b ON b."sktbId" = l."sktbId"
     WHERE u.sn IS NULL OR i.sn IS NULL OR u."holdBillId" <> b."sktbId" OR u."siteId" <> b."deliverSiteId"
        OR u."ivyId" IS NOT NULL OR u."storageType" IS NOT NULL OR u."subinventoryCode" IS NOT NULL`,

  'a transfer stands where its items are, and has as many as its lines say': `
    SELECT b."sktbId" || ' is ' || b."billStatus" AS shows
      FROM rma_stock_transfer_bill AS b
      LEFT JOIN LATERAL (
        SELECT count(*) AS all, count(*) FILTER (WHERE i."snStatus" = '0') AS empty,
               count(*) FILTER (WHERE i."snStatus" = '1') AS sent, count(*) FILTER (WHERE i."snStatus" = '2') AS received
          FROM rma_stock_transfer_bill_line AS l JOIN rma_stock_transfer_bill_line_item AS i ON i."sktblId" = l."sktblId"
         WHERE l."sktbId" = b."sktbId") AS i ON true
     WHERE b.count IS DISTINCT FROM i.all
        OR b."billStatus" <> CASE WHEN i.sent > 0 THEN '1' WHEN i.received > 0 THEN '2'
                                  WHEN b."billStatus" = '0' AND i.empty = i.all THEN '0' ELSE '3' END`,

  'scrap is out for repair, or used up, exactly as its bill says': `
    SELECT coalesce(u.sn, l.sn) || ' on ' || coalesce(u."holdBillId", l."srbId") AS shows
      FROM (SELECT * FROM rma_inventory WHERE "holdKind" IN ('scrapRepair', 'consumed')) AS u
      FULL JOIN (
        SELECT l.sn, b."srbId", b."siteId", CASE b."billStatus" WHEN '0' THEN 'scrapRepair' ELSE 'consumed' END AS kind
          FROM rma_scrap_repair_bill_line AS l JOIN rma_scrap_repair_bill AS b ON b."srbId" = l."srbId"
         WHERE b."billStatus" = '0' OR (b."billStatus" = '1' AND l."snRole" = '2')) AS l
        ON l.sn = u.sn AND l."srbId" = u."holdBillId"
     WHERE u.sn IS NULL OR l.sn IS NULL OR u."holdKind" <> l.kind OR u."siteId" <> l."siteId"
        OR u."ivyId" IS DISTINCT FROM '40'`,

  'a scrap repair has as many SNs as it says': `
    SELECT b."srbId" AS shows FROM rma_scrap_repair_bill AS b
     WHERE b.count IS DISTINCT FROM (SELECT count(*) FROM rma_scrap_repair_bill_line WHERE "srbId" = b."srbId")`,

  'an on-site bill counts the devices that were repaired on it': `
    SELECT b."osbId" AS shows FROM rma_site_repair_bill AS b
     WHERE coalesce(b."deviceCount", 0) <>
           (SELECT count(DISTINCT "productSn") FROM rma_site_repair_bill_line WHERE "osbId" = b."osbId")`,

  'nothing that is open goes by a former SN': `
    SELECT f.sn || ' in ' || f.what AS shows
      FROM (SELECT sn, 'the inventory' AS what FROM rma_inventory
            UNION ALL SELECT sn, 'the archive' FROM ubs_item_object
            UNION ALL SELECT "deviceSn", 'a binding' FROM ubs_assembly WHERE "unbindTime" IS NULL
            UNION ALL SELECT "componentSn", 'a binding' FROM ubs_assembly WHERE "unbindTime" IS NULL
            UNION ALL SELECT l.sn, 'a stock-up bill' FROM rma_stockup_bill_line AS l JOIN rma_stockup_bill AS b USING ("skbId")
             WHERE l.delivered = '0' AND b.status IN ('0', '1', '3')
            UNION ALL SELECT i.sn, 'a transfer' FROM rma_stock_transfer_bill_line_item AS i WHERE i."snStatus" = '1') AS f
     WHERE EXISTS (SELECT 1 FROM ubs_sn_change_log AS c JOIN ubs_item_object AS o ON o.id = c."itemObjectId"
                    WHERE c."operateStatus" IS DISTINCT FROM 'Rollbacked' AND f.sn IN (c."oldSn", c."newSn") AND o.sn <> f.sn)`,

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
  const rows = await readKept(db, 'broken_invariants', invariantsQuery);
  return [...groupBy(rows, (it) => it.name)].map(
    ([sentence, broken]) => `${sentence}: ${broken.map((it) => it.content).join(', ')}`,
  );
}
