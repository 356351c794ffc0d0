import { createHash, randomBytes } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import { ServiceTokenStatus } from '#domain/enums.ts';
import { Refusal } from '#domain/refusal.ts';
import type { CurrentUser } from '#server/context.ts';
import type { Tables } from '#server/db/tables.ts';

/**
 * What a service shows to be let in, told once and never again: 256 random bits, of which the table holds the hash alone.
 * Rule: sessions#services.
 */
export async function addSecret(db: Kysely<Tables>, tokenId: number): Promise<string> {
  const secret = randomBytes(32).toString('base64url');
  await db
    .insertInto('service_secret')
    .values({ secretHash: hashOf(secret), tokenId })
    .execute();
  return secret;
}

/** What the token's secrets are worth from here on: nothing after so many hours; gives when that is. */
export async function endSecrets(db: Kysely<Tables>, tokenId: number, hours: number): Promise<number> {
  const { rows } = await sql<{ endsAt: number }>`
    WITH ended AS (
      UPDATE service_secret SET "endsAt" = least("endsAt", now() + make_interval(hours => ${hours}::int))
       WHERE "tokenId" = ${tokenId} AND coalesce("endsAt" > now(), true) RETURNING "endsAt")
    SELECT coalesce((SELECT max("endsAt") FROM ended), now()) AS "endsAt"`.execute(db);
  return rows[0]?.endsAt as number;
}

interface Found {
  tokenId: number;
  name: string;
  scope: string;
  siteId: string;
  account: string | null;
  isOver: boolean;
  isRevoked: boolean;
  usedLongAgo: boolean;
}

/**
 * Which service asks, by `Authorization: Bearer …` alone: a session is none. That it was used is written at most once a
 * minute. Rule: sessions#services.
 * @throws Refusal serviceToken, serviceEnded or serviceScope.
 */
export async function findService(
  db: Kysely<Tables>,
  authorization: string | undefined,
  scope: string,
): Promise<CurrentUser> {
  const [, secret = ''] = /^Bearer ([\w-]{43})$/i.exec(authorization ?? '') ?? [];
  if (secret === '') throw new Refusal({ key: 'serviceToken' });
  const { rows } = await sql<Found>`
    SELECT t.id AS "tokenId", t.name, t.scope, t."siteId", t."userOid" AS account,
           t."expireTime" <= now() OR coalesce(s."endsAt" <= now(), false) AS "isOver",
           t.status <> ${ServiceTokenStatus.Valid} AS "isRevoked",
           coalesce(t."lastUsedTime" < now() - interval '1 minute', true) AS "usedLongAgo"
      FROM service_secret AS s JOIN service_token AS t ON t.id = s."tokenId"
     WHERE s."secretHash" = ${hashOf(secret)}`.execute(db);
  const [found] = rows;
  if (!found) throw new Refusal({ key: 'serviceToken' });
  const { name, siteId, account } = found;
  if (found.isOver || found.isRevoked) throw new Refusal({ key: 'serviceEnded', args: { name } });
  if (found.scope !== scope) throw new Refusal({ key: 'serviceScope', args: { name } });
  const tokenId = Number(found.tokenId);
  if (found.usedLongAgo) await noteUse(db, tokenId);
  return {
    userId: `service:${name}`,
    userName: name,
    siteId,
    orgId: siteId,
    sites: [siteId],
    rights: new Set(),
    roleIds: [],
    service: { tokenId, account },
  };
}

/** Whoever holds the row writes it; nobody waits for that. */
async function noteUse(db: Kysely<Tables>, tokenId: number): Promise<void> {
  await sql`
    UPDATE service_token SET "lastUsedTime" = now()
     WHERE id = (SELECT id FROM service_token WHERE id = ${tokenId}
                    AND coalesce("lastUsedTime" < now() - interval '1 minute', true) FOR NO KEY UPDATE SKIP LOCKED)`.execute(
    db,
  );
}

interface Pace {
  aSecond: number;
  /** What may come at once after silence. */
  atOnce: number;
}

/**
 * Takes `amount` of what a service may send: so much a second, and more at once after it was silent. All servers share it.
 * What it may not have yet is refused and not taken. Rule: hash-rate#limits.
 * @throws Refusal tooMany, with the seconds to wait.
 */
export async function takeAllowance(db: Kysely<Tables>, tokenId: number, amount: number, pace: Pace): Promise<void> {
  const { aSecond, atOnce } = pace;
  const left = sql`least(${atOnce}::float8, held.amount + extract(epoch FROM clock_timestamp() - held.at) * ${aSecond}::float8)`;
  const { rows: taken } = await sql`
    INSERT INTO service_allowance AS held ("tokenId", amount, at)
    VALUES (${tokenId}, ${atOnce}::float8 - ${amount}::float8, clock_timestamp())
    ON CONFLICT ("tokenId") DO UPDATE SET amount = ${left} - ${amount}::float8, at = clock_timestamp()
     WHERE ${left} >= ${amount}::float8
    RETURNING 1`.execute(db);
  if (taken.length > 0) return;
  const { rows } = await sql<{ seconds: number }>`
    SELECT ceil((${amount}::float8 - ${left}) / ${aSecond}::float8)::int AS seconds
      FROM service_allowance AS held WHERE "tokenId" = ${tokenId}`.execute(db);
  throw new Refusal({ key: 'tooMany', args: { seconds: Math.max(1, rows[0]?.seconds ?? 1) } });
}

const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();
