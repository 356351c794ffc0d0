-- A list as somebody likes to see it, under a name. Seen by its owner and by the holders of the role it is shared with.
CREATE TABLE list_view (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  module text NOT NULL,
  name text NOT NULL,
  "userId" text NOT NULL,
  "roleId" text,
  state jsonb NOT NULL,
  version integer NOT NULL DEFAULT 1,
  "createTime" timestamptz NOT NULL DEFAULT now(),
  "updateTime" timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX list_view_name ON list_view ("userId", module, lower(name));
CREATE INDEX list_view_role ON list_view ("roleId", module) WHERE "roleId" IS NOT NULL;

-- What a user set in a list without giving it a name, and the view that the list opens with.
CREATE TABLE list_setting (
  "userId" text NOT NULL,
  module text NOT NULL,
  columns jsonb NOT NULL DEFAULT '[]',
  "defaultId" bigint REFERENCES list_view ON DELETE SET NULL,
  PRIMARY KEY ("userId", module)
);
CREATE INDEX list_setting_default ON list_setting ("defaultId") WHERE "defaultId" IS NOT NULL;
