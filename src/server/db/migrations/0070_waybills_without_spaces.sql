-- A waybill of freight is kept without spaces from here on, so that it is found on the bill of another month as well. So is that of
-- the line that corrects it. A new database has no such tables yet.
DO $$
BEGIN
  IF to_regclass('rma_correction_bill_line') IS NULL OR to_regclass('rma_logistics_costs_bill_line') IS NULL THEN
    RETURN;
  END IF;
  UPDATE rma_logistics_costs_bill_line SET "deliverShipNo" = regexp_replace("deliverShipNo", '\s', '', 'g')
   WHERE "deliverShipNo" ~ '\s';
  UPDATE rma_correction_bill_line SET "deliverShipNo" = regexp_replace("deliverShipNo", '\s', '', 'g')
   WHERE "deliverShipNo" ~ '\s';
END $$;
