import { useEffect, useRef, type RefObject } from 'react';
import { homeOf, isInOverlay, isTextField, takesScans, writeText } from '#app/parts/scan/editable.ts';
import { createWedge } from '#app/parts/scan/wedge.ts';

/**
 * Brings what a wedge scanner types to the scan field, wherever the focus is. On a button or on nothing, the first
 * letter moves the focus to the field; in another text field, a dialog or an open choice the burst is known by its
 * rhythm: its Enter presses nothing, its letters are taken out again, and it counts as scanned. Design section 7.
 */
export function useWedge(field: RefObject<HTMLInputElement | null>, onBurst: (text: string) => void): void {
  const latest = useRef(onBurst);
  useEffect(() => {
    latest.current = onBurst;
  });
  useEffect(() => {
    const wedge = createWedge();
    let before: { field: HTMLInputElement | HTMLTextAreaElement; text: string } | undefined;
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
      const { target, key } = event;
      if (takesScans(target)) return;
      if (!isTextField(target) && !isInOverlay(target)) {
        if (startsText(key)) homeOf(field.current)?.focus({ preventScroll: true });
        return;
      }
      const burst = wedge.press({ key, at: event.timeStamp });
      if (wedge.isStart()) before = isTextField(target) ? { field: target, text: target.value } : undefined;
      if (burst === undefined) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (before) writeText(before.field, before.text);
      latest.current(burst);
    };
    window.addEventListener('keydown', onKey, true);
    return () => window.removeEventListener('keydown', onKey, true);
  }, [field]);
}

/** A space presses the button under the focus, and `?` shows the shortcuts; an input method hides its letters. */
const startsText = (key: string): boolean => (key.length === 1 && key !== ' ' && key !== '?') || key === 'Process';
