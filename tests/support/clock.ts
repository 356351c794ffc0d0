import pg from 'pg';
import { vi } from 'vitest';

/** The clock of a workshop under test: the database's and the process's, set by hand. */
export interface WorkshopClock {
  /** How the server reaches its database, which goes by this clock from then on. */
  way: (url: string) => Promise<string>;
  set: (moment: number) => Promise<void>;
  close: () => Promise<void>;
}

/**
 * A database whose `now()` is what the test says, in statements, in defaults and in triggers: a function of that name is found
 * before the system's own. Sessions that are open live as long as the clock goes.
 */
export function openClock(first: number): WorkshopClock {
  let client: pg.Client;
  const set = async (moment: number) => {
    vi.setSystemTime(moment);
    await client.query('UPDATE workshop_clock SET at = $1', [new Date(moment)]);
  };
  return {
    way: async (url) => {
      vi.useFakeTimers({ toFake: ['Date'], now: first });
      client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.query(`
        CREATE TABLE workshop_clock (at timestamptz NOT NULL);
        CREATE FUNCTION public.now() RETURNS timestamptz LANGUAGE sql STABLE AS 'SELECT at FROM public.workshop_clock';
        DO $$
        DECLARE d record;
        BEGIN
          EXECUTE format('ALTER DATABASE %I SET search_path = public, pg_catalog', current_database());
          FOR d IN SELECT c.oid::regclass AS of, a.attname, pg_get_expr(x.adbin, x.adrelid) AS said
                     FROM pg_attrdef AS x JOIN pg_class AS c ON c.oid = x.adrelid
                     JOIN pg_attribute AS a ON a.attrelid = x.adrelid AND a.attnum = x.adnum
                    WHERE pg_get_expr(x.adbin, x.adrelid) ~ '\\mnow\\(\\)' LOOP
            EXECUTE format('ALTER TABLE %s ALTER COLUMN %I SET DEFAULT %s', d.of, d.attname,
                           regexp_replace(d.said, '\\mnow\\(\\)', 'public.now()'));
          END LOOP;
        END $$`);
      await client.query('INSERT INTO workshop_clock VALUES ($1)', [new Date(first)]);
      return url;
    },
    set,
    close: async () => {
      await client.end();
      vi.useRealTimers();
    },
  };
}
