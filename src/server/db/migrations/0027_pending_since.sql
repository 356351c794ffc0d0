-- A pending package says from here on since when it is pending; those that are, since they were registered. A new database
-- has no such table yet.
DO $$
BEGIN
  IF to_regclass('rma_unhandled_package_bill') IS NULL THEN RETURN; END IF;
  ALTER TABLE rma_unhandled_package_bill ADD COLUMN IF NOT EXISTS "pendingTime" timestamptz;
  UPDATE rma_unhandled_package_bill SET "pendingTime" = "createTime" WHERE status = '0' AND "pendingTime" IS NULL;
END $$;
