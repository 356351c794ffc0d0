import type { Page } from '@playwright/test';
import { watchDefinitions } from '#domain/definitionVersion.ts';

/** What scripts this page loads from now on, as they travel; who is offered as a demo user is in no workshop. */
export function countScripts(page: Page): { kb(): Promise<number> } {
  const sizes: Promise<number>[] = [];
  page.on('requestfinished', (request) => {
    if (request.resourceType() === 'script' && !request.url().includes('/DemoUsers-'))
      sizes.push(request.sizes().then((it) => it.responseBodySize));
  });
  return {
    kb: async () => Math.round((await Promise.all(sizes)).reduce((sum, it) => sum + it, 0) / 100) / 10,
  };
}

/** Scripts are weighed as gzip, which every browser takes; brotli would be less. */
export const asGzip = { extraHTTPHeaders: { 'accept-encoding': 'gzip' } };

/** The page asks for no stream: with one, which lasts as long as the page, its network is never idle. */
export const withoutStreams = (page: Page): Promise<unknown> =>
  page.route(`**${watchDefinitions.path}*`, (it) => it.abort());
