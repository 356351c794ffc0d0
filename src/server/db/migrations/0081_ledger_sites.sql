-- An entry of the ledger is of the site of its row, and no more of that of who wrote it: so it is with what forms and files wrote
-- before, where the entry itself says the site that the row had.
ALTER TABLE ledger DISABLE TRIGGER ledger_is_forever;
UPDATE ledger SET "siteId" = coalesce(before ->> 'siteId', after ->> 'siteId')
 WHERE what IN ('create', 'modifyById', 'deleteById', 'deleteAll', 'upload')
   AND (module ~ '^(rma|icop)' OR module IN ('ubsLabelRule', 'userSpeed', 'userWorker', 'sysServiceToken'))
   AND coalesce(before ->> 'siteId', after ->> 'siteId') <> "siteId";
ALTER TABLE ledger ENABLE TRIGGER ledger_is_forever;
