-- A file belongs to one row. Those that rows name already are theirs; a new database has no such tables yet.
ALTER TABLE file ADD COLUMN "inUse" boolean NOT NULL DEFAULT false;
DO $$
DECLARE
  named record;
BEGIN
  FOR named IN
    SELECT c.table_name AS "table", c.column_name AS field FROM information_schema.columns AS c
     WHERE c.table_schema = current_schema()
       AND (c.table_name, c.column_name) IN (
             ('rma_repair_fee_bill', 'invoiceUrls'), ('rma_repair_fee_bill', 'processingFeeReportUrl'),
             ('rma_logistics_costs_bill', 'certificateUrls'), ('rma_self_pickup', 'documentUrls'),
             ('rma_maintain_bill', 'attachUrls'), ('rma_maintain_bill_line_item', 'checkUrls'),
             ('rma_check_bill', 'checkUrls'), ('rma_receive_bill_line_item', 'receiveUrls'),
             ('rma_repair_bill_line', 'repairUrls'), ('rma_burnin_bill_line', 'burninUrls'),
             ('rma_site_repair_bill_line', 'repairUrls'), ('rma_unhandled_package_bill', 'urlName'))
  LOOP
    EXECUTE format(
      'UPDATE file SET "inUse" = true WHERE NOT "inUse" AND id IN (
         SELECT (regexp_matches(%2$I, ''/file/([0-9a-f]{32})'', ''g''))[1] FROM %1$I WHERE %2$I LIKE ''%%/file/%%'')',
      named."table", named.field);
  END LOOP;
END $$;
