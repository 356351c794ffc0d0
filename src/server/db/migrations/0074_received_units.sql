-- An item says from here on whether it is own goods, as its bill does: the two kinds do not move between each other's bills.
-- The units that came in have a list of their own, for whoever sees the items of a bill. A new database has no such tables yet,
-- and no roles.
DO $$
BEGIN
  IF to_regclass('rma_maintain_bill_line_item') IS NULL THEN RETURN; END IF;
  ALTER TABLE rma_maintain_bill_line_item ADD COLUMN IF NOT EXISTS "billType" text;
  -- The definitions add it after the migrations; an older database has none yet.
  ALTER TABLE rma_maintain_bill ADD COLUMN IF NOT EXISTS "billType" text;
  UPDATE rma_maintain_bill_line_item AS i SET "billType" = b."billType"
    FROM rma_maintain_bill AS b
   WHERE b."mtbId" = i."mtbId" AND b."billType" IS NOT NULL AND i."billType" IS NULL;
END $$;

INSERT INTO role_right ("roleId", "right")
SELECT "roleId", 'rmaReceivedUnit:list' FROM role_right WHERE "right" = 'rmaMaintainBillLineItem:list'
 UNION
SELECT "roleId", 'rmaReceivedUnit:export' FROM role_right WHERE "right" = 'rmaMaintainBill:export'
    ON CONFLICT DO NOTHING;
