import { sql } from 'kysely';
import type { JobDeps } from '#server/jobs/run.ts';
import { openFileStore } from '#server/uploads/fileStore.ts';
import { NOBODYS } from '#server/uploads/serve.ts';

/** So many at a time: any server may do it at any time, and the next round goes on. */
const AT_ONCE = 100;
/** The rows say who exported what, for a season. */
const ROWS_KEPT_DAYS = 90;

/**
 * Takes away the files of jobs that have served their 7 days, workbooks that were uploaded to be imported as long ago,
 * whether they were confirmed or not, those of accounts and rows that went, and at last the jobs' rows. Rule: exports-and-jobs#files.
 */
export async function expireJobs({ database: { db }, config }: Pick<JobDeps, 'database' | 'config'>): Promise<void> {
  const fileStore = openFileStore(config);
  const over = await db
    .selectFrom('job')
    .select(['id', 'fileId'])
    .where('expiresAt', '<', sql<number>`now()`)
    .where('state', '=', 'done')
    .where('fileId', 'is not', null)
    .limit(AT_ONCE)
    .execute();
  for (const { id, fileId } of over) {
    if (!fileId) continue;
    // The file first: a row without its file is tried again, a file without its row would lie there for ever.
    await fileStore.remove(fileId);
    await db.transaction().execute(async (trx) => {
      await trx.deleteFrom('file').where('id', '=', fileId).execute();
      await trx.updateTable('job').set({ state: 'expired', fileId: null }).where('id', '=', id).execute();
    });
  }
  const workbooks = await db
    .selectFrom('file')
    .select('id')
    .where('kind', '=', 'workbook')
    .where('owner', 'is not', null)
    .where('createdAt', '<', sql<number>`now() - interval '7 days'`)
    .orderBy('createdAt')
    .limit(AT_ONCE)
    .execute();
  const nobodys = await db.selectFrom('file').select('id').where('owner', '=', NOBODYS).limit(AT_ONCE).execute();
  for (const { id } of [...workbooks, ...nobodys]) {
    await fileStore.remove(id);
    await db.deleteFrom('file').where('id', '=', id).execute();
  }
  await sql`
    DELETE FROM job WHERE "createdAt" < now() - make_interval(days => ${ROWS_KEPT_DAYS}::int)
      AND state NOT IN ('queued', 'running') AND "fileId" IS NULL`.execute(db);
}
