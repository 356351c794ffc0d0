-- Ship numbers are looked up in capitals and plain letters; those that a form kept as they were typed were never found.
-- A new database has no such tables yet.
DO $$
DECLARE
  it record;
BEGIN
  FOR it IN
    SELECT c.table_name, c.column_name
      FROM information_schema.columns AS c
     WHERE c.table_schema = current_schema()
       AND (c.table_name, c.column_name) IN (
             ('rma_maintain_bill', 'receiveShipNo'), ('rma_arrival_bill', 'receiveShipNo'),
             ('rma_unhandled_package_bill', 'receiveShipNo'), ('rma_defective_product_repair_bill', 'receiveShipNo'),
             ('rma_stockup_bill', 'deliverShipNo'), ('rma_deliver_bill', 'deliverShipNo'),
             ('rma_maintain_bill_line_item', 'deliverShipNo'), ('rma_logistics_costs_bill_line', 'deliverShipNo'))
  LOOP
    EXECUTE format(
      'UPDATE %1$I SET %2$I = upper(btrim(normalize(%2$I, NFKC))) WHERE %2$I <> upper(btrim(normalize(%2$I, NFKC)))',
      it.table_name, it.column_name);
  END LOOP;
END $$;
