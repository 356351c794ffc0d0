import type { BulkAnswer as Answer, Verdict } from '#domain/bulk.ts';
import type { Column, Labels } from '#app/engine/wire.ts';
import { withProgress, type Progress } from '#app/eventStream.ts';
import { newKey, sendTo } from '#app/send.ts';

/** With the fields by which its rows are told, and what their values are called. */
export type BulkAnswer = Answer & { fields?: Column[]; labels?: Labels };

/** What is done, and with which values. */
interface BulkAction {
  action: string;
  values?: Record<string, unknown>;
}

/** The rows that were selected, or all that match. */
export type Which = { ids: number[] } | { matching: { query: object; adminAdvancedSearchGroup?: object; all: true } };

const call = (module: string) => ({ method: 'POST', path: `/api/${module}/bulk.json`, writes: true }) as const;

/** Of ten thousand rows, each with its own call, and beside others. */
const LONGEST_PREVIEW = 600_000;

/** Asks what would come of it, and hears how far that is; nothing is kept, and who leaves ends it. */
export const previewBulk = (
  module: string,
  bulkAction: BulkAction,
  which: Which,
  { onProgress, signal }: { onProgress: (progress: Progress) => void; signal: AbortSignal },
): Promise<BulkAnswer> =>
  sendTo<BulkAnswer>(
    call(module),
    { ...bulkAction, ...which, dryRun: true },
    { readAnswer: withProgress(onProgress), patience: LONGEST_PREVIEW, signal },
  );

/** So many rows go in one call: enough to be quick, few enough that no station waits for their locks. */
const CHUNK = 200;

export interface Run {
  done: Verdict[];
  /** What the values of its rows are called, and were when it was foreseen. */
  labels: Labels;
  /** What is left, as it was foreseen, each part with the key under which it goes until it had a verdict. */
  left: {
    key: string;
    ids: number[];
    versions: Record<string, number | null>;
    foreseen?: Record<string, string>;
  }[];
}

export const createRun = (rows: readonly Verdict[], labels: Labels = {}): Run => ({
  done: [],
  labels,
  left: Array.from({ length: Math.ceil(rows.length / CHUNK) }, (_, i) => {
    const part = rows.slice(i * CHUNK, (i + 1) * CHUNK);
    const foreseen = Object.fromEntries(part.flatMap((it) => (it.foreseen ? [[it.id, it.foreseen]] : [])));
    return {
      key: newKey(),
      ids: part.map((it) => it.id),
      versions: Object.fromEntries(part.map((it) => [it.id, it.version])),
      ...(Object.keys(foreseen).length > 0 && { foreseen }),
    };
  }),
});

/** The next part of a run; a part that had no answer goes again under its key, so that no row is done twice. */
export async function step(module: string, bulkAction: BulkAction, run: Run): Promise<Run> {
  const [next, ...left] = run.left;
  if (!next) return run;
  const { key, ...rows } = next;
  const answer = await sendTo<BulkAnswer>(call(module), { ...bulkAction, ...rows }, { key });
  return { done: [...run.done, ...answer.results], labels: withLabels(run.labels, answer.labels), left };
}

/** Both of each field. */
const withLabels = (labels: Labels, more: Labels = {}): Labels => ({
  ...labels,
  ...Object.fromEntries(Object.entries(more).map(([name, it]) => [name, { ...labels[name], ...it }])),
});
