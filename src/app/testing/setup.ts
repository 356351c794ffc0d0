import { afterAll, afterEach, vi } from 'vitest';
import { delaysPassed } from '#app/testing/delays.ts';
import { hastenPage } from '#app/testing/hastenPage.ts';
import { forgetGlobalStyles } from '#app/testing/styles.ts';
import { closeNetwork } from '#app/testing/network.ts';
import { openTestDay } from '#app/testing/testDay.ts';
import { watchWindow } from '#app/testing/watchWindow.ts';
import { turns } from '#tests/support/turns.ts';

/** What a test that draws pages stands on, in jsdom: one window for all files of a worker; each leaves it as it found it. */
if ('document' in globalThis) {
  const { cleanup, configure } = await import('@testing-library/react');
  // What a test waits for comes when a busy machine gets to it.
  configure({ asyncUtilTimeout: 60_000, defaultHidden: false });
  if (Number(process.env['DEBUG_PRINT_LIMIT']) === 0) configure({ getElementError: plainError });
  // A failure that a test makes is told at once; how reads are repeated has tests of its own.
  (await import('#app/configuration.ts')).configuration.readRetries = 0;
  const worker = globalThis as { testWindow?: Promise<unknown> };
  await (worker.testWindow ??= prepareWindow());
  const putBack = watchWindow();
  openTestDay();
  const stopFrames = watchFrames();
  const stopTimers = watchTimers();
  afterEach(async () => {
    cleanup();
    closeNetwork();
    await turns();
  });
  // Before that, also where a test went wrong in between.
  afterEach(() => void vi.useRealTimers());
  // What a page that was closed still had on its way comes to its end, while it has a window; what it put off is dropped.
  afterAll(async () => {
    // What is saved a moment later is saved now, as of a window that is closed.
    dispatchEvent(new Event('pagehide'));
    await turns(100);
    await delaysPassed();
    stopFrames();
    stopTimers();
    await turns(100);
    vi.unstubAllGlobals();
    vi.unstubAllEnvs();
    putBack();
    Reflect.deleteProperty(globalThis, 'indexedDB');
    (await import('#app/session.ts')).closeSession();
    (await import('#app/notify.ts')).notices.closeAll();
    localStorage.clear();
    sessionStorage.clear();
    history.replaceState(null, '', '/');
    document.body.replaceChildren();
    forgetGlobalStyles();
    await vi.dynamicImportSettled();
    // What a module of ours keeps is nobody else's; packages stay, which take long to load.
    vi.resetModules();
  });
}

/** By itself the library prints the whole page and then shows none of it, at each look for what is not there yet. */
function plainError(message: string | null): Error {
  return Object.assign(new Error(message ?? ''), { name: 'TestingLibraryElementError' });
}

/** Once for all files of a worker. */
async function prepareWindow(): Promise<void> {
  // Whoever asked for less motion sees a menu go at once. (Transitions switched off as such leave a closed dialog's
  // page hidden from assistive technology: MUI waits for the end of a transition that never began.)
  const matchMedia = (media: string) =>
    Object.assign(new EventTarget(), { media, matches: media.includes('prefers-reduced-motion') });
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
  Object.assign(globalThis, { matchMedia, XMLHttpRequest: XhrByFetch, ResizeObserver });
  Object.assign(URL, url);
  await saveOwnerStacks();
  hastenPage();
}

/** Keeps the timers that have not run yet, so that none of them runs when the window is gone. */
function watchTimers(): () => void {
  const waiting = new Set<NodeJS.Timeout>();
  const watched = <T extends typeof setTimeout | typeof setInterval>(start: T): T =>
    new Proxy(start, {
      apply: (target, self, [run, ...rest]: [(...args: unknown[]) => void, ...unknown[]]) => {
        const isOnce = start === realTimeout;
        const runs = (...args: unknown[]) => {
          if (isOnce) waiting.delete(timer);
          run(...args);
        };
        const timer = Reflect.apply(target, self, [runs, ...rest]) as NodeJS.Timeout;
        waiting.add(timer);
        return timer;
      },
    });
  const { setTimeout: realTimeout, setInterval: realInterval } = globalThis;
  Object.assign(globalThis, { setTimeout: watched(realTimeout), setInterval: watched(realInterval) });
  return () => {
    for (const timer of waiting) clearTimeout(timer);
  };
}

/** What is returned cancels the frames that are still asked for: jsdom would draw none any more once their timer is gone. */
function watchFrames(): () => void {
  const { requestAnimationFrame: request } = globalThis;
  const asked: number[] = [];
  globalThis.requestAnimationFrame = (draw) => {
    const frame = request(draw);
    asked.push(frame);
    return frame;
  };
  return () => {
    for (const frame of asked) cancelAnimationFrame(frame);
  };
}

/** React notes with each of the first ten thousand elements of a second where it was made: a sixth of a page's time. */
async function saveOwnerStacks(): Promise<void> {
  const name = '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE';
  const { [name]: internals } = (await import('react')) as unknown as { [name]?: object };
  if (internals)
    Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => 10_000, set: () => undefined });
}
