import { type InvalidateQueryFilters, type Query, QueryClient } from '@tanstack/react-query';
import { configuration } from '#app/configuration.ts';
import { CallError } from '#app/send.ts';

const FIRST_PAUSE_MS = 500;
/** Whoever is told to wait longer than this is told so instead. */
const LONGEST_PAUSE_MS = 10_000;

/**
 * Whether a read that failed may go well the next time: it was not reached or not answered, the server is not well, or
 * was asked too often. Everything else is an answer.
 */
export const isRepeatable = (error: unknown): boolean =>
  error instanceof CallError && (error.network || error.status >= 500 || error.status === 429);

/** The one rule by which reads are repeated: a few times, never where the server gave an answer. Rule: screens#reads. */
export const shouldRetry = (failures: number, error: unknown): boolean =>
  failures < configuration.readRetries && isRepeatable(error) && pauseAfter(failures, error) <= LONGEST_PAUSE_MS;

/** Each pause is twice the one before; where there were too many calls, it is as long as the server says. */
export const pauseAfter = (failures: number, error: unknown): number =>
  error instanceof CallError && error.status === 429 && error.retryAfter !== undefined
    ? error.retryAfter * 1000
    : FIRST_PAUSE_MS * 2 ** failures;

/**
 * For all reads of the client. What the browser thinks of the network stops none of them: the server may stand beside it.
 * What is old or failed is read anew when the network is back.
 */
export const createClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        retry: shouldRetry,
        retryDelay: pauseAfter,
        networkMode: 'always',
        refetchOnReconnect: true,
        refetchOnWindowFocus: false,
      },
    },
  });

/** Of a read whose failure is told where it is asked for. */
export const told = { isTold: true } as const;

/** Of a read that is asked again after a while as it is: it needs no second try, and its failure is no news. */
export const followed = { retry: false, meta: told } as const;

/** A read of what is shown now that failed, and may go well the next time. */
export const isFailedRead = (query: Query): boolean =>
  query.state.status === 'error' &&
  isRepeatable(query.state.error) &&
  query.meta?.['isTold'] !== true &&
  query.isActive();

/** Reads anew what is shown now and could not be read. */
export const readFailedAgain = (client: QueryClient): Promise<void> =>
  client.refetchQueries({ predicate: isFailedRead });

/**
 * Reads anew what a write has changed. A first read that is on its way began before the write, maybe, and would be kept as
 * the newest: it is given up.
 */
export async function readAnew(client: QueryClient, filters: InvalidateQueryFilters = {}): Promise<void> {
  const isFirst = (query: Query) => query.state.data === undefined && (filters.predicate?.(query) ?? true);
  await client.cancelQueries({ ...filters, predicate: isFirst });
  // eslint-disable-next-line no-restricted-syntax -- this is the one way
  await client.invalidateQueries(filters);
}
