-- One publish changes any number of modules, and takes back any number of earlier ones, also one that took something back.
CREATE TABLE definition_publish (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT now(),
  "userId" text NOT NULL,
  note text NOT NULL DEFAULT '',
  "takesBack" bigint[] NOT NULL DEFAULT '{}'
);
ALTER TABLE definition_change ADD COLUMN "publishId" bigint REFERENCES definition_publish (id);

-- What was published before: each change by itself, under its own number.
INSERT INTO definition_publish (id, at, "userId", note, "takesBack") OVERRIDING SYSTEM VALUE
SELECT id, at, "userId", note, CASE WHEN "takesBack" IS NULL THEN '{}' ELSE ARRAY["takesBack"] END
  FROM definition_change ORDER BY id;
UPDATE definition_change SET "publishId" = id;
SELECT setval(pg_get_serial_sequence('definition_publish', 'id'), coalesce(max(id), 0) + 1, false) FROM definition_publish;

DELETE FROM definition_change WHERE "takesBack" IS NOT NULL;
ALTER TABLE definition_change ALTER COLUMN "publishId" SET NOT NULL, DROP COLUMN "takesBack", DROP COLUMN at, DROP COLUMN "userId",
  DROP COLUMN note;
CREATE INDEX definition_change_publish ON definition_change ("publishId");
