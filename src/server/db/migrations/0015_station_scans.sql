-- What people have scanned at a station and not submitted yet, for the others at the same bill to see. It is told again as
-- long as its owner works and worth nothing after a crash, so it need not be logged.
CREATE UNLOGGED TABLE station_scans (
  "siteId" text NOT NULL,
  station text NOT NULL,
  bill text NOT NULL,
  "userId" text NOT NULL,
  "userName" text NOT NULL,
  "snList" text[] NOT NULL,
  "expiresAt" timestamptz NOT NULL,
  PRIMARY KEY ("siteId", station, bill, "userId")
);
CREATE INDEX station_scans_of_user ON station_scans ("userId");
CREATE INDEX station_scans_expired ON station_scans ("expiresAt");
