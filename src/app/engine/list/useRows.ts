import {
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  type KeyboardEvent,
  type MouseEvent,
  type FocusEvent,
} from 'react';
import { flushSync } from 'react-dom';
import type { Row } from '#app/engine/wire.ts';
import { isEnter } from '#app/parts/enter.ts';

export interface Selection {
  ids: readonly number[];
  /** Several rows at once, or one that moves. Rule: lists#selecting. */
  multiple: boolean;
  onChange: (ids: number[]) => void;
}

/** Where a row's menu opens: at its button, or where the pointer was. */
export interface MenuPosition {
  top: number;
  left: number;
}

/** What can be done with the rows of a table. Left out, they are only read. */
export interface RowHandling {
  selection?: Selection;
  activeId?: number | null;
  onActive?: (id: number) => void;
  onOpen?: (row: Row) => void;
  onPreview?: (row: Row) => void;
  onMenu?: (row: Row, at: MenuPosition) => void;
}

/**
 * One set of ears for all rows. A click selects, with Shift as far as the row before it; on the keyboard the arrows,
 * Home, End, PageUp and PageDown move, Enter opens, Space shows the preview, X selects, the menu key opens the menu.
 */
export function useRows(rows: readonly Row[], handling: RowHandling) {
  const latest = useRef({ rows, handling });
  useLayoutEffect(() => {
    latest.current = { rows, handling };
  });
  const anchor = useRef<number | null>(null);

  const toggle = useCallback((id: number, isSpan = false) => {
    const { selection } = latest.current.handling;
    if (!selection) return;
    const { ids, multiple, onChange } = selection;
    const span = isSpan && multiple ? spanOf(latest.current.rows, anchor.current, id) : [];
    anchor.current = id;
    if (span.length > 0) onChange([...new Set([...ids, ...span])]);
    else if (ids.includes(id)) onChange(ids.filter((it) => it !== id));
    else onChange(multiple ? [...ids, id] : [id]);
  }, []);

  return useMemo(() => {
    const findRow = (target: EventTarget | null): Row | undefined => {
      const id = Number((target as Element | null)?.closest<HTMLElement>('tr[data-id]')?.dataset['id']);
      return latest.current.rows.find((it) => it.id === id);
    };
    return {
      onClick: (event: MouseEvent<HTMLElement>) => {
        const row = findRow(event.target);
        const target = event.target as Element;
        if (!row || target.closest('a')) return;
        if (target.closest('.kebab')) {
          const { bottom, left } = target.closest('.kebab')?.getBoundingClientRect() ?? { bottom: 0, left: 0 };
          latest.current.handling.onMenu?.(row, { top: bottom, left });
        } else if (!target.closest('button')) toggle(row.id, event.shiftKey);
      },
      onContextMenu: (event: MouseEvent<HTMLElement>) => {
        const row = findRow(event.target);
        const { onMenu } = latest.current.handling;
        // A link keeps the browser's own menu, and so does text that was marked.
        const isOthers = (event.target as Element).closest('a') || !document.getSelection()?.isCollapsed;
        if (!row || !onMenu || isOthers) return;
        event.preventDefault();
        onMenu(row, { top: event.clientY, left: event.clientX });
      },
      onFocus: (event: FocusEvent<HTMLElement>) => {
        const row = findRow(event.target);
        if (row && row.id !== latest.current.handling.activeId) latest.current.handling.onActive?.(row.id);
      },
      onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
        const element = event.target as HTMLElement;
        const row = findRow(element);
        if (!row || element.tagName !== 'TR' || event.altKey || event.metaKey) return;
        const { onOpen, onPreview, onMenu, selection } = latest.current.handling;
        const done = () => {
          event.preventDefault();
          event.stopPropagation();
        };
        const to = placeAfter(event, latest.current.rows, row);
        if (to) {
          done();
          const table = element.closest('table');
          // A row out of sight may not be drawn; the active one always is.
          if (!focusRow(table, to.id)) {
            flushSync(() => latest.current.handling.onActive?.(to.id));
            focusRow(table, to.id);
          }
          if (event.shiftKey && selection?.multiple) toggle(to.id, true);
        } else if (isEnter(event) && onOpen) {
          done();
          onOpen(row);
        } else if (event.key === ' ') {
          done();
          if (onPreview && !event.shiftKey) onPreview(row);
          else toggle(row.id);
        } else if (event.key.toLowerCase() === 'x' && !event.ctrlKey) {
          done();
          toggle(row.id);
        } else if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) {
          done();
          const { bottom, left } = element.getBoundingClientRect();
          onMenu?.(row, { top: bottom, left: left + 24 });
        } else if (event.key.toLowerCase() === 'a' && event.ctrlKey && selection?.multiple) {
          done();
          selection.onChange(latest.current.rows.map((it) => it.id));
        }
      },
    };
  }, [toggle]);
}

/** The rows between two, both of them. */
function spanOf(rows: readonly Row[], from: number | null, to: number): number[] {
  const a = rows.findIndex((it) => it.id === from);
  const b = rows.findIndex((it) => it.id === to);
  if (a < 0 || b < 0 || a === b) return [];
  return rows.slice(Math.min(a, b), Math.max(a, b) + 1).map((it) => it.id);
}

function placeAfter(event: KeyboardEvent<HTMLElement>, rows: readonly Row[], row: Row): Row | undefined {
  const at = rows.indexOf(row);
  const last = rows.length - 1;
  const steps: Record<string, number> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    Home: 0,
    End: last,
    PageDown: at + pageOf(event.currentTarget),
    PageUp: at - pageOf(event.currentTarget),
  };
  const to = steps[event.key];
  return to === undefined ? undefined : rows[Math.min(Math.max(to, 0), last)];
}

/** How many rows are seen at once. */
function pageOf(body: HTMLElement): number {
  const frame = body.closest('table')?.parentElement;
  const height = body.querySelector('tr')?.offsetHeight ?? 0;
  return frame && height > 0 ? Math.max(1, Math.floor(frame.clientHeight / height) - 2) : 10;
}

/** Puts the focus on a row, which brings it into sight; false where it is not drawn. */
export function focusRow(within: ParentNode | null | undefined, id: number): boolean {
  const row = within?.querySelector<HTMLElement>(`tr[data-id="${id}"]`);
  row?.focus();
  return row !== null && row !== undefined;
}
