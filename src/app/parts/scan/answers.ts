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
  if (!(error instanceof CallError)) return error instanceof DOMException;
  return error.network || error.status >= 500 || [401, 409, 429].includes(error.status);
}

/** Whether no server was reached at all. */
export const isUnreached = (error: unknown): boolean => error instanceof CallError && error.network;
