-- An empty text and none are one thing, and stand beside each other in a sorted list: what is empty is kept as none, by
-- whichever statement it comes. A trigger of each definition's table names its text columns; only a row that has an empty
-- text comes here.
CREATE FUNCTION empty_text_is_null() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RETURN jsonb_populate_record(NEW, (
    SELECT jsonb_object_agg(name, NULL) FROM unnest(TG_ARGV) AS name WHERE to_jsonb(NEW) ->> name = ''));
END $$;
