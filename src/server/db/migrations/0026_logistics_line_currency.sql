-- A line of a logistics-cost bill says from here on what its amount is in, as all of a bill is in one currency. A bill of
-- which nobody said its currency has lines without one. A new database has no such tables yet.
DO $$
BEGIN
  IF to_regclass('rma_logistics_costs_bill_line') IS NULL THEN RETURN; END IF;
  ALTER TABLE rma_logistics_costs_bill_line ADD COLUMN IF NOT EXISTS currency text;
  UPDATE rma_logistics_costs_bill_line AS l SET currency = b.currency
    FROM rma_logistics_costs_bill AS b WHERE b."lcbId" = l."lcbId" AND l.currency IS NULL AND b.currency <> '';
END $$;
