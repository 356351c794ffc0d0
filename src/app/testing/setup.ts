import { afterAll, afterEach } from 'vitest';
import { hastenPage } from '#app/testing/hastenPage.ts';

/** What a test that draws pages stands on, in jsdom. */
if ('document' in globalThis) {
  const { cleanup, configure } = await import('@testing-library/react');
  // Two busy processors make a page slower than any user would meet it.
  configure({ asyncUtilTimeout: 15_000, defaultHidden: false });
  // A failure that a test makes is told at once; how reads are repeated has tests of its own.
  (await import('#app/configuration.ts')).configuration.readRetries = 0;
  afterEach(cleanup);
  // A station whose page was closed still writes down the verdict that it waited for, and needs its window for that.
  afterAll(() => new Promise((done) => setTimeout(done, 50)));
  // Whoever asked for less motion sees a menu go at once. (Transitions switched off as such leave a closed dialog's
  // page hidden from assistive technology: MUI waits for the end of a transition that never began.)
  Object.assign(globalThis, {
    matchMedia: (media: string) =>
      Object.assign(new EventTarget(), { media, matches: media.includes('prefers-reduced-motion') }),
  });
  // What jsdom lacks, or has for a real network only.
  const { XhrByFetch } = await import('#tests/support/xhr.ts');
  // Nothing has a size there, so none ever changes.
  const noop = () => undefined;
  class ResizeObserver {
    observe = noop;
    unobserve = noop;
    disconnect = noop;
  }
  let previews = 0;
  const url = {
    createObjectURL: () => `blob:preview-${(previews += 1)}`,
    revokeObjectURL: noop,
  };
  Object.assign(globalThis, { XMLHttpRequest: XhrByFetch, ResizeObserver });
  Object.assign(URL, url);
  await saveOwnerStacks();
  hastenPage();
}

/** React notes with each of the first ten thousand elements of a second where it was made: a sixth of a page's time. */
async function saveOwnerStacks(): Promise<void> {
  const name = '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE';
  const { [name]: internals } = (await import('react')) as unknown as { [name]?: object };
  if (internals)
    Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => 10_000, set: () => undefined });
}
