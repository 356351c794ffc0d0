import type { RefusalKey } from '#domain/refusal.ts';

/** What came of one row. */
export interface Verdict {
  id: number;
  /** As the list's first column names it. */
  name: string;
  /** The version that was judged; a run takes only those that its dry run has shown. */
  version: number | null;
  /** What a money bill comes to, in its currency; of nothing else. */
  amount: { value: string; currency: string | null } | null;
  done: boolean;
  /** It has already what it was to get: nothing is written, and no run takes it. */
  unchanged?: true;
  code: string;
  /** Of a refused row, which no it is. */
  key?: RefusalKey;
  msg: string;
  /** What it does besides, or would do, in words: the other price that it ends. */
  notes?: string[];
  /** Stands for what was told of what it does; goes with the run, which takes no row that does something else by then. */
  foreseen?: string;
}

/** What came of one action on many rows, or would come of it. Rule: lists#bulk. */
export interface BulkAnswer {
  dryRun: boolean;
  total: number;
  doneCount: number;
  unchangedCount: number;
  refusedCount: number;
  results: Verdict[];
}
