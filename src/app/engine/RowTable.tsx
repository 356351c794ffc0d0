import { memo, useCallback, useLayoutEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useTranslate, type SortPayload } from 'ra-core';
import ArrowDownward from '@mui/icons-material/ArrowDownward';
import ArrowUpward from '@mui/icons-material/ArrowUpward';
import type { Column, Labels, Row } from '#app/engine/wire.ts';
import { TableFrame } from '#app/engine/TableFrame.tsx';
import { Cell } from '#app/fields/Cell.tsx';
import { isEmptyValue, kindOf, textOf, urlsOf } from '#app/fields/format.ts';
import { Images } from '#app/fields/Images.tsx';

interface RowTableProps {
  module: string;
  columns: readonly Column[];
  rows: readonly Row[];
  labels?: Labels;
  label: string;
  maxHeight: number;
  rowHeight: number;
  /** Where the first column leads; left out, nowhere. */
  linkOf?: (row: Row) => string;
  sort?: SortPayload;
  onSort?: (sort: SortPayload) => void;
  selection?: Selection;
  /** Pictures as thumbnails, not as their number. */
  showsImages?: boolean;
  /** In place of rows: nothing found, failed, still loading. */
  instead?: ReactNode;
}

export interface Selection {
  ids: readonly number[];
  /** Several rows at once, or one that moves. Spec 1 section 2. */
  multiple: boolean;
  onChange: (ids: number[]) => void;
}

const PICK_WIDTH = 44;

export function RowTable(props: RowTableProps) {
  const {
    module,
    columns,
    rows,
    labels,
    label,
    maxHeight,
    rowHeight,
    linkOf,
    selection,
    instead,
    showsImages = false,
  } = props;
  const picks = selection?.multiple === true;
  const toggle = useToggle(selection);
  const style = { maxHeight, '--row': `${rowHeight}px`, '--first': picks ? `${PICK_WIDTH}px` : '0px' };
  return (
    <TableFrame style={style as React.CSSProperties} onKeyDown={moveFocus}>
      <table
        aria-label={label}
        aria-multiselectable={selection ? picks : undefined}
        role={selection ? 'grid' : undefined}
      >
        <thead>
          <tr>
            {picks && <PickAll rows={rows} selection={selection} />}
            {columns.map((it, i) => (
              <HeadCell key={it.name} column={it} isFirst={i === 0} {...props} />
            ))}
          </tr>
        </thead>
        {!instead && (
          <tbody>
            {rows.map((it, i) => (
              <BodyRow
                key={it.id}
                module={module}
                columns={columns}
                labels={labels}
                row={it}
                link={linkOf?.(it)}
                isFirst={i === 0}
                isSelected={selection?.ids.includes(it.id) === true}
                picks={picks}
                showsImages={showsImages}
                onToggle={selection && toggle}
              />
            ))}
          </tbody>
        )}
      </table>
      {instead}
    </TableFrame>
  );
}

function HeadCell({ column, isFirst, sort, onSort }: RowTableProps & { column: Column; isFirst: boolean }) {
  const translate = useTranslate();
  const order = sort?.field === column.name ? sort.order : undefined;
  const next: SortPayload =
    order === undefined
      ? { field: column.name, order: 'ASC' }
      : order === 'ASC'
        ? { field: column.name, order: 'DESC' }
        : { field: '', order: 'ASC' };
  const Arrow = order === 'DESC' ? ArrowDownward : ArrowUpward;
  return (
    <th
      scope="col"
      className={`${isFirst ? 'first' : ''} ${alignOf(column)}`}
      aria-sort={order === undefined ? undefined : order === 'ASC' ? 'ascending' : 'descending'}
    >
      {onSort ? (
        <button
          type="button"
          className={order ? 'sort on' : 'sort'}
          title={translate(`shell.list.sorted.${order ?? 'none'}`)}
          onClick={() => onSort(next)}
        >
          {column.label}
          <Arrow aria-hidden />
        </button>
      ) : (
        column.label
      )}
    </th>
  );
}

interface BodyRowProps {
  module: string;
  columns: readonly Column[];
  labels?: Labels;
  row: Row;
  link?: string;
  isFirst: boolean;
  isSelected: boolean;
  picks: boolean;
  showsImages: boolean;
  onToggle?: (id: number) => void;
}

/** Drawn anew only when it or its selection changes: clicking through a page of 200 stays quick. */
const BodyRow = memo(function BodyRow(props: BodyRowProps) {
  const { module, columns, labels, row, link, isFirst, isSelected, picks, showsImages, onToggle } = props;
  const translate = useTranslate();
  const toggle = () => onToggle?.(row.id);
  const name = columns[0] ? textOf(columns[0], row[columns[0].name], labels) || String(row.id) : String(row.id);
  return (
    <tr
      className={onToggle && 'row'}
      aria-selected={onToggle && isSelected}
      tabIndex={onToggle && !picks ? (isFirst || isSelected ? 0 : -1) : undefined}
      onClick={onToggle && toggle}
      onKeyDown={(event) => {
        if (event.key !== ' ' || event.target !== event.currentTarget) return;
        event.preventDefault();
        toggle();
      }}
    >
      {picks && (
        <td className="pick">
          <input
            type="checkbox"
            checked={isSelected}
            aria-label={translate('shell.list.selectRow', { row: name })}
            onClick={(event) => event.stopPropagation()}
            onChange={toggle}
          />
        </td>
      )}
      {columns.map((column, i) => (
        <td key={column.name} className={`${i === 0 ? 'first' : ''} ${alignOf(column)}`}>
          {i === 0 && link && !isEmptyValue(row[column.name]) ? (
            <Link to={link} className="code" onClick={(event) => event.stopPropagation()}>
              {name}
            </Link>
          ) : showsImages && kindOf(column) === 'images' ? (
            <Images urls={urlsOf(row[column.name])} label={column.label} size={28} />
          ) : (
            <Cell column={column} value={row[column.name]} module={module} labels={labels} />
          )}
        </td>
      ))}
    </tr>
  );
});

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

/** One row that moves, or several that add up; the same row again is let go. The function stays the same, so rows do. */
function useToggle(selection: Selection | undefined): (id: number) => void {
  const latest = useRef(selection);
  useLayoutEffect(() => {
    latest.current = selection;
  });
  return useCallback((id: number) => {
    if (!latest.current) return;
    const { ids, multiple, onChange } = latest.current;
    if (ids.includes(id)) onChange(ids.filter((it) => it !== id));
    else onChange(multiple ? [...ids, id] : [id]);
  }, []);
}

/** Arrows move from row to row. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const row = document.activeElement;
  if (!(row instanceof HTMLTableRowElement)) return;
  const to =
    event.key === 'ArrowDown' ? row.nextElementSibling : event.key === 'ArrowUp' ? row.previousElementSibling : null;
  if (!(to instanceof HTMLElement)) return;
  event.preventDefault();
  to.focus();
}

function alignOf(column: Column): string {
  if (column.align) return column.align === 'left' ? '' : column.align;
  return ['money', 'percent', 'number'].includes(kindOf(column)) ? 'right' : '';
}
