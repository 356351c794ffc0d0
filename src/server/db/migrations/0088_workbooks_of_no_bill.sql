-- Workbooks of fee bills that were deleted or made anew before files went with their rows: no bill names them. They become
-- nobody's, so that the next tidying takes them, in both languages. Papers stay: the ledger tells of those that others took the
-- place of. A new database has no such table yet.
DO $$
BEGIN
  IF to_regclass('rma_repair_fee_bill') IS NULL THEN RETURN; END IF;
  -- The definitions add it after the migrations; an older database has none yet.
  ALTER TABLE rma_repair_fee_bill ADD COLUMN IF NOT EXISTS "processingFeeReportUrl" text;
  WITH named AS (
    SELECT substring("processingFeeReportUrl" FROM '[0-9a-f]{32}') AS id FROM rma_repair_fee_bill
     WHERE "processingFeeReportUrl" ~ '[0-9a-f]{32}'
  ), kept AS (
    SELECT id FROM named
     UNION SELECT f."englishId" FROM file AS f JOIN named USING (id) WHERE f."englishId" IS NOT NULL
  )
  UPDATE file SET owner = '', "siteId" = '', "right" = ''
   WHERE kind = 'paper' AND "right" = 'rmaRepairFeeBill:list' AND owner IS NULL AND id NOT IN (SELECT id FROM kept);
END $$;
