-- An expense says from here on which repair-fee bill it stands on, so that those that stand on none are found without the others. A
-- new database has no such tables yet.
DO $$
BEGIN
  IF to_regclass('rma_miscellaneous_expenses_bill') IS NULL OR to_regclass('rma_repair_fee_bill_line') IS NULL THEN
    RETURN;
  END IF;
  ALTER TABLE rma_miscellaneous_expenses_bill ADD COLUMN IF NOT EXISTS "rfbId" text;
  -- The definitions add it after the migrations; an older database has none yet.
  ALTER TABLE rma_repair_fee_bill_line ADD COLUMN IF NOT EXISTS "priceReason" text;
  UPDATE rma_miscellaneous_expenses_bill AS m SET "rfbId" = l."rfbId"
    FROM rma_repair_fee_bill_line AS l
   WHERE l."priceReason" = '6' AND l.remark = m."mebId" AND m."rfbId" IS NULL;
END $$;
