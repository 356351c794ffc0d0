-- What is going to be published: kept on the server module by module, so that whoever works on another module meets nobody. It
-- goes with its draft, and when that is published.
CREATE TABLE definition_draft (
  "draftId" bigint NOT NULL,
  -- A module, or `menu`.
  module text NOT NULL,
  change jsonb NOT NULL,
  version integer NOT NULL DEFAULT 1,
  "updateBy" text NOT NULL,
  "updateTime" timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY ("draftId", module)
);

-- Whether it counts, or a later publish took it back; kept with each publish, as it is worked out of all of them.
ALTER TABLE definition_publish ADD COLUMN "isInForce" boolean NOT NULL DEFAULT true;
UPDATE definition_publish AS p SET "isInForce" = false
  FROM definition_publish AS later WHERE p.id = ANY (later."takesBack");
-- What the rights of roles were before it, so that they come back with it.
ALTER TABLE definition_change ADD COLUMN "rightsBefore" jsonb;

-- The modules as administrators find them; each start and each publish write it anew.
CREATE TABLE definition_module (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  module text NOT NULL UNIQUE,
  name text NOT NULL,
  "nameEn" text NOT NULL,
  "tableName" text NOT NULL,
  -- 1 shipped, 2 changed, 3 made here
  origin text NOT NULL,
  "publishId" bigint
);

CREATE VIEW sys_module AS
SELECT m.id, 1 AS version, ''::text AS "createBy", to_timestamp(0) AS "createTime", p."userId" AS "updateBy", p.at AS "updateTime",
       m.module, m.name, m."nameEn", m."tableName", m.origin, m."publishId",
       (SELECT count(*) FROM definition_draft AS d WHERE d.module = m.module)::int AS "draftCount",
       -- As the database knows it by itself: counting ninety tables is no list's work.
       coalesce(pg_stat_get_live_tuples(to_regclass(quote_ident(m."tableName"))), 0) AS "rowCount"
  FROM definition_module AS m LEFT JOIN definition_publish AS p ON p.id = m."publishId";

CREATE VIEW sys_publish AS
SELECT p.id, 1 AS version, p."userId" AS "createBy", p.at AS "createTime", NULL::text AS "updateBy", NULL::timestamptz AS "updateTime",
       p.id AS "publishId", p.note,
       CASE WHEN p."takesBack" = '{}' THEN '1' ELSE '2' END AS kind,
       CASE WHEN p."isInForce" THEN '1' ELSE '0' END AS status,
       (SELECT string_agg(DISTINCT c.module, ', ' ORDER BY c.module) FROM definition_change AS c
         WHERE c."publishId" = p.id OR c."publishId" = ANY (p."takesBack")) AS modules
  FROM definition_publish AS p;
