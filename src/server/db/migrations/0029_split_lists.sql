-- How the wafers of an assembly's lot were split is data from here on, and no text such as `01:30/60` any more. A new database
-- has no such table yet; the trigger over its texts is made anew with the tables.
DO $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM information_schema.columns
                  WHERE table_schema = current_schema() AND table_name = 'icop_assembly_work_order_line'
                    AND column_name = 'splitList' AND data_type = 'text') THEN RETURN; END IF;
  DROP TRIGGER IF EXISTS empty_text_is_null ON icop_assembly_work_order_line;
  ALTER TABLE icop_assembly_work_order_line RENAME COLUMN "splitList" TO "splitText";
  ALTER TABLE icop_assembly_work_order_line ADD COLUMN "splitList" jsonb;
  UPDATE icop_assembly_work_order_line SET "splitList" = (
    SELECT jsonb_agg(jsonb_build_object('waferId', m[1], 'inputQty', m[2]::int, 'remainQty', m[3]::int) ORDER BY n)
      FROM regexp_matches("splitText", '([^:,]+):(\d+)/(\d+)', 'g') WITH ORDINALITY AS of (m, n));
  ALTER TABLE icop_assembly_work_order_line DROP COLUMN "splitText";
END $$;
