import { format } from 'node:util';
import { afterEach, beforeEach, expect } from 'vitest';

/**
 * What a test says on the console without expecting it is a fault. One that expects it replaces the method itself:
 * `vi.spyOn(console, 'error').mockImplementation(() => undefined)`.
 */
const { unexpected } = ((globalThis as { watchedConsole?: { unexpected: string[] } }).watchedConsole ??=
  watchConsole());

/** Once for all files of a worker. */
function watchConsole(): { unexpected: string[] } {
  const unexpected: string[] = [];
  for (const method of ['error', 'warn'] as const) {
    const say = console[method].bind(console);
    console[method] = (...args: unknown[]) => {
      unexpected.push(`console.${method}: ${format(...args)}`);
      say(...args);
    };
  }
  return { unexpected };
}

beforeEach(() => void (unexpected.length = 0));

afterEach(() => {
  expect(unexpected.splice(0), 'nothing unexpected on the console').toEqual([]);
});
