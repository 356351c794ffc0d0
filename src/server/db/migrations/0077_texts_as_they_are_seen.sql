-- A text is kept without what nobody sees in it from here on, and is sought so: what was kept before is written the same, so that it
-- is found. A row that another one would then be equal to stays as it is. A new database has no such tables yet.
DO $$
DECLARE
  hidden constant text := '[\u0001-\u0008\u000e-\u001b\u007f-\u0084\u0086-\u009f\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]';
  blanks constant text := '[\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800]';
  outer_ones constant text := '^[\u001c-\u001f]+|[\u001c-\u001f]+$';
  it record;
  found tid;
BEGIN
  FOR it IN
    SELECT c.table_name AS name,
           string_agg(format($sql$%1$I = regexp_replace(regexp_replace(regexp_replace(%1$I, %2$L, '', 'g'), %3$L, ' ', 'g'), %4$L, '', 'g')$sql$,
             c.column_name, hidden, blanks, outer_ones), ', ') AS texts
      FROM information_schema.columns c
      JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE' AND c.table_name ~ '^(rma|ubs|icop)_|^admin_user$'
       AND c.data_type IN ('text', 'character varying') AND c.is_generated = 'NEVER' AND c.column_name <> 'password'
     GROUP BY c.table_name
  LOOP
    FOR found IN EXECUTE format('SELECT t.ctid FROM %I AS t WHERE t::text ~ %L OR t::text ~ %L', it.name, hidden, blanks || '|[\u001c-\u001f]') LOOP
      BEGIN
        EXECUTE format('UPDATE %I SET %s WHERE ctid = $1', it.name, it.texts) USING found;
      EXCEPTION WHEN integrity_constraint_violation THEN
        NULL;
      END;
    END LOOP;
  END LOOP;
END $$;
