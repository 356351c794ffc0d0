import { Fragment, useCallback, useMemo, useRef, useState, type ReactNode } from 'react';
import { useTranslate, type SortPayload } from 'ra-core';
import { BodyRow, OpenButton, RowEnd } from '#app/engine/list/BodyRow.tsx';
import type { ShownColumn } from '#app/engine/list/columns.ts';
import { HeadCell, type ColumnHandling } from '#app/engine/list/HeadCell.tsx';
import { TotalsRow } from '#app/engine/list/TotalsRow.tsx';
import { useDrawnRows } from '#app/engine/list/useDrawnRows.ts';
import { useOverflowMarks } from '#app/engine/list/useOverflowMarks.ts';
import { useRows, type RowHandling, type Selection } from '#app/engine/list/useRows.ts';
import { WidestRow } from '#app/engine/list/WidestRow.tsx';
import { TableFrame } from '#app/engine/TableFrame.tsx';
import type { Column, Labels, Row } from '#app/engine/wire.ts';
import type { Total } from '#domain/money.ts';

interface RowTableProps extends RowHandling {
  columns: readonly ShownColumn[];
  /** What a row is called by; left out, its first column. */
  named?: readonly Column[];
  rows: readonly Row[];
  labels?: Labels;
  label: string;
  maxHeight: number;
  rowHeight: number;
  /** Where the first column leads; left out, nowhere. */
  linkOf?: (row: Row) => string;
  sort?: SortPayload;
  onSort?: (sort: SortPayload) => void;
  /** Widths that the user gave, by column. */
  widths?: Readonly<Record<string, number>>;
  handling?: ColumnHandling;
  /** Sums over the whole list, by column. */
  totals?: Readonly<Record<string, Total>>;
  previewedId?: number | null;
  /** How many rows there are on all pages, and how many stand before this one's first. */
  count?: number;
  before?: number;
  /** Pictures as thumbnails, not as their number. */
  showsImages?: boolean;
  /** What opens under a row. */
  under?: Under;
  /** In place of rows: nothing found, failed, still loading. */
  instead?: ReactNode;
}

/** Rows that open: what stands under one, and which have something there. */
export interface Under {
  label: string;
  has: (row: Row) => boolean;
  draw: (row: Row) => ReactNode;
}

const PICK_WIDTH = 44;

/** The table of a list, and of a bill's lines: there without anything that changes it. */
export function RowTable(props: RowTableProps) {
  const { columns, rows, labels, label, maxHeight, rowHeight, linkOf, instead, showsImages = false } = props;
  const { selection, activeId, onMenu, widths, totals, sort, onSort, handling, previewedId, count, before, under } =
    props;
  const picks = selection?.multiple === true;
  const opened = useOpened(rows, under);
  const ears = useRows(rows, props);
  const first = useMemo(() => columns.slice(0, 1), [columns]);
  const styles = useStyles(columns, widths);
  const frame = useRef<HTMLDivElement>(null);
  const activeIndex = findActive(rows, activeId, selection);
  const always = [0, activeIndex];
  const { isPart, drawn, gapBehind } = useDrawnRows({
    frame,
    count: instead ? 0 : rows.length,
    rowHeight,
    maxHeight,
    always,
    isEven: under === undefined,
  });
  useOverflowMarks(frame);
  // Where not every row is drawn, or they go on on other pages, each says which one it is.
  const isCounted = isPart || selection !== undefined;
  const cellsBefore = Number(picks) + Number(under !== undefined);
  const width = cellsBefore + columns.length + 1;
  const style = {
    maxHeight,
    '--row': `${rowHeight}px`,
    '--first': picks || under ? `${PICK_WIDTH}px` : '0px',
    ...Object.fromEntries(columns.map((it, i) => [`--w${i}`, `${widths?.[it.name] ?? 0}px`])),
  };
  return (
    <TableFrame ref={frame} style={style}>
      <table
        aria-label={label}
        aria-multiselectable={selection ? picks : undefined}
        aria-rowcount={isCounted ? (count ?? rows.length) + 1 : undefined}
        role={selection ? 'grid' : undefined}
      >
        <thead>
          <tr aria-rowindex={isCounted ? 1 : undefined}>
            {picks && <PickAll rows={rows} selection={selection} />}
            {under && <OpenAll label={under.label} opened={opened} />}
            {columns.map((it, i) => (
              <HeadCell
                key={it.name}
                column={it}
                isFirst={i === 0}
                sort={sort}
                onSort={onSort}
                handling={handling}
                style={styles?.[i]}
              />
            ))}
            <RowEnd hasMenu={onMenu !== undefined} />
          </tr>
        </thead>
        {!instead && (
          <tbody {...(selection && ears)}>
            {drawn.map(({ index: i, gap }) => {
              const it = rows[i] as Row;
              return (
                <Fragment key={it.id}>
                  {gap > 0 && <Gap height={gap} width={width} />}
                  <BodyRow
                    columns={columns}
                    named={props.named ?? first}
                    styles={styles}
                    labels={labels}
                    row={it}
                    index={isCounted ? (before ?? 0) + i + 2 : undefined}
                    link={linkOf?.(it)}
                    isActive={i === activeIndex}
                    isSelected={selection?.ids.includes(it.id) === true}
                    isPreviewed={it.id === previewedId}
                    isLive={selection !== undefined}
                    picks={picks}
                    hasMenu={onMenu !== undefined}
                    showsImages={showsImages}
                    opens={under && (under.has(it) ? under.label : '')}
                    isOpen={opened.ids.has(it.id)}
                    onOpened={opened.toggle}
                  />
                  {under && opened.ids.has(it.id) && (
                    <tr className="under">
                      <td colSpan={width}>
                        <div>{under.draw(it)}</div>
                      </td>
                    </tr>
                  )}
                </Fragment>
              );
            })}
            {gapBehind > 0 && <Gap height={gapBehind} width={width} />}
          </tbody>
        )}
        {isPart && <WidestRow columns={columns} rows={rows} labels={labels} before={cellsBefore} />}
        {!instead && totals && (
          <TotalsRow columns={columns} totals={totals} picks={picks} hasMenu={onMenu !== undefined} />
        )}
      </table>
      {instead}
    </TableFrame>
  );
}

