import { Type } from 'typebox';
import type { RefusalKey } from '#domain/refusal.ts';
import { RowId, SeenVersion } from '#domain/wire.ts';

/** How many rows one run takes. */
export const MAX_ROWS = 10_000;

const open = { additionalProperties: true };
const Ids = Type.Array(RowId, { minItems: 1 });
/** By id, the version of each row that was seen. */
const Versions = Type.Record(Type.String(), SeenVersion, {
  description: "By id, the version of each row as it was seen; another one than today's is refused (100025).",
});

/** What is sent to delete several rows; of what is reviewed the versions must be said. Rule: writing#what-was-seen. */
export const DeleteAllBody = Type.Object({ ids: Ids, versions: Type.Optional(Versions) });

/** What is sent to do one thing to many rows: to those that are named, or to all that match. Rule: lists#bulk. */
export const BulkBody = Type.Object({
  action: Type.String({ description: 'The script of a button that takes many rows: deleteAll, modify, a review.' }),
  ids: Type.Optional(Ids),
  matching: Type.Optional(
    Type.Object(
      {
        query: Type.Optional(Type.Object({}, { ...open, description: 'Search items of the list and their values.' })),
        adminAdvancedSearchGroup: Type.Optional(
          Type.Object({}, { ...open, description: 'As the advanced search takes it.' }),
        ),
        all: Type.Optional(Type.Boolean({ description: 'Said where there is no condition: the whole list is meant.' })),
      },
      { description: 'Instead of ids: the rows that meet these conditions.' },
    ),
  ),
  values: Type.Optional(
    Type.Object(
      {},
      {
        ...open,
        description: 'What is set, or what goes along with the action: fields of the form, a result and a remark.',
      },
    ),
  ),
  versions: Type.Optional(Versions),
  foreseen: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description: 'By id, what the dry run told of what the action does, of those rows that have it.',
    }),
  ),
  dryRun: Type.Optional(
    Type.Boolean({ description: 'Says what would come of it; nothing is kept. Without it, versions are needed.' }),
  ),
});

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
  /**
   * What the details of the row say and is not empty: of a dry run, as it would be done; of a run, as it stands, where it was changed
   * after it had been shown. Rule: lists#bulk.
   */
  row?: Record<string, unknown>;
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
