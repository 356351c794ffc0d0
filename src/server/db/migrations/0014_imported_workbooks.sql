-- What was uploaded to be imported is found by its age, to be taken away.
CREATE INDEX file_imported ON file ("createdAt") WHERE kind = 'workbook' AND owner IS NOT NULL;
