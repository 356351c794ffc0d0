-- From where an account signed in lately: others' guessing does not slow it there.
CREATE TABLE known_address (
  "userId" text NOT NULL,
  network text NOT NULL,
  "lastAt" timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY ("userId", network)
);
CREATE INDEX known_address_age ON known_address ("lastAt");

-- The ledger as a list: from where, and an index for each thing that it is searched by, in the order of time.
ALTER TABLE ledger ADD COLUMN address text;
CREATE INDEX ledger_time ON ledger (at, id);
CREATE INDEX ledger_what ON ledger (what, at, id);
CREATE INDEX ledger_module ON ledger (module, at, id);
CREATE INDEX ledger_row ON ledger ("recordId", at, id);
CREATE INDEX ledger_site ON ledger ("siteId", at, id);
CREATE INDEX ledger_address ON ledger (address, at, id) WHERE address IS NOT NULL;

CREATE VIEW ledger_entry AS
SELECT id, 1 AS version, "userId", "siteId", what, module, "recordId", address, "requestId",
       jsonb_pretty(before) AS before, jsonb_pretty(after) AS after,
       "userId" AS "createBy", at AS "createTime", NULL::text AS "updateBy", NULL::timestamptz AS "updateTime"
  FROM ledger;
