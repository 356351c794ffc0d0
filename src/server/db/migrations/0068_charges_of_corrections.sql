-- A line of a correction of freight says from here on which charge of its parcel it is for, as the line that it corrects does. A
-- new database has no such tables yet.
DO $$
BEGIN
  IF to_regclass('rma_correction_bill_line') IS NULL OR to_regclass('rma_logistics_costs_bill_line') IS NULL THEN
    RETURN;
  END IF;
  ALTER TABLE rma_correction_bill_line ADD COLUMN IF NOT EXISTS "chargeItems" text;
  UPDATE rma_correction_bill_line AS k SET "chargeItems" = l."chargeItems"
    FROM rma_correction_bill AS b, rma_logistics_costs_bill_line AS l
   WHERE b."crbId" = k."crbId" AND b."lcbId" IS NOT NULL AND l.id = k."lineId" AND l."lcbId" = b."lcbId"
     AND k."chargeItems" IS NULL AND l."chargeItems" IS NOT NULL;
END $$;
