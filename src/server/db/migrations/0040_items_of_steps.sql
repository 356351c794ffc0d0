-- Steps, checks, repairs and fee lines say from here on for which item of a maintain bill they are, wherever that item stands by
-- now. What is there gets the item with which the SN came in last before it, also under another SN of the unit; failing that, the
-- item of the SN on the bill that it names. Machines of the stock stand for no item. A new database has no such tables yet.
DO $$
BEGIN
  IF to_regclass('rma_maintain_bill_line_item') IS NULL THEN RETURN; END IF;
  ALTER TABLE rma_transaction ADD COLUMN IF NOT EXISTS "mtbliId" text;
  ALTER TABLE rma_check_bill_line ADD COLUMN IF NOT EXISTS "mtbliId" text;
  ALTER TABLE rma_repair_bill ADD COLUMN IF NOT EXISTS "mtbliId" text;
  ALTER TABLE rma_repair_fee_bill_line ADD COLUMN IF NOT EXISTS "mtbliId" text;
  -- The definitions add it after the migrations; an older database has none yet.
  ALTER TABLE ubs_sn_change_log ADD COLUMN IF NOT EXISTS "itemObjectId" integer;

  -- Each item under every SN by which its unit went while it was on it. Of an SN, the stays follow each other.
  CREATE TEMPORARY TABLE item_name ON COMMIT DROP AS
  WITH called AS (
    SELECT "mtbliId", "mtbId", "receiveSn" AS sn, "receiveTime" FROM rma_maintain_bill_line_item WHERE "receiveSn" <> ''
     UNION
    SELECT i."mtbliId", i."mtbId", d.sn, i."receiveTime"
      FROM rma_maintain_bill_line_item AS i JOIN rma_deliver_bill_line AS d ON d."mtbliId" = i."mtbliId"
     WHERE d.sn <> ''
     UNION
    SELECT i."mtbliId", i."mtbId", u.sn, i."receiveTime"
      FROM rma_maintain_bill_line_item AS i JOIN rma_inventory AS u ON u."mtbliId" = i."mtbliId"),
  renamed AS (
    SELECT "itemObjectId", "oldSn" AS sn FROM ubs_sn_change_log WHERE "itemObjectId" IS NOT NULL
     UNION
    SELECT "itemObjectId", "newSn" FROM ubs_sn_change_log WHERE "itemObjectId" IS NOT NULL)
  SELECT "mtbliId", "mtbId", sn, coalesce("receiveTime", '-infinity') AS since FROM called
   UNION
  SELECT c."mtbliId", c."mtbId", other.sn, coalesce(c."receiveTime", '-infinity')
    FROM called AS c JOIN renamed AS r ON r.sn = c.sn JOIN renamed AS other USING ("itemObjectId");
  CREATE INDEX ON item_name (sn, since);
  ANALYZE item_name;

  UPDATE rma_transaction AS t SET "mtbliId" = n."mtbliId"
    FROM rma_transaction AS r
   CROSS JOIN LATERAL (SELECT i."mtbliId" FROM item_name AS i
                        WHERE i.sn = r.sn AND (i.since <= r."eventTime" OR i."mtbId" = r."mtbId")
                        ORDER BY i.since <= r."eventTime" DESC, i.since DESC, i."mtbliId" LIMIT 1) AS n
   WHERE t.id = r.id AND r."mtbId" IS NOT NULL AND r."mtbliId" IS NULL;
  UPDATE rma_check_bill_line AS t SET "mtbliId" = n."mtbliId"
    FROM rma_check_bill_line AS r JOIN rma_check_bill AS b ON b."ckbId" = r."ckbId"
   CROSS JOIN LATERAL (SELECT i."mtbliId" FROM item_name AS i
                        WHERE i.sn = r.sn AND (i.since <= coalesce(r."billTime", r."createTime") OR i."mtbId" = b."mtbId")
                        ORDER BY i.since <= coalesce(r."billTime", r."createTime") DESC, i.since DESC, i."mtbliId" LIMIT 1) AS n
   WHERE t.id = r.id AND b."mtbId" IS NOT NULL AND r."mtbliId" IS NULL;
  UPDATE rma_repair_bill AS t SET "mtbliId" = n."mtbliId"
    FROM rma_repair_bill AS r
   CROSS JOIN LATERAL (SELECT i."mtbliId" FROM item_name AS i
                        WHERE i.sn = r.sn AND (i.since <= r."createTime" OR i."mtbId" = r."mtbId")
                        ORDER BY i.since <= r."createTime" DESC, i.since DESC, i."mtbliId" LIMIT 1) AS n
   WHERE t.id = r.id AND r."mtbId" IS NOT NULL AND r."mtbliId" IS NULL;
  -- A unit that was settled twice keeps its item on the first line: the second one is told by its SN.
  WITH line AS (
    SELECT l.id, n."mtbliId", row_number() OVER (PARTITION BY n."mtbliId" ORDER BY l.id) AS nth
      FROM rma_repair_fee_bill_line AS l
     CROSS JOIN LATERAL (
           SELECT i."mtbliId" FROM item_name AS i JOIN rma_maintain_bill_line_item AS m ON m."mtbliId" = i."mtbliId"
            WHERE i.sn = l.sn AND (i."mtbId" = l."mtbId" OR m."deliverTime" = l."deliverTime")
            ORDER BY coalesce(m."deliverTime" = l."deliverTime", false) DESC, i.since DESC, i."mtbliId" LIMIT 1) AS n
     WHERE l."repairProject" IS NOT NULL AND l."mtbliId" IS NULL)
  UPDATE rma_repair_fee_bill_line AS l SET "mtbliId" = line."mtbliId" FROM line WHERE line.id = l.id AND line.nth = 1;
END $$;
