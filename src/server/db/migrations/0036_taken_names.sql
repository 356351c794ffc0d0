-- What publishes brought into the database and a later version ships under the same name. A start writes it down once: the
-- version goes on with it, or it was set aside under another name because the version means something else by it.
CREATE TABLE definition_taken (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT now(),
  module text NOT NULL,
  "tableName" text NOT NULL,
  -- Empty: the table itself.
  "columnName" text NOT NULL DEFAULT '',
  -- The last publish that brought it.
  "publishId" bigint NOT NULL,
  -- What it is called since; null where the version goes on with it.
  "keptAs" text
);
