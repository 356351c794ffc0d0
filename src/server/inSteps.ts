import { setImmediate } from 'node:timers/promises';
import type { Steps } from '#domain/steps.ts';

/** Others wait no longer for their answers than this and one step. */
const TURN_MS = 20;

/** Does a work step by step, and lets whoever waits be answered meanwhile. */
export async function inSteps<T>(steps: Steps<T>): Promise<T> {
  for (let since = performance.now(); ;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() - since < TURN_MS) continue;
    await setImmediate();
    since = performance.now();
  }
}
