-- A correction names from here on only a bill whose workbook has it. One that names a bill without a workbook, of other people, or
-- that is there no more stands in the next workbook that is made. A new database has no such tables yet.
DO $$
BEGIN
  IF to_regclass('rma_correction_bill') IS NULL OR to_regclass('rma_repair_fee_bill') IS NULL THEN RETURN; END IF;
  UPDATE rma_correction_bill AS b SET "reportedIn" = NULL
   WHERE b."reportedIn" IS NOT NULL
     AND NOT EXISTS (SELECT 1 FROM rma_repair_fee_bill AS h
                      WHERE h."rfbId" = b."reportedIn" AND h."processingFeeReportUrl" <> '' AND h."siteId" = b."siteId"
                        AND h."supplierName" IS NOT DISTINCT FROM b."supplierName"
                        AND h.currency IS NOT DISTINCT FROM b.currency);
END $$;
