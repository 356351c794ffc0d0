import { memo, useMemo } from 'react';
import type { ShownColumn } from '#app/engine/list/columns.ts';
import type { Column, Labels, Row } from '#app/engine/wire.ts';
import { Cell } from '#app/fields/Cell.tsx';
import { isBlank, kindOf, shortMomentOf, textOf } from '#app/fields/format.ts';

interface WidestRowProps {
  columns: readonly ShownColumn[];
  rows: readonly Row[];
  labels?: Labels;
  /** Cells before the columns. */
  before: number;
}

/** Holds each column as wide as its widest value while only some rows are drawn: scrolling moves no column. */
export const WidestRow = memo(function WidestRow(props: WidestRowProps) {
  const { columns, rows, labels, before } = props;
  const widest = useMemo(() => columns.map((it) => widestValue(it, rows, labels)), [columns, rows, labels]);
  return (
    <tbody className="widest" aria-hidden>
      <tr>
        {before > 0 && <td colSpan={before} />}
        {columns.map((it, i) => (
          <td key={it.name}>
            <div className={i === 0 ? 'code' : undefined}>
              <Cell column={it} value={widest[i]} labels={labels} />
            </div>
            {it.below && (
              <div className="below">
                <Cell column={it.below} value={widestValue(it.below, rows, labels)} labels={labels} />
              </div>
            )}
          </td>
        ))}
      </tr>
    </tbody>
  );
});

function widestValue(column: Column, rows: readonly Row[], labels: Labels | undefined): unknown {
  const filled = rows.map((it) => it[column.name]).filter((it) => !isBlank(column, it));
  const read = (it: unknown) => (kindOf(column) === 'moment' ? shortMomentOf(it) : textOf(column, it, labels));
  let [widest, most]: [unknown, number] = [undefined, 0];
  for (const it of filled) {
    const width = widthOf(read(it));
    if (width > most) [widest, most] = [it, width];
  }
  return widest;
}

/** In letters; a Chinese one is as wide as two. */
const widthOf = (text: string): number => text.length + (text.match(/[\u2e80-\uffff]/g)?.length ?? 0);
