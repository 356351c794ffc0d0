import type pg from 'pg';
import { DatabaseClient } from '#server/db/client.ts';
import { readMigration } from '#server/db/migrate.ts';

/** What others can't do with a table meanwhile, the strongest last. */
const LOCKS = {
  'ROW EXCLUSIVE': 'rows that it changes wait',
  'SHARE UPDATE EXCLUSIVE': 'nobody waits',
  SHARE: 'whoever writes waits',
  'SHARE ROW EXCLUSIVE': 'whoever writes waits',
  'ACCESS EXCLUSIVE': 'everybody waits',
} as const;
type Mode = keyof typeof LOCKS;
const strength = (mode: Mode): number => Object.keys(LOCKS).indexOf(mode);

const NAME = String.raw`(?:if\s+exists\s+)?(?:only\s+)?("[^"]+"|[a-z_]\w*)`;
const INDEX = String.raw`\bcreate\s+(?:unique\s+)?index\s+(?!concurrently\b)[^;]*?\bon\s+`;
const INDEX_BESIDE = String.raw`\bcreate\s+(?:unique\s+)?index\s+concurrently\s[^;]*?\bon\s+`;
const TAKES: readonly [RegExp, Mode][] = [
  [new RegExp(String.raw`\balter\s+table\s+${NAME}\s+validate\b`, 'gi'), 'SHARE UPDATE EXCLUSIVE'],
  [new RegExp(String.raw`\balter\s+table\s+${NAME}(?!\s+validate\b)`, 'gi'), 'ACCESS EXCLUSIVE'],
  [new RegExp(String.raw`\b(?:drop\s+table|truncate)\s+${NAME}`, 'gi'), 'ACCESS EXCLUSIVE'],
  [new RegExp(String.raw`\bdrop\s+trigger\s[^;]*?\bon\s+${NAME}`, 'gi'), 'ACCESS EXCLUSIVE'],
  [new RegExp(String.raw`\breferences\s+${NAME}`, 'gi'), 'SHARE ROW EXCLUSIVE'],
  [new RegExp(String.raw`\bcreate\s+trigger\s[^;]*?\son\s+${NAME}\s+for\b`, 'gi'), 'SHARE ROW EXCLUSIVE'],
  [new RegExp(`${INDEX}${NAME}`, 'gi'), 'SHARE'],
  [new RegExp(`${INDEX_BESIDE}${NAME}`, 'gi'), 'SHARE UPDATE EXCLUSIVE'],
  [new RegExp(String.raw`\b(?:(?<!or\s)update|insert\s+into|delete\s+from)\s+${NAME}`, 'gi'), 'ROW EXCLUSIVE'],
];
const DROPPED_INDEX = /^DROP INDEX (CONCURRENTLY )?"([^"]+)"/;

/**
 * Which tables a plan locks, each with its strongest lock, about how many rows it has and what others wait for, a line each,
 * the largest first. Tables that are not there yet nobody waits for. Only reads.
 * @param plan as `planDatabase` gives it
 */
export async function readLocks(url: string, plan: readonly string[]): Promise<string[]> {
  const client = new DatabaseClient({ connectionString: url, application_name: 'reflow plan' });
  await client.connect();
  try {
    return locksOf(plan, await readTables(client));
  } finally {
    await client.end();
  }
}

interface Table {
  name: string;
  /** An estimate. */
  rows: number;
  indexes: string[];
}

async function readTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `SELECT c.relname AS name, greatest(c.reltuples, s.n_live_tup, 0)::int AS rows,
            array(SELECT i.indexrelid::regclass::text FROM pg_index AS i WHERE i.indrelid = c.oid) AS indexes
       FROM pg_class AS c LEFT JOIN pg_stat_user_tables AS s ON s.relid = c.oid
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' ORDER BY rows DESC, name`,
  );
  return rows;
}

function locksOf(plan: readonly string[], tables: readonly Table[]): string[] {
  const taken = new Map<string, Mode>();
  const take = (table: string, mode: Mode) => {
    const before = taken.get(table);
    if (before === undefined || strength(mode) > strength(before)) taken.set(table, mode);
  };
  for (const it of plan) {
    const [, migration] = /^-- migration (.+)$/.exec(it) ?? [];
    const text = (migration ? readMigration(migration) : it).replaceAll(/--.*$/gm, '');
    for (const [pattern, mode] of TAKES) for (const [, name = ''] of text.matchAll(pattern)) take(plain(name), mode);
    const [, beside, index] = DROPPED_INDEX.exec(text) ?? [];
    const owner = index && tables.find(({ indexes }) => indexes.some((one) => plain(one) === index));
    if (owner) take(owner.name, beside ? 'SHARE UPDATE EXCLUSIVE' : 'ACCESS EXCLUSIVE');
    // What it changes it looks for itself.
    if (migration && /\bexecute\s+format\b/i.test(text)) for (const { name } of tables) take(name, 'ROW EXCLUSIVE');
  }
  // Changes of rows are counted there by a trigger.
  if ([...taken.values()].includes('ROW EXCLUSIVE')) take('table_change', 'ROW EXCLUSIVE');
  return tables.flatMap(({ name, rows }) => {
    const mode = taken.get(name);
    return mode ? [`${name}: about ${rows.toLocaleString('en')} rows, ${mode}: ${LOCKS[mode]}`] : [];
  });
}

const plain = (name: string): string => (name.startsWith('"') ? name.slice(1, -1) : name.toLowerCase());