/** The row that Tab reaches: the one last used, else the first selected, else the first. */
function findActive(rows: readonly Row[], activeId: number | null | undefined, selection: Selection | undefined) {
  const used = rows.findIndex((it) => it.id === activeId);
  return Math.max(0, used >= 0 ? used : rows.findIndex((it) => selection?.ids.includes(it.id)));
}

/** The room of rows that are not drawn. */
function Gap({ height, width }: { height: number; width: number }) {
  return (
    <tr className="gap" aria-hidden>
      <td colSpan={width} style={{ height }} />
    </tr>
  );
}

/**
 * A column that was given a width takes it from a variable of the frame: while its edge is dragged only the variable
 * changes, and no row is drawn anew.
 */
function useStyles(columns: readonly Column[], widths: RowTableProps['widths']) {
  const sized = columns.map((it) => (widths?.[it.name] === undefined ? '' : '1')).join();
  return useMemo(() => {
    if (!sized.includes('1')) return undefined;
    return sized.split(',').map((it, i): React.CSSProperties | undefined => {
      const width = `var(--w${i})`;
      return it ? { width, minWidth: width, maxWidth: width } : undefined;
    });
  }, [sized]);
}

function PickAll({ rows, selection }: { rows: readonly Row[]; selection: Selection }) {
  const translate = useTranslate();
  const all = rows.length > 0 && rows.every((it) => selection.ids.includes(it.id));
  const some = !all && rows.some((it) => selection.ids.includes(it.id));
  return (
    <th className="pick">
      <input
        type="checkbox"
        checked={all}
        ref={(it) => {
          if (it) it.indeterminate = some;
        }}
        aria-label={translate('shell.list.selectAll')}
        onChange={() => selection.onChange(all ? [] : rows.map((it) => it.id))}
      />
    </th>
  );
}

/** Which rows are open; a single one is from the start, as there is nothing else to look at. */
function useOpened(rows: readonly Row[], under: Under | undefined) {
  const openable = under ? rows.filter(under.has).map((it) => it.id) : [];
  const [ids, setIds] = useState<ReadonlySet<number>>(() => new Set(rows.length === 1 ? openable : []));
  const toggle = useCallback(
    (id: number) =>
      setIds((before) => new Set(before.has(id) ? [...before].filter((it) => it !== id) : [...before, id])),
    [],
  );
  const isAll = openable.length > 0 && openable.every((it) => ids.has(it));
  return { ids, toggle, openable, isAll, toggleAll: () => setIds(new Set(isAll ? [] : openable)) };
}

function OpenAll({ label, opened }: { label: string; opened: ReturnType<typeof useOpened> }) {
  return (
    <th className="pick">
      {opened.openable.length > 0 && <OpenButton label={label} isOpen={opened.isAll} onClick={opened.toggleAll} />}
    </th>
  );
}
