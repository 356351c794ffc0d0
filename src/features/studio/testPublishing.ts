import type { Publishing } from './usePublishing.ts';

/** How a publish stands, for tests: while it writes, unless they say otherwise. */
export const publishingOf = (more: Partial<Publishing> = {}): Publishing => ({
  ...{ jobId: 3, state: 'running', progress: 1, total: 3, userId: 'anna', userName: 'Anna', version: 1 },
  ...{ id: null, leftOut: [], msg: '', found: [] },
  ...more,
});
