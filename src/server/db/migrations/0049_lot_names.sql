-- Wafers that have come are known by their lot in upper case, however it was typed; of those that then have one name, the first stays.
WITH typed AS (
  DELETE FROM wafer_receipt WHERE "waferLotId" <> upper(btrim("waferLotId"))
  RETURNING "waferPn", upper(btrim("waferLotId")) AS "waferLotId", "waferId", "wipId")
INSERT INTO wafer_receipt ("waferPn", "waferLotId", "waferId", "wipId")
SELECT "waferPn", "waferLotId", "waferId", "wipId" FROM typed ORDER BY "wipId"
    ON CONFLICT DO NOTHING;
