-- What a name looks like at a glance: in small letters, with those alike that are taken for one another. The engine's
-- start makes the unique index on it (`prepare.ts`), as a new database has no accounts' table yet.
CREATE FUNCTION account_skeleton(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT replace(replace(translate(lower(regexp_replace(normalize(name, NFKC), '[^[:alnum:]._@-]', '', 'g')),
                                   '01i', 'oll'), 'rn', 'm'), 'vv', 'w')
$$;
