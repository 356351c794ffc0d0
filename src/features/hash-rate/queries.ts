import { sql, type Kysely, type RawBuilder } from 'kysely';
import { refuseIfAny } from '#domain/refusal.ts';
import type { Context, CurrentUser } from '#server/context.ts';
import type { Tables } from '#server/db/tables.ts';
import { addToSlots, isOnline } from '#server/hashRate.ts';
import { validatePlaces, type Known, type Reporter, type Sample } from './rules.ts';

/** What whoever is signed in, or a service, reports for. */
export const reporterOf = ({ userId, siteId, sites, service }: CurrentUser): Reporter => ({
  userId,
  siteId,
  sites,
  account: service?.account ?? null,
});

/** Where the accounts and machines of these samples stand, as far as anybody knows them. */
export async function readKnown(db: Kysely<Tables>, samples: readonly Sample[]): Promise<Known> {
  return { accounts: await readAccounts(db, samples, false), workers: await readWorkers(db, samples, false) };
}

/**
 * Writes a batch: its samples, what they add up to, when each machine was last seen and what its account does now. What is
 * there already stays as it is. Accounts are locked before machines and both by name, so that any number of collectors
 * write at once and none waits for another crosswise; gives how many samples were new. Rule: hash-rate#ingest.
 * @throws Refusal accountElsewhere or workerElsewhere.
 */
export async function writeSamples(
  ctx: Pick<Context, 'db' | 'config' | 'request'>,
  samples: readonly Sample[],
  reporter: Reporter,
): Promise<number> {
  const { db, config, request } = ctx;
  await addAccounts(db, samples, reporter, request.id);
  const accounts = await readAccounts(db, samples, true);
  await addWorkers(db, samples, reporter, request.id);
  const workers = await readWorkers(db, samples, true);
  refuseIfAny(validatePlaces(samples, { accounts, workers }, reporter));
  const { rows } = await sql<{ stored: number }>`
    WITH sent AS (
      SELECT * FROM unnest(${of(samples, 'userOid')}::text[], ${of(samples, 'workerId')}::text[],
                           ${of(samples, 'timestamp')}::float8[], ${of(samples, 'hashRate')}::float8[])
                 AS it ("userOid", "workerId", ms, "hashRate")
    ), put AS (
      INSERT INTO hash_rate_sample ("userOid", "workerId", at, "hashRate")
      SELECT "userOid", "workerId", to_timestamp(ms / 1000), "hashRate" FROM sent ORDER BY "workerId", ms
      ON CONFLICT ("workerId", at) DO NOTHING
      RETURNING "userOid", "workerId", at, "hashRate"
    ), added AS (
      ${addToSlots(sql`put`, config.timeZone)}
    ), newest AS (
      SELECT DISTINCT ON ("workerId") put.*, account."siteId"
        FROM put JOIN user_speed AS account USING ("userOid") ORDER BY "workerId", at DESC
    ), seen AS (
      UPDATE user_worker AS w
         SET "userOid" = newest."userOid", "siteId" = newest."siteId", "currentRate" = newest."hashRate", "lastSeenTime" = newest.at
        FROM newest WHERE w."workerId" = newest."workerId" AND coalesce(w."lastSeenTime" < newest.at, true)
    )
    SELECT count(*)::int AS stored FROM put`.execute(db);
  await countWorkers(db, samples);
  return rows[0]?.stored ?? 0;
}

const of = <Name extends keyof Sample>(samples: readonly Sample[], name: Name): Sample[Name][] =>
  samples.map((it) => it[name]);
const named = (samples: readonly Sample[], name: 'userOid' | 'workerId'): string[] =>
  [...new Set(of(samples, name))].sort();

