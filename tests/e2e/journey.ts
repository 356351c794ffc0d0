import { test as base, type Browser, type BrowserContext } from '@playwright/test';
import { startServer, type Data, type Server } from './server.ts';

export { expect } from '@playwright/test';

interface JourneyOptions {
  /**
   * A browser profile that nobody used before and nobody uses after: for a test that asks for another one
   * (`test.use({ serviceWorkers: 'allow' })`), stops the clock, or looks at what a first visit loads.
   */
  ownProfile: boolean;
  /** One more profile that is as good as new: another person's, at a browser of their own. */
  openProfile: () => Promise<BrowserContext>;
}
interface WorkerOptions {
  data: Data;
  server: Server;
  /** Profiles that wait for their next user. */
  profiles: BrowserContext[];
}

/**
 * A journey has a server that it shares with nobody but the other journeys of its worker, one after the other. It finds
 * what the demo holds, and leaves what it did there: what it needs itself it makes. Profiles are used again, each time
 * as good as new but for the browser's own cache: a page whose scripts are compiled already loads in a third of the time.
 */
export const test = base.extend<JourneyOptions, WorkerOptions>({
  data: ['journeys', { option: true, scope: 'worker' }],
  server: [
    async ({ data }, use, { workerIndex }) => {
      const server = await startServer(data, `worker-${workerIndex}`);
      await use(server);
      await server.stop();
    },
    { scope: 'worker', timeout: 600_000 },
  ],
  profiles: [({}, use) => use([]), { scope: 'worker' }],
  ownProfile: [false, { option: true }],
  baseURL: ({ server }, use) => use(server.url),
  openProfile: async ({ browser, profiles, ownProfile, server }, use, info) => {
    const taken: BrowserContext[] = [];
    await use(async () => {
      const profile = (!ownProfile && profiles.pop()) || (await newProfile(browser));
      taken.push(profile);
      return profile;
    });
    const isSound = info.status === info.expectedStatus;
    // The first one first again: what it has in its cache is what most journeys need.
    for (const it of taken.toReversed()) {
      if (ownProfile || !isSound) await it.close();
      else profiles.push(await clean(it, server.url));
    }
  },
  context: async ({ openProfile }, use) => use(await openProfile()),
  page: async ({ context }, use) => use(context.pages()[0] ?? (await context.newPage())),
});

async function newProfile(browser: Browser): Promise<BrowserContext> {
  return browser.newContext();
}

/** Drops all that a profile holds but the browser's cache of what it has loaded, and leaves one empty page. */
async function clean(profile: BrowserContext, origin: string): Promise<BrowserContext> {
  for (const it of profile.pages()) await it.close();
  await profile.unrouteAll({ behavior: 'ignoreErrors' });
  await profile.setOffline(false);
  await profile.clearPermissions();
  await profile.clearCookies();
  const session = await profile.newCDPSession(await profile.newPage());
  const storageTypes = 'local_storage,indexeddb,cache_storage,service_workers,file_systems';
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes });
  await session.detach();
  return profile;
}
