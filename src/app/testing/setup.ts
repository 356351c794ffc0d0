import { afterAll, afterEach, vi } from 'vitest';
import { withhold } from '#app/testing/styles.ts';

/** What a test that draws pages stands on, in jsdom. */
if ('document' in globalThis) {
  const { cleanup } = await import('@testing-library/react');
  afterEach(cleanup);
  // A station whose page was closed still writes down the verdict that it waited for, and needs its window for that.
  afterAll(() => new Promise((done) => setTimeout(done, 50)));
  // Whoever asked for less motion sees a menu go at once. (Transitions switched off as such leave a closed dialog's
  // page hidden from assistive technology: MUI waits for the end of a transition that never began.)
  Object.assign(globalThis, {
    matchMedia: (media: string) =>
      Object.assign(new EventTarget(), { media, matches: media.includes('prefers-reduced-motion') }),
  });
  // The parts' rules of style would be matched anew for each element that is looked for: a third of a page test's time.
  const insert = document.head.insertBefore.bind(document.head);
  document.head.insertBefore = <T extends Node>(node: T, before: Node | null): T =>
    withhold(node) ? node : insert(node, before);
  // What jsdom lacks, or has for a real network only.
  const { XhrByFetch } = await import('#tests/support/xhr.ts');
  vi.stubGlobal('XMLHttpRequest', XhrByFetch);
  // Nothing has a size there, so none ever changes. Kept by tests that take back their own globals.
  const noop = () => undefined;
  class ResizeObserver {
    observe = noop;
    unobserve = noop;
    disconnect = noop;
  }
  Object.assign(globalThis, { ResizeObserver });
  let previews = 0;
  URL.createObjectURL = () => `blob:preview-${(previews += 1)}`;
  URL.revokeObjectURL = () => undefined;
}
