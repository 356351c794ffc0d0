-- A waybill is kept without spaces wherever it stands, as that of freight is: what is scanned or billed is found by it. A new
-- database has no such tables yet.
DO $$
DECLARE
  it text;
BEGIN
  FOREACH it IN ARRAY ARRAY['rma_stockup_bill', 'rma_deliver_bill', 'rma_maintain_bill_line_item'] LOOP
    CONTINUE WHEN to_regclass(it) IS NULL;
    EXECUTE format(
      $sql$UPDATE %I SET "deliverShipNo" = regexp_replace("deliverShipNo", '\s', '', 'g') WHERE "deliverShipNo" ~ '\s'$sql$, it);
  END LOOP;
END $$;
