import { Worker } from 'node:worker_threads';
import { Refusal } from '#domain/refusal.ts';
import { sizeInWords } from '#domain/uploads.ts';
import { parseDirectory, zipLimits } from '#server/uploads/zip.ts';

/** A cell as the sheet has it. A date is what its clock showed, as if it stood in UTC. */
export type Cell = string | number | boolean | Date | null;

export interface SheetRow {
  /** From 1, as the spreadsheet counts. */
  number: number;
  cells: Cell[];
  /** The columns, from 0, whose cells are formulas: of these the value is the one that was last computed. */
  formulas: readonly number[];
  /** How numbers and days are shown, by column, where that may say more than their digits: `0%`, `[$€-407] 0.00`. */
  formats: Readonly<Record<number, string>>;
  /** The spreadsheet shows it to nobody: this row, or its whole sheet. */
  hidden?: 'row' | 'sheet';
  /** The columns of the sheet, from 0, that it shows to nobody. */
  hiddenColumns?: readonly number[];
}

export const sheetLimits = { rows: 20_000, columns: 100, seconds: 20, memoryMb: 256 } as const;

type Message =
  | {
      rows: [number, Cell[], number[] | undefined, Record<number, string> | undefined, SheetRow['hidden']][];
      hiddenColumns: number[];
    }
  | { fault: 'columns' }
  | { done: true };

/** Whether it is of the format before xlsx, of which the reader tells neither formulas nor how a number is shown. */
const isOldWorkbook = (bytes: Buffer): boolean => bytes[0] === 0xd0;

/**
 * The rows of a workbook's first sheet, one after the other, empty ones left out. Formulas are never computed, and
 * told from values, as are formats that may say more than digits; entities of its XML are not resolved. Bounded before it is unpacked, and read in a thread
 * with its own memory and time. Rule: exports-and-jobs#imports.
 * @throws Refusal oldWorkbook, workbookHuge, workbookBroken, workbookColumns.
 */
export async function* readSheet(bytes: Buffer): AsyncGenerator<SheetRow, void, undefined> {
  if (isOldWorkbook(bytes)) throw new Refusal({ key: 'oldWorkbook', field: 'file' });
  const directory = parseDirectory(bytes);
  if (directory === 'huge') throw huge();
  if (directory === 'broken') throw new Refusal({ key: 'workbookBroken', field: 'file' });
  const copy = new Uint8Array(bytes);
  const worker = new Worker(new URL('./sheetWorker.mjs', import.meta.url), {
    workerData: {
      bytes: copy,
      entries: directory,
      maxRows: sheetLimits.rows + 1,
      maxColumns: sheetLimits.columns,
    },
    transferList: [copy.buffer],
    resourceLimits: { maxOldGenerationSizeMb: sheetLimits.memoryMb },
    stderr: true,
  });
  try {
    for (;;) {
      const message = await readMessage(worker);
      if ('done' in message) return;
      if ('fault' in message) {
        throw new Refusal({ key: 'workbookColumns', field: 'file', args: { max: sheetLimits.columns } });
      }
      const { rows, hiddenColumns } = message;
      const ofSheet = hiddenColumns.length > 0 ? { hiddenColumns } : {};
      for (const [number, cells, formulas = [], formats = {}, hidden] of rows)
        yield { number, cells, formulas, formats, ...(hidden && { hidden }), ...ofSheet };
      worker.postMessage('more');
    }
  } finally {
    await worker.terminate();
  }
}

const huge = () => new Refusal({ key: 'workbookHuge', field: 'file', args: { max: sizeInWords(zipLimits.unpacked) } });

/** The worker's next message; that it broke, ran out of memory or of time is the file's fault. */
function readMessage(worker: Worker): Promise<Message> {
  return new Promise((done, fail) => {
    const end = () => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
    };
    const onMessage = (message: Message) => {
      end();
      done(message);
    };
    const onError = (error: NodeJS.ErrnoException) => {
      end();
      const isOutOfMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      fail(isOutOfMemory ? huge() : new Refusal({ key: 'workbookBroken', field: 'file' }));
    };
    const onExit = () => {
      end();
      fail(new Refusal({ key: 'workbookBroken', field: 'file' }));
    };
    const timer = setTimeout(() => {
      end();
      fail(huge());
    }, sheetLimits.seconds * 1000);
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
  });
}
