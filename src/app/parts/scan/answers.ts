import { refusals, type RefusalKey } from '#domain/refusal.ts';
import { CallError } from '#app/send.ts';

const duplicates: readonly RefusalKey[] = ['duplicateSn'];
const strangers: readonly RefusalKey[] = ['notFound', 'notInArchive', 'format', 'mismatch', 'isDevice', 'isBoard'];

const isOneOf = (error: unknown, keys: readonly RefusalKey[]): boolean =>
  error instanceof CallError && keys.some((it) => refusals[it].code === error.code);

/** A thing that this place knows nothing of sounds different from a unit that may not go on. */
export function stateOfError(error: unknown): 'wrong' | 'refused' | 'duplicate' {
  if (isOneOf(error, duplicates)) return 'duplicate';
  return isOneOf(error, strangers) ? 'wrong' : 'refused';
}

/**
 * Nobody knows what the server thinks of it: no network, a server that is going down or coming up, a session that
 * ended, the first try still running, too many at once. To be asked again; everything else is an answer.
 */
export function isWithoutVerdict(error: unknown): boolean {
  return isServerDown(error) || (error instanceof CallError && [401, 409, 429].includes(error.status));
}

/** The server is not well: it was not reached, or what it answered is no verdict of its own. */
export const isServerDown = (error: unknown): boolean =>
  error instanceof CallError ? error.network || error.status >= 500 : error instanceof DOMException;

/** Whether no server was reached at all. */
export const isUnreached = (error: unknown): boolean => error instanceof CallError && error.network;
