-- A wafer comes from its foundry once. Of those that came twice before, the first stands here; the start names them.
CREATE TABLE wafer_receipt (
  "waferPn" text NOT NULL,
  "waferLotId" text NOT NULL,
  "waferId" text NOT NULL,
  "wipId" text NOT NULL,
  PRIMARY KEY ("waferPn", "waferLotId", "waferId")
);
CREATE INDEX wafer_receipt_wip ON wafer_receipt ("wipId");

DO $$
BEGIN
  -- A new database has no such tables yet.
  IF to_regclass('icop_wip') IS NULL OR to_regclass('icop_wip_wafer') IS NULL OR to_regclass('icop_transaction') IS NULL THEN
    RETURN;
  END IF;
  INSERT INTO wafer_receipt ("waferPn", "waferLotId", "waferId", "wipId")
  SELECT w."waferPn", w."waferLotId", p."waferId", w."wipId"
    FROM icop_wip AS w JOIN icop_wip_wafer AS p USING ("wipId")
   WHERE w.stage = '1' AND w."parentWipIds" IS NULL AND w."waferPn" IS NOT NULL AND w."waferLotId" IS NOT NULL
   ORDER BY w.id, p.id
      ON CONFLICT DO NOTHING;
  -- What a cancelled order took and gave back is as if it had not been, in the histories of its lots.
  UPDATE icop_transaction AS t SET "operateStatus" = 'Rollbacked'
    FROM (SELECT "workOrderNo" FROM icop_bumping_cp_work_order WHERE "billStatus" = '4'
           UNION ALL SELECT "workOrderNo" FROM icop_assembly_work_order WHERE "billStatus" = '4'
           UNION ALL SELECT "workOrderNo" FROM icop_ft_work_order WHERE "billStatus" = '4') AS cancelled
   WHERE t."workOrderNo" = cancelled."workOrderNo" AND t."transactionType" IN ('RESERVE', 'REVERSE')
     AND t."operateStatus" = 'Normal';
END $$;