/** Accounts that nobody knows yet; the ledger says who brought them. Rule: hash-rate#who-reports. */
async function addAccounts(
  db: Kysely<Tables>,
  samples: readonly Sample[],
  reporter: Reporter,
  requestId: string,
): Promise<void> {
  // An account that is not the reporter's is refused below, and not made before.
  const names = named(samples, 'userOid').filter((it) => reporter.account === null || it === reporter.account);
  await sql`
    WITH put AS (
      INSERT INTO user_speed ("userOid", name, "siteId", coin, "createBy")
      SELECT it.name, it.name, ${reporter.siteId}, 'BTC', ${reporter.userId}
        FROM unnest(${names}::text[]) AS it (name)
       WHERE NOT EXISTS (SELECT 1 FROM user_speed AS there WHERE there."userOid" = it.name) ORDER BY it.name
      ON CONFLICT ("userOid") DO NOTHING RETURNING *)
    ${told('userSpeed', reporter, requestId)}`.execute(db);
}

/** Machines that nobody knows yet stand where their account does. */
async function addWorkers(
  db: Kysely<Tables>,
  samples: readonly Sample[],
  reporter: Reporter,
  requestId: string,
): Promise<void> {
  await sql`
    WITH put AS (
      INSERT INTO user_worker ("workerId", "userOid", "siteId", "createBy")
      SELECT DISTINCT ON (it.worker) it.worker, it.account, account."siteId", ${reporter.userId}
        FROM unnest(${of(samples, 'workerId')}::text[], ${of(samples, 'userOid')}::text[]) AS it (worker, account)
        JOIN user_speed AS account ON account."userOid" = it.account
       WHERE NOT EXISTS (SELECT 1 FROM user_worker AS there WHERE there."workerId" = it.worker)
       ORDER BY it.worker, it.account
      ON CONFLICT ("workerId") DO NOTHING RETURNING *)
    ${told('userWorker', reporter, requestId)}`.execute(db);
}

const told = (module: string, { userId, siteId }: Reporter, requestId: string): RawBuilder<unknown> => sql`
  INSERT INTO ledger ("userId", "siteId", what, module, "recordId", after, "requestId")
  SELECT ${userId}, ${siteId}, 'ingest', ${module}, put.id::text, to_jsonb(put), ${requestId} FROM put ORDER BY put.id`;

async function readAccounts(db: Kysely<Tables>, samples: readonly Sample[], lock: boolean): Promise<Known['accounts']> {
  const { rows } = await sql<{ userOid: string; siteId: string | null }>`
    SELECT "userOid", "siteId" FROM user_speed WHERE "userOid" = ANY (${named(samples, 'userOid')}::text[])
     ORDER BY "userOid" ${lock ? sql`FOR NO KEY UPDATE` : sql``}`.execute(db);
  return new Map(rows.map((it) => [it.userOid, it]));
}

async function readWorkers(db: Kysely<Tables>, samples: readonly Sample[], lock: boolean): Promise<Known['workers']> {
  const { rows } = await sql<{ workerId: string; userOid: string | null; siteId: string | null }>`
    SELECT "workerId", "userOid", "siteId" FROM user_worker WHERE "workerId" = ANY (${named(samples, 'workerId')}::text[])
     ORDER BY "workerId" ${lock ? sql`FOR NO KEY UPDATE` : sql``}`.execute(db);
  return new Map(rows.map((it) => [it.workerId, it]));
}

/** What the accounts of these samples do now: the machines seen lately, and what those reported last. Rule: hash-rate#last-seen. */
async function countWorkers(db: Kysely<Tables>, samples: readonly Sample[]): Promise<void> {
  await sql`
    UPDATE user_speed AS account
       SET "workerCount" = now.workers, "workersOnline" = now.online, "currentRate" = now.rate, "lastSeenTime" = now.seen
      FROM (SELECT "userOid", count(*)::int AS workers, max("lastSeenTime") AS seen,
                   (count(*) FILTER (WHERE ${isOnline(sql`"lastSeenTime"`)}))::int AS online,
                   coalesce(sum("currentRate") FILTER (WHERE ${isOnline(sql`"lastSeenTime"`)}), 0) AS rate
              FROM user_worker WHERE "userOid" = ANY (${named(samples, 'userOid')}::text[]) GROUP BY 1) AS now
     WHERE account."userOid" = now."userOid"`.execute(db);
}
