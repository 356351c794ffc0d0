-- Errors that browsers told of, and tickets of the single sign-on that were tried once.

CREATE TABLE error_log (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT now(),
  type text NOT NULL,
  code text NOT NULL,
  message text NOT NULL,
  url text NOT NULL,
  -- As the browser says it; "at" is when it arrived.
  "time" timestamptz NOT NULL,
  "userId" text NOT NULL,
  "userName" text NOT NULL,
  -- Tells the entries of one session apart and opens nothing.
  "sessionMark" text NOT NULL,
  "userAgent" text NOT NULL,
  "requestId" text NOT NULL
);
CREATE INDEX error_log_at ON error_log (at);

CREATE TABLE sso_ticket (
  "ticketHash" bytea PRIMARY KEY,
  "usedAt" timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX sso_ticket_age ON sso_ticket ("usedAt");

-- However much a session is used, it ends here.
ALTER TABLE session ADD COLUMN "endsAt" timestamptz NOT NULL DEFAULT now() + interval '7 days';
