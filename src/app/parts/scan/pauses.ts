const FIRST = 1000;
const LONGEST = 30_000;

/** What has failed so often is tried again after so long: twice as long each time, up to half a minute. */
export const pauseAfter = (failures: number): number => Math.min(LONGEST, FIRST * 2 ** failures);
