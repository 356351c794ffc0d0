// Reads the first sheet of a workbook in a thread of its own: a hostile or huge one runs out of this thread's memory
// and time, never of the server's, and a station's scan does not wait for it. Plain JavaScript, as plain node loads it.
import { parentPort, workerData } from 'node:worker_threads';

const BATCH = 200;
const { bytes, isOld, maxRows, maxColumns } = workerData;

/** Rows as the sheet has them, number (from 1) and cells; empty ones are left out. */
async function* rowsOf() {
  if (isOld) {
    const { readXls } = await import('hucre');
    const { sheets } = await readXls(bytes, { sheets: [0] });
    for (const [i, values] of (sheets[0]?.rows ?? []).entries()) yield { index: i, values };
    return;
  }
  const { streamXlsxRows } = await import('hucre/xlsx');
  yield* streamXlsxRows(bytes, { maxRows: maxRows + 1 });
}

const isEmpty = (value) => value === null || value === undefined || value === '';

/** What a cell says: text, number, moment or yes/no; of a formula the value that was last computed. */
function cellOf(value) {
  if (value instanceof Date) return value;
  return typeof value === 'object' ? null : value;
}

function post(message) {
  const taken = new Promise((done) => parentPort.once('message', done));
  parentPort.postMessage(message);
  return taken;
}

let batch = [];
for await (const { index, values } of rowsOf()) {
  let width = values.length;
  while (width > 0 && isEmpty(values[width - 1])) width -= 1;
  if (width === 0) continue;
  if (width > maxColumns) {
    await post({ fault: 'columns' });
    break;
  }
  batch.push([index + 1, values.slice(0, width).map(cellOf)]);
  if (batch.length < BATCH) continue;
  await post({ rows: batch });
  batch = [];
}
if (batch.length > 0) await post({ rows: batch });
parentPort.postMessage({ done: true });
