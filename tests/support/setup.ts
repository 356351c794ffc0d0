import { format } from 'node:util';
import { afterEach, beforeEach, expect, vi } from 'vitest';

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

const PATIENT = { timeout: 60_000, interval: 20 };
type Wait = <T>(look: () => T, options?: number | { timeout?: number; interval?: number }) => Promise<never>;
type Patient = Wait & { isPatient?: boolean };

/** What a test waits for comes when a busy machine gets to it: by itself vitest waits for one second. */
for (const name of ['waitFor', 'waitUntil'] as const) {
  const wait = vi[name] as Patient;
  if (wait.isPatient) continue;
  const patient: Patient = (look, options) =>
    wait(look, { ...PATIENT, ...(typeof options === 'number' ? { timeout: options } : options) });
  patient.isPatient = true;
  Object.assign(vi, { [name]: patient });
}
