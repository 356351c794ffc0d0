import { useEffect, type RefObject } from 'react';
import { hasOverlay, findScanTarget, isTextField } from '#app/parts/scan/editable.ts';

/** The focus is back on the scan input 100 ms after a scan was handled. Rule: scanning#focus. */
export const FOCUS_AFTER = 100;

/**
 * Keeps the focus on the scan field: when the page opens, after each handled scan (`handled` changes), when a dialog
 * closed, when a click ended on nothing or on a button. A text field that somebody chose keeps it, and so does what
 * Tab reached.
 */
export function useScanFocus(field: RefObject<HTMLInputElement | null>, handled: unknown): void {
  useEffect(() => refocus(field.current, isTextField), [field]);

  useEffect(() => {
    return refocusSoon(field, isTextField);
  }, [field, handled]);

  useEffect(() => {
    let cancel = () => {};
    const soon = (keepsFocus: (active: Element) => boolean) => {
      cancel();
      cancel = refocusSoon(field, keepsFocus);
    };
    const onFocusOut = () => soon((active) => active !== document.body);
    const onClick = (event: MouseEvent) => {
      // A button pressed by a key keeps the focus for the next press; detail 0 is such a click.
      if (event.detail > 0) soon(isTextField);
    };
    document.addEventListener('focusout', onFocusOut);
    document.addEventListener('click', onClick);
    return () => {
      cancel();
      document.removeEventListener('focusout', onFocusOut);
      document.removeEventListener('click', onClick);
    };
  }, [field]);
}

/**
 * After 100 ms, or as soon as the dialog that is still open has gone; gives how to call it off. Where Tab or a click
 * has meanwhile reached something else, that keeps the focus: its next Enter is meant for it.
 */
function refocusSoon(field: RefObject<HTMLInputElement | null>, keepsFocus: (active: Element) => boolean): () => void {
  let timer: ReturnType<typeof setTimeout>;
  let from = document.activeElement;
  const tryFocus = () => {
    const active = document.activeElement;
    if (hasOverlay()) {
      from = null;
      timer = setTimeout(tryFocus, FOCUS_AFTER);
    } else if (from === null || active === from || active === document.body) refocus(field.current, keepsFocus);
  };
  timer = setTimeout(tryFocus, FOCUS_AFTER);
  return () => clearTimeout(timer);
}

function refocus(field: HTMLInputElement | null, keepsFocus: (active: Element) => boolean): void {
  const home = findScanTarget(field);
  const active = document.activeElement;
  if (!home || active === home) return;
  if (active && active !== document.body && keepsFocus(active)) return;
  home.focus({ preventScroll: true });
}
