import { format } from 'node:util';
import { afterEach, beforeEach, expect, vi } from 'vitest';

/**
 * What a test says on the console without expecting it is a fault. One that expects it replaces the method itself:
 * `vi.spyOn(console, 'error').mockImplementation(() => undefined)`.
 */
const unexpected: string[] = [];

for (const method of ['error', 'warn'] as const) {
  const say = console[method].bind(console);
  console[method] = (...args: unknown[]) => {
    unexpected.push(`console.${method}: ${format(...args)}`);
    say(...args);
  };
}

beforeEach(() => void (unexpected.length = 0));

afterEach(() => {
  expect(unexpected.splice(0), 'nothing unexpected on the console').toEqual([]);
});

if ('document' in globalThis) {
  const { cleanup } = await import('@testing-library/react');
  afterEach(cleanup);
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
