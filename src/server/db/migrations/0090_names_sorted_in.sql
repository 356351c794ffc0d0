-- The indexes of several names in one text: what was written since the last vacuum waited in a list that each look-up of a name
-- read from its beginning. From now on it is sorted in as it is written. A new database has none of these indexes yet.
DO $$
DECLARE
  names regclass;
BEGIN
  FOR names IN
    SELECT i.indexrelid FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid JOIN pg_am AS a ON a.oid = c.relam
     WHERE a.amname = 'gin' AND c.relnamespace = current_schema()::regnamespace AND c.relname LIKE '%\_names' AND i.indisvalid
  LOOP
    EXECUTE format('ALTER INDEX %s SET (fastupdate = off)', names);
    PERFORM gin_clean_pending_list(names);
  END LOOP;
END $$;
