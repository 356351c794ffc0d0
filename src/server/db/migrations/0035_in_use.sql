-- What names a row without a foreign key takes a share of it, as a foreign key would: whoever deletes the row waits, and looks
-- again. A value that no row has may stand; one whose row goes at this moment may not. The triggers are made with the tables:
-- the column, the table and column that it names, what stands between several, the column that both share, and the type.
CREATE FUNCTION hold_named() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  row_now jsonb := to_jsonb(NEW);
  value text := row_now ->> TG_ARGV[0];
  shared text := row_now ->> TG_ARGV[4];
  -- What the transaction holds already; a savepoint that is rolled back takes the mark back with the lock.
  mark text := 'reflow.holds_' || TG_RELID || '_' || TG_ARGV[0];
  holds text := value || chr(31) || coalesce(shared, '');
  condition text;
  known bigint;
  held bigint;
BEGIN
  IF current_setting(mark, true) = holds THEN RETURN NEW; END IF;
  IF TG_OP = 'UPDATE' AND value = to_jsonb(OLD) ->> TG_ARGV[0]
     AND (TG_ARGV[4] = '' OR shared IS NOT DISTINCT FROM to_jsonb(OLD) ->> TG_ARGV[4]) THEN RETURN NEW; END IF;
  condition := format('FROM %I WHERE %I %s', TG_ARGV[1], TG_ARGV[2],
                      CASE WHEN TG_ARGV[3] = '' THEN format('= $1::%s', TG_ARGV[5])
                           ELSE format('= ANY (string_to_array($1, %L)::%s[])', TG_ARGV[3], TG_ARGV[5]) END)
            || CASE WHEN TG_ARGV[4] = '' THEN '' ELSE format(' AND %I = $2', TG_ARGV[4]) END;
  -- The first counts what was there when the statement began, the second what is there once nobody is taking it away.
  EXECUTE format('SELECT (SELECT count(*) %1$s), (SELECT count(*) FROM (SELECT 1 %1$s FOR KEY SHARE) AS held)', condition)
     INTO known, held USING value, shared;
  IF held < known THEN
    RAISE foreign_key_violation
      USING MESSAGE = 'what is named is gone', CONSTRAINT = TG_NAME,
            DETAIL = format('Key (%I)=(%s) is not present in table "%s".', TG_ARGV[0], value, TG_ARGV[1]);
  END IF;
  IF held > 0 THEN PERFORM set_config(mark, holds, true); END IF;
  RETURN NEW;
END $$;

-- Who is asked for when an account goes, and what a site has.
CREATE INDEX file_owner ON file (owner) WHERE owner IS NOT NULL;
CREATE INDEX file_site ON file ("siteId");
CREATE INDEX job_site ON job ("siteId", id);
-- Accounts that went, by what their names look like: none is made anew under a name that the ledger knows.
CREATE INDEX ledger_former_account ON ledger (account_skeleton(before ->> 'userId'))
 WHERE module = 'adminUser' AND what IN ('deleteById', 'deleteAll');
