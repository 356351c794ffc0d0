import { vi } from 'vitest';
import { delay } from '#app/testing/delays.ts';

let page = {};

/**
 * Stands where the network would be. What is answered once the test is over comes to nobody, as with a page that was closed:
 * what that page would go on to ask would be asked of the next test's server.
 */
export function stubNetwork(answer: (address: string, init: RequestInit) => Promise<Response>): void {
  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    const asking = page;
    const [given] = await Promise.allSettled([answer(address, init)]);
    await delay();
    if (asking !== page) return new Promise(() => undefined);
    if (given.status === 'rejected') throw given.reason;
    init.signal?.throwIfAborted();
    return given.value;
  });
}

export function closeNetwork(): void {
  page = {};
}
