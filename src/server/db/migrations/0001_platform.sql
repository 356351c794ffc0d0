-- What no definition owns: sessions, keys, the ledger, files. Times are the database's own clock.

CREATE TABLE session (
  "tokenHash" bytea PRIMARY KEY,
  "userId" text NOT NULL,
  began text NOT NULL CHECK (began IN ('password', 'ticket')),
  ip text NOT NULL,
  "createdAt" timestamptz NOT NULL DEFAULT now(),
  "lastSeenAt" timestamptz NOT NULL DEFAULT now(),
  "expiresAt" timestamptz NOT NULL
);
CREATE INDEX session_by_user ON session ("userId");
CREATE INDEX session_by_expiry ON session ("expiresAt");

CREATE TABLE captcha (
  uuid text PRIMARY KEY,
  answer text NOT NULL,
  "expiresAt" timestamptz NOT NULL
);

CREATE TABLE login_attempt (
  bucket text PRIMARY KEY,
  fails integer NOT NULL DEFAULT 0,
  "windowStart" timestamptz NOT NULL DEFAULT now(),
  "lockedUntil" timestamptz
);

CREATE TABLE role_right (
  "roleId" text NOT NULL,
  "right" text NOT NULL,
  PRIMARY KEY ("roleId", "right")
);

-- A success's answer, given again to whoever repeats the request with the same key.
CREATE TABLE idempotency_key (
  "userId" text NOT NULL,
  route text NOT NULL,
  key text NOT NULL,
  "bodyHash" bytea NOT NULL,
  answer jsonb,
  "createdAt" timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY ("userId", route, key)
);
CREATE INDEX idempotency_key_age ON idempotency_key ("createdAt");

CREATE TABLE ledger (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT now(),
  "userId" text NOT NULL,
  "siteId" text NOT NULL,
  what text NOT NULL,
  module text NOT NULL,
  "recordId" text NOT NULL,
  before jsonb,
  after jsonb,
  "requestId" text NOT NULL
);
CREATE INDEX ledger_record ON ledger (module, "recordId");
CREATE INDEX ledger_user ON ledger ("userId", at);

CREATE FUNCTION ledger_is_forever() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the ledger takes no % ', TG_OP;
END $$;
CREATE TRIGGER ledger_is_forever BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_forever();

-- What administrators published over the definitions of the files; taking one back is a new row.
CREATE TABLE definition_change (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT now(),
  "userId" text NOT NULL,
  note text NOT NULL DEFAULT '',
  module text NOT NULL,
  change jsonb NOT NULL,
  "takesBack" bigint REFERENCES definition_change (id)
);

CREATE TABLE bill_number (
  prefix text NOT NULL,
  day date NOT NULL,
  last integer NOT NULL,
  PRIMARY KEY (prefix, day)
);

CREATE TABLE file (
  id text PRIMARY KEY,
  kind text NOT NULL,
  name text NOT NULL,
  mime text NOT NULL,
  size integer NOT NULL,
  "siteId" text NOT NULL,
  "right" text NOT NULL DEFAULT '',
  "createBy" text NOT NULL,
  "createdAt" timestamptz NOT NULL DEFAULT now()
);
