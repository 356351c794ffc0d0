import { writeXlsxStream, type CellValue } from 'hucre';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import type { Field } from '#domain/definition/grammar.ts';
import type { Context } from '#server/context.ts';
import type { Checked } from '#server/imports/checking.ts';
import { seenFor, textOf } from '#server/imports/cells.ts';
import { PROBLEM_HEADS } from '#server/imports/heads.ts';
import { readSheet, type Cell } from '#server/imports/workbook.ts';

const PROBLEM_WIDTH = 60;

/**
 * The workbook handed back: the rows as they came, in their order, and before them what is wrong with each in the
 * user's language. It can be put right and uploaded as it is: its first column is not read again.
 */
export async function writeReport(bytes: Buffer, { bad, heads }: Checked, into: Writable, ctx: Context): Promise<void> {
  const problems = new Map(bad.map((it) => [it.row, it.msg]));
  const skipped = heads.texts.findIndex((it) => (PROBLEM_HEADS as readonly string[]).includes(it));
  const withoutSkipped = <T>(cells: readonly T[]): T[] => cells.filter((_, i) => i !== skipped);
  const width = withoutSkipped(heads.texts).length;
  async function* rows(): AsyncGenerator<CellValue[]> {
    let isHead = true;
    for await (const { number, cells, formats } of readSheet(bytes)) {
      if (isHead) {
        isHead = false;
        continue;
      }
      // A sheet that is streamed has no formats: what one said of a number is said in words.
      const said = cells.map((it, i) => {
        const { field } = heads.columns[i] ?? {};
        if (formats[i] === undefined || !field || isTime(field)) return it;
        const seen = seenFor(field, it, formats[i]);
        return seen === textOf(it) ? it : seen;
      });
      const own = withoutSkipped(said).slice(0, Math.max(width, cells.length)).map(written);
      yield [problems.get(number) ?? '', ...own];
    }
  }
  const head = PROBLEM_HEADS[ctx.lang === 'zh' ? 0 : 1];
  const columns = [
    { header: head, width: PROBLEM_WIDTH },
    ...withoutSkipped(heads.texts).map((it) => ({ header: it, width: 18 })),
  ];
  const stream = writeXlsxStream(rows(), { name: head, columns, freezePane: { rows: 1, columns: 1 } });
  await pipeline(Readable.fromWeb(stream), into);
}

const isTime = ({ type }: Field): boolean => type === 'date' || type === 'dateTime' || type === 'Month';

/** Never a formula: a text that begins like one is a text of its own cell. Moments stay as they were read. */
const written = (cell: Cell): CellValue => (cell instanceof Date ? textOf(cell) : cell);
