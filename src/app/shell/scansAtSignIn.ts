import { useLayoutEffect, useRef } from 'react';
import { useTranslate } from 'ra-core';
import { notices } from '#app/notify.ts';

interface SignedOut {
  /** Refuses each scan and says so; returns how to stop. */
  refuseScans: (say: () => void) => () => void;
}

let loaded: SignedOut | undefined;

/** The frame brings it with its own code, so that it is there when a session is lost; a first sign-in is too light for it. */
export const offerSignedOut = (it: SignedOut): void => void (loaded = it);

/** Long enough to be read by who looks up from the label. */
const SEEN = 15_000;

/**
 * While nobody is signed in a scan becomes neither a name nor a password, and its end sends no form: it is refused aloud.
 * From the moment on in which the session is lost, also in the middle of a scan. Rule: sessions#login-page.
 */
export function useNoScans(isSignedOut: boolean): void {
  const translate = useTranslate();
  const words = useRef('');
  useLayoutEffect(() => {
    words.current = translate('shell.scanRefused.signedOut');
  });
  useLayoutEffect(() => {
    if (!isSignedOut) return undefined;
    return loaded?.refuseScans(() => notices.warning(words.current, { duration: SEEN }));
  }, [isSignedOut]);
}
