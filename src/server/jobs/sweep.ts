import { sql } from 'kysely';
import { wake } from '#server/jobs/boss.ts';
import { MAX_ATTEMPTS } from '#server/jobs/job.ts';
import type { JobDeps } from '#server/jobs/run.ts';

/** The first number of the advisory locks that workers hold; the second is the worker's own. */
export const LOCK_SPACE = 7_305_012;
/** A job that waits for so long without a notification is announced again. */
const FORGOTTEN_SECONDS = 30;

/** A job is claimed before its worker knows that it has it. */
const CLAIMING_SECONDS = 3;

/**
 * Gives the jobs of workers that ended back to the queue, a few times at most, and wakes the workers for jobs whose
 * notification was missed. A job of worker `own` that it is not `working` at any more is one that it lost with the
 * database.
 */
export async function sweep({ database: { db } }: JobDeps, own: number, working: readonly number[]): Promise<void> {
  const orphaned = await sql<{ userId: string }>`
    UPDATE job SET worker = NULL,
           state = CASE WHEN attempt < ${MAX_ATTEMPTS} THEN 'queued' ELSE 'failed' END,
           problem = CASE WHEN attempt < ${MAX_ATTEMPTS} THEN NULL ELSE '[{"key":"jobDied"}]'::jsonb END,
           "finishedAt" = CASE WHEN attempt < ${MAX_ATTEMPTS} THEN NULL ELSE now() END
     WHERE state = 'running' AND CASE WHEN worker = ${own}
       THEN id <> ALL (${[...working]}::bigint[]) AND "startedAt" < now() - make_interval(secs => ${CLAIMING_SECONDS}::int)
       ELSE NOT EXISTS (
         SELECT 1 FROM pg_locks AS l JOIN pg_database AS d ON d.oid = l.database AND d.datname = current_database()
          WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 2
            AND l.classid::bigint = ${LOCK_SPACE} AND l.objid::bigint = job.worker) END
    RETURNING "userId"`.execute(db);
  const forgotten = await sql<{ userId: string }>`
    UPDATE job SET "wokenAt" = now()
     WHERE state = 'queued' AND "wokenAt" < now() - make_interval(secs => ${FORGOTTEN_SECONDS}::int)
       AND NOT EXISTS (SELECT 1 FROM job AS other WHERE other."userId" = job."userId" AND other.state = 'running')
    RETURNING "userId"`.execute(db);
  for (const userId of new Set([...orphaned.rows, ...forgotten.rows].map((it) => it.userId))) await wake(db, userId);
}
