import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Embedded } from '#server/db/embedded.ts';
import { SUPERUSER, urlOf } from '#server/db/embedded/cluster.ts';

/** The address of a database of that PostgreSQL as its superuser, whom the server never is. */
export function superuserUrl({ url, folder }: Embedded, database = 'postgres'): string {
  const password = readFileSync(join(dirname(folder), 'db.password'), 'utf8').trim();
  return urlOf({ user: SUPERUSER, password }, Number(new URL(url).port), database);
}

/** Whose a new database is; where `url` names nobody, the one's who makes it. */
export function ownerClause(url: string): string {
  const { username } = new URL(url);
  return username ? `OWNER "${decodeURIComponent(username)}"` : '';
}
