import { expect } from 'vitest';

/** Set by `npm run chaos -- delays`: answers and what is written come some moments later than asked, by this seed. */
const SEED = Number(process.env['DELAYS'] ?? 0);
const LONGEST_MS = 40;
const PRIME = 2 ** 31 - 1;
const { setTimeout: realTimeout } = globalThis;
const underway = new Set<Promise<void>>();
let state = 0;

/** A moment of chance, as on a busy machine; none by itself. */
export async function delay(): Promise<void> {
  if (!SEED) return;
  // A file has the same moments whether it runs alone or with others, and wherever the clone lies.
  if (state === 0)
    for (const it of `${SEED}${expect.getState().testPath?.split('/src/').at(-1)}`)
      state = (state * 31 + it.charCodeAt(0)) % PRIME;
  state = (state * 48_271) % PRIME;
  const ms = (state / PRIME) * LONGEST_MS;
  const passed = new Promise<void>((done) => realTimeout(done, ms));
  underway.add(passed);
  await passed;
  underway.delete(passed);
}

/** Nothing is delayed any more. */
export async function delaysPassed(): Promise<void> {
  while (underway.size > 0) await Promise.all(underway);
}

/** What is written to IndexedDB is said to be so some moments later. */
export function delayWrites(): void {
  if (!SEED) return;
  const { prototype } = IDBTransaction;
  const { dispatchEvent } = Object.getPrototypeOf(prototype) as IDBTransaction;
  prototype.dispatchEvent = function dispatchLate(event) {
    if (event.type !== 'complete') return dispatchEvent.call(this, event);
    void delay().then(() => dispatchEvent.call(this, event));
    return true;
  };
}
