import { join } from 'node:path';
import { ROOT } from '#server/root.ts';

/** Databases of versions that landed: for each a backup (`.tar.gz`), and what a backup leaves to the next start (`.json.gz`). */
export const RELEASES = join(ROOT, 'tests/releases');

/** An index, a constraint or a trigger. */
export interface Structure {
  name: string;
  table: string;
  sql: string;
}
