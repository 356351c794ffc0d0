-- A row of a report is booked once, by hand or by file: a position of an order with what came of it, what was lost, and its date
-- code. The same once more is another repeat, which somebody has confirmed.
CREATE TABLE reported_row (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  "workOrderNo" text NOT NULL,
  -- A wafer, a line or a group.
  "position" text NOT NULL,
  -- By bins: `1:90 2:5 loss:4`.
  told text NOT NULL,
  -- Empty where none was said.
  "dateCode" text NOT NULL,
  repeat integer NOT NULL DEFAULT 1,
  "userId" text NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  UNIQUE ("workOrderNo", "position", told, "dateCode", repeat)
);

-- Makes rows of those entries that belong to none yet. What was reported together was written at one moment; its date code is not
-- known any more.
CREATE FUNCTION keep_reported_rows() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  WITH entry AS (
    SELECT t.id, t."workOrderNo", t."createTime", t."createBy", t."transactionType" = 'LOSS' AS "isLoss",
           coalesce(t.bin, 'good') || ':' || t.qty AS came, t.qty,
           coalesce(CASE WHEN t."transactionType" = 'OUTPUT' AND ft.id IS NOT NULL THEN w."group" ELSE line."group" END::text,
                    concat_ws('/', CASE t."transactionType" WHEN 'OUTPUT' THEN w."parentWipIds" ELSE t."wipId" END,
                              t."waferId")) AS "position"
      FROM icop_transaction AS t
      LEFT JOIN icop_wip AS w ON w."wipId" = t."wipId"
      LEFT JOIN icop_ft_work_order AS ft ON ft."workOrderNo" = t."workOrderNo"
      LEFT JOIN icop_ft_work_order_line AS line
             ON line."workOrderNo" = t."workOrderNo" AND line."wipId" = t."wipId" AND line.bin = t.bin
     WHERE t."transactionType" IN ('OUTPUT', 'LOSS') AND t."operateStatus" = 'Normal' AND t."workOrderNo" IS NOT NULL
       AND t.qty > 0 AND NOT EXISTS (SELECT 1 FROM reported_row AS r WHERE r.id::text = t."reportMark")
  ), told AS (
    SELECT "workOrderNo", "position", "createTime", min("createBy") AS "userId", array_agg(id) AS entries,
           concat_ws(' ', string_agg(came, ' ' ORDER BY came COLLATE "C") FILTER (WHERE NOT "isLoss"),
                     'loss:' || nullif(coalesce(sum(qty) FILTER (WHERE "isLoss"), 0), 0)) AS told
      FROM entry GROUP BY "workOrderNo", "position", "createTime"
  ), numbered AS (
    SELECT *, row_number() OVER (PARTITION BY "workOrderNo", "position", told ORDER BY "createTime") AS repeat FROM told
  ), kept AS (
    INSERT INTO reported_row ("workOrderNo", "position", told, "dateCode", repeat, "userId", at)
    SELECT "workOrderNo", "position", told, '', repeat, "userId", "createTime" FROM numbered
    RETURNING id, "workOrderNo", "position", at
  )
  UPDATE icop_transaction AS t SET "reportMark" = kept.id
    FROM kept JOIN numbered AS n
      ON n."workOrderNo" = kept."workOrderNo" AND n."position" = kept."position" AND n."createTime" = kept.at
   WHERE t.id = ANY (n.entries);
END $$;

DO $$
BEGIN
  -- A new database has no such tables yet.
  IF to_regclass('icop_transaction') IS NULL OR to_regclass('icop_ft_work_order_line') IS NULL THEN RETURN; END IF;
  ALTER TABLE icop_transaction ADD COLUMN IF NOT EXISTS "reportMark" text;
  ALTER TABLE icop_wip ADD COLUMN IF NOT EXISTS "group" integer;
  ALTER TABLE icop_ft_work_order_line ADD COLUMN IF NOT EXISTS "group" integer;
  PERFORM keep_reported_rows();
END $$;
