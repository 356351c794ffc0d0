// @vitest-environment jsdom
import '#app/testing/indexedDb.ts';
import { beforeEach, expect, it, vi } from 'vitest';
import { registerServiceWorker } from '#app/worker/registration.ts';
import { TAKE_OVER } from '#app/worker/worker.ts';

const waiting = { postMessage: vi.fn() };
const register = vi.fn(() => Promise.resolve({ waiting, update: () => Promise.resolve() }));

function inContext(isSecure: boolean): void {
  vi.stubGlobal('isSecureContext', isSecure);
  vi.stubGlobal('navigator', { serviceWorker: { register } });
}
beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

it('registers nothing where the connection is not secure', async () => {
  inContext(false);
  await registerServiceWorker();
  expect(register).not.toHaveBeenCalled();
});

it('lets a new version in as soon as no scan waits in this browser, and not before', async () => {
  inContext(true);
  let isWaiting = true;
  await registerServiceWorker(() => Promise.resolve(isWaiting));
  await vi.advanceTimersByTimeAsync(120_000);
  expect(waiting.postMessage).not.toHaveBeenCalled();
  isWaiting = false;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(waiting.postMessage).toHaveBeenCalledExactlyOnceWith(TAKE_OVER);
});
