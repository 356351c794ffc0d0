import { useEffect, useEffectEvent, useLayoutEffect } from 'react';
import { useSearchParams } from 'react-router-dom';
import { Flag } from '#domain/enums.ts';
import { createStoredChoice } from '#app/observable.ts';
import { hasStation, KIOSK } from '#app/shell/kiosk.ts';

const KEY = 'F9';
/** A scanner lets a key go at once, whatever its label says: no scan holds one for so long. */
const HOLD_MS = 600;

/** What this browser is: each station that is opened in it stands alone, until somebody leaves that. */
const chosen = createStoredChoice('kiosk', ['on', 'off'], 'off');

/** For a station: whether it stands alone, as its address says, and how to change that; held for a while, F9 does so too. */
export function useStationKiosk() {
  const [query, setQuery] = useSearchParams();
  const isKiosk = query.get(KIOSK) === Flag.Yes;
  const set = (to: boolean) => {
    chosen.set(to ? 'on' : 'off');
    setQuery(
      (it) => {
        const next = new URLSearchParams(it);
        if (to) next.set(KIOSK, Flag.Yes);
        else next.delete(KIOSK);
        return next;
      },
      { replace: true },
    );
  };
  const toggle = () => set(!isKiosk);
  const open = useEffectEvent(() => {
    if (chosen.get() === 'on' && !isKiosk) set(true);
  });
  const onHeld = useEffectEvent(toggle);
  useLayoutEffect(() => {
    hasStation.set(true);
    open();
    return () => hasStation.set(false);
  }, []);
  useEffect(() => listenForHeldKey(onHeld), []);
  return { isKiosk, toggle };
}

function listenForHeldKey(onHeld: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => clearTimeout(timer);
  const onDown = (event: KeyboardEvent) => {
    stop();
    if (event.key === KEY) timer = setTimeout(onHeld, HOLD_MS);
  };
  window.addEventListener('keydown', onDown, true);
  window.addEventListener('keyup', stop, true);
  window.addEventListener('blur', stop);
  return () => {
    stop();
    window.removeEventListener('keydown', onDown, true);
    window.removeEventListener('keyup', stop, true);
    window.removeEventListener('blur', stop);
  };
}
