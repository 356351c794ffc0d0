-- A file that we write ourselves may be there in English as well: whoever reads in English is given that one.
ALTER TABLE file ADD COLUMN IF NOT EXISTS "englishId" text;
