-- How often each table was changed. A backend counts in a row of its own, so that no writer waits for another; the sum
-- of a table's rows changes with every commit that touched it, and so tells whether what was read before still holds.
CREATE TABLE table_change (
  name text NOT NULL,
  backend integer NOT NULL,
  n bigint NOT NULL,
  PRIMARY KEY (name, backend)
) WITH (fillfactor = 50);

CREATE FUNCTION count_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  -- Once a transaction and table is enough; a savepoint that is rolled back takes the mark back with the count.
  mark text := 'reflow.changed_' || TG_RELID;
BEGIN
  IF current_setting(mark, true) = '1' THEN RETURN NULL; END IF;
  INSERT INTO table_change AS it (name, backend, n) VALUES (TG_TABLE_NAME, pg_backend_pid(), 1)
    ON CONFLICT (name, backend) DO UPDATE SET n = it.n + 1;
  PERFORM set_config(mark, '1', true);
  RETURN NULL;
END $$;

-- What a kept session depends on beside the tables of the definitions: its end, and the rights of its roles. That a
-- session lives longer needs no counting.
CREATE TRIGGER count_change AFTER DELETE OR TRUNCATE ON session
  FOR EACH STATEMENT EXECUTE FUNCTION count_change();
CREATE TRIGGER count_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON role_right
  FOR EACH STATEMENT EXECUTE FUNCTION count_change();
