import { Flag } from '#domain/enums.ts';
import { isOver, readJob } from '#domain/jobs.ts';
import { CallError, send, sendTo } from '#app/send.ts';
import { uploadFile } from '#app/parts/uploadFile.ts';
import type { FormField } from '#app/engine/wire.ts';

/** What opens the dialog of an upload of rows. */
export interface RowsForm {
  items: (Omit<FormField, 'type'> & { type: string })[];
  accept: string[];
  maxBytes: number;
  maxRows: number;
  columns: { name: string; label: string; type: string; required: boolean }[];
}

interface TellingRow {
  row: number;
  msg: string;
}

/** What a look at a workbook, or its import, found. */
export interface RowsFound {
  url: string;
  rows: number;
  imported: number;
  bad: number;
  problems: TellingRow[];
  /** What is to be known of the first rows of which something is, and of how many it is; an earlier version told nothing. */
  notes?: TellingRow[];
  noted?: number;
  /** What was there already and goes with it; an earlier version told nothing. */
  replaces?: { msg: string } | null;
  heads: string[];
  ignored: string[];
  sample: { row: number; cells: string[] }[];
  /** The workbook with what is wrong. */
  report: string | null;
}

type RowsAnswer = { url: string; jobId: number; state: Parameters<typeof isOver>[0] } & Partial<RowsFound>;

interface Following {
  signal: AbortSignal;
  /** Rows that are done; the job has taken over from the upload. */
  onRows: (rows: number) => void;
}

export const fetchRowsForm = (module: string, script: string): Promise<RowsForm> =>
  sendTo(
    { method: 'GET', path: `/api/${module}/to${script.charAt(0).toUpperCase()}${script.slice(1)}.json`, writes: false },
    {},
  );

/** Sends a workbook to be looked at, and waits for what is found. */
export async function checkRows(
  path: string,
  file: File,
  given: Readonly<Record<string, string>>,
  onProgress: (share: number) => void,
  following: Following,
): Promise<RowsFound> {
  const fields = { ...given, dryRun: Flag.Yes };
  const { signal } = following;
  return waitForJob(await uploadFile<RowsAnswer>(path, file, file.name, { fields, onProgress, signal }), following);
}

/** Imports the workbook that was looked at; under the same key it is done once. */
export async function importRows(
  path: string,
  url: string,
  given: Readonly<Record<string, string>>,
  key: string,
  following: Following,
): Promise<RowsFound> {
  const call = { method: 'POST', path: path as `/${string}`, writes: true } as const;
  return waitForJob(await sendTo<RowsAnswer>(call, { ...given, url }, { key }), following);
}

const POLL_MS = 1000;

/** The answer, or what its job finds when it takes longer than a call may. */
async function waitForJob(answer: RowsAnswer, { signal, onRows }: Following): Promise<RowsFound> {
  if (isOver(answer.state)) return answer as RowsFound;
  for (;;) {
    await new Promise((done) => setTimeout(done, POLL_MS));
    signal.throwIfAborted();
    const job = await send(readJob, { id: answer.jobId }, { signal });
    onRows(job.progress);
    if (job.state === 'done') return { ...(job.result as unknown as RowsFound), url: answer.url, report: job.path };
    if (isOver(job.state)) throw new CallError({ status: 200, msg: job.msg });
  }
}
