import { useEffect, useEffectEvent } from 'react';
import { hasOverlay } from '#app/parts/scan/editable.ts';

/** Longer than a scanner waits between two letters. */
const QUIET = 150;

/**
 * On each new occasion leads from the scan field to what is to be entered next, as soon as no key is pressed any more: a
 * code that is being scanned stays in one field. Who has gone to another field is left there.
 */
export function useFocusWhenQuiet(find: () => HTMLElement | undefined, occasion: unknown): void {
  const lead = useEffectEvent(() => {
    if (isFree(document.activeElement) && !hasOverlay()) find()?.focus({ preventScroll: true });
  });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        stop();
        lead();
      }, QUIET);
    };
    const stop = () => {
      clearTimeout(timer);
      window.removeEventListener('keydown', wait, true);
    };
    window.addEventListener('keydown', wait, true);
    wait();
    return stop;
  }, [occasion]);
}

const isFree = (active: Element | null): boolean =>
  active === document.body ||
  (active instanceof HTMLInputElement && active.dataset['scan'] === 'field' && active.value === '');
