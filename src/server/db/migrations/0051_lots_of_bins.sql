-- Lots that are counted in bins have no number of wafers, rather than none of them. A new database has no such table yet.
DO $$
BEGIN
  IF to_regclass('icop_wip') IS NOT NULL THEN
    UPDATE icop_wip SET "waferQty" = NULL WHERE stage IN ('7', '8', '9', 'A', 'B') AND "waferQty" = 0;
  END IF;
END $$;
