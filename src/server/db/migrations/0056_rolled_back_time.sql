-- A step that was rolled back says from here on when, so that a month can be asked as of before. Of those that are, it was their
-- last change; what only tells of a rollback never stood. A new database has no such table yet.
DO $$
BEGIN
  IF to_regclass('rma_transaction') IS NULL THEN RETURN; END IF;
  ALTER TABLE rma_transaction ADD COLUMN IF NOT EXISTS "rolledBackTime" timestamptz;
  UPDATE rma_transaction SET "rolledBackTime" = "updateTime"
   WHERE "operateStatus" = 'Rollbacked' AND "rolledBackTime" IS NULL AND step NOT IN ('rollback', 'returnToCheck')
     AND NOT (step = 'receive' AND "fromNode" IN ('10', '40'));
END $$;
