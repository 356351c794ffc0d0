import { CONNECTIONS, type Config } from '#server/config.ts';
import { DatabaseClient } from '#server/db/client.ts';
import { NUMBER_CONNECTIONS } from '#server/db/numbers.ts';
import { BadDatabase } from '#server/definitions/tables.ts';
import { BOSS_CONNECTIONS } from '#server/jobs/boss.ts';
import { LOCK_SPACE } from '#server/jobs/sweep.ts';

/** Who hears of publishes, and who hears of jobs and holds the lock of their worker. */
const LINES = 2;
/** A publish has one that writes, one that builds indexes and one that breaks these off. */
const PUBLISHING = 3;
/** Those that no setting says: the calls and the jobs take their numbers on pools of their own. */
const OTHERS = 2 * NUMBER_CONNECTIONS + BOSS_CONNECTIONS + LINES + PUBLISHING;

/** How many connections to the database a server opens at most; calls and jobs have a pool of searches each. */
export const mostConnections = ({ connections: { calls, searches, jobs } }: Pick<Config, 'connections'>): number =>
  calls + jobs + 2 * searches + OTHERS;

const isDefault = ({ connections: { calls, searches, jobs } }: Pick<Config, 'connections'>): boolean =>
  calls === CONNECTIONS.calls && searches === CONNECTIONS.searches && jobs === CONNECTIONS.jobs;

interface Room {
  user: string;
  /** How many connections the database gives this user, and by what. */
  most: number;
  limit: string;
  /** Servers that work on it now. */
  servers: number;
}

/**
 * Looks whether the database gives a server the connections that its settings may take.
 * @returns a warning where it doesn't give them to all servers that work on it now, or to this one by settings that nobody chose
 * @throws BadDatabase where it doesn't give them to this one by settings that somebody chose
 */
export async function checkConnections(
  url: string,
  config: Pick<Config, 'connections' | 'databaseUrl'>,
): Promise<string | undefined> {
  const { user, most, limit, servers } = await readRoom(url);
  const own = mostConnections(config);
  const { calls, searches, jobs } = config.connections;
  const sum = `CALL_CONNECTIONS=${calls}, JOB_CONNECTIONS=${jobs}, twice SEARCH_CONNECTIONS=${searches}, and ${OTHERS} more`;
  const room = `the database gives ${user} ${most} (${limit})`;
  const whatToDo = config.databaseUrl
    ? 'Lower these settings, or raise what the database gives.'
    : 'Lower these settings: the embedded database gives no more.';
  if (own > most) {
    const scarce = `A server takes up to ${own} connections (${sum}), and ${room}. ${whatToDo}`;
    if (!isDefault(config)) throw new BadDatabase(scarce);
    // An update must not stop a server that never needed as many.
    return `${scarce} Until then calls are refused while all of them are in use.`;
  }
  const all = (servers + 1) * own;
  if (all <= most) return undefined;
  return `${servers + 1} servers like this one take up to ${all} connections (each ${own}: ${sum}), and ${room}. ${whatToDo}`;
}

/** A superuser is held by `max_connections` alone. */
async function readRoom(url: string): Promise<Room> {
  const client = new DatabaseClient({ connectionString: url, application_name: 'reflow prepare' });
  await client.connect();
  try {
    const { rows } = await client.query<Room>(`
      SELECT current_user AS "user", l.most, l.limit,
             (SELECT count(*) FROM pg_locks AS k
               WHERE k.database = d.oid AND k.locktype = 'advisory' AND k.granted AND k.objsubid = 2
                 AND k.classid::bigint = ${LOCK_SPACE})::int AS servers
        FROM pg_roles AS r JOIN pg_database AS d ON d.datname = current_database(),
             LATERAL (SELECT current_setting('max_connections')::int AS max,
                             CASE WHEN r.rolsuper THEN 0
                                  ELSE current_setting('superuser_reserved_connections')::int
                                       + coalesce(current_setting('reserved_connections', true)::int, 0) END AS kept) AS s,
             LATERAL (VALUES (s.max - s.kept, format('max_connections=%s, %s of them reserved', s.max, s.kept)),
                             (CASE WHEN NOT r.rolsuper AND r.rolconnlimit >= 0 THEN r.rolconnlimit END,
                              'CONNECTION LIMIT of the role'),
                             (CASE WHEN NOT r.rolsuper AND d.datconnlimit >= 0 THEN d.datconnlimit END,
                              'CONNECTION LIMIT of the database')) AS l (most, "limit")
       WHERE r.rolname = current_user
       ORDER BY l.most NULLS LAST LIMIT 1`);
    return rows[0] as Room;
  } finally {
    await client.end();
  }
}
