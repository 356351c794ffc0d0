-- What the samples of hash rates add up to by the hour and the day of the workshop's clock, so that a chart of 90 days reads
-- one row a machine and day; samples themselves are kept for eight days.
CREATE TABLE hash_rate_slot (
  "userOid" text NOT NULL,
  "workerId" text NOT NULL,
  span text NOT NULL CHECK (span IN ('hour', 'day')),
  -- When the hour or the day began.
  at timestamptz NOT NULL,
  -- TH/s, of so many samples together
  total double precision NOT NULL,
  count integer NOT NULL CHECK (count > 0),
  PRIMARY KEY ("userOid", span, at, "workerId")
-- A row is changed as often as its machine reports: it finds room beside itself.
) WITH (fillfactor = 60);
CREATE INDEX hash_rate_slot_worker ON hash_rate_slot ("workerId", span, at);
-- Samples come nearly in the order of their time, so that what is too old is found by a very small index.
CREATE INDEX hash_rate_sample_at ON hash_rate_sample USING brin (at);

-- What a service shows to be let in: only the hash of 256 random bits. A token that was changed has two for a while.
CREATE TABLE service_secret (
  "secretHash" bytea PRIMARY KEY,
  "tokenId" bigint NOT NULL,
  "createdAt" timestamptz NOT NULL DEFAULT now(),
  -- Null: as long as its token.
  "endsAt" timestamptz
);
CREATE INDEX service_secret_token ON service_secret ("tokenId");

-- How much a service may still send at once.
CREATE TABLE service_allowance (
  "tokenId" bigint PRIMARY KEY,
  amount double precision NOT NULL,
  at timestamptz NOT NULL DEFAULT now()
);
