import { CallError } from '#app/send.ts';
import { refusalKinds, type RefusalKind } from '#app/parts/scan/refusalKinds.ts';

/** How a call that failed is told: by the key of its refusal; where the server named none, by what the transport says. */
export function classifyError(error: unknown): RefusalKind {
  if (!(error instanceof CallError)) return error instanceof DOMException ? 'kept' : 'refused';
  const { key, network, status } = error;
  // A newer server may have keys that this page does not know.
  const named: RefusalKind | undefined = key && refusalKinds[key];
  return named ?? (network || status >= 500 || [401, 409, 429].includes(status) ? 'kept' : 'refused');
}

/**
 * Nobody knows what the server thinks of it: no network, a server that is going down or coming up, a session that
 * ended, the first try still running, too many at once. To be asked again; everything else is an answer.
 */
export const isWithoutVerdict = (error: unknown): boolean => classifyError(error) === 'kept';

/** The server is not well: it was not reached, or what it answered is no verdict of its own. */
export const isServerDown = (error: unknown): boolean =>
  error instanceof CallError ? error.network || error.status >= 500 : error instanceof DOMException;

/** No answer of the server came: it may have done what it was asked. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof CallError ? error.network : error instanceof DOMException;

/** Whether there was no connection to the server: not that it took too long, was not well, or refused. */
export const isUnreached = (error: unknown): boolean => error instanceof CallError && error.unreached;
