import { DatabaseClient } from '#server/db/client.ts';
import { BadDatabase } from '#server/definitions/tables.ts';

/** Set where a connection is opened, as the pools set theirs; no other number would be found by chance. */
const STATEMENT_MS = 14_321;
const LOCK_MS = 9_321;
/** So many sessions are looked for the first one's; a pooler takes up again first what was used last. */
const OTHERS = 5;

/** The sentence of every refusal here. */
const refused = (why: string) =>
  new BadDatabase(
    `DATABASE_URL leads through a pooler of connections, such as PgBouncer, ${why} ` +
      'Let DATABASE_URL name PostgreSQL itself: Reflow keeps pools of its own (CALL_CONNECTIONS, SEARCH_CONNECTIONS, JOB_CONNECTIONS).',
  );

/**
 * Refuses a pooler that does not give each connection a session of its own with its settings: locks, timeouts, temporary
 * tables and notices are those of a session. Asked before anything is locked, as such a lock would stay with a session that is nobody's.
 * @throws BadDatabase with what the pooler does
 */
export async function refuseSharedSessions(url: string): Promise<void> {
  const opened: DatabaseClient[] = [];
  const open = async () => {
    const client = new DatabaseClient({
      ...{ connectionString: url, application_name: 'reflow prepare' },
      ...{ statement_timeout: STATEMENT_MS, lock_timeout: LOCK_MS },
    });
    // A connection that ends between two questions: the next one says so.
    client.on('error', () => undefined);
    opened.push(client);
    await client.connect().catch((error: Error) => Promise.reject(isSettingRefused(error) ? losesSettings() : error));
    return client;
  };
  try {
    const first = await open();
    const { rows } = await first.query<{ pid: number; hasSettings: boolean }>(
      `SELECT pg_backend_pid() AS pid, (SELECT array_agg(setting::int ORDER BY name) FROM pg_settings
                                         WHERE name IN ('lock_timeout', 'statement_timeout')) = $1 AS "hasSettings"`,
      [[LOCK_MS, STATEMENT_MS]],
    );
    const [{ pid, hasSettings } = { pid: 0, hasSettings: false }] = rows;
    if (!hasSettings) throw losesSettings();
    // PostgreSQL tells each connection its process; a pooler tells it what is its own.
    if (pid === (first as unknown as { processID: number }).processID) return;
    for (let nth = 0; nth < OTHERS; nth++) {
      const other = await open();
      // Of single statements no transaction is taken at all.
      await other.query('BEGIN').catch(() => Promise.reject(sharesSessions()));
      if ((await pidOf(other)) === pid) throw sharesSessions();
    }
    if ((await pidOf(first)) !== pid) throw sharesSessions();
  } finally {
    for (const it of opened) await it.end().catch(() => undefined);
  }
}

const losesSettings = () =>
  refused('that does not hand on statement_timeout and lock_timeout, so that nothing would end.');
const sharesSessions = () =>
  refused(
    'that gives one session to several connections (pool_mode=transaction or statement), so that locks and notices would be lost.',
  );

const isSettingRefused = ({ message }: Error): boolean => /startup parameter/i.test(message);

const pidOf = async (client: DatabaseClient): Promise<number | undefined> =>
  (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid;
