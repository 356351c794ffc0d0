import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Kysely } from 'kysely';
import type { CurrentUser } from '#server/context.ts';
import type { Tables } from '#server/db/tables.ts';
import { findSession } from '#server/session/sessions.ts';

/** What a session's holder and rights are read from; a change of any of them ends what is kept. */
export const sessionTables = ['session', 'admin_user', 'admin_role', 'role_right'] as const;

interface CachedSession {
  currentUser: CurrentUser;
  version: string;
  /** By this process's steady clock: its end, or when it is due to be prolonged, whichever comes first. */
  until: number;
}

/** Use prolongs a session once a minute; until then it need not be asked for. */
const CACHED_MS = 60_000;

/**
 * The sessions that were asked for lately. A kept one counts only under the version of the session tables that the
 * request has read itself, so a logout, a switched-off user or a changed role ends it at once, on every server.
 */
export function createSessionCache(db: Kysely<Tables>) {
  const cache = new LRUCache<string, CachedSession>({ max: 10_000 });
  return {
    async findCurrentUser(token: string, version: string, { background = false } = {}): Promise<CurrentUser | null> {
      const key = createHash('sha256').update(token).digest('base64');
      const known = cache.get(key);
      if (known?.version === version && performance.now() < known.until) return known.currentUser;
      const asked = performance.now();
      const found = await findSession(db, token, { background });
      if (!found) {
        cache.delete(key);
        return null;
      }
      // What is kept must not keep the next use from prolonging it.
      if (!background)
        cache.set(key, { currentUser: found.currentUser, version, until: asked + Math.min(CACHED_MS, found.msLeft) });
      return found.currentUser;
    },
  };
}
