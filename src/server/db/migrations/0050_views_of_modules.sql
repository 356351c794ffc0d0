-- The check of a draft looks for the views of its modules, whose ever they are.
CREATE INDEX list_view_module ON list_view (module, id);
