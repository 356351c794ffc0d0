import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Kysely } from 'kysely';
import type { Who } from '#server/context.ts';
import type { Tables } from '#server/db/tables.ts';
import { sessionOf } from '#server/session/sessions.ts';

/** What a session's holder and rights are read from; a change of any of them ends what is kept. */
export const sessionTables = ['session', 'admin_user', 'admin_role', 'role_right'] as const;

interface Kept {
  who: Who;
  version: string;
  /** By this process's steady clock: its end, or when it is due to be prolonged, whichever comes first. */
  until: number;
}

/** Use prolongs a session once a minute; until then it need not be asked for. */
const KEEP_MS = 60_000;

/**
 * The sessions that were asked for lately. A kept one counts only under the version of the session tables that the
 * request has read itself, so a logout, a switched-off user or a changed role ends it at once, on every server.
 */
export function keepSessions(db: Kysely<Tables>) {
  const kept = new LRUCache<string, Kept>({ max: 10_000 });
  return {
    async whoOf(token: string, version: string, { background = false } = {}): Promise<Who | null> {
      const key = createHash('sha256').update(token).digest('base64');
      const known = kept.get(key);
      if (known?.version === version && performance.now() < known.until) return known.who;
      const asked = performance.now();
      const found = await sessionOf(db, token, { background });
      if (!found) {
        kept.delete(key);
        return null;
      }
      // What is kept must not keep the next use from prolonging it.
      if (!background) kept.set(key, { who: found.who, version, until: asked + Math.min(KEEP_MS, found.msLeft) });
      return found.who;
    },
  };
}
