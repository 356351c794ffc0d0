/** A relation or a column that a migration makes. */
interface NameMade {
  /** Of a column: its table. */
  table?: string;
  name: string;
  /** Only where there is none yet: one that is there already is gone on with. */
  ifMissing: boolean;
}

const NAME = String.raw`("[^"]+"|[a-z_]\w*)(?![\w."])`;
const IF_MISSING = String.raw`(if\s+not\s+exists\s+)?`;
const RELATION = new RegExp(
  String.raw`\bcreate\s+(?:or\s+replace\s+|unlogged\s+|materialized\s+|unique\s+)*` +
    String.raw`(?:table|view|sequence|type|domain|index(?:\s+concurrently)?)\s+${IF_MISSING}${NAME}`,
  'gi',
);
const RENAMED = new RegExp(String.raw`\balter\s+(?:table|view|index|sequence)\s+[^;]*?\brename\s+to\s+${NAME}`, 'gi');
const ALTERED = new RegExp(String.raw`\balter\s+table\s+(?:if\s+exists\s+)?(?:only\s+)?${NAME}([^;]*)`, 'gi');
const ADDED = new RegExp(
  String.raw`\badd\s+(?!constraint\b|primary\b|unique\b|check\b|foreign\b)(?:column\s+)?${IF_MISSING}${NAME}`,
  'gi',
);
const COLUMN_RENAMED = new RegExp(
  String.raw`\brename\s+(?:column\s+)?(?!to\b|constraint\b)(?:"[^"]+"|\w+)\s+to\s+${NAME}`,
  'gi',
);

/** What a migration would make, by its text: those names have to be free before it runs. */
export function namesMadeBy(sql: string): NameMade[] {
  const text = sql.replace(/--.*$/gm, '');
  const columns = [...text.matchAll(ALTERED)].flatMap(([, table = '', body = '']): NameMade[] => [
    ...[...body.matchAll(ADDED)].map(([, ifMissing, name = '']) => ({
      ...{ table: plain(table), name: plain(name), ifMissing: ifMissing !== undefined },
    })),
    ...[...body.matchAll(COLUMN_RENAMED)].map(([, name = '']) => ({
      ...{ table: plain(table), name: plain(name), ifMissing: false },
    })),
  ]);
  return [
    ...[...text.matchAll(RELATION)].map(([, ifMissing, name = '']) => ({
      ...{ name: plain(name), ifMissing: ifMissing !== undefined },
    })),
    ...[...text.matchAll(RENAMED)].map(([, name = '']) => ({ name: plain(name), ifMissing: false })),
    ...columns,
  ];
}

/** As the database calls it. */
const plain = (name: string): string => (name.startsWith('"') ? name.slice(1, -1) : name.toLowerCase());
