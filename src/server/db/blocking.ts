import { isOutOfTransaction } from '#server/db/backfill.ts';
import { namesMadeBy } from '#server/db/namesMade.ts';

/** What else a migration or a statement of a plan is judged by. */
interface Beside {
  /** What ran before it, each a transaction of its own. */
  before?: readonly string[];
  /** The oldest server that may work beside: what it reads has to stay. Left out, whatever is dropped was computed or is set aside. */
  oldestServer?: number;
}

const NAME = String.raw`(?:if\s+exists\s+)?(?:only\s+)?("[^"]+"|[a-z_]\w*)`;
const of = (pattern: string) => new RegExp(pattern, 'gi');
const ALTERED = of(String.raw`\balter\s+table\s+${NAME}([^;]*)`);
/** Tables of a few rows, which nobody writes at a station. */
const SMALL = /^(?:admin_role|role_right|schema_version|migration|(?:definition|sys)_\w+)$/;
/** A default that is the same for every row is not written into the rows. */
const CONSTANT = /^(?:'(?:[^']|'')*'(?:::\w+)?|-?[\d.]+|true|false|null|now\(\)|current_timestamp)(?=[\s,)]|$)/i;

const WHOLE: readonly [RegExp, string][] = [
  [
    of(String.raw`\bcreate\s+(?:unique\s+)?index\s+(?!concurrently\b)[^;]*?\bon\s+${NAME}`),
    'builds an index while writers wait: build it CONCURRENTLY, by itself (.beside.sql)',
  ],
  [
    of(
      String.raw`\b(?:(?<!\bor\s)(?<!\bfor\s)update|delete\s+from)\s+${NAME}\s+(?:as\s+\w+\s+)?(?:set|where|using|;|$)(?![^;]*\bbetween \$1 and \$2)`,
    ),
    'writes the rows of a table at once: a backfill does it in batches (.beside.sql)',
  ],
  [
    of(String.raw`(?<!\bor\s)\b(?:truncate|cluster|reindex\s+\w+|vacuum|lock)\s+(?:table\s+)?${NAME}`),
    'locks a table for long',
  ],
  [of(String.raw`\balter\s+type\s+${NAME}`), 'changes a type'],
  [of(String.raw`\b(execute)\s+(?:format\b|'|\$|\w+\s*;)`), 'runs what can only be known when it runs'],
];
const ALTERING: readonly [RegExp, string][] = [
  [
    /\badd\s+(?:constraint\s+\S+\s+)?(?:check|foreign\s+key)\b(?![^;]*\bnot\s+valid\b)/i,
    'adds a constraint that reads all rows: NOT VALID first, and VALIDATE in another migration',
  ],
  [
    /\badd\s+(?:constraint\s+\S+\s+)?(?:unique|primary\s+key)\b(?![^;]*\busing\s+index\b)/i,
    'adds a key that builds its index: build that CONCURRENTLY, and add the key USING INDEX',
  ],
  [
    /\balter\s+(?:column\s+)?\S+\s+(?:set\s+data\s+)?type\b/i,
    'changes the type of a column, which writes all rows: add a column, fill it, drop the other a version later',
  ],
  [
    /\badd\s+(?:column\s+)?(?:if\s+not\s+exists\s+)?"?\w+"?\s[^;]*\b(?:stored\b|\bas\s+identity\b|\b(?:big)?serial\b)/i,
    'adds a column that is written into all rows',
  ],
  [
    /\badd\s+column\b[^;,]*\s(?:references|check|unique|primary\s+key)\b/i,
    'adds a column with a constraint: add that NOT VALID',
  ],
  [
    /\badd\s+column\b(?![^;,]*\bdefault\b)[^;,]*(?<!\bis\s)\bnot\s+null\b/i,
    'adds a column NOT NULL without a constant default',
  ],
  [/\bset\s+(?:logged|unlogged|tablespace)\b/i, 'writes the table anew'],
];
const DROPPING =
  /\bdrop\s+column\b|\bdrop\s+(?!column|constraint|default|not|expression|identity|trigger)["\w]|\brename\b/i;
const CONTRACT = /^-- Contract: no server from (\d+) on reads it\.?$/im;

/**
 * What of a migration, or of a statement of a plan, keeps people from working who use the tables meanwhile, or takes from servers
 * beside what they read; each a sentence. What it makes itself nobody waits for. Rule: operating#beside.
 */
export function blockingIn(name: string, sql: string, { before = [], oldestServer }: Beside = {}): string[] {
  const text = sql.replaceAll(/--.*$/gm, '');
  if (isOutOfTransaction(name))
    return isOneStatement(text) ? [] : [`${name}: goes beside, and is more than one statement`];
  const made = new Set(namesMadeBy(sql).flatMap((it) => (it.table === undefined ? [it.name] : [])));
  const found: string[] = [];
  const tell = (table: string, what: string) => found.push(`${name}: ${table} ${what}`);
  const isOthers = (table: string) => !made.has(plain(table)) && !SMALL.test(plain(table));
  for (const [pattern, what] of WHOLE)
    for (const [, table = ''] of text.matchAll(pattern)) if (isOthers(table)) tell(table, what);
  const contract = Number(CONTRACT.exec(sql)?.[1] ?? Infinity);
  const isRead = oldestServer !== undefined && contract > oldestServer;
  for (const [, table = ''] of text.matchAll(of(String.raw`\bdrop\s+(?:table|view)\s+${NAME}`)))
    if (isRead && !made.has(plain(table))) tell(table, READ);
  for (const [, table = '', body = ''] of text.matchAll(ALTERED)) {
    if (made.has(plain(table))) continue;
    if (isRead && DROPPING.test(body)) tell(table, READ);
    for (const [pattern, what] of ALTERING) if (pattern.test(body)) tell(table, what);
    for (const [, value = ''] of body.matchAll(/\badd\s+(?:column\s+)?[^;]*?\bdefault\s+([^;]*)/gi))
      if (!CONSTANT.test(value)) tell(table, 'adds a column whose default is not constant');
    if (/\bvalidate\b/i.test(body) && /\bnot\s+valid\b/i.test(text)) tell(table, VALIDATES);
    for (const [, column = ''] of body.matchAll(/\balter\s+(?:column\s+)?("[^"]+"|\w+)\s+set\s+not\s+null\b/gi))
      if (!isProven(plain(column), before)) tell(table, `reads all rows for ${column} NOT NULL: ${PROOF}`);
  }
  return found;
}

const READ =
  'is what servers beside still read: stop reading it first, and drop it in the next version, with the comment ' +
  '"Contract: no server from NNNN on reads it" and `oldestServer` as high';
const VALIDATES =
  'validates a constraint in the transaction that adds it, so that everybody waits: validate it in another migration';
const PROOF = 'a CHECK of it, NOT VALID and validated by migrations before, is the proof';

/** A check that every row has it was added and validated before. */
function isProven(column: string, before: readonly string[]): boolean {
  const check = new RegExp(
    String.raw`constraint\s+("[^"]+"|\w+)\s+check\s*\([^;]*"?${column}"?\s+is\s+not\s+null[^;]*not\s+valid`,
    'i',
  );
  return before.some((it, i) => {
    const [, name] = check.exec(it) ?? [];
    const validated = name && new RegExp(String.raw`\bvalidate\s+constraint\s+${name}`, 'i');
    return validated && before.slice(i + 1).some((later) => validated.test(later));
  });
}

const isOneStatement = (text: string): boolean =>
  /^\s*(?:update\s|create\s+(?:unique\s+)?index\s+concurrently\s)[^;]*;?\s*$/i.test(text);
const plain = (name: string): string => (name.startsWith('"') ? name.slice(1, -1) : name.toLowerCase());
