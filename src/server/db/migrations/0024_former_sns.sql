-- A former SN is never given to another thing. The engine's start makes the trigger (`prepare.ts`), as a new database has
-- no archive yet. It fires after the row is in: who wants an SN that is being changed at this moment waits for the change
-- at the archive's unique index, and finds it in the log then.
CREATE FUNCTION refuse_former_sn() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM ubs_sn_change_log
              WHERE "oldSn" = NEW.sn AND "itemObjectId" <> NEW.id AND "operateStatus" IS DISTINCT FROM 'Rollbacked') THEN
    RAISE unique_violation USING MESSAGE = 'a former SN of another thing', DETAIL = format('Key (sn)=(%s) already exists.', NEW.sn);
  END IF;
  RETURN NULL;
END $$;
