-- What orders that are out have in process stands in the list of lots from here on, and a lot's yield counts good bins alone, of what
-- stands of its output; no part says its bins yet. A new database has no such tables yet.
DO $$
DECLARE
  given integer;
BEGIN
  IF to_regclass('icop_wip') IS NULL OR to_regclass('icop_transaction') IS NULL OR to_regclass('icop_ft_work_order') IS NULL THEN
    RETURN;
  END IF;
  -- The definitions add it after the migrations; an older database has none yet.
  ALTER TABLE icop_assembly_work_order_line ADD COLUMN IF NOT EXISTS "productName" text;

  WITH came AS (
    SELECT "wipId", coalesce(sum(qty) FILTER (WHERE "operateStatus" = 'Normal'), 0) AS qty,
           coalesce(sum(qty) FILTER (WHERE "operateStatus" = 'Normal' AND bin IS DISTINCT FROM '9'), 0) AS good
      FROM icop_transaction WHERE "transactionType" = 'OUTPUT' GROUP BY 1)
  UPDATE icop_wip AS w
     SET "outputQty" = c.qty, yield = round(100.0 * c.good / nullif(c.qty + coalesce(w."lossQty", 0), 0), 2)
    FROM came AS c WHERE c."wipId" = w."wipId";

  CREATE TEMPORARY TABLE going_out ON COMMIT DROP AS
  WITH orders AS (
    SELECT "workOrderNo", 'icopBumpingCpWorkOrder' AS module, CASE "processType" WHEN '3' THEN '4' ELSE '2' END AS stage, "processType",
           NULL::text AS "ftType", "lotType", "engineeringCode", "supplierId", "siteId", "inventoryOrg", "createBy",
           "cpTestProgram", NULL::text AS "devicePn", NULL::text AS "packageType"
      FROM icop_bumping_cp_work_order WHERE "billStatus" IN ('1', '2')
     UNION ALL
    SELECT "workOrderNo", 'icopAssemblyWorkOrder', '6', "processType", "ftType", "lotType", "engineeringCode", "supplierId", "siteId",
           "inventoryOrg", "createBy", NULL, "devicePn", "packageType"
      FROM icop_assembly_work_order WHERE "billStatus" IN ('1', '2')
     UNION ALL
    SELECT "workOrderNo", 'icopFtWorkOrder', CASE "ftType" WHEN '2' THEN 'A' ELSE '8' END, "processType", "ftType", "lotType",
           "engineeringCode", "supplierId", "siteId", "inventoryOrg", "createBy", NULL, "devicePn", "packageType"
      FROM icop_ft_work_order WHERE "billStatus" IN ('1', '2')),
  entry AS (
    SELECT e."workOrderNo", e."transactionType" AS type, e."wipId", e."waferId", e.bin, e.qty,
           coalesce(w."group", l."group") AS "group",
           coalesce(w."group"::text, l."group"::text, w."parentWipIds", e."wipId") AS key
      FROM orders AS o JOIN icop_transaction AS e USING ("workOrderNo")
      LEFT JOIN icop_ft_work_order_line AS l ON (l."workOrderNo", l."wipId", l.bin) = (e."workOrderNo", e."wipId", e.bin)
      LEFT JOIN icop_wip AS w ON w."wipId" = e."wipId" AND e."transactionType" = 'OUTPUT'
     WHERE e."operateStatus" = 'Normal'),
  piece AS (
    SELECT "workOrderNo", key, "waferId", sum(CASE type WHEN 'RESERVE' THEN qty ELSE -qty END) AS qty
      FROM entry WHERE "waferId" IS NOT NULL AND type IN ('RESERVE', 'OUTPUT', 'LOSS') GROUP BY 1, 2, 3),
  wafers AS (
    SELECT "workOrderNo", key, string_agg("waferId", ',' ORDER BY "waferId") AS ids, count(*) AS n
      FROM piece WHERE qty > 0 GROUP BY 1, 2),
  sums AS (
    SELECT "workOrderNo", key, max("group") AS "group",
           array_agg("wipId" ORDER BY qty DESC, "wipId") FILTER (WHERE type = 'RESERVE') AS taken,
           coalesce(sum(qty) FILTER (WHERE type = 'RESERVE'), 0) AS went_in,
           coalesce(sum(qty) FILTER (WHERE type = 'OUTPUT'), 0) AS came_out,
           coalesce(sum(qty) FILTER (WHERE type = 'OUTPUT' AND bin IS DISTINCT FROM '9'), 0) AS good,
           coalesce(sum(qty) FILTER (WHERE type = 'LOSS'), 0) AS lost
      FROM entry GROUP BY 1, 2)
  SELECT o.*, s."group", s.taken[1] AS largest, s.went_in, s.came_out, s.good, s.lost, w.ids, coalesce(w.n, 0) AS n,
         (SELECT string_agg(DISTINCT it, ',' ORDER BY it) FROM unnest(s.taken) AS it) AS parents,
         row_number() OVER (ORDER BY s."workOrderNo", s.key) AS nth
    FROM orders AS o JOIN sums AS s USING ("workOrderNo") LEFT JOIN wafers AS w USING ("workOrderNo", key)
   WHERE s.went_in > s.came_out + s.lost;

  SELECT count(*) INTO given FROM going_out;
  IF given = 0 THEN
    RETURN;
  END IF;
  INSERT INTO bill_number (prefix, day, last) VALUES ('WIP', now()::date, given)
      ON CONFLICT (prefix, day) DO UPDATE SET last = bill_number.last + given;

  INSERT INTO icop_wip ("wipId", stage, "stageName", "workOrderNo", "workOrderType", "processType", "ftType", "lotType",
                        "engineeringCode", "waferPn", "waferMpn", "devicePn", "deviceErpCode", "packageType", "productName",
                        "waferLotId", "waferIds", "waferQty", "chipQty", "remainQty", "inputQty", "outputQty", "lossQty", yield,
                        "supplierId", "supplierName", "siteId", "siteName", "inventoryOrg", "cpTestProgram", "frontFtTestProgram",
                        "ftTestProgram", marking, "originalMarking", "dateCode", "assySiteId", "group", "parentWipIds", "inTime",
                        "createBy")
  SELECT 'WIP' || to_char(b.day, 'YYYYMMDD') || lpad((b.last - given + g.nth)::text, 5, '0'), g.stage, g.stage, g."workOrderNo",
         g.module, g."processType", g."ftType", g."lotType", g."engineeringCode", w."waferPn", w."waferMpn",
         coalesce(a."devicePn", f."devicePn", g."devicePn", w."devicePn"), coalesce(a."erpCode", w."deviceErpCode"),
         coalesce(a."packageType", g."packageType", w."packageType"),
         coalesce(a."productName", w."productName"),
         w."waferLotId" || CASE WHEN g.parents LIKE '%,%' AND w."waferLotId" NOT LIKE '%M' THEN 'M' ELSE '' END, g.ids, g.n,
         g.went_in - g.came_out - g.lost, g.went_in - g.came_out - g.lost, g.went_in, g.came_out, g.lost,
         round(100.0 * g.good / nullif(g.came_out + g.lost, 0), 2), g."supplierId", g."supplierId", g."siteId", g."siteId",
         g."inventoryOrg", coalesce(g."cpTestProgram", w."cpTestProgram"),
         CASE WHEN f."wipId" IS NULL THEN w."frontFtTestProgram" ELSE w."ftTestProgram" END,
         coalesce(f."ftTestProgram", w."ftTestProgram"), w.marking, w."originalMarking", w."dateCode", w."assySiteId", g."group",
         g.parents, now(), g."createBy"
    FROM going_out AS g
    JOIN icop_wip AS w ON w."wipId" = g.largest
    JOIN bill_number AS b ON b.prefix = 'WIP' AND b.day = now()::date
    LEFT JOIN icop_assembly_work_order_line AS a ON (a."workOrderNo", a."wipId") = (g."workOrderNo", g.largest)
    LEFT JOIN LATERAL (SELECT l."wipId", l."devicePn", l."ftTestProgram" FROM icop_ft_work_order_line AS l
                        WHERE (l."workOrderNo", l."wipId", l."group") = (g."workOrderNo", g.largest, g."group") LIMIT 1) AS f ON true;
END $$;
