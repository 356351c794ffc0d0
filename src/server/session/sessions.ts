import { createHash, randomBytes } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import { Flag, UserStatus } from '#domain/enums.ts';
import type { CurrentUser } from '#server/context.ts';
import type { Tables } from '#server/db/tables.ts';

interface Opening {
  userId: string;
  began: 'password' | 'ticket';
  ip: string;
  days: number;
  /** However much it is used. */
  maxDays?: number;
}

const MAX_DAYS = 7;

/**
 * Opens a session and gives its token: 256 random bits that only the browser keeps; the table holds their hash, so that
 * whoever reads the database can't act as anybody. Rule: sessions#tokens.
 */
export async function openSession(db: Kysely<Tables>, opening: Opening): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const maxDays = opening.maxDays ?? MAX_DAYS;
  const days = Math.min(opening.days, maxDays);
  await db
    .deleteFrom('session')
    .where('expiresAt', '<', sql<number>`now()`)
    .execute();
  await db
    .insertInto('session')
    .values({
      tokenHash: hashOf(token),
      userId: opening.userId,
      began: opening.began,
      ip: opening.ip,
      expiresAt: sql`now() + make_interval(days => ${days}::int)`,
      endsAt: sql`now() + make_interval(days => ${maxDays}::int)`,
    })
    .execute();
  return token;
}

interface Account {
  userId: string;
  userName: string | null;
  siteId: string | null;
  roleIds: string | null;
  allSites: boolean;
  rights: string[];
}
/** What is read of an account that is switched on, and of its roles: as they stand now. */
const account = sql`
  u."userId", u."userName", u."siteId", u."roleIds",
  u."allSites" = ${sql.lit(Flag.Yes)} OR coalesce(bool_or(r."allSites" = ${sql.lit(Flag.Yes)}), false) AS "allSites",
  coalesce(array_agg(DISTINCT rr."right") FILTER (WHERE rr."right" IS NOT NULL), '{}') AS rights`;
const rolesOfAccount = sql`
  LEFT JOIN admin_role r ON r."roleId" = ANY (string_to_array(u."roleIds", '|'))
  LEFT JOIN role_right rr ON rr."roleId" = r."roleId"`;

interface Found extends Account {
  oneTime: boolean;
  seenLongAgo: boolean;
  msLeft: number;
  began: 'password' | 'ticket';
}

/** Who holds a token, and for how long it lives unless it is used. */
interface ActiveSession {
  currentUser: CurrentUser;
  msLeft: number;
}

/**
 * Who holds this token, with rights and sites as they stand now: null when it is unknown, expired by the database's
 * clock, or its user is switched off. Use prolongs it (written at most once a minute, up to the longest life that a
 * session may have); what a client does by itself, in the background, does not. Somebody who signed in with a one-time
 * password has no right but to change it. Rule: sessions#tokens, sessions#one-time-passwords.
 */
export async function findSession(
  db: Kysely<Tables>,
  token: string | null | undefined,
  { background = false }: { background?: boolean } = {},
): Promise<ActiveSession | null> {
  if (!token || token.length > 100) return null;
  const tokenHash = hashOf(token);
  const { rows } = await sql<Found>`
    SELECT ${account},
      u.password LIKE ${`${ONE_TIME}%`} AND s.began = 'password' AS "oneTime",
      s.began,
      s."lastSeenAt" < now() - interval '1 minute' AS "seenLongAgo",
      extract(epoch FROM s."expiresAt" - now())::float8 * 1000 AS "msLeft"
    FROM session s
    JOIN admin_user u ON u."userId" = s."userId" AND u.status = ${sql.lit(UserStatus.On)}
    ${rolesOfAccount}
    WHERE s."tokenHash" = ${tokenHash} AND s."expiresAt" > now()
    GROUP BY u.id, s."tokenHash"`.execute(db);
  const found = rows[0];
  if (!found) return null;
  const prolonged = found.seenLongAgo && !background ? await prolong(db, tokenHash) : undefined;
  const msLeft = prolonged ?? found.msLeft;
  return { currentUser: toCurrentUser({ ...found, msLeft }), msLeft };
}

/** The same for whoever asks only who it is. */
export const findCurrentUser = async (...asked: Parameters<typeof findSession>): Promise<CurrentUser | null> =>
  (await findSession(...asked))?.currentUser ?? null;

/** An account with its rights and sites as they stand now, whoever is signed in; null when it is gone or switched off. */
export async function findAccount(db: Kysely<Tables>, userId: string): Promise<CurrentUser | null> {
  const { rows } = await sql<Account>`
    SELECT ${account} FROM admin_user u ${rolesOfAccount}
    WHERE u."userId" = ${userId} AND u.status = ${sql.lit(UserStatus.On)}
    GROUP BY u.id`.execute(db);
  return rows[0] ? userOf(rows[0]) : null;
}

/** Whole seconds until the session of this request ends if nothing is done. */
export const secondsLeft = ({ session }: CurrentUser): number =>
  session ? Math.max(0, Math.floor((session.ends - performance.now()) / 1000)) : 0;

/** Marks the hash of a password that must be changed before anything else may be done. */
export const ONE_TIME = 'once:';

export async function closeSession(db: Kysely<Tables>, token: string): Promise<void> {
  await db.deleteFrom('session').where('tokenHash', '=', hashOf(token)).execute();
}

export async function closeAllSessions(db: Kysely<Tables>, userId: string): Promise<void> {
  await db.deleteFrom('session').where('userId', '=', userId).execute();
}

/**
 * To be called in the transaction that changes a user: disabled, other roles, other site, new password.
 * Rule: sessions#ending.
 */
export const afterUserChange = closeAllSessions;

/** To be called in the transaction that changes a role or its rights: whoever has it signs in anew. */
export async function afterRoleChange(db: Kysely<Tables>, roleId: string): Promise<void> {
  await sql`
    DELETE FROM session WHERE "userId" IN (
      SELECT "userId" FROM admin_user WHERE ${roleId} = ANY (string_to_array("roleIds", '|')))`.execute(db);
}

function userOf(found: Account): CurrentUser {
  const siteId = found.siteId ?? '';
  return {
    userId: found.userId,
    userName: found.userName ?? found.userId,
    siteId,
    orgId: siteId,
    sites: found.allSites ? 'all' : [siteId],
    rights: new Set(found.rights),
    roleIds: (found.roleIds ?? '').split('|').filter(Boolean),
  };
}

function toCurrentUser(found: Found): CurrentUser {
  return {
    ...userOf(found.oneTime ? { ...found, rights: [] } : found),
    ...(found.oneTime && { mustChangePassword: true as const }),
    session: { began: found.began, ends: performance.now() + found.msLeft },
  };
}

/** Gives the milliseconds that it now lives; nothing where another call has just done it. */
async function prolong(db: Kysely<Tables>, tokenHash: Buffer): Promise<number | undefined> {
  const { rows } = await sql<{ msLeft: number }>`
    UPDATE session SET "expiresAt" = least(now() + ("expiresAt" - "lastSeenAt"), "endsAt"), "lastSeenAt" = now()
    WHERE "tokenHash" = ${tokenHash} AND "lastSeenAt" < now() - interval '1 minute'
    RETURNING extract(epoch FROM "expiresAt" - now())::float8 * 1000 AS "msLeft"`.execute(db);
  return rows[0]?.msLeft;
}

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();
