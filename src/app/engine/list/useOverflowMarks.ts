import { useLayoutEffect, type RefObject } from 'react';

/** Marks what goes on beyond an edge, so that its look says so; nothing is drawn anew by scrolling. */
export function useOverflowMarks(frame: RefObject<HTMLElement | null>, count?: number): void {
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    const mark = () => {
      const { scrollLeft, clientWidth, scrollWidth } = element;
      element.toggleAttribute('data-more-left', scrollLeft > 0);
      element.toggleAttribute('data-more-right', scrollLeft + clientWidth < scrollWidth - 1);
    };
    mark();
    const observer = new ResizeObserver(mark);
    for (const it of [element, ...element.children]) observer.observe(it);
    element.addEventListener('scroll', mark, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', mark);
    };
  }, [frame, count]);
}
