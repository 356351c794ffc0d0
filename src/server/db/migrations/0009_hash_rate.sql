-- What the machines on the racks report: many small rows, of no definition.
CREATE TABLE hash_rate_sample (
  "userOid" text NOT NULL,
  "workerId" text NOT NULL,
  at timestamptz NOT NULL,
  -- TH/s
  "hashRate" double precision NOT NULL CHECK ("hashRate" >= 0),
  PRIMARY KEY ("workerId", at)
);
CREATE INDEX hash_rate_sample_account ON hash_rate_sample ("userOid", at);
