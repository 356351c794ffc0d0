import type { Page, Request } from '@playwright/test';
import { watchDefinitions } from '#domain/definitionVersion.ts';

/** The streams that the page reads now; a browser has six connections to one address for all of its windows. */
export function watchStreams(page: Page): () => string[] {
  const open = new Set<Request>();
  const isStream = (path: string) => path === watchDefinitions.path || /^\/rest\/stations\/\w+\/scans$/.test(path);
  page.on('request', (it) => {
    if (it.method() === 'GET' && isStream(new URL(it.url()).pathname)) open.add(it);
  });
  page.on('requestfinished', (it) => void open.delete(it));
  page.on('requestfailed', (it) => void open.delete(it));
  return () => [...open].map((it) => new URL(it.url()).pathname);
}
