import type { DataOf } from '#domain/call.ts';
import type { publishDraft } from '#features/studio/contract.ts';

type Publishing = DataOf<typeof publishDraft>;

/** How a publish stands, as a server may tell it: while it writes, unless a test says otherwise. */
export const publishingOf = (more: Partial<Publishing> = {}): Publishing => ({
  ...{
    jobId: 3,
    state: 'running',
    progress: 1,
    total: 3,
    userId: 'anna',
    userName: 'Anna',
    waitsFor: null,
    version: 1,
  },
  ...{ id: null, leftOut: [], msg: '', found: [] },
  ...more,
});
