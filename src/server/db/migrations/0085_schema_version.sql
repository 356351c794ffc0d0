-- Which version the database is of, and the oldest server that may work on it, both by the number of a last migration: every start
-- looks before it does anything (`schemaVersion.ts`). A database without a row is older than that.
CREATE TABLE schema_version (
  "isOnly" boolean PRIMARY KEY DEFAULT true CHECK ("isOnly"),
  version integer NOT NULL,
  "oldestServer" integer NOT NULL,
  at timestamptz NOT NULL DEFAULT now()
);
