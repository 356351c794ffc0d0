import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { PlatformTables } from '#server/db/platformTables.ts';
import type { Tables } from '#server/db/tables.ts';
import { CHANNEL } from '#server/jobs/boss.ts';
import { nobodys } from '#server/uploads/forgetFiles.ts';

type Naming = { readonly [Table in keyof PlatformTables]?: Partial<Record<keyof PlatformTables[Table], string>> };

/** Which columns of the platform's tables name an account that takes their rows with it when it goes, and what they are. */
export const goesWithAccount = {
  session: { userId: 'where it is signed in' },
  known_address: { userId: 'from where it signed in lately' },
  login_attempt: { bucket: 'how often it was tried' },
  idempotency_key: { userId: 'what its submits were answered' },
  list_view: { userId: 'its own views of lists; those that it shares stay with the role, as long as there is one' },
  list_setting: { userId: 'the columns that it chose' },
  user_coin: { userId: 'the coin that it watches' },
  station_scans: { userId: 'what it scanned and did not submit' },
  job: { userId: 'its exports and imports, also those that run' },
  file: { owner: 'the files that are its alone' },
} as const satisfies Naming;

/** Which name an account and are history: they stay as they are. */
export const staysOfAccount = {
  ledger: { userId: 'who did what' },
  definition_publish: { userId: 'who published' },
  reported_row: { userId: 'who booked what a supplier reported' },
  definition_draft: { updateBy: 'who worked on a draft, which belongs to all who configure' },
  error_log: { userId: 'whose browser told of an error', userName: 'the same; both go after 30 days' },
  file: { createBy: 'who uploaded a paper of a bill' },
  station_scans: { userName: 'goes with its row' },
} as const satisfies Naming;

/**
 * All that is an account's alone goes with it, in the transaction that deletes it. What it has running is cancelled. Its
 * files are nobody's from here on; the next round takes them from the disk. Rule: rights#accounts.
 */
export async function forgetAccount(db: Kysely<Tables>, userId: string): Promise<void> {
  for (const table of [
    'session',
    'known_address',
    'idempotency_key',
    'list_setting',
    'user_coin',
    'station_scans',
  ] as const)
    await sql`DELETE FROM ${sql.table(table)} WHERE "userId" = ${userId}`.execute(db);
  const name = userId.toLowerCase();
  await sql`
    DELETE FROM login_attempt
     WHERE bucket = ${`account ${name}`} OR bucket = ${`password ${userId}`}
        OR starts_with(bucket, ${`login ${name} `})`.execute(db);
  await sql`
    DELETE FROM list_view AS v
     WHERE v."userId" = ${userId}
       AND NOT EXISTS (SELECT 1 FROM admin_role AS r WHERE r."roleId" = v."roleId")`.execute(db);
  const jobs = await db.deleteFrom('job').where('userId', '=', userId).returning(['id', 'fileId', 'state']).execute();
  for (const { id, state } of jobs)
    if (state === 'running') await sql`SELECT pg_notify(${CHANNEL}, ${`cancel ${id}`})`.execute(db);
  // A file that a job was writing has no row yet.
  const begun = jobs.flatMap(({ fileId, state }) => (fileId !== null && state !== 'done' ? [fileId] : []));
  for (const id of begun)
    await db
      .insertInto('file')
      .values({ id, kind: 'job', name: '', mime: '', size: 0, createBy: userId, ...nobodys })
      .onConflict((it) => it.doNothing())
      .execute();
  await db.updateTable('file').set(nobodys).where('owner', '=', userId).execute();
}

/** The rights of a role, and that views are shared with it, go with it: none of it waits for a role that is made anew. */
export async function forgetRole(db: Kysely<Tables>, roleId: string): Promise<void> {
  await db.deleteFrom('role_right').where('roleId', '=', roleId).execute();
  await sql`
    DELETE FROM list_view AS v WHERE v."roleId" = ${roleId}
       AND NOT EXISTS (SELECT 1 FROM admin_user AS u WHERE u."userId" = v."userId")`.execute(db);
  await db.updateTable('list_view').set({ roleId: null }).where('roleId', '=', roleId).execute();
}

/** A role that is called otherwise keeps its rights, the views that are shared with it, and what drafts give it. */
export async function renameRole(
  db: Kysely<Tables>,
  { id, roleId: to }: { id: number; roleId: string },
  from: string,
): Promise<void> {
  await db.updateTable('role_right').set({ roleId: to }).where('roleId', '=', from).execute();
  await db.updateTable('list_view').set({ roleId: to }).where('roleId', '=', from).execute();
  const isMeant = sql<boolean>`roles -> ${from} = to_jsonb(${id}::bigint)`;
  // The draft first, as whoever saves a part of it does.
  await sql`
    UPDATE sys_draft SET version = version + 1
     WHERE id IN (SELECT "draftId" FROM definition_draft WHERE ${isMeant})`.execute(db);
  const named = (of: RawBuilder<unknown>) =>
    sql`(${of} - ${from}) || jsonb_build_object(${to}::text, ${of} -> ${from})`;
  await sql`
    UPDATE definition_draft
       SET change = jsonb_set(change, '{rights}', ${named(sql`(change -> 'rights')`)}), roles = ${named(sql`roles`)},
           version = version + 1
     WHERE ${isMeant}`.execute(db);
}

/** Whether the audit log has what was done under this name. */
export async function isInLedger(db: Kysely<Tables>, userId: string): Promise<boolean> {
  const found = await db.selectFrom('ledger').select('id').where('userId', '=', userId).limit(1).executeTakeFirst();
  return found !== undefined;
}

/**
 * Who used a name, or one that looks like it, before the account went, as far as the audit log has what they did: undefined
 * for nobody, and an empty name where it is not known any more.
 */
export async function findFormerAccount(db: Kysely<Tables>, userId: string): Promise<string | undefined> {
  const { rows } = await sql<{ userId: string; userName: string | null }>`
    SELECT l.before ->> 'userId' AS "userId", l.before ->> 'userName' AS "userName" FROM ledger AS l
     WHERE account_skeleton(l.before ->> 'userId') = account_skeleton(${userId})
       AND l.module = 'adminUser' AND l.what IN ('deleteById', 'deleteAll')
     ORDER BY l.id DESC LIMIT 20`.execute(db);
  for (const it of rows) if (await isInLedger(db, it.userId)) return it.userName ?? '';
  return (await isInLedger(db, userId)) ? '' : undefined;
}
