-- Progress is a decimal, as its field says: searched by half a percent it must not fail.
DROP VIEW IF EXISTS report_download;
CREATE VIEW report_download AS
SELECT id, 1 AS version, title AS "reportName", kind, module, "siteId", "userId",
       "userId" AS "createBy", "createdAt" AS "createTime", NULL::text AS "updateBy", "finishedAt" AS "updateTime",
       "startedAt" AS "startTime", "finishedAt" AS "finishTime", "expiresAt" AS "expireTime", state AS status,
       CASE WHEN state = 'done' THEN 100
            WHEN total > 0 THEN least(99, progress * 100 / total)
            ELSE 0 END::numeric(18,6) AS progress,
       (result ->> 'rows')::bigint AS rows
  FROM job;
