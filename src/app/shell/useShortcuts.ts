import { useEffect, useRef } from 'react';
import { isComposing } from '#app/parts/enter.ts';
import { hasOverlay, isTextField } from '#app/parts/scan/editable.ts';
import { isShortcut, type ShortcutName, shortcuts } from '#app/shell/shortcuts.ts';

/** A scanner's keys follow each other faster than this; a `?` among them is part of a code. */
const ALONE_MS = 60;

const modifiers = ['Shift', 'Alt', 'Control', 'Meta'];

/**
 * Listens for shortcuts of the shell. A decision counts only when no other key comes right before or after it, so that no
 * burst of a scanner makes one, and while nothing lies over the page. One without a modifier counts only outside of text fields, and only when no other
 * key comes right before or after it: a wedge scanner may type a question mark.
 */
export function useShortcuts(handlers: Partial<Record<ShortcutName, () => void>>): void {
  const latest = useRef(handlers);
  useEffect(() => {
    latest.current = handlers;
  });
  useEffect(() => {
    let last = -Infinity;
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const onKey = (event: KeyboardEvent) => {
      if (modifiers.includes(event.key) || isComposing(event)) return;
      const gap = event.timeStamp - last;
      last = event.timeStamp;
      clearTimeout(waiting);
      const name = (Object.keys(latest.current) as ShortcutName[]).find((it) => isShortcut(event, it));
      if (!name || event.defaultPrevented) return;
      const handler = () => latest.current[name]?.();
      if (shortcuts[name].scope === 'review') {
        event.preventDefault();
        if (gap > ALONE_MS && !hasOverlay()) waiting = setTimeout(handler, ALONE_MS);
      } else if (shortcuts[name].keys.includes('+')) {
        event.preventDefault();
        handler();
      } else if (!isWriting(event.target) && gap > ALONE_MS) {
        // Firefox searches the page with a key of these.
        event.preventDefault();
        waiting = setTimeout(handler, ALONE_MS);
      }
    };
    window.addEventListener('keydown', onKey);
    return () => {
      clearTimeout(waiting);
      window.removeEventListener('keydown', onKey);
    };
  }, []);
}

/** An empty scan field holds the focus at a station all the time; a question mark there asks for the sheet. */
function isWriting(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement && target.dataset['scan'] !== undefined) return target.value !== '';
  return isTextField(target) || (target instanceof HTMLElement && target.isContentEditable);
}
