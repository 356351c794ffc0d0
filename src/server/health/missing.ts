import type { Missing } from '#domain/refusal.ts';

/** What PostgreSQL says, by its SQLSTATE; classes by their first two letters. */
const byState: Readonly<Record<string, Missing>> = {
  '08': 'databaseDown',
  '28': 'databaseDown',
  '3D000': 'databaseDown',
  '25006': 'databaseReadOnly',
  '25P03': 'databaseBusy',
  '25P04': 'databaseBusy',
  '40001': 'databaseBusy',
  '40P01': 'databaseBusy',
  '53000': 'databaseBusy',
  '53100': 'databaseFull',
  '53200': 'databaseMemory',
  '53300': 'connectionsUsed',
  '53400': 'databaseBusy',
  '55P03': 'databaseBusy',
  '57014': 'databaseBusy',
  '57P01': 'databaseDown',
  '57P02': 'databaseDown',
  '57P03': 'databaseDown',
  '57P04': 'databaseDown',
  '57P05': 'databaseDown',
  '58': 'databaseDown',
};

/** What the system says of a connection. Only the database is asked over one without its failure being foreseen. */
const ofConnection = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
const ofFullDisk = new Set(['ENOSPC', 'EDQUOT']);
/** Said of a path that the server itself has chosen. */
const ofFiles = new Set([
  'ENOENT',
  'EACCES',
  'EPERM',
  'EROFS',
  'EIO',
  'EMFILE',
  'ENFILE',
  'ENOTDIR',
  'ESTALE',
  'EBUSY',
]);

/** What pg and its pool say in words alone. */
const byMessage: readonly [RegExp, Missing][] = [
  [/^timeout exceeded when trying to connect$/, 'connectionsUsed'],
  [/^Query read timeout$/, 'databaseBusy'],
  [/^Connection terminated/, 'databaseDown'],
  [/^timeout expired$/, 'databaseDown'],
  [/is not queryable$/, 'databaseDown'],
  [/^Cannot use a pool after calling end/, 'databaseDown'],
  [/^driver has already been destroyed$/, 'databaseDown'],
];

/**
 * What the server was missing when this error happened: its database, connections, space, files. Undefined for
 * everything that may be a fault of the program. The one place that knows these errors.
 */
export function missingOf(error: unknown): Missing | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (typeof code === 'string') {
    if (ofFullDisk.has(code)) return 'diskFull';
    if (ofConnection.has(code)) return 'databaseDown';
    if (ofFiles.has(code)) return syscall ? 'filesUnreachable' : undefined;
    if (/^[0-9A-Z]{5}$/.test(code)) return byState[code] ?? byState[code.slice(0, 2)];
  }
  return byMessage.find(([words]) => words.test(error.message))?.[1];
}
