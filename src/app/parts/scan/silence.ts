/** Who has heard nothing of a scan for so long is told that it is kept, whatever becomes of its verdict. */
const LONGEST = 2000;

export interface Silence {
  /** The scan is on disk; its verdict is still to come. */
  expect: (key: string) => void;
  /** The server answered: to this scan, or to something else. */
  answered: (key?: string) => void;
  /** Nothing was answered, and nobody knows when something will be. */
  begin: () => void;
  stop: () => void;
}

/**
 * Tells of scans whose verdict does not come. What has waited for two seconds is told; once the server is known to be
 * silent the newest is told, and from then on each at once, until there is an answer again.
 */
export function createSilence(tell: (key: string) => void): Silence {
  let isSilent = false;
  const waiting = new Map<string, ReturnType<typeof setTimeout>>();
  const forget = (key: string) => {
    clearTimeout(waiting.get(key));
    waiting.delete(key);
  };
  const stop = () => [...waiting.keys()].forEach(forget);
  return {
    expect(key) {
      if (isSilent) return tell(key);
      const late = () => {
        waiting.delete(key);
        tell(key);
      };
      waiting.set(key, setTimeout(late, LONGEST));
    },
    answered(key) {
      isSilent = false;
      if (key !== undefined) forget(key);
    },
    begin() {
      const newest = [...waiting.keys()].at(-1);
      stop();
      isSilent = true;
      if (newest !== undefined) tell(newest);
    },
    stop,
  };
}
