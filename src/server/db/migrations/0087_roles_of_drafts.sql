-- Who the roles are whose rights a part of a draft gives, by what they were called when it said so, as with publishes: one that was
-- made since under such a code is another. Of earlier parts those are meant that were there when the part was saved last.
ALTER TABLE definition_draft ADD COLUMN roles jsonb NOT NULL DEFAULT '{}';
DO $$
BEGIN
  IF to_regclass('admin_role') IS NOT NULL THEN
    UPDATE definition_draft AS d
       SET roles = coalesce((SELECT jsonb_object_agg(r."roleId", r.id) FROM admin_role AS r
                              WHERE d.change -> 'rights' ? r."roleId" AND r."createTime" <= d."updateTime"), '{}')
     WHERE d.change ? 'rights';
  END IF;
END $$;
