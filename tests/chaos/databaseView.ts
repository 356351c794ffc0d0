import pg from 'pg';
import { invariantsQuery } from '#tests/support/invariants.ts';

/** Looks into the database after each command. */
export interface DatabaseView {
  /** What the server keeps, in the words of `WorkshopModel.picture`, and the invariants that do not hold. */
  look: () => Promise<{ state: string[]; broken: string[] }>;
  close: () => Promise<void>;
}

export async function openDatabaseView(url: string): Promise<DatabaseView> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  let looks = 0;
  return {
    look: async () => {
      // Planning takes longer than looking, but a plan for empty tables does not stay good: a new one now and then.
      const name = `look${Math.floor(looks++ / 100)}`;
      const { rows } = await client.query<{ kind: string; says: string }>({ name, text: lookQuery });
      const of = (kind: string) => rows.filter((it) => it.kind === kind).map((it) => it.says);
      return { state: of('kept').sort(), broken: of('broken') };
    },
    close: () => client.end(),
  };
}

/** What a bill is called: a test package has no waybill, and its number is the server's own. */
const called = (bill: string) =>
  `CASE WHEN ${bill}."billType" = '10' THEN ${bill}.remark ELSE ${bill}."receiveShipNo" END`;

const pictureQuery = `
    SELECT 'bill ' || ${called('b')} || ' is ' || b."billStatus" AS says FROM rma_maintain_bill AS b
    UNION ALL
    SELECT CASE u.type WHEN '1' THEN 'board ' ELSE 'device ' END || u.sn || ' ' || coalesce(u."salesCode", '') || ' of ' || u."siteId" || ' at ' || coalesce(u."ivyId", 'none') || ' on ' || coalesce(${called('b')}, 'none')
           || ' held ' || CASE WHEN u."holdKind" IS NOT NULL THEN concat_ws(' ', u."holdKind", s.remark, p.remark)
                               WHEN u."ivyId" IS DISTINCT FROM '10' THEN 'no' WHEN c."scrapStatus" = '0' THEN 'scrap'
                               WHEN c."nofaultConfirmStatus" = '0' THEN 'nofault' ELSE 'no' END
           || ' lies ' || coalesce(u."subinventoryCode", '-') || ' ' || coalesce(u."storageType", '-')
      FROM rma_inventory AS u LEFT JOIN rma_maintain_bill AS b ON b."mtbId" = u."mtbId"
      LEFT JOIN rma_stock_transfer_bill AS s ON s."sktbId" = u."holdBillId"
      LEFT JOIN rma_scrap_repair_bill AS p ON p."srbId" = u."holdBillId"
      LEFT JOIN LATERAL (SELECT * FROM rma_check_bill_line WHERE sn = u.sn ORDER BY id DESC LIMIT 1) AS c ON true
    UNION ALL
    SELECT 'line ' || ${called('b')} || ' ' || l."salesCode" || ' counts '
           || concat_ws(' ', l."receiveCount", l."deliverCount", l."scrapCount", l."discardCount", l."buyOutCount")
      FROM rma_maintain_bill_line AS l JOIN rma_maintain_bill AS b ON b."mtbId" = l."mtbId"
     WHERE l."receiveCount" + l."deliverCount" + l."scrapCount" + l."discardCount" + l."buyOutCount" > 0
    UNION ALL
    SELECT 'item ' || ${called('b')} || ' ' || i."receiveSn" || ' received ' || i."receiveStatus" || ' deliver '
           || i."deliverStatus" || ' priority ' || i."deliverPriority" || ' scrap ' || coalesce(i.scrap, '0')
           || ' stockup ' || coalesce(i.stockup, '0') || ' sends '
           || CASE WHEN i."deliverStatus" = '2' THEN 'gone'
                   WHEN i.exchange = '1' THEN coalesce(i."deliverSalesCode", 'any') ELSE 'itself' END
           || ' with ' || coalesce(${called('w')}, 'its own')
      FROM rma_maintain_bill_line_item AS i JOIN rma_maintain_bill AS b ON b."mtbId" = i."mtbId"
      LEFT JOIN rma_maintain_bill AS w ON w."mtbId" = i."deliverMtbId"
     WHERE i."receiveStatus" IN ('1', '3')
    UNION ALL
    SELECT 'stockup ' || ${called('b')} || ' at ' || s."siteId" || CASE WHEN s."deliverGroup" IS NULL THEN '' ELSE ' apart' END
           || ' is ' || s.status || ' with '
           || coalesce((SELECT string_agg(l.sn || ':' || l.delivered, ' ' ORDER BY l.sn COLLATE "C", l.delivered)
                          FROM rma_stockup_bill_line AS l WHERE l."skbId" = s."skbId"), '')
      FROM rma_stockup_bill AS s JOIN rma_maintain_bill AS b ON b."mtbId" = s."mtbId"
    UNION ALL
    SELECT 'transfer ' || t.remark || ' ' || t."deliverSiteId" || ' to ' || t."receiveSiteId" || ' is ' || t."billStatus" || ' with '
           || (SELECT string_agg(l."salesCode" || '/' || l."itemType" || '/' || l."storageType" || ':' || l.count, ' '
                                 ORDER BY l."salesCode" COLLATE "C", l."itemType", l."storageType")
                 FROM rma_stock_transfer_bill_line AS l WHERE l."sktbId" = t."sktbId")
           || ' ' || (SELECT string_agg(coalesce(i.sn, '-') || ':' || i."snStatus", ' '
                                        ORDER BY coalesce(i.sn, '-') COLLATE "C", i."snStatus")
                        FROM rma_stock_transfer_bill_line_item AS i WHERE i."sktbId" = t."sktbId")
      FROM rma_stock_transfer_bill AS t
    UNION ALL
    SELECT 'repair ' || p.remark || ' at ' || p."siteId" || ' is ' || p."billStatus" || ' with '
           || (SELECT string_agg(concat_ws(':', l.sn, l."snRole", coalesce(l."productSn", '-')), ' ' ORDER BY l.sn COLLATE "C")
                 FROM rma_scrap_repair_bill_line AS l WHERE l."srbId" = p."srbId")
      FROM rma_scrap_repair_bill AS p
    UNION ALL
    SELECT 'registration ' || coalesce(r."receiveShipNo", r.remark) || ' '
           || CASE r."billType" WHEN '9' THEN 'defectiveProductRepair' ELSE 'testAndStore' END || ' at ' || r."siteId" || ' is ' || r."billStatus"
      FROM rma_defective_product_repair_bill AS r
    UNION ALL
    SELECT DISTINCT 'former ' || f.sn || ' is ' || o.sn
      FROM ubs_sn_change_log AS c JOIN ubs_item_object AS o ON o.id = c."itemObjectId"
     CROSS JOIN LATERAL (VALUES (c."oldSn"), (c."newSn")) AS f(sn)
     WHERE c."operateStatus" IS DISTINCT FROM 'Rollbacked' AND f.sn <> o.sn`;
const lookQuery = `
    SELECT 'kept' AS kind, says FROM (${pictureQuery}) AS picture
    UNION ALL
    SELECT 'broken', sentence || ': ' || shows FROM (${invariantsQuery}) AS invariants`;
