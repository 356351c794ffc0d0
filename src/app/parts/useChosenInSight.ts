import { useEffect, type RefObject } from 'react';

const CHOSEN = ':is([aria-current=page], [aria-pressed=true])';

/**
 * Keeps the chosen one of a strip that scrolls in sight: when another is chosen, when more come beside it, and when the
 * window becomes narrower.
 */
export function useChosenInSight(strip: RefObject<HTMLElement | null>, chosen: unknown, count: number): void {
  useEffect(() => {
    const element = strip.current;
    if (!element) return;
    const observer = new ResizeObserver(() => {
      const it = [...element.children].find((child) => child.matches(`${CHOSEN}, :has(${CHOSEN})`));
      it?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    });
    for (const it of [element, ...element.children]) observer.observe(it);
    return () => observer.disconnect();
  }, [strip, chosen, count]);
}
