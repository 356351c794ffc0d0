import { useEffect, type RefObject } from 'react';
import { hasOpenDialog, homeOf, isTextField } from '#app/parts/scan/editable.ts';

/** Specification 2 section 9: the focus is back on the scan input 100 ms after a scan was handled. */
export const FOCUS_AFTER = 100;

/**
 * Keeps the focus on the scan field: when the page opens, after each handled scan (`handled` changes), when a dialog
 * closed, when a click ended on nothing or on a button. A text field that somebody chose keeps it, and so does what
 * Tab reached.
 */
export function useScanFocus(field: RefObject<HTMLInputElement | null>, handled: unknown): void {
  useEffect(() => refocus(field.current, isTextField), [field]);

  useEffect(() => {
    const timer = setTimeout(() => refocus(field.current, isTextField), FOCUS_AFTER);
    return () => clearTimeout(timer);
  }, [field, handled]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const soon = (keeps: (active: Element) => boolean) => {
      clearTimeout(timer);
      timer = setTimeout(() => refocus(field.current, keeps), FOCUS_AFTER);
    };
    const onFocusOut = () => soon((active) => active !== document.body);
    const onClick = (event: MouseEvent) => {
      // A button pressed by a key keeps the focus for the next press; detail 0 is such a click.
      if (event.detail > 0) soon(isTextField);
    };
    document.addEventListener('focusout', onFocusOut);
    document.addEventListener('click', onClick);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('focusout', onFocusOut);
      document.removeEventListener('click', onClick);
    };
  }, [field]);
}

function refocus(field: HTMLInputElement | null, keeps: (active: Element) => boolean): void {
  const home = homeOf(field);
  const active = document.activeElement;
  if (!home || active === home || hasOpenDialog()) return;
  if (active && active !== document.body && keeps(active)) return;
  home.focus({ preventScroll: true });
}
