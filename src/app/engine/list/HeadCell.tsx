import { useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import { useTranslate, type SortPayload } from 'ra-core';
import ArrowDownward from '@mui/icons-material/ArrowDownward';
import ArrowUpward from '@mui/icons-material/ArrowUpward';
import { boundedWidth, type ShownColumn } from '#app/engine/list/columns.ts';
import type { MenuPosition } from '#app/engine/list/useRows.ts';
import { alignOf } from '#app/engine/list/BodyRow.tsx';

/** What a user may do to a column where it stands. */
export interface ColumnHandling {
  /** While it is dragged; `null` gives back the width of what stands in it. */
  onWidth: (name: string, width: number | null) => void;
  onMove: (name: string, onto: string) => void;
  onStep: (name: string, by: -1 | 1) => void;
  onMenu?: (name: string, at: MenuPosition) => void;
}

interface HeadCellProps {
  column: ShownColumn;
  isFirst: boolean;
  sort?: SortPayload;
  onSort?: (sort: SortPayload) => void;
  handling?: ColumnHandling;
  style?: React.CSSProperties;
}

/** How far an arrow key moves an edge. */
const STEP = 16;
const DRAGGED = 'application/x-reflow-column';

/**
 * A heading: sorts by a click, up, down, not at all. Its edge is dragged for the width, itself for the place; on the
 * keyboard Shift and an arrow make it wider or narrower, Ctrl+Shift and an arrow move it. A double click on the edge gives the width back.
 */
export function HeadCell({ column, isFirst, sort, onSort, handling, style }: HeadCellProps) {
  const translate = useTranslate();
  const cell = useRef<HTMLTableCellElement>(null);
  const [isOver, setIsOver] = useState(false);
  const order = sort?.field === column.name ? sort.order : undefined;
  const Arrow = order === 'DESC' ? ArrowDownward : ArrowUpward;
  const canMove = handling !== undefined && !isFirst;

  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
    if (!handling || by === 0 || !event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.ctrlKey) handling.onStep(column.name, by);
    else handling.onWidth(column.name, boundedWidth((cell.current?.offsetWidth ?? 0) + by * STEP));
  };

  return (
    <th
      ref={cell}
      scope="col"
      className={`${isFirst ? 'first' : ''} ${alignOf(column)} ${style ? 'sized' : ''} ${isOver ? 'over' : ''}`}
      style={style}
      aria-sort={order === undefined ? undefined : order === 'ASC' ? 'ascending' : 'descending'}
      draggable={canMove}
      onContextMenu={(event) => {
        if (!handling?.onMenu) return;
        event.preventDefault();
        // Some keyboards say no place.
        const { bottom, left } = event.currentTarget.getBoundingClientRect();
        const isPointed = event.clientX > 0 || event.clientY > 0;
        handling.onMenu(column.name, isPointed ? { top: event.clientY, left: event.clientX } : { top: bottom, left });
      }}
      onDragStart={(event) => event.dataTransfer.setData(DRAGGED, column.name)}
      onDragOver={(event) => {
        if (!canMove || !event.dataTransfer.types.includes(DRAGGED)) return;
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        setIsOver(false);
        const name = event.dataTransfer.getData(DRAGGED);
        if (canMove && name) handling.onMove(name, column.name);
      }}
    >
      {onSort ? (
        <button
          type="button"
          className={order ? 'sort on' : 'sort'}
          title={translate(`shell.list.sorted.${order ?? 'none'}`)}
          aria-keyshortcuts={handling ? 'Shift+ArrowLeft Shift+ArrowRight' : undefined}
          onClick={() => onSort(nextSort(column.name, order))}
          onKeyDown={onKeyDown}
        >
          <span className="head">
            {column.label}
            {column.below && <small>{column.below.label}</small>}
          </span>
          <Arrow aria-hidden />
        </button>
      ) : (
        column.label
      )}
      {handling && <Edge cell={cell} onWidth={(width) => handling.onWidth(column.name, width)} />}
    </th>
  );
}

const nextSort = (field: string, order: SortPayload['order'] | undefined): SortPayload =>
  order === undefined
    ? { field, order: 'ASC' }
    : order === 'ASC'
      ? { field, order: 'DESC' }
      : { field: '', order: 'ASC' };

interface EdgeProps {
  cell: React.RefObject<HTMLTableCellElement | null>;
  onWidth: (width: number | null) => void;
}

/** For the mouse alone; what it does, the heading does on the keyboard. */
function Edge({ cell, onWidth }: EdgeProps) {
  const from = useRef<{ x: number; width: number } | null>(null);
  const start = (event: PointerEvent<HTMLSpanElement>) => {
    event.preventDefault();
    from.current = { x: event.clientX, width: cell.current?.offsetWidth ?? 0 };
    event.currentTarget.setPointerCapture?.(event.pointerId);
  };
  const drag = (event: PointerEvent) => {
    if (from.current) onWidth(boundedWidth(from.current.width + event.clientX - from.current.x));
  };
  return (
    <span
      className="edge"
      aria-hidden
      draggable
      onDragStart={(event) => {
        // The heading's own drag would take it along.
        event.preventDefault();
        event.stopPropagation();
      }}
      onPointerDown={start}
      onPointerMove={drag}
      onPointerUp={() => (from.current = null)}
      onPointerCancel={() => (from.current = null)}
      onDoubleClick={() => onWidth(null)}
    />
  );
}
