-- The roles that were there when something was published, by what they were called then: a role that was called otherwise since
-- is still the same one, and one that has its former name is not. Of earlier publishes only what they are called now is known.
ALTER TABLE definition_publish ADD COLUMN roles jsonb NOT NULL DEFAULT '{}';
DO $$
BEGIN
  IF to_regclass('admin_role') IS NOT NULL THEN
    UPDATE definition_publish AS p
       SET roles = coalesce((SELECT jsonb_object_agg(r."roleId", r.id) FROM admin_role AS r WHERE r."createTime" <= p.at), '{}');
  END IF;
END $$;
