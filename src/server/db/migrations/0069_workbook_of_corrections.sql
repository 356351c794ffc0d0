-- A correction says from here on in the workbook of which bill it stands. Of those that are settled it is the bill of their month,
-- where its workbook was made after they were; all others stand in the next one that is made. A new database has no such tables
-- yet.
DO $$
BEGIN
  IF to_regclass('rma_correction_bill') IS NULL OR to_regclass('rma_repair_fee_bill') IS NULL THEN RETURN; END IF;
  ALTER TABLE rma_correction_bill ADD COLUMN IF NOT EXISTS "reportedIn" text;
  UPDATE rma_correction_bill AS b SET "reportedIn" = h."rfbId"
    FROM rma_repair_fee_bill AS h
    JOIN file AS f ON h."processingFeeReportUrl" = '/file/' || f.id || '.xlsx'
   WHERE b."billStatus" = '3' AND b."rfbId" IS NOT NULL AND b."reportedIn" IS NULL AND h."siteId" = b."siteId"
     AND h."recPeriod" = b."recPeriod" AND h."supplierName" IS NOT DISTINCT FROM b."supplierName"
     AND h.currency IS NOT DISTINCT FROM b.currency AND f."createdAt" > b."financialAuditTime";
END $$;
