import type { DataProvider } from 'ra-core';
import simpleRestProvider from 'ra-data-simple-rest';
import { sendTo } from '#app/send.ts';

/** What the client asks for by itself while it runs: it does not prolong the session, and a failure is no news. */
const followed: ReadonlySet<string> = new Set(['jobs']);

/**
 * The house's own resources under `/rest`, by react-admin's simple REST provider; in its place of a fetch stands our
 * `send`, which knows the session and the envelope. Rule: wire#rest.
 */
export const restProvider: DataProvider = simpleRestProvider(
  '/rest',
  async (url, { method = 'GET', body, signal } = {}) => {
    const { pathname, searchParams } = new URL(url, window.location.origin);
    const isFollowed = method === 'GET' && followed.has(pathname.split('/')[2] ?? '');
    const data = await sendTo<object>(
      { method: method as 'GET', path: pathname as `/${string}`, writes: method !== 'GET' },
      body ? (JSON.parse(body as string) as Record<string, unknown>) : Object.fromEntries(searchParams),
      { signal: signal ?? undefined, background: isFollowed, quiet: isFollowed },
    );
    const isList = (it: object): it is { items: object[]; total: number } => 'items' in it && 'total' in it;
    const headers = new Headers(isList(data) ? { 'content-range': `items */${data.total}` } : {});
    return { status: 200, headers, body: '', json: isList(data) ? data.items : data };
  },
);
