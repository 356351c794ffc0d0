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

const pictureQuery = `
    SELECT 'bill ' || "receiveShipNo" || ' is ' || "billStatus" AS says FROM rma_maintain_bill
    UNION ALL
    SELECT CASE u.type WHEN '1' THEN 'board ' ELSE 'device ' END || u.sn || ' ' || u."salesCode" || ' of ' || u."siteId" || ' at ' || coalesce(u."ivyId", 'none') || ' on ' || coalesce(b."receiveShipNo", 'none')
           || ' held ' || CASE WHEN u."ivyId" IS DISTINCT FROM '10' THEN 'no' WHEN c."scrapStatus" = '0' THEN 'scrap'
                               WHEN c."nofaultConfirmStatus" = '0' THEN 'nofault' ELSE 'no' END
      FROM rma_inventory AS u LEFT JOIN rma_maintain_bill AS b ON b."mtbId" = u."mtbId"
      LEFT JOIN LATERAL (SELECT * FROM rma_check_bill_line WHERE sn = u.sn ORDER BY id DESC LIMIT 1) AS c ON true
    UNION ALL
    SELECT 'line ' || b."receiveShipNo" || ' ' || l."salesCode" || ' counts '
           || concat_ws(' ', l."receiveCount", l."deliverCount", l."scrapCount", l."discardCount", l."buyOutCount")
      FROM rma_maintain_bill_line AS l JOIN rma_maintain_bill AS b ON b."mtbId" = l."mtbId"
     WHERE l."receiveCount" + l."deliverCount" + l."scrapCount" + l."discardCount" + l."buyOutCount" > 0
    UNION ALL
    SELECT 'item ' || b."receiveShipNo" || ' ' || i."receiveSn" || ' received ' || i."receiveStatus" || ' deliver '
           || i."deliverStatus" || ' priority ' || i."deliverPriority" || ' scrap ' || coalesce(i.scrap, '0')
           || ' stockup ' || coalesce(i.stockup, '0') || ' sends '
           || CASE WHEN i."deliverStatus" = '2' THEN 'gone'
                   WHEN i.exchange = '1' THEN coalesce(i."deliverSalesCode", 'any') ELSE 'itself' END
           || ' with ' || coalesce(w."receiveShipNo", 'its own')
      FROM rma_maintain_bill_line_item AS i JOIN rma_maintain_bill AS b ON b."mtbId" = i."mtbId"
      LEFT JOIN rma_maintain_bill AS w ON w."mtbId" = i."deliverMtbId"
     WHERE i."receiveStatus" IN ('1', '3')
    UNION ALL
    SELECT 'stockup ' || b."receiveShipNo" || ' at ' || s."siteId" || CASE WHEN s."deliverGroup" IS NULL THEN '' ELSE ' apart' END
           || ' is ' || s.status || ' with '
           || coalesce((SELECT string_agg(l.sn || ':' || l.delivered, ' ' ORDER BY l.sn COLLATE "C", l.delivered)
                          FROM rma_stockup_bill_line AS l WHERE l."skbId" = s."skbId"), '')
      FROM rma_stockup_bill AS s JOIN rma_maintain_bill AS b ON b."mtbId" = s."mtbId"`;
const lookQuery = `
    SELECT 'kept' AS kind, says FROM (${pictureQuery}) AS picture
    UNION ALL
    SELECT 'broken', sentence || ': ' || shows FROM (${invariantsQuery}) AS invariants`;
