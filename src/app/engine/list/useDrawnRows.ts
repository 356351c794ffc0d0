import { useLayoutEffect, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';

/** A table of so many rows is drawn whole: what a page has at most when it fills a window. */
const FEW = 60;
/** How many rows are drawn above and below those in sight. */
const AROUND = 12;
/** What is drawn changes with so many rows scrolled by, not with each. */
const STEP = 6;

interface DrawnRow {
  index: number;
  /** The room that rows before it take which are not drawn. */
  gap: number;
}

interface DrawnRows {
  isPart: boolean;
  drawn: readonly DrawnRow[];
  /** The room of those behind the last one. */
  gapBehind: number;
}

interface Options {
  frame: RefObject<HTMLElement | null>;
  count: number;
  rowHeight: number;
  maxHeight: number;
  /** Those that stay drawn wherever the table is scrolled to, such as the one with the focus. */
  always: readonly number[];
  /** Whether every row is as high as the others. */
  isEven: boolean;
}

/** Of a long table only the rows in sight are drawn, and some around them. */
export function useDrawnRows({ frame, count, rowHeight, maxHeight, always, isEven }: Options): DrawnRows {
  const isPart = isEven && count > FEW;
  const top = useTopRow(frame, isPart, rowHeight);
  if (!isPart) return { isPart, drawn: Array.from({ length: count }, (_, index) => ({ index, gap: 0 })), gapBehind: 0 };
  const inSight = Math.ceil(maxHeight / rowHeight) + STEP;
  const first = Math.max(0, Math.min(top, count - inSight) - AROUND);
  const last = Math.min(count, first + inSight + 2 * AROUND);
  const near = Array.from({ length: last - first }, (_, i) => first + i);
  const indexes = [...new Set([...near, ...always])].sort((a, b) => a - b);
  const drawn = indexes.map((index, i) => ({ index, gap: (index - (indexes[i - 1] ?? -1) - 1) * rowHeight }));
  return { isPart, drawn, gapBehind: (count - 1 - (indexes.at(-1) ?? -1)) * rowHeight };
}

/** The first row in sight, in steps; drawn before the browser paints what was scrolled to. */
function useTopRow(frame: RefObject<HTMLElement | null>, isPart: boolean, rowHeight: number): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const element = frame.current;
    if (!isPart || !element) return;
    const read = () => Math.floor(element.scrollTop / rowHeight / STEP) * STEP;
    const onScroll = () => flushSync(() => setTop(read()));
    setTop(read());
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => element.removeEventListener('scroll', onScroll);
  }, [frame, isPart, rowHeight]);
  return top;
}
