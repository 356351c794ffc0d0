-- How many SNs were ever given: no SN is given twice, whatever became of the label.
CREATE TABLE serial_number (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  last integer NOT NULL DEFAULT 0 CHECK (last BETWEEN 0 AND 1073741823)
);
