import { useLayoutEffect, type RefObject } from 'react';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';

/** A table of so many rows is drawn whole: what a page has at most when it fills a window. */
const FEW = 60;

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
  const virtualizer = useVirtualizer({
    count,
    enabled: isPart,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    initialRect: { width: 0, height: maxHeight },
    overscan: 12,
    rangeExtractor: (range) =>
      [...new Set([...defaultRangeExtractor(range), ...always])].filter((it) => it < count).sort((a, b) => a - b),
  });
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, rowHeight]);
  if (!isPart) return { isPart, drawn: Array.from({ length: count }, (_, index) => ({ index, gap: 0 })), gapBehind: 0 };
  const indexes = virtualizer.getVirtualItems().map((it) => it.index);
  const drawn = indexes.map((index, i) => ({ index, gap: (index - (indexes[i - 1] ?? -1) - 1) * rowHeight }));
  return { isPart, drawn, gapBehind: (count - 1 - (indexes.at(-1) ?? -1)) * rowHeight };
}
