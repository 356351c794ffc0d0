const FIRST = 1000;
const LONGEST = 30_000;

/** What has failed so often is tried again after so long: twice as long each time, up to half a minute. */
export const pauseAfter = (failures: number): number => Math.min(LONGEST, FIRST * 2 ** failures);

/** Ends after this time, or when it is aborted. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) return done();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      done();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}
